package scan

// Longest parts of an address (RFC 5321, section 4.5.3.1).
const (
	maxLocal  = 64
	maxDomain = 255
)

// email: an address around an @ (RFC 5321 and 5322, without quoted local parts and
// address literals).
func (l *lexer) email(t token, at int) {
	if !l.runs[Email] {
		return
	}
	start := l.localPart(t, at)
	if start == at || l.userinfo(t, start) {
		return
	}
	if end := l.domain(t, at+1); end > 0 {
		l.add(Email, EmailEntity, start, end)
	}
}

func (l *lexer) localPart(t token, at int) int {
	start := at
	for start > t.start && at-start < maxLocal && isAtom(l.text[start-1]) {
		start--
	}
	for start < at && !isAlnum(l.text[start]) {
		start++
	}
	return start
}

func isAtom(c byte) bool {
	return isAlnum(c) || c == '.' || c == '_' || c == '%' || c == '+' || c == '-'
}

// userinfo reports whether start is in the authority of a URL: https://name@host.
func (l *lexer) userinfo(t token, start int) bool {
	return start-t.start >= 3 && hasPrefix(l.text, start-3, "://")
}

// domain returns the end of the domain at i, 0 for none.
func (l *lexer) domain(t token, i int) int {
	end, dot := i, 0
	for ; end < t.end && end-i < maxDomain; end++ {
		if c := l.text[end]; c == '.' && end > i && isAlnum(l.text[end-1]) && end+1 < t.end && isAlnum(l.text[end+1]) {
			dot = end
		} else if !isAlnum(c) && c != '-' {
			break
		}
	}
	for end > i && l.text[end-1] == '-' {
		end--
	}
	if dot == 0 || end-dot < 3 || !all(l.text[dot+1:end], classAlpha) {
		return 0
	}
	return end
}
