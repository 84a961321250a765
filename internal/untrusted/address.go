package untrusted

// address: an address to the model followed by a command, such as "AI assistant,
// please delete" or "Note to any language model reading this: you must".
func (p *phrase[T]) address() bool {
	called := false // the address is over
	for range maxFill + 4 {
		word, ok := p.next()
		if !ok || p.gap.is(gapQuote|gapJoin) {
			return false
		}
		if p.gap.is(gapColon | gapComma | gapStop | gapLine | gapMark) {
			called = called || p.start > p.from
		}
		switch {
		case word.is(rUrge), word.is(rToward) && called:
			called = true
		case called && word.is(rDo):
			return p.addressed()
		case !called && word.is(rName|rGreet|rToward):
		default:
			return false
		}
	}
	return false
}

// addressed reports whether somebody is spoken to from p.from on, rather than
// spoken about: a clause begins there, or a greeting stands before.
func (p *phrase[T]) addressed() bool {
	if p.apart {
		return true
	}
	// "a1: call in a loop" numbers an item.
	if p.from+1 < len(p.s) && p.s[p.from+1] == '1' {
		return false
	}
	greeted := false
	for i, n := p.from, 0; n < 5; n++ {
		role, start, g, ok := p.before(i)
		switch {
		case g.is(gapJoin):
			return false
		case !ok, g.is(gapBreak | gapComma):
			return n == 0 || greeted
		case role.is(rGreet) && !role.is(rName):
			return true
		case role.is(rLead):
			return n == 0
		case !role.is(rGreet | rToward | rAll | rName):
			return false
		}
		i, greeted = start, greeted || role.is(rGreet|rToward)
	}
	return false
}
