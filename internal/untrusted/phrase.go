package untrusted

// phrase reads the words of a rule. Each method is called once.
type phrase[T text] struct {
	reader[T]
	from  int  // where the trigger begins
	apart bool // its letters stand alone, so nothing tells the words before it
}

// maxFill bounds how many words may stand between those that matter.
const maxFill = 10

// commanded reports whether the verb at p.from may be a command: no negation,
// modal verb or subject stands before it. Before an infinitive there must be a
// need for it.
func (p *phrase[T]) commanded() bool {
	role, start, g, ok := p.before(p.from)
	if !ok || p.apart || g.is(gapStop|gapLine|gapColon) {
		return true
	}
	if role.is(rToward) {
		need, _, _, _ := p.before(start)
		return need.is(rNeed)
	}
	return !role.is(rModal)
}

// begins reports whether the verb at p.from begins a clause, so that it can be a
// command to whoever reads it.
func (p *phrase[T]) begins() bool {
	role, start, g, ok := p.before(p.from)
	if !ok || p.apart || g.is(gapBreak|gapComma) {
		return true
	}
	if role.is(rToward) {
		need, _, _, _ := p.before(start)
		return need.is(rNeed)
	}
	return role.is(rLead)
}

// is reports whether g has one of the gaps of a set.
func (g gap) is(set gap) bool { return g&set != 0 }

// negated reports whether a negation stands before the trigger.
func (p *phrase[T]) negated() bool {
	role, _, g, ok := p.before(p.from)
	return ok && role.is(rNot) && !g.is(gapStop|gapLine)
}

// ignore: ignore (all) previous instructions, do not follow them, override your
// rules.
func (p *phrase[T]) ignore() bool {
	verb, ok := p.next()
	for range 2 { // not, no
		if !ok || verb.is(rIgnore|rOverride|rFollow) {
			break
		}
		verb, ok = p.next()
	}
	if !ok || !verb.is(rIgnore|rOverride|rFollow) || !p.overrides(verb) {
		return false
	}
	switch {
	case verb.is(rFollow): // "If you do not follow" is a condition.
		return p.apart || !p.subject()
	case verb.is(rOverride):
		return p.commanded()
	}
	return !p.negated()
}

// overrides reports whether earlier instructions, or rules of the model, follow
// the verb.
func (p *phrase[T]) overrides(verb role) bool {
	var said role // about what is to be ignored
	for range maxFill {
		word, ok := p.next()
		if !ok || p.gap.is(gapStop) {
			return false
		}
		if p.means(verb, said, word) {
			return true
		}
		switch {
		case verb.is(rOverride) && !word.is(rEarlier|rAll|rFill|rYour|rKind):
			return false
		case word.is(rOrder|rWhole) && !verb.is(rOverride):
			return p.follows(word.is(rWhole))
		case !word.is(rEarlier | rAll | rYour | rFill | rKind):
			return false
		}
		said |= word
	}
	return false
}

// means reports whether the verb, what was said behind it, and a noun are about
// the instructions of the model.
func (p *phrase[T]) means(verb, said, noun role) bool {
	switch {
	case !noun.is(rOrder | rRule):
		return false
	case verb.is(rFollow):
		return noun.is(rOrder) && said.is(rEarlier)
	case said.is(rYour):
		return true
	case verb.is(rOverride):
		return false
	}
	return said.is(rEarlier) || noun.is(rOrder) && said.is(rAll)
}

// follows: (instructions) above, (everything) you were told.
func (p *phrase[T]) follows(whole bool) bool {
	you := false
	for range 5 {
		word, ok := p.next()
		switch {
		case !ok || p.gap.is(gapStop|gapComma|gapColon):
			return false
		case word.is(rBefore) && whole:
			word, ok = p.next() // "Everything before the colon" is of another text.
			return !ok || p.gap.is(gapBreak|gapComma) || word.is(rThis)
		case word.is(rEarlier), word.is(rGiven) && you:
			return true
		case word.is(rYou):
			you = true
		case whole && word.is(rAll), !word.is(rFill | rGiven):
			return false
		}
	}
	return false
}

