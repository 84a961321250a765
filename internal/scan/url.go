package scan

import "bytes"

const maxUserinfo = 512

// userinfoOf: the name and the password in scheme://name:password@host (RFC 3986,
// section 3.2.1). The colon is at i.
func (l *lexer) userinfoOf(t token, i int) {
	if !l.runs[URLCredentials] && !l.runs[URLUserinfo] || !hasPrefix(l.text, i, "://") || !isAlnum(l.before(t, i)) {
		return
	}
	start := i + 3
	at := -1
	for j := start; j < len(l.text) && j-start < maxUserinfo && isUserinfo(l.text[j]); j++ {
		l.work++
		if l.text[j] == '@' {
			at = j
		}
	}
	if at < 0 || !isHostStart(l.at(at+1)) {
		return
	}
	name, password, ok := bytes.Cut(l.text[start:at], []byte{':'})
	if l.redactedName(start, at) {
		name, password, ok = nil, l.text[bytes.IndexByte(l.text[start:at], ']')+start+1:at], true
		password = bytes.TrimPrefix(password, []byte{':'})
	}
	if !isPlaceholder(name) {
		l.add(URLUserinfo, URLUsername, start, start+len(name))
	}
	if ok && !isPlaceholder(password) {
		l.add(URLCredentials, Password, at-len(password), at)
	}
}

// redactedName reports whether the name is a placeholder with a colon in it.
func (l *lexer) redactedName(start, at int) bool {
	return hasPrefixFold(l.text[start:at], "[redacted:") && bytes.IndexByte(l.text[start:at], ']') > 0
}

// isUserinfo reports whether a byte may stand in front of the host. Brackets and braces
// may not by the RFC, but templates and placeholders have them.
func isUserinfo(c byte) bool {
	switch c {
	case '/', '?', '#', '"', '\'', '`', '\\', '<', '>', '|', '^', ' ':
		return false
	}
	return c > ' ' && c != 0x7F
}

func isHostStart(c byte) bool {
	return isAlnum(c) || c == '[' || c == '$' || c == '{' || c >= 0x80
}
