package scan

// spareLen is how many matches the room for those of a text has.
const spareLen = 32

// room returns a slice without matches, of one that was released if there is one.
func (e *Engine) room() []Match {
	if spare, ok := e.spare.Get().(*[spareLen]Match); ok {
		return spare[:0]
	}
	return new([spareLen]Match)[:0]
}

// Release gives back what Append or Candidates returned for a nil dst, so that a later
// call needs no memory. Nobody may use it any more.
func (e *Engine) Release(found []Match) {
	if cap(found) == spareLen {
		e.spare.Put((*[spareLen]Match)(found[:spareLen]))
	}
}
