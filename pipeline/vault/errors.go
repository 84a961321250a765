package vault

import "errors"

// Reasons why a name is refused; see [NameError].
var (
	ErrExpired   = errors.New("it has expired; ask again for what it stands for")
	ErrAmbiguous = errors.New("it is ambiguous: it is a pseudonym and the real name of something else")
	ErrUnknown   = errors.New("it was not issued to this caller")
	ErrTooLong   = errors.New("the text grows too long with the originals in it")
)

// NameError refuses a name. Its text is for clients: the name is a pseudonym, what
// it stands for is not in it.
type NameError struct {
	Name string
	Err  error // ErrExpired, ErrAmbiguous, ErrUnknown or ErrTooLong
}

func (e *NameError) Error() string { return "the name '" + e.Name + "' is refused: " + e.Err.Error() }

func (e *NameError) Unwrap() error { return e.Err }
