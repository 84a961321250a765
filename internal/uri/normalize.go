package uri

import (
	"errors"
	"net/url"
	"strings"
	"unicode/utf8"
)

// Errors of [Normalize] and [Template.Match].
var (
	ErrNotAbsolute = errors.New("the URI has no scheme")
	ErrEscape      = errors.New("the URI has a bad percent escape")
	ErrControl     = errors.New("the URI has a control character")
	ErrDotSegment  = errors.New("the URI has a dot segment")
)

// Normalize returns raw in the normal form of RFC 3986, section 6.2.2: the scheme
// in lower case, escapes of unreserved characters resolved, other escapes in
// upper case, and what a URI may not hold as it is (spaces, letters outside
// ASCII) escaped. Dot segments are refused instead of resolved: whoever sends
// them is lost or on the way out of a folder. The case of the host is kept, since
// templates may have variables there; [Template.Match] ignores it where it is
// literal.
func Normalize(raw string) (string, error) {
	scheme, rest, ok := strings.Cut(raw, ":")
	if !ok || !isScheme(scheme) {
		return "", ErrNotAbsolute
	}
	if !utf8.ValidString(rest) {
		return "", ErrEscape
	}
	body, err := normalizeEscapes(rest)
	if err != nil {
		return "", err
	}
	if hasDotSegment(body) {
		return "", ErrDotSegment
	}
	return strings.ToLower(scheme) + ":" + body, nil
}

// isScheme follows RFC 3986, section 3.1.
func isScheme(s string) bool {
	for i, c := range []byte(s) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || !('0' <= c && c <= '9' || strings.IndexByte("+-.", c) >= 0)) {
			return false
		}
	}
	return s != ""
}

// normalizeEscapes resolves and writes percent escapes.
func normalizeEscapes(s string) (string, error) {
	if isPlain(s) {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '%' {
			if isControl(c) {
				return "", ErrControl
			}
			writeEscaped(&b, c, isURIByte)
			continue
		}
		if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
			return "", ErrEscape
		}
		decoded := unhex(s[i+1])<<4 | unhex(s[i+2])
		if isControl(decoded) {
			return "", ErrControl
		}
		writeEscaped(&b, decoded, isUnreserved)
		i += 2
	}
	return b.String(), nil
}

// isPlain reports whether s has nothing to normalise.
func isPlain(s string) bool {
	for i := range len(s) {
		if !isURIByte(s[i]) {
			return false
		}
	}
	return true
}

const upperHex = "0123456789ABCDEF"

// writeEscaped writes c as it is if plain says so, else as an escape.
func writeEscaped(b *strings.Builder, c byte, plain func(byte) bool) {
	if plain(c) {
		b.WriteByte(c)
		return
	}
	b.WriteByte('%')
	b.WriteByte(upperHex[c>>4])
	b.WriteByte(upperHex[c&15])
}

// isUnreserved follows RFC 3986, section 2.3.
func isUnreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// isSegmentByte reports whether c may stand in a path segment as it is (RFC 3986,
// section 3.3, pchar).
func isSegmentByte(c byte) bool {
	return isUnreserved(c) || strings.IndexByte(":@!$&'()*+,;=", c) >= 0
}

// isURIByte reports whether c may stand in a URI as it is: unreserved or reserved
// (RFC 3986, section 2.2).
func isURIByte(c byte) bool {
	return isUnreserved(c) || strings.IndexByte(":/?#[]@!$&'()*+,;=", c) >= 0
}

func isControl(c byte) bool { return c < 0x20 || c == 0x7F }

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// hasDotSegment reports whether the path of a URI without its scheme has a
// segment "." or "..".
func hasDotSegment(body string) bool {
	if !strings.Contains(body, ".") {
		return false
	}
	path := body[:strings.IndexAny(body+"?", "?#")]
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// checkValue refuses a decoded variable that leaves the place where it stands.
func checkValue(value string) error {
	for i := range len(value) {
		if isControl(value[i]) {
			return ErrControl
		}
	}
	if !utf8.ValidString(value) {
		return ErrEscape
	}
	for segment := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == '/' || r == '\\' }) {
		if segment == "." || segment == ".." {
			return ErrDotSegment
		}
	}
	for _, r := range value {
		if r >= 0x80 && r < 0xA0 {
			return ErrControl
		}
	}
	return nil
}

// decode resolves the percent escapes of a variable, once.
func decode(s string) (string, error) {
	if strings.IndexByte(s, '%') < 0 {
		return s, nil
	}
	value, err := url.PathUnescape(s)
	if err != nil {
		return "", ErrEscape
	}
	return value, nil
}

// FoldHost returns a normalised URI with its host in lower case: the form under
// which URIs without variables are compared.
func FoldHost(normal string) string {
	end := authorityEnd(normal)
	return strings.ToLower(normal[:end]) + normal[end:]
}
