package scan

// minCredentials is how long the credentials of a header are at least.
const minCredentials = 16

// authorization: the credentials behind Bearer (RFC 6750, section 2.1) or Basic (RFC
// 7617), the word at the end of a token. A plain word behind it is prose.
func (l *lexer) authorization(t token) {
	if !l.runs[AuthorizationHeader] || !isBlank(l.at(t.end)) {
		return
	}
	s := l.text[t.start:t.end]
	n := 0
	switch {
	case hasSuffixFold(s, "bearer"):
		n = len("bearer")
	case hasSuffixFold(s, "basic"):
		n = len("basic")
	}
	if n == 0 || n < len(s) && isWord(s[len(s)-n-1]) {
		return
	}
	start := t.end
	for start < len(l.text) && start-t.end < 4 && isBlank(l.text[start]) {
		start++
	}
	end, seen := start, class(0)
	for end < len(l.text) && isCredential(l.text[end]) {
		l.work++
		seen |= classes[l.text[end]]
		end++
	}
	for end > start && l.text[end-1] == '.' {
		end--
	}
	if end-start < minCredentials || IsPlaceholder(l.text[start:end]) {
		return
	}
	if seen&classDigit != 0 || seen&classLarge != 0 && seen&classSmall != 0 {
		l.add(AuthorizationHeader, AuthorizationEntity, start, end)
	}
}

// isCredential reports whether a byte is one of token68 (RFC 9110, section 11.2).
func isCredential(c byte) bool {
	return classes[c]&(classAlnum|classDash|classDot|classPlus|classSlash|classEqual) != 0 || c == '~'
}