// newRole: you are now a.
func (p *phrase[T]) newRole() bool {
	for range 4 {
		role, ok := p.next()
		if !ok || p.gap.is(gapStop) {
			return false
		}
		if role.is(rNow) {
			break
		}
		if role.is(rArticle) {
			return false
		}
	}
	word, ok := p.next()
	if !ok || p.gap.is(gapBreak) {
		return false
	}
	if word.is(rMode) {
		return true
	}
	in := word.is(rIn)
	if !word.is(rArticle) && !in {
		return false
	}
	word, ok = p.next()
	if in {
		return ok && word.is(rMode)
	}
	return ok && !word.is(rMember)
}

// newInstructions: new instructions:.
func (p *phrase[T]) newInstructions() bool {
	p.next()
	if word, ok := p.next(); !ok || !word.is(rOrder) {
		return false
	}
	for i := p.at; i < p.end; {
		c, n := readAt(p.s, i)
		switch c {
		case ':':
			return true
		case ' ', '*', '_', '"', '`', nothing:
		default:
			return false
		}
		i += n
	}
	return false
}

// systemPrompt: system prompt, developer message; not as the name of a variable.
func (p *phrase[T]) systemPrompt(at *site[T]) bool {
	if p.squeezed {
		return (at.spread || at.inner) && !isLetter(p.s, at.end)
	}
	p.next()
	word, ok := p.next()
	if !ok || !word.is(rPrompt) || p.gap.is(gapBreak&^gapLine|gapComma|gapJoin) {
		return false
	}
	return p.gap != 0 && !isLetter(p.s, p.at)
}

// hide: do not tell the user. "We could not tell the users apart" is no command.
func (p *phrase[T]) hide() bool {
	told, bare, let := false, false, false
	for n := range maxFill {
		word, ok := p.next()
		switch {
		case !ok || p.gap.is(gapStop|gapLine):
			return false
		case n == 0 && word.is(rBare):
			bare = true
		case word.is(rTell):
			told, let = true, word.is(rLet)
		case told && word.is(rUser) && let:
			word, ok = p.next()
			return ok && word.is(rKnow)
		case told && word.is(rUser):
			return !bare || p.apart || !p.subject()
		case told && !word.is(rArticle|rYour|rFill):
			return false
		}
	}
	return false
}

// subject reports whether the word before p.from makes what follows a statement.
func (p *phrase[T]) subject() bool {
	role, _, g, ok := p.before(p.from)
	return ok && role.is(rModal) && !role.is(rToward|rDoWord) && !g.is(gapBreak)
}

// callTool: call the X tool, call the tool `X`. X is at most three words, each of
// them any number of parts joined by _.
func (p *phrase[T]) callTool() bool {
	p.next()
	p.next()
	if p.gap.is(gapBreak) {
		return false
	}
	names := 0
	for range maxFill {
		word, ok := p.next()
		if !ok || p.gap.is(gapStop|gapLine|gapColon|gapComma) {
			return false
		}
		if word.is(rToolWord) {
			if names > 0 {
				return true
			}
			_, ok = p.next()
			return ok && p.gap.is(gapQuote) && !p.gap.is(gapBreak&^gapQuote|gapComma)
		}
		if !p.gap.is(gapJoin) {
			names++
		}
		if names > 3 || !p.gap.is(gapJoin) && word.is(rFill|rArticle|rEarlier) {
			return false
		}
	}
	return false
}

// reveal: reveal your system prompt, secrets, keys; print your initial
// instructions.
func (p *phrase[T]) reveal() bool {
	verb, ok := p.next()
	if !ok || !verb.is(rReveal|rShow) {
		return false
	}
	your, hidden := false, false
	for range maxFill {
		word, ok := p.next()
		if !ok || p.gap.is(gapStop|gapColon) {
			return false
		}
		switch {
		case your && verb.is(rReveal) && word.is(rSecret|rOrder), your && hidden && word.is(rOrder|rRule):
			return p.commanded()
		case word.is(rEarlier | rAll | rKind):
			hidden = true
		case word.is(rYour):
			your = true
		case word.is(rFill | rScope):
		default:
			return false
		}
	}
	return false
}
