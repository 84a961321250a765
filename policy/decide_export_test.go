package policy

// Remembered returns how many bindings the document in force remembers.
func (p *Policy) Remembered() int { return p.current.Load().known.len() }

// MaxRemembered is how many it may remember.
const MaxRemembered = 2 * maxBound

// Admitted returns how many primitives a reload asks about.
func (p *Policy) Admitted() int {
	p.admitted.mu.Lock()
	defer p.admitted.mu.Unlock()
	return len(p.admitted.refs)
}
