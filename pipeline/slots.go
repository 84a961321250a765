package pipeline

import "sync"

// outputSlots is a pass over a result with room for what nearly every one needs,
// inputSlots one over arguments: a pass and its steps are one piece of memory, which
// serves one pass after the other.
type outputSlots struct {
	pass      Pass
	counts    [8]count
	shapers   [1]placedShaper
	sanitizer sanitizer
	redacter  redacter
	settler   settler
	shaper    shaper
	annotater annotater
}

type inputSlots struct {
	pass            Pass
	guarder         guarder
	depseudonymizer depseudonymizer
}

var (
	spareOutputs = sync.Pool{New: func() any { return new(outputSlots) }}
	spareInputs  = sync.Pool{New: func() any { return new(inputSlots) }}
)

func (p *Pipeline) newPass() *Pass {
	if p.input {
		s := spareInputs.Get().(*inputSlots)
		s.pass.in = s
		return &s.pass
	}
	s := spareOutputs.Get().(*outputSlots)
	s.pass.out = s
	s.pass.tally.counts, s.pass.shapers = s.counts[:0], s.shapers[:0]
	return &s.pass
}

// Release gives the memory of the pass to a later one. See [mcplayer.Releaser].
func (p *Pass) Release() {
	switch in, out := p.in, p.out; {
	case p.foreign: // who wrote the step may hold the pass
	case in != nil:
		*in = inputSlots{}
		spareInputs.Put(in)
	case out != nil:
		*out = outputSlots{}
		spareOutputs.Put(out)
	}
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
