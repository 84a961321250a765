package jsondoc

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Strings are scanned eight bytes at a time: most of a document is strings.
const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// stops marks, in the high bits, the bytes of w that end a plain run inside a
// string: quotes, backslashes and control characters. The lowest mark is exact;
// those above it may be wrong.
func stops(w uint64) uint64 {
	quote := w ^ lows*'"'
	slash := w ^ lows*'\\'
	return ((quote-lows)&^quote | (slash-lows)&^slash | (w-lows*' ')&^w) & highs
}

// isPlain reports whether a text of ASCII needs no escapes.
func isPlain(text []byte) bool {
	for ; len(text) >= 8; text = text[8:] {
		if w := binary.LittleEndian.Uint64(text); stops(w)|w&highs != 0 {
			return false
		}
	}
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// scanString returns where the string that starts at doc[i] ends, and whether it
// has escapes or bytes beyond ASCII. It returns -1 if there is no valid string;
// UTF-8 is not looked at.
func scanString(doc []byte, i int) (end int, flags uint32) {
	i++
	var wide uint64
	for {
		if i+8 > len(doc) {
			return scanStringEnd(doc, i, flags|wideFlag(wide))
		}
		w := binary.LittleEndian.Uint64(doc[i:])
		hit := stops(w)
		if hit == 0 {
			wide |= w
			i += 8
			continue
		}
		wide |= w & (hit&-hit - 1)
		i += bits.TrailingZeros64(hit) >> 3
		if doc[i] == '"' {
			return i + 1, flags | wideFlag(wide)
		}
		n := escapeLen(doc[i:])
		if n == 0 {
			return -1, 0
		}
		flags |= flagEscaped
		i += n
	}
}

func wideFlag(wide uint64) uint32 {
	if wide&highs != 0 {
		return flagWide
	}
	return 0
}

// scanStringEnd is scanString for the last bytes of a document; i is inside the
// string.
func scanStringEnd(doc []byte, i int, flags uint32) (int, uint32) {
	for i < len(doc) {
		switch c := doc[i]; {
		case c == '"':
			return i + 1, flags
		case c == '\\' || c < ' ':
			n := escapeLen(doc[i:])
			if n == 0 {
				return -1, 0
			}
			flags |= flagEscaped
			i += n
		default:
			if c >= utf8.RuneSelf {
				flags |= flagWide
			}
			i++
		}
	}
	return -1, 0
}

// escapeLen returns the length of the escape that text starts with, 0 if there
// is none.
func escapeLen(text []byte) int {
	if len(text) < 2 || text[0] != '\\' {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(text) >= 6 && isHex(text[2]) && isHex(text[3]) && isHex(text[4]) && isHex(text[5]) {
			return 6
		}
	}
	return 0
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// scanNumber returns where the number that starts at doc[i] ends, -1 if there is
// none.
func scanNumber(doc []byte, i int) int {
	if doc[i] == '-' {
		i++
	}
	whole := i
	if i = digits(doc, i); i == whole || doc[whole] == '0' && i > whole+1 {
		return -1
	}
	if i < len(doc) && doc[i] == '.' {
		from := i + 1
		if i = digits(doc, from); i == from {
			return -1
		}
	}
	if i < len(doc) && doc[i]|0x20 == 'e' {
		i++
		if i < len(doc) && (doc[i] == '+' || doc[i] == '-') {
			i++
		}
		from := i
		if i = digits(doc, from); i == from {
			return -1
		}
	}
	return i
}

func digits(doc []byte, i int) int {
	for i < len(doc) && doc[i]-'0' <= 9 {
		i++
	}
	return i
}

// scanLiteral returns the kind of the literal that doc[i:] starts with and where
// it ends.
func scanLiteral(doc []byte, i int) (Kind, int) {
	for _, l := range [...]struct {
		text string
		kind Kind
	}{{"true", True}, {"false", False}, {"null", Null}} {
		if end := i + len(l.text); end <= len(doc) && string(doc[i:end]) == l.text {
			return l.kind, end
		}
	}
	return 0, -1
}

// countPoints returns the number of code points of text; -1 if it is not valid
// UTF-8.
func countPoints(text []byte) int {
	if !utf8.Valid(text) {
		return -1
	}
	return codePoints(text)
}
