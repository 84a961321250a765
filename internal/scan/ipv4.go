package scan

import "net/netip"

// ipv4: four decimal numbers from 0 to 255 (RFC 3986, section 3.2.2), with a prefix
// length or without (RFC 4632, section 3.1).
func (l *lexer) ipv4(t token, w word) {
	if !l.runs[IPv4] {
		return
	}
	if c := l.before(t, w.start); c == '_' || c == '.' && l.before(t, w.start-1) != '.' {
		return
	}
	addr, end := l.quad(w.start, t.end)
	if end == 0 || isWord(l.at(end)) || l.at(end) == '.' && isAlnum(l.at(end+1)) || l.isVersion(t, w.start, end) {
		return
	}
	if bits, to := l.prefixLen(end, 32); to > 0 {
		l.add(IPv4, cidrEntity(netip.PrefixFrom(addr, bits)), w.start, to)
		return
	}
	l.addWhole(IPv4, addrEntity(addr), w.start, end)
}

// quad returns the address at i and where it ends, 0 for none.
func (l *lexer) quad(i, limit int) (addr netip.Addr, end int) {
	var b [4]byte
	for n := range b {
		if n > 0 {
			if i >= limit || l.text[i] != '.' {
				return addr, 0
			}
			i++
		}
		v, start := 0, i
		for ; i < limit && i < start+3 && isDigit(l.text[i]); i++ {
			v = v*10 + int(l.text[i]-'0')
		}
		if i == start || v > 255 || i > start+1 && l.text[start] == '0' {
			return addr, 0
		}
		b[n] = byte(v)
	}
	return netip.AddrFrom4(b), i
}

// prefixLen returns the length of a prefix written at i, /24, and where it ends, 0 for
// none.
func (l *lexer) prefixLen(i, most int) (bits, end int) {
	if l.at(i) != '/' || !isDigit(l.at(i+1)) {
		return 0, 0
	}
	for end = i + 1; end < i+4 && isDigit(l.at(end)); end++ {
		bits = bits*10 + int(l.text[end]-'0')
	}
	if bits > most || isWord(l.at(end)) || l.at(i+1) == '0' && end > i+2 {
		return 0, 0
	}
	return bits, end
}
