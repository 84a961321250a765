package middleware

import (
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// appendText appends s as a JSON string. Besides what JSON wants it escapes what a
// reader does not see, or takes for the end of a line: control and format characters,
// line separators. Invalid UTF-8 becomes U+FFFD.
func appendText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		n := plainPrefix(s[i:])
		dst = append(dst, s[i:i+n]...)
		if i += n; i == len(s) {
			break
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case unicode.IsPrint(r):
			dst = utf8.AppendRune(dst, r)
		default:
			dst = appendEscape(dst, r)
		}
		i += size
	}
	return append(dst, '"')
}

// plainPrefix returns how many bytes at the start of s stand for themselves.
func plainPrefix(s string) int {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return i
		}
	}
	return len(s)
}

func appendEscape(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return appendUnit(appendUnit(dst, high), low)
	}
	return appendUnit(dst, r)
}

func appendUnit(dst []byte, unit rune) []byte {
	digits := strconv.FormatUint(uint64(unit)|0x10000, 16) // a one, and four digits
	return append(append(dst, `\u`...), digits[1:]...)
}
