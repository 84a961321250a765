package untrusted

import "unicode/utf8"

// text is what the functions of this package read: strings and the bytes of a
// document alike.
type text interface{ string | []byte }

// eight returns the eight bytes of s at i, the first in the lowest bits.
func eight[T text](s T, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// runeAt returns the character of s at i and its size; a byte that is not UTF-8
// is U+FFFD of size 1, the end U+FFFD of size 0.
func runeAt[T text](s T, i int) (rune, int) {
	if i >= len(s) {
		return utf8.RuneError, 0
	}
	c := s[i]
	if c < utf8.RuneSelf {
		return rune(c), 1
	}
	// Sequences of two and three bytes that no rule restricts further.
	if c >= 0xC2 && c <= 0xDF && i+1 < len(s) && s[i+1]&0xC0 == 0x80 {
		return rune(c&0x1F)<<6 | rune(s[i+1]&0x3F), 2
	}
	if c > 0xE0 && c <= 0xEF && c != 0xED && i+2 < len(s) && s[i+1]&0xC0 == 0x80 && s[i+2]&0xC0 == 0x80 {
		return rune(c&0x0F)<<12 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F), 3
	}
	var b [utf8.UTFMax]byte
	n := copy(b[:], s[i:min(len(s), i+utf8.UTFMax)])
	return utf8.DecodeRune(b[:n])
}

// runeBefore returns the character of s that ends at i and its size, as
// [runeAt] does.
func runeBefore[T text](s T, i int) (rune, int) {
	if i <= 0 {
		return utf8.RuneError, 0
	}
	if s[i-1] < utf8.RuneSelf {
		return rune(s[i-1]), 1
	}
	var b [utf8.UTFMax]byte
	n := copy(b[:], s[max(0, i-utf8.UTFMax):i])
	return utf8.DecodeLastRune(b[:n])
}

// readAt returns what the character at i, which must be there, is read as, and
// its size: see fold.
func readAt[T text](s T, i int) (c byte, size int) {
	if b := s[i]; b < utf8.RuneSelf {
		return foldASCII[b], 1
	}
	return readWide(s, i)
}

func readWide[T text](s T, i int) (c byte, size int) {
	r, size := runeAt(s, i)
	return fold(r), size
}

// readBefore is readAt for the character that ends at i.
func readBefore[T text](s T, i int) (c byte, size int) {
	if b := s[i-1]; b < utf8.RuneSelf {
		return foldASCII[b], 1
	}
	return readWideBefore(s, i)
}

func readWideBefore[T text](s T, i int) (c byte, size int) {
	r, size := runeBefore(s, i)
	return fold(r), size
}
