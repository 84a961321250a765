package scan

// maxTag is how long the name of an element may be.
const maxTag = 32

// goesOn reports whether a word follows the closing brackets at i: they are part of it.
func (l *lexer) goesOn(i int) bool {
	for range 8 {
		switch l.at(i) {
		case ')', ']', '}':
			i++
			continue
		}
		break
	}
	return isWord(l.at(i))
}

// tag reports whether the < at i begins a tag: it is the end of an element, a comment, or
// a name and what may stand behind one.
func (l *lexer) tag(i int) bool {
	i++
	if c := l.at(i); c == '/' || c == '!' || c == '?' {
		return true
	}
	start := i
	for i < len(l.text) && i-start < maxTag && (isWord(l.text[i]) || l.text[i] == '-' || l.text[i] == ':') {
		i++
	}
	next := l.at(i)
	return i > start && isAlpha(l.text[start]) && (next == '>' || next == '/' || isSpace(next))
}

// quoteInside reports whether the quote at i is part of the unquoted value that starts at
// start: it stands inside of a word, of which more follows than an apostrophe has.
func (l *lexer) quoteInside(start, i int) bool {
	const least = 4
	if i == start || !isWord(l.text[i-1]) || i+least >= len(l.text) {
		return false
	}
	for _, c := range l.text[i+1 : i+1+least] {
		if !isWord(c) {
			return false
		}
	}
	return true
}
