package untrusted

// site is where a trigger stands in a text.
type site[T text] struct {
	s          T
	start, end int
	inner      bool // more stands between its letters than between words
	spread     bool // most of its letters stand alone
}

// holds reports whether the rule of a trigger of size characters that ends at end
// holds there.
func holds[T text](t trigger, s T, size, end int, sends *sending[T]) bool {
	// In plain text, most triggers are part of another word.
	if t.word && end < len(s) && s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z' {
		return false
	}
	at := locate(s, size, end, t.words)
	switch t.rule {
	case ruleTemplate:
		return at.template()
	case ruleTag:
		return at.tag()
	case ruleBracket:
		return at.bracket()
	case ruleHeading:
		return at.heading()
	case ruleFence:
		return at.fenceMark()
	case ruleURL:
		return sends.to(at.start)
	}
	starts := at.starts()
	switch {
	case t.rule == ruleWord:
		return starts || at.spread
	case t.rule == ruleSend:
		return (starts || at.inner) && sends.verb(at)
	case starts && at.phrase(t.rule, false):
		return true
	}
	return (at.inner || at.glued(t.rule)) && at.phrase(t.rule, true)
}

// locate finds where a trigger begins: size characters that are not skipped
// before end.
func locate[T text](s T, size, end, words int) site[T] {
	at := site[T]{s: s, start: end, end: end}
	gaps, gap := 0, false
	for left := size; left > 0 && at.start > 0; {
		if b := s[at.start-1] | 0x20; b >= 'a' && b <= 'z' { // most of them
			at.start--
			left, gap = left-1, false
			continue
		}
		c, n := readBefore(s, at.start)
		at.start -= n
		switch {
		case classTable[c] != classSkip:
			left--
			gap = false
		case c == nothing:
			at.inner = true
		case !gap:
			gap, gaps = true, gaps+1
		}
	}
	at.inner = at.inner || gaps >= words
	at.spread = gaps*2 >= size
	return at
}

// starts reports whether no letter or digit stands before the trigger. The n of
// an escaped end of line is none.
func (at *site[T]) starts() bool {
	if at.start == 0 {
		return true
	}
	c, n := readBefore(at.s, at.start)
	if !isWordByte(c) && c != nothing {
		return true
	}
	if c == nothing {
		return !wordBefore(at.s, at.start)
	}
	i := at.start - n
	return i > 0 && at.s[i-1] == '\\' && (c == 'n' || c == 'r' || c == 't')
}

// wordBefore reports whether a word goes on before i behind what does not show.
func wordBefore[T text](s T, i int) bool {
	for i > 0 {
		c, n := readBefore(s, i)
		if c != nothing {
			return isWordByte(c)
		}
		i -= n
	}
	return false
}

// glued reports whether words may be written without space behind the trigger,
// as in IgnoreAllPreviousInstructions.
func (at *site[T]) glued(rule rule) bool {
	if at.end >= len(at.s) {
		return false
	}
	c, _ := readAt(at.s, at.end)
	if c == nothing {
		return true
	}
	if rule != ruleIgnore || c < 'a' || c > 'z' {
		return false
	}
	// A verb that stands for itself was looked at already.
	word, _ := readWord(at.s, at.start, min(len(at.s), at.start+2*maxWord))
	return vocabulary.role(word) == 0
}

// isLetter reports whether a letter of ASCII, or one that looks like it, is at i.
func isLetter[T text](s T, i int) bool {
	if i >= len(s) {
		return false
	}
	c, _ := readAt(s, i)
	return c >= 'a' && c <= 'z'
}

// phrase reports whether the words from the trigger on are what the rule looks
// for.
func (at *site[T]) phrase(rule rule, squeezed bool) bool {
	p := phrase[T]{reader: newReader(at.s, at.start, squeezed), from: at.start, apart: squeezed && at.spread}
	switch rule {
	case ruleIgnore:
		return p.ignore()
	case ruleRole:
		return p.newRole()
	case ruleNew:
		return p.newInstructions()
	case rulePrompt:
		return p.systemPrompt(at)
	case ruleHide:
		return p.hide()
	case ruleTool:
		return p.callTool()
	case ruleReveal:
		return p.reveal()
	case ruleSend:
		return p.send()
	case ruleAddress:
		return p.address()
	}
	return false
}
