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
	at := l.userinfoEnd(start)
	if at < 0 || !isHostStart(l.at(at+1)) {
		return
	}
	name, password, ok := bytes.Cut(l.text[start:at], []byte{':'})
	if n := hiddenName(l.text[start:at]); n > 0 {
		name, password, ok = nil, bytes.TrimPrefix(l.text[start+n:at], []byte{':'}), true
	}
	if !IsPlaceholder(name) {
		l.add(URLUserinfo, URLUsername, start, start+len(name))
	}
	if ok && !IsPlaceholder(password) {
		l.add(URLCredentials, Password, at-len(password), at)
	}
}

// userinfoEnd returns where the @ stands in front of the host, -1 if there is none. It is
// the last one, but for a password in which a /, a ? or a # stands as it is, which the RFC
// forbids: that ends at the first one.
func (l *lexer) userinfoEnd(start int) int {
	at, strays := -1, false
	for j := start; j < len(l.text) && j-start < maxUserinfo; j++ {
		l.work++
		switch c := l.text[j]; {
		case c == '@' && strays:
			return j
		case c == '@':
			at = j
		case isUserinfo(c):
		case at < 0 && (strays || l.passwordStrays(start, j)) && (c == '/' || c == '?' || c == '#'):
			strays = true
		default:
			return at
		}
	}
	return at
}

// passwordStrays reports whether what stands between start and end is a name and the
// start of a password, and no host with a port.
func (l *lexer) passwordStrays(start, end int) bool {
	s := l.text[start:end]
	_, password, _ := bytes.Cut(s, []byte{':'})
	if n := hiddenName(s); n > 0 {
		password = bytes.TrimPrefix(s[n:], []byte{':'})
	} else if len(s) > 0 && s[0] == '[' {
		return false // an address of IPv6
	}
	return len(password) > 0 && isAlnum(password[0]) && !all(password, classDigit)
}

// hiddenName returns the length of a placeholder in place of the name, which has a colon
// of its own, 0 for none.
func hiddenName(s []byte) int {
	if hasPrefixFold(s, "[redacted:") {
		return bytes.IndexByte(s, ']') + 1
	}
	colon := bytes.IndexByte(s, ':')
	end := colon + 1 + digestLen
	if colon > 0 && end <= len(s) && (end == len(s) || s[end] == ':') && allSmallHex(s[colon+1:end]) && isEntity(s[:colon]) {
		return end
	}
	return 0
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
