package jsondoc

import (
	"bytes"
	"slices"
	"sync"
)

// land is memory for what becomes of a large document, made when the first edit is: growing
// would copy it several times, and memory that was never used is dear.
type land struct {
	once   sync.Once
	size   int // of the document
	memory []byte
}

// plot is the part of it for a part of the document. What outgrows it moves elsewhere, as
// slices do.
type plot struct {
	*land
	from, to int // in the document
}

// grown returns how long something may become in its plot.
func grown(n int) int { return n + n/16 }

func (p *plot) memory() []byte {
	p.once.Do(func() { p.land.memory = make([]byte, grown(p.size)) })
	return p.land.memory[grown(p.from):grown(p.from):grown(p.to)]
}

// limitTo lets out grow up to a place in the document if it is still in the plot. It moves
// off the land where it is longer than that.
func (p *plot) limitTo(out []byte, to int) []byte {
	from := grown(p.from)
	switch {
	case !p.holds(out):
		return out
	case from+len(out) > grown(to):
		return bytes.Clone(out) // off the land: what lies behind it is for others now
	}
	return p.land.memory[from : from+len(out) : grown(to)]
}

// holds reports whether out begins where the plot does.
func (p *plot) holds(out []byte) bool {
	return cap(out) > 0 && &out[:1][0] == &p.land.memory[grown(p.from)]
}

// reach lets out grow up to a place in the document, or, where it has moved off its land, by
// so much.
func (s *splice) reach(to, more int) {
	switch {
	case s.plot == nil:
	case !s.on:
		s.plot.to = to
	default:
		s.out = s.plot.limitTo(s.out, to)
		if !s.plot.holds(s.out) || cap(s.out) == len(s.out) {
			s.out = slices.Grow(s.out, more)
		}
	}
}

// take returns what was written. It is copied where it holds, or shares, much more memory
// than it needs.
func (s *splice) take() (out []byte) {
	if cap(s.out) <= maxPooled || s.on && 2*len(s.out) < s.plot.size {
		return bytes.Clone(s.out)
	}
	out, s.out = s.out, nil
	return out
}
