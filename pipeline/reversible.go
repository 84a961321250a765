package pipeline

// reverser is a transform that may make what has to be turned back when a client
// sends it.
type reverser interface{ reversible() bool }

// Reversible reports whether the pipeline can make something that has to be turned
// back when a client sends it: pseudonyms, aliases, fences. The input pipeline of
// the same caller then needs the step depseudonymize, with [Pipeline.Aliases]. A nil
// Pipeline makes nothing.
func (p *Pipeline) Reversible() bool {
	return p.some(func(t Transform) bool {
		r, ok := t.(reverser)
		return ok && r.reversible()
	})
}

// Pseudonymizes reports whether the pipeline can make pseudonyms.
func (p *Pipeline) Pseudonymizes() bool {
	return p.some(func(t Transform) bool {
		r, ok := t.(*redact)
		return ok && r.reversible()
	})
}

// Empty reports whether the pipeline does nothing.
func (p *Pipeline) Empty() bool { return p == nil || len(p.steps) == 0 }

func (p *Pipeline) some(is func(Transform) bool) bool {
	if p == nil {
		return false
	}
	for _, s := range p.steps {
		if is(s.transform) {
			return true
		}
	}
	return false
}

func (a *alias) reversible() bool { return len(a.back) > 0 }

func (s *sanitize) reversible() bool { return s.detector != nil && s.action == actionFence }
