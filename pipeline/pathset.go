package pipeline

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/cloudg/mcplayer/internal/glob"
)

// pathSet matches the paths of values against dotted globs, all at once: a state
// is a set of places in the patterns, one bit each, and every name on the way
// leads to the next state. A position in a list is a segment that a pattern may
// leave out: items.name and items.*.name match the same.
type pathSet struct {
	segments []*glob.Pattern // by place; nil for ** and at the end of a pattern
	start    uint64          // the state at the document itself
	any      uint64          // places of **
	star     uint64          // places of *
	end      uint64          // places behind a whole pattern
	digits   bool            // a segment but * may match a position
}

// maxPlaces is how many segments the patterns of one option can have, each
// pattern's end counted as one.
const maxPlaces = 64

func newPathSet(patterns []string) (*pathSet, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	s := &pathSet{}
	for _, pattern := range patterns {
		s.start |= 1 << len(s.segments)
		for segment := range strings.SplitSeq(pattern, ".") {
			if err := s.add(segment); err != nil {
				return nil, fmt.Errorf("%q: %w", pattern, err)
			}
		}
		s.end |= 1 << len(s.segments)
		s.segments = append(s.segments, nil)
		if len(s.segments) > maxPlaces {
			return nil, fmt.Errorf("the patterns have more than %d segments together", maxPlaces)
		}
	}
	s.start = s.skipAny(s.start)
	return s, nil
}

func (s *pathSet) add(segment string) error {
	bit := uint64(1) << len(s.segments)
	switch segment {
	case "":
		return errors.New("a segment is empty")
	case "**":
		s.any |= bit
		s.segments = append(s.segments, nil)
		return nil
	case "*":
		s.star |= bit
	default:
		s.digits = s.digits || strings.ContainsAny(segment, "0123456789*?[")
	}
	p, err := glob.Compile(segment)
	s.segments = append(s.segments, p)
	return err
}

// skipAny adds the places behind each **, which also stands for nothing.
func (s *pathSet) skipAny(state uint64) uint64 {
	for {
		next := state | (state&s.any)<<1
		if next == state {
			return state
		}
		state = next
	}
}

// match returns the places whose segment matches a name.
func (s *pathSet) match(name string) uint64 {
	var places uint64
	for i, p := range s.segments {
		if p != nil && p.Match(name) {
			places |= 1 << i
		}
	}
	return places
}

// next returns the state at a value from that of what it is in.
func (s *pathSet) next(state, places uint64, named bool) uint64 {
	next := (state&places)<<1 | state&s.any
	if !named {
		next |= state // the position left out
	}
	return s.skipAny(next)
}

// matchPosition returns the places whose segment matches a position in a list.
func (s *pathSet) matchPosition(pos int) uint64 {
	if !s.digits {
		return s.star
	}
	return s.match(strconv.Itoa(pos))
}
