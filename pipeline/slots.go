package pipeline

import "sync"

// outputSlots is room for what nearly every pass over a result needs, inputSlots for what
// one over arguments needs: a pass and its steps are one allocation.
type outputSlots struct {
	counts    [8]count
	shapers   [1]placedShaper
	sanitizer sanitizer
	redacter  redacter
	settler   settler
	shaper    shaper
	annotater annotater
}

type inputSlots struct {
	guarder         guarder
	depseudonymizer depseudonymizer
}

func (p *Pipeline) newPass() *Pass {
	if p.input {
		one := &struct {
			Pass
			slots inputSlots
		}{}
		one.in = &one.slots
		return &one.Pass
	}
	one := &struct {
		Pass
		slots outputSlots
	}{}
	one.out = &one.slots
	one.tally.counts, one.shapers = one.slots.counts[:0], one.slots.shapers[:0]
	return &one.Pass
}

// room returns the slot if it is free, else a place of its own.
func room[T any](free bool, slot func() *T) *T {
	if free {
		return slot()
	}
	return new(T)
}

// isInput reports whether a transform is one of arguments.
func isInput(t Transform) bool {
	switch t.(type) {
	case *guard, *depseudonymize:
		return true
	}
	return false
}

// stacks are what the steps note of the containers around a value, by their depth, while
// they work on one document.
type stacks struct {
	scopes [12]scope
	levels [12]level
}

var spareStacks = sync.Pool{New: func() any { return new(stacks) }}

// lend gives the steps their stacks.
func (s *outputSlots) lend() *stacks {
	lent := spareStacks.Get().(*stacks)
	s.redacter.levels, s.shaper.levels = lent.scopes[:0], lent.levels[:0]
	return lent
}

// takeBack takes from the steps what was lent to them.
func (s *outputSlots) takeBack(lent *stacks) {
	s.redacter.levels, s.shaper.levels = nil, nil
	*lent = stacks{} // it leads to names of members
	spareStacks.Put(lent)
}
