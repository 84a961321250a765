package vault

import "bytes"

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
	r := reversal{v: v, text: text, out: dst, start: len(dst)}
	if !r.begin(owner) {
		return append(dst, text...), 0, nil
	}
	if len(text) > maxName || !r.replace(0, len(text), text, plainText) {
		r.uri = hasScheme(text)
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
	r := reversal{v: v, text: []byte(text)}
	return len(text) <= maxName && r.begin(owner) && r.replace(0, len(text), r.text, plainText) && r.err == nil
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

// begin finds the namespace of the owner. False: nothing was issued in it.
func (r *reversal) begin(owner string) (ok bool) {
	r.space, ok = r.v.number(&r.v.book.spaces, r.v.spaceOf(owner))
	return ok
}

// how tells how an original is written.
type how int

const (
	plainText how = iota
	segment       // of a URI
	component     // of something that is percent-encoded
)

// replace puts the original of a name in the place of a part of the text. It
// reports whether there is one, or the name is refused, which err tells.
func (r *reversal) replace(from, to int, name []byte, as how) bool {
	v := r.v
	v.lockToRead()
	e, known, ok := v.resolve(r.space, name)
	if !ok {
		v.unlockRead()
		return false
	}
	r.err = v.refusal(&e, known)
	stale := r.err == nil && v.stale(&e)
	if stale {
		name = bytes.Clone(e.name) // the entry may move when the lock is off
	}
	if r.err == nil {
		r.out = append(r.out, r.text[r.copied:from]...)
		r.out = appendAs(r.out, e.value, as)
		r.copied = to
		r.n++
	}
	v.unlockRead()
	if stale {
		v.use(r.space, name)
	}
	if r.err == nil && len(r.out)-r.start > len(r.text)+maxGrowth {
		r.err = &NameError{Name: string(name), Err: ErrTooLong}
	}
	return true
}

// resolve finds the entry of a name, also in another case; the caller holds the
// lock.
func (v *Vault) resolve(space uint32, name []byte) (e entry, known, ok bool) {
	if e, known, ok = v.book.resolve(space, name); ok || len(name) > maxName {
		return e, known, ok
	}
	var folded [maxName]byte
	lower, upper := letters(name)
	if upper {
		if e, known, ok = v.book.resolve(space, appendLower(folded[:0], name)); ok {
			return e, known, ok
		}
	}
	if lower && v.book.capitals.Load() {
		return v.book.resolve(space, appendUpper(folded[:0], name))
	}
	return e, known, ok
}

// refusal tells why a name is refused; known: it is the real name of something.
func (v *Vault) refusal(e *entry, known bool) error {
	switch {
	case v.expired(e):
		return &NameError{Name: string(e.name), Err: ErrExpired}
	case known:
		return &NameError{Name: string(e.name), Err: ErrAmbiguous}
	}
	return nil
}
