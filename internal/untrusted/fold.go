package untrusted

import "unicode"

// What a character is read as, apart from the ASCII character that it looks like.
const (
	letter  = 1 // a letter that looks like none of ASCII
	nothing = 2 // invisible, or a mark on the letter before it
)

// fold returns what r is read as: for letters that are a variant of an ASCII
// letter or look like one, that letter in lower case; for digits and punctuation
// the same of ASCII; for other letters the value letter, for what does not show
// the value nothing, for everything else a space.
func fold(r rune) byte {
	switch {
	case r < 0x80:
		return foldASCII[r]
	case r < foldEnd:
		return foldBlocks[int(foldIndex[r>>6])<<6|int(r&63)]
	case r >= tagFirst && r <= 0xE01EF:
		return nothing
	case unicode.IsLetter(r):
		return letter
	}
	return ' '
}

var foldASCII = func() (f [128]byte) {
	for c := range f {
		switch {
		case c >= 'A' && c <= 'Z':
			f[c] = byte(c) + 'a' - 'A'
		case c == '\t', c == '\n', c == '\r':
			f[c] = byte(c)
		case c < 0x20 || c == 0x7F:
			f[c] = nothing
		default:
			f[c] = byte(c)
		}
	}
	return f
}()

// leet returns the letter that a digit or sign stands for where it is part of a
// word, or 0.
func leet(c byte) byte {
	switch c {
	case '0':
		return 'o'
	case '1':
		return 'i'
	case '3':
		return 'e'
	case '4', '@':
		return 'a'
	case '5', '$':
		return 's'
	case '7':
		return 't'
	}
	return 0
}
