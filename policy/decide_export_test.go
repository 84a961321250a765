package policy

// Remembered returns how many bindings the document in force remembers.
func (p *Policy) Remembered() int { return p.current.Load().known.len() }

// MaxRemembered is how many it may remember.
const MaxRemembered = 2 * maxBound
