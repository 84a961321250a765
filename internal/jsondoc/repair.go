package jsondoc

import "unicode/utf8"

// repair appends text to dst with each byte that is not part of valid UTF-8
// replaced by U+FFFD.
func repair(dst, text []byte) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, "\uFFFD"...)
		} else {
			dst = append(dst, text[:n]...)
		}
		text = text[n:]
	}
	return dst
}
