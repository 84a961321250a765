package scan

import "bytes"

const (
	minValue = 3 // what is shorter is no secret
	maxValue = 4096
	maxDoubt = 256 // how long a placeholder may be that is looked into
)

// value adds the value at i, behind a separator, unless it is none. It returns up to
// where there is no further one: an unquoted value is not looked at twice unless it is
// short and a placeholder.
func (l *lexer) value(i int) (until int) {
	apart := l.at(i-1) == ':' || isBlank(l.at(i))
	for start := i; isBlank(l.at(i)) && i-start < maxAside; {
		i++
	}
	if start, depth, ok := l.opening(i); ok {
		l.secretValue(SecretAssignment, SecretValue, start, l.closing(start, depth))
		return 0
	}
	if start, end := l.scalar(i); end > start {
		if l.secretValue(SecretAssignment, SecretValue, start, end) || end-start > maxDoubt {
			return end
		}
		return 0
	}
	if l.code(i) {
		return 0
	}
	end := l.bareEnd(i)
	if isScheme(l.text[i:end]) && isBlank(l.at(end)) {
		i = end + 1
		end = l.bareEnd(i)
	}
	if apart && l.prose(i, end) {
		return 0
	}
	if l.secretValue(SecretAssignment, SecretValue, i, end) || end-i > maxDoubt {
		return end
	}
	return 0
}

// secretValue adds a value and reports true unless it is too short or a placeholder.
func (l *lexer) secretValue(k Kind, e Entity, start, end int) bool {
	if end-start < minValue || IsPlaceholder(l.text[start:end]) {
		return false
	}
	l.add(k, e, start, end)
	return true
}

// bareEnd returns where an unquoted value ends: at a blank, a quote, a separator of
// lists or queries, a tag, a bracket that it did not open and that no word follows.
func (l *lexer) bareEnd(start int) int {
	i, open := start, 0
	for ; i < len(l.text) && i-start < maxValue; i++ {
		l.work++
		switch c := l.text[i]; c {
		case '(', '[', '{':
			open++
		case ')', ']', '}':
			if open--; open < 0 && !l.goesOn(i) {
				return l.trimEnd(start, i)
			}
			open = max(open, 0)
		case '<':
			if i > start && l.tag(i) {
				return l.trimEnd(start, i)
			}
		case '\\':
			if escape(l.text, i) > i || l.quoteAhead(i) {
				return l.trimEnd(start, i)
			}
		case ',', '&':
			if l.pairAhead(i + 1) {
				return l.trimEnd(start, i)
			}
		default:
			if c <= ' ' || c == ';' || isQuote(c) && !l.quoteInside(start, i) {
				return l.trimEnd(start, i)
			}
		}
	}
	return l.trimEnd(start, i)
}

// pairAhead reports whether a list goes on at i: with a blank, a quote, a bracket, the
// end, or a name and = or :.
func (l *lexer) pairAhead(i int) bool {
	start := i
	for i < len(l.text) && i-start < maxAside && (isWord(l.text[i]) || l.text[i] == '-' || l.text[i] == '.') {
		i++
	}
	if i == len(l.text) || i == start {
		return i == start || l.text[start-1] == '&'
	}
	return l.text[i] == '=' || l.text[i] == ':'
}

// trimEnd leaves out what ends a sentence.
func (l *lexer) trimEnd(start, end int) int {
	for end > start && (l.text[end-1] == '.' || l.text[end-1] == ':' || l.text[end-1] == ',') && end-start > 1 {
		end--
	}
	return end
}

func isScheme(s []byte) bool { return equalFold(s, "bearer") || equalFold(s, "basic") }

// code reports whether an unquoted value is an expression: a call, an index, a member
// of something that holds settings, or a member that is called a secret itself.
func (l *lexer) code(start int) bool {
	i := start
	for i < len(l.text) && i-start < maxKey && (isWord(l.text[i]) || l.text[i] == '.') {
		i++
	}
	next := l.at(i)
	if i > start && (next == '(' || next == '[') {
		return l.closes(i)
	}
	chain := l.text[start:i]
	root, _, member := bytes.Cut(chain, []byte{'.'})
	if !member || !isSpace(next) && next != 0 && next != ';' && next != ',' && next != ')' && next != '}' {
		return false
	}
	for _, r := range codeRoots {
		if string(root) == r {
			return true
		}
	}
	return secretKey(l.text, i) && all(chain, classAlpha|classDash|classDot)
}

// closes reports whether the bracket at i is closed on its line.
func (l *lexer) closes(i int) bool {
	for depth, end := 0, min(len(l.text), i+maxKey); i < end; i++ {
		switch l.text[i] {
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth == 0 {
				return true
			}
		case '\n':
			return false
		}
	}
	return false
}

var codeRoots = [...]string{
	"process", "os", "env", "var", "local", "data", "module", "secrets", "vars", "config", "settings", "self", "this",
	"req", "request", "ctx", "args", "params", "options", "opts",
}

// prose reports whether an unquoted value is a word of a sentence: in lower case, and
// another follows it.
func (l *lexer) prose(start, end int) bool {
	return all(l.text[start:end], classSmall) && isBlank(l.at(end)) && isAlpha(l.at(end+1))
}
