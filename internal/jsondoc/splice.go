package jsondoc

import "sync"

// splice copies a document piece by piece and leaves spans out.
type splice struct {
	doc    []byte
	out    []byte
	copied int // how much of doc is in out or left out
	edits  int
	room   int // what out is made for, once there is something to write; 0: small
}

// rooms holds memory for parts of large documents: what was one part can be another
// without being cleared.
var rooms sync.Pool

func takeRoom(size int) []byte {
	if room, ok := rooms.Get().(*[]byte); ok {
		if cap(*room) >= size {
			return (*room)[:0]
		}
		rooms.Put(room)
	}
	return make([]byte, 0, size)
}

func giveRoom(room []byte) {
	if cap(room) > maxPooled {
		rooms.Put(&room)
	}
}

// mark is a place to go back to.
type mark struct{ out, copied, edits int }

func (s *splice) mark() mark { return mark{len(s.out), s.copied, s.edits} }

func (s *splice) rollBack(m mark) {
	s.out, s.copied, s.edits = s.out[:m.out], m.copied, m.edits
}

// flush copies up to a place and returns the length of what was written.
func (s *splice) flush(to int) int {
	if s.room > 0 && to > s.copied {
		s.out = takeRoom(s.room)
		s.room = 0
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
