package scan

import "bytes"

const maxHost = 253 // RFC 1035, section 2.3.4

const hostBytes = classAlnum | classDash | classDot

// hostnames: the names of hosts in a token: labels of letters, digits, - and _ (RFC 952,
// RFC 1123, section 2.1), the last a common top-level domain or one of private networks.
func (l *lexer) hostnames(t token) {
	for i := t.start; i < t.end; i++ {
		start, last := i, -1
		for ; i < t.end; i++ {
			c := classes[l.text[i]]
			if c&hostBytes == 0 {
				break
			}
			if c == classDot {
				if i+1 < t.end && isAlnum(l.text[i+1]) {
					last = i
				}
			}
		}
		if last > start {
			l.hostname(t, start, last, i)
		}
	}
}

// hostname looks at a run with a dot at last, its last inside.
func (l *lexer) hostname(t token, start, last, end int) {
	end = l.labelEnd(last+1, end)
	for start < last && !isAlnum(l.text[start]) && l.text[start] != '_' {
		start++
	}
	if start == last || end == 0 || l.mailbox(t, start) || end-start > maxHost || l.at(end) == '(' {
		return
	}
	switch kind := topLevel(l.text[last+1 : end]); {
	case kind == noTLD:
		return
	case kind == fileTLD && !l.surelyHost(t, start, end):
		return
	case kind == wordTLD && bytes.IndexByte(l.text[start:last], '.') < 0 && !l.surelyHost(t, start, end):
		return
	}
	if bytes.Contains(l.text[start:end], []byte("..")) || l.member(start, end) && !l.surelyHost(t, start, end) {
		return
	}
	l.add(Hostname, HostnameEntity, start, end)
}

// labelEnd returns where the last label ends, 0 if there is more than letters.
func (l *lexer) labelEnd(i, limit int) int {
	start := i
	for i < limit && isAlpha(l.text[i]) {
		i++
	}
	for j := i; j < limit; j++ {
		if l.text[j] != '.' && l.text[j] != '-' {
			return 0
		}
	}
	if i-start < 2 || i < limit && l.text[i] == '-' {
		return 0
	}
	return i
}

// surelyHost reports whether what stands around a name tells that it is a host: it is in
// a URL, starts with www. or has a port.
func (l *lexer) surelyHost(t token, start, end int) bool {
	port := l.at(end) == ':' && isDigit(l.at(end+1))
	return port || start-t.start >= 3 && hasPrefix(l.text, start-3, "://") || hasPrefixFold(l.text[start:], "www.")
}

// member reports whether a name is a member of something in source code: this.app. What
// has more labels and ends as hosts of private networks do is none.
func (l *lexer) member(start, end int) bool {
	root, rest, _ := bytes.Cut(l.text[start:end], []byte{'.'})
	if dot := bytes.LastIndexByte(rest, '.'); dot > 0 && isPrivateTLD(rest[dot+1:]) {
		return false
	}
	for _, r := range codeRoots {
		if string(root) == r && r != "data" && r != "local" {
			return true
		}
	}
	return false
}

// mailbox reports whether a name is the domain of an address: behind an @ outside a URL.
func (l *lexer) mailbox(t token, start int) bool {
	return l.before(t, start) == '@' && !l.inAuthority(start-1)
}
