package jsondoc

// splice copies a document piece by piece and leaves spans out.
type splice struct {
	doc    []byte
	out    []byte
	copied int // how much of doc is in out or left out
	edits  int
	plot   *plot // where out is, once there is something to write; nil: in memory of its own
	on     bool  // out is there
}

// mark is a place to go back to.
type mark struct{ out, copied, edits int }

func (s *splice) mark() mark { return mark{len(s.out), s.copied, s.edits} }

func (s *splice) rollBack(m mark) {
	s.out, s.copied, s.edits = s.out[:m.out], m.copied, m.edits
}

// flush copies up to a place and returns the length of what was written.
func (s *splice) flush(to int) int {
	if s.plot != nil && !s.on {
		s.out, s.on = s.plot.memory(), true
	}
	s.out = append(s.out, s.doc[s.copied:to]...)
	s.copied = to
	return len(s.out)
}

// cut leaves a span out.
func (s *splice) cut(from, to int) {
	s.flush(from)
	s.copied = to
	s.edits++
}

// replace leaves a span out; what stands in its place is then for the caller to
// append to out.
func (s *splice) replace(from, to int) { s.cut(from, to) }
