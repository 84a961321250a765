package pipeline

import (
	"sync/atomic"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// level is where the paths into a container stand.
type level struct {
	include, exclude uint64
	inside           bool // of something that include names
}

// keyFacts is what the options say about a name.
type keyFacts struct {
	include, exclude uint64
	allowed          [mcplayer.Restricted + 1]bool // by sensitivity
}

// factTable holds facts by the number of the name.
type factTable [jsondoc.MaxKeys]atomic.Pointer[keyFacts]

func newFactTable() any { return &factTable{} }

// picks reports whether the options choose among members.
func (s *shaper) picks() bool {
	return s.include != nil || s.exclude != nil || s.allow != nil || s.allowBy != nil
}

// pick reports whether the value, or a part of it, is to be shown.
func (s *shaper) pick(v *jsondoc.Value) bool {
	depth := v.Depth()
	at := s.top()
	if depth > 0 {
		var why string
		if at, why = s.below(s.levels[depth-1], v); why != "" {
			s.cuts.dropped++
			v.Because(why)
			return false
		}
	}
	if v.Kind()&jsondoc.Containers != 0 {
		s.levels = append(s.levels[:depth], at)
		if !at.inside && depth > 0 {
			v.Because("include")
			v.DropIfEmpty() // what is named inside may not be there
		}
	}
	return true
}

func (s *shaper) top() level {
	at := level{inside: s.include == nil}
	if s.include != nil {
		at.include = s.include.start
		at.inside = at.include&s.include.end != 0
	}
	if s.exclude != nil {
		at.exclude = s.exclude.start
	}
	return at
}

// below returns where paths stand at a value from where they stand around it, or
// the option that leaves the value out.
func (s *shaper) below(at level, v *jsondoc.Value) (level, string) {
	named := v.Named()
	facts := s.factsOf(v, named)
	if !facts.allowed[s.sensitivity] {
		return at, "allow_keys"
	}
	if s.exclude != nil {
		at.exclude = s.exclude.next(at.exclude, facts.exclude, named)
		if at.exclude&s.exclude.end != 0 {
			return at, "exclude"
		}
	}
	if !at.inside {
		at.include = s.include.next(at.include, facts.include, named)
		at.inside = at.include&s.include.end != 0
		leaf := v.Kind()&jsondoc.Containers == 0
		if !at.inside && (leaf || at.include == 0) {
			return at, "include"
		}
	}
	return at, ""
}

func (s *shaper) factsOf(v *jsondoc.Value, named bool) *keyFacts {
	if !named {
		return s.positionFacts(v.Index())
	}
	id := v.KeyID()
	if id < 0 {
		return s.look(string(v.Key()))
	}
	f := s.facts[id].Load()
	if f == nil {
		f = s.look(string(v.Key()))
		s.facts[id].Store(f)
	}
	return f
}

// look tells what the options say about a name.
func (p *project) look(name string) *keyFacts {
	f := &keyFacts{}
	for level := range f.allowed {
		list := p.allow
		if by := p.allowBy[mcplayer.Sensitivity(level)]; by != nil {
			list = by
		}
		f.allowed[level] = list == nil || list.Match(name)
	}
	if p.include != nil {
		f.include = p.include.match(name)
	}
	if p.exclude != nil {
		f.exclude = p.exclude.match(name)
	}
	return f
}

// positionFacts is look for a position in a list.
func (s *shaper) positionFacts(pos int) *keyFacts {
	f := &s.position
	if s.include != nil {
		f.include = s.include.matchPosition(pos)
	}
	if s.exclude != nil {
		f.exclude = s.exclude.matchPosition(pos)
	}
	return f
}
