package vault

import (
	"errors"
	"strings"
)

// maxGrowth bounds how much longer than a text its reversal may be, in bytes.
const maxGrowth = 16 << 20

// AppendOriginals appends text to dst with every pseudonym in it that was issued to
// the owner turned back, and tells how many there were. What is no pseudonym passes.
//
// A pseudonym stands for itself as the whole text or between bytes that cannot be
// part of it; a pseudonym inside a longer word is none. It is found in another case
// where its shape has none, and with percent-encoded separators, whose original is
// encoded likewise. In a text that starts like a URI (RFC 3986), originals are
// encoded so that they stay one segment.
//
// The error, a [*NameError] that is written for clients, says which name it refuses:
// one that has expired, or one that is also the real name of something else. Then
// dst comes back as it was.
func (v *Vault) AppendOriginals(dst []byte, owner string, text []byte) (out []byte, n int, err error) {
	v.mu.RLock()
	space, ok := v.book.spaces.find(v.spaceOf(owner))
	v.mu.RUnlock()
	if !ok {
		return append(dst, text...), 0, nil
	}
	r := reversal{v: v, space: space, text: text, out: dst, start: len(dst), uri: hasScheme(text)}
	if !r.whole() {
		r.scan()
	}
	if r.err != nil {
		return dst, 0, r.err
	}
	return r.out, r.n, nil
}

// Reveal returns what a pseudonym stands for that was issued to the owner, also one
// made of parts that were. The error is a [*NameError]. Who may ask, and keeping a
// record of it, is the matter of the caller.
func (v *Vault) Reveal(owner, pseudonym string) (string, error) {
	out, n, err := v.AppendOriginals(nil, owner, []byte(pseudonym))
	if err != nil {
		return "", err
	}
	if n == 0 {
		return "", &NameError{Name: pseudonym, Err: ErrUnknown}
	}
	return string(out), nil
}

// Issued reports whether a text as a whole is a pseudonym that resolves for the
// owner.
func (v *Vault) Issued(owner, text string) bool {
	v.mu.RLock()
	space, ok := v.book.spaces.find(v.spaceOf(owner))
	v.mu.RUnlock()
	if !ok || len(text) > maxName {
		return false
	}
	r := reversal{v: v, space: space}
	return r.resolve([]byte(strings.TrimSpace(text)), plainText) && r.err == nil
}

// reversal is the work on one text.
type reversal struct {
	v       *Vault
	space   uint32
	text    []byte
	uri     bool
	out     []byte
	start   int // of out
	copied  int // bytes of text that are in out
	n       int
	err     error
	decoded window
}

// whole turns back a text that is one pseudonym.
func (r *reversal) whole() bool {
	return len(r.text) <= maxName && r.resolve(r.text, plainText)
}

// how tells how an original is written.
type how int

const (
	plainText how = iota
	segment       // of a URI
	component     // of something that is percent-encoded
)

// resolve appends the original of a name. It reports whether there is one or the
// name is refused, which err tells.
func (r *reversal) resolve(name []byte, as how) bool {
	v := r.v
	v.mu.RLock()
	e, ok := v.resolve(r.space, name)
	if !ok {
		v.mu.RUnlock()
		return false
	}
	r.err = v.fault(&e)
	stale := v.stale(&e)
	if r.err == nil {
		r.out = appendAs(r.out, e.value, as)
	}
	if stale {
		name = append([]byte(nil), e.name...)
	}
	v.mu.RUnlock()
	if stale && r.err == nil {
		v.use(r.space, name)
	}
	r.n++
	return true
}

// resolve finds the entry of a name, also in another case; the caller holds the
// lock.
func (v *Vault) resolve(space uint32, name []byte) (e entry, ok bool) {
	if _, e, ok = v.book.name(space, name); ok {
		return e, ok
	}
	var folded [maxName]byte
	lower, upper := letters(name)
	if upper && len(name) <= maxName {
		if _, e, ok = v.book.name(space, appendLower(folded[:0], name)); ok {
			return e, ok
		}
	}
	if lower && len(name) <= maxName {
		_, e, ok = v.book.name(space, appendUpper(folded[:0], name))
	}
	return e, ok
}

// fault tells why a name is refused; the caller holds the lock.
func (v *Vault) fault(e *entry) error {
	var reason error
	switch {
	case v.expired(e):
		reason = ErrExpired
	case v.book.real(e.space, e.name):
		reason = ErrAmbiguous
	default:
		return nil
	}
	return &NameError{Name: string(e.name), Err: reason}
}

// replace puts the original of a name in the place of a part of the text.
func (r *reversal) replace(from, to int, name []byte, as how) bool {
	length := len(r.out)
	r.out = append(r.out, r.text[r.copied:from]...)
	if !r.resolve(name, as) {
		r.out = r.out[:length]
		return false
	}
	r.copied = to
	if r.err == nil && len(r.out)-r.start > len(r.text)+maxGrowth {
		r.err = &NameError{Name: string(name), Err: ErrTooLong}
	}
	return true
}

// IsRefusal reports whether an error refuses a name, so that its text is for
// clients.
func IsRefusal(err error) bool {
	_, ok := errors.AsType[*NameError](err)
	return ok
}
