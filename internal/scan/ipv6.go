package scan

import (
	"bytes"
	"net/netip"
)

// maxIPv6 is how long an address may be, with an IPv4 address at its end.
const maxIPv6 = 45

// ipv6s: the addresses of a token (RFC 4291, section 2.2), with a prefix length or
// without. A zone is no part of it.
func (l *lexer) ipv6s(t token) {
	for i := t.start; i < t.end; i++ {
		start, colons := i, 0
		for ; i < t.end && isIPv6(l.text[i]); i++ {
			if l.text[i] == ':' {
				colons++
			}
		}
		if colons >= 2 {
			l.ipv6(t, start, i)
		}
	}
}

func isIPv6(c byte) bool { return isHex(c) || c == ':' || c == '.' }

// ipv6 looks at a run of bytes that addresses are made of.
func (l *lexer) ipv6(t token, start, end int) {
	if start > t.start && isWord(l.text[start-1]) {
		// What stands in front of the first colon is part of a name: peer:2001:db8::1.
		start += bytes.IndexByte(l.text[start:end], ':') + 1
		if l.at(start) == ':' {
			return
		}
	}
	if isWord(l.at(end)) || start > t.start && l.text[start-1] == '-' {
		return
	}
	for end > start && (l.text[end-1] == '.' || l.text[end-1] == ':' && l.at(end-2) != ':') {
		end--
	}
	if end-start < 2 || end-start > maxIPv6 {
		return
	}
	addr, ok := parseIPv6(l.text[start:end])
	if !ok {
		return
	}
	bits, to := l.prefixLen(end, 128)
	if !plausible(l.text[start:end], l.at(start-1) == '[' && l.at(end) == ']', to > 0) {
		return
	}
	if to > 0 {
		l.add(IPv6, cidrEntity(netip.PrefixFrom(addr, bits)), start, to)
		return
	}
	l.add(IPv6, addrEntity(addr), start, end)
}

// plausible reports whether an address is one and not a scope of C++ (a::b), a slice of
// Python (1::2) or an EUI-64: it has four hexadecimal digits, a decimal one among them,
// or is the loopback address. The unspecified one stands in brackets or has a prefix.
func plausible(s []byte, bracketed, prefixed bool) bool {
	digits, hex, pairs := 0, 0, len(s) == 23
	for i, c := range s {
		if isDigit(c) {
			digits++
		}
		if isHex(c) {
			hex++
		}
		pairs = pairs && (i%3 == 2) == (c == ':')
	}
	switch {
	case hex == 0:
		return bracketed || prefixed
	case string(s) == "::1":
		return true
	}
	return digits > 0 && hex >= 4 && !pairs
}

// parseIPv6 reads an address without a zone.
func parseIPv6(s []byte) (netip.Addr, bool) {
	var groups [8]uint16
	n, gap, i := 0, -1, 0
	if hasPrefix(s, 0, "::") {
		gap, i = 0, 2
	}
	for i < len(s) {
		if n == len(groups) {
			return netip.Addr{}, false
		}
		v, start := 0, i
		for ; i < len(s) && isHex(s[i]) && i-start < 5; i++ {
			v = v<<4 | hexValue(s[i])
		}
		switch {
		case i == start || i-start > 4:
			return netip.Addr{}, false
		case i < len(s) && s[i] == '.':
			return withIPv4(s[start:], groups, n, gap)
		}
		groups[n] = uint16(v)
		n++
		if i == len(s) {
			break
		}
		i++ // the colon
		switch {
		case i == len(s):
			return netip.Addr{}, false
		case s[i] == ':' && gap >= 0:
			return netip.Addr{}, false
		case s[i] == ':':
			gap = n
			i++
		}
	}
	return expand(groups, n, gap)
}

// withIPv4 reads the address of IPv4 that stands at the end of one of IPv6.
func withIPv4(s []byte, groups [8]uint16, n, gap int) (netip.Addr, bool) {
	l := lexer{text: s}
	quad, end := l.quad(0, len(s))
	if end != len(s) || end == 0 || n > 6 {
		return netip.Addr{}, false
	}
	b := quad.As4()
	groups[n], groups[n+1] = uint16(b[0])<<8|uint16(b[1]), uint16(b[2])<<8|uint16(b[3])
	return expand(groups, n+2, gap)
}

// expand puts the groups behind the gap, which stands for zeros, at the end.
func expand(groups [8]uint16, n, gap int) (netip.Addr, bool) {
	if gap < 0 && n != 8 || gap >= 0 && n == 8 {
		return netip.Addr{}, false
	}
	var b [16]byte
	for i, v := range groups[:n] {
		if gap >= 0 && i >= gap {
			i += 8 - n
		}
		b[2*i], b[2*i+1] = byte(v>>8), byte(v)
	}
	return netip.AddrFrom16(b), true
}

func hexValue(c byte) int {
	if isDigit(c) {
		return int(c - '0')
	}
	return int(c|0x20-'a') + 10
}
