package pipeline

// Pseudonyms turns values into names of the same shape and back. Implementations
// must be safe for concurrent use.
type Pseudonyms interface {
	// AppendPseudonym appends the pseudonym of a value to dst. The owner is the id of
	// the principal that will see it. It is not ok, and dst as it was, if there is none to
	// be had: the value must be hashed instead. A value that is itself a pseudonym issued
	// to the owner is appended as it is, so that a result can be transformed twice.
	AppendPseudonym(dst []byte, owner, entity string, value []byte) (out []byte, ok bool)
	// AppendOriginals appends text to dst with every pseudonym in it that was issued to
	// the owner turned back, and tells how many there were. What is no pseudonym passes.
	// An error says which name it refuses (expired, ambiguous); it is written for
	// clients.
	AppendOriginals(dst []byte, owner string, text []byte) (out []byte, n int, err error)
}
