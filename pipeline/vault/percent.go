package vault

import "bytes"

// window is a piece of text without its percent-encoding (RFC 3986, section 2.1).
type window struct {
	bytes [maxJoined + 1]byte
	ends  [maxJoined + 2]uint8 // where the first n bytes end in the source
	n     int
}

// decode fills the window. It reports whether anything was encoded.
func (w *window) decode(source []byte) (encoded bool) {
	w.n = 0
	if bytes.IndexByte(source, '%') < 0 {
		return false
	}
	for i := 0; i < len(source); w.n++ {
		c, size := source[i], 1
		if c == '%' && i+2 < len(source) && isHex(source[i+1]) && isHex(source[i+2]) {
			c, size, encoded = unhex(source[i+1])<<4|unhex(source[i+2]), 3, true
		}
		i += size
		w.bytes[w.n], w.ends[w.n+1] = c, uint8(i)
	}
	return encoded
}

func (w *window) text() []byte { return w.bytes[:w.n] }

// at returns where the first n bytes end in the source.
func (w *window) at(n int) int { return int(w.ends[n]) }

func unhex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

const upperHex = "0123456789ABCDEF"

// appendAs appends an original as it must be written where its name stood.
func appendAs(dst, value []byte, as how) []byte {
	if as == plainText {
		return append(dst, value...)
	}
	for i, c := range value {
		switch {
		case isUnreserved(c), as == segment && isSegment(value, i):
			dst = append(dst, c)
		default:
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return dst
}

func isUnreserved(c byte) bool { return isWord(c) || c == '.' || c == '~' }

// isSegment tells what may stand in a segment of a path as it is, percent-encoded
// bytes too.
func isSegment(value []byte, i int) bool {
	c := value[i]
	if c == '%' {
		return i+2 < len(value) && isHex(value[i+1]) && isHex(value[i+2])
	}
	return bytes.IndexByte([]byte("!$&'()*+,;=:@"), c) >= 0
}

// hasScheme tells a text that starts like a URI: scheme://.
func hasScheme(text []byte) bool {
	n := runOf(text, func(c byte) bool { return isAlnum(c) || c == '+' || c == '-' || c == '.' })
	return n > 0 && !isDigit(text[0]) && bytes.HasPrefix(text[n:], []byte("://"))
}
