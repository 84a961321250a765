package untrusted

import "unicode"

// maxCluster bounds how many code points a cut steps back to keep a character
// whole that is made of many.
const maxCluster = 64

// boundary returns the last place at or before i where s may be cut, in bytes:
// not inside what a reader sees as one character, nor behind a joiner, which would
// have nothing to join. A character of more than maxCluster code points is cut all
// the same.
func boundary(s string, i int) int {
	at := i
	for range maxCluster {
		if !inCluster(s, at) {
			return at
		}
		_, n := runeBefore(s, at)
		at -= n
	}
	return looseEnd(s, i)
}

// looseEnd steps back over what cannot stand at the end of a text: joiners and
// the marks after them, parts of flags.
func looseEnd(s string, i int) int {
	for at := i; at > 0; {
		r, n := runeBefore(s, at)
		at -= n
		switch {
		case isJoiner(r), isTag(r), r == textStyle, r == emojiStyle:
			i = at
		case !isMark(r):
			return i
		}
	}
	return i
}

// inCluster reports whether a cut of s at i would fall into a grapheme cluster:
// the rules of UAX #29 without Prepend, a virama or joiner holding on to the
// letter after it.
func inCluster(s string, i int) bool {
	if i <= 0 || i >= len(s) {
		return false
	}
	before, n := runeBefore(s, i)
	after, _ := runeAt(s, i)
	if before < 0x300 && after < 0x300 {
		return before == '\r' && after == '\n'
	}
	switch {
	case extends(after), isJoiner(before):
		return true
	case unicode.Is(viramas, before):
		return unicode.IsLetter(after)
	case isRegional(before) && isRegional(after):
		return oddRegionals(s, i)
	case isLeadingJamo(before):
		return isLeadingJamo(after) || after >= 0xAC00 && after <= 0xD7A3
	case isMark(before):
		// A joiner may stand before the mark: the mark needs the letter after it.
		for range maxMarks {
			i -= n
			before, n = runeBefore(s, i)
			if !isMark(before) {
				break
			}
		}
		return isJoiner(before)
	}
	return false
}

// extends reports whether r belongs to the character before it.
func extends(r rune) bool {
	switch {
	case r < 0x300:
		return false
	case isJoiner(r), isModifier(r), isTag(r),
		r >= 0x1160 && r <= 0x11FF, r >= 0xD7B0 && r <= 0xD7FB, // jamo after the first
		r == 0x0E33, r == 0x0EB3, r == 0xFF9E, r == 0xFF9F:
		return true
	}
	return isMark(r)
}

func isJoiner(r rune) bool { return r == zwnj || r == zwj }

func isTag(r rune) bool { return r >= tagFirst && r <= tagLast }

func isLeadingJamo(r rune) bool {
	return r >= 0x1100 && r <= 0x115F || r >= 0xA960 && r <= 0xA97C
}

// oddRegionals reports whether an odd number of regional indicators, the halves
// of flags, ends at i. It looks at the last maxCluster of them.
func oddRegionals(s string, i int) bool {
	count := 0
	for count < maxCluster {
		r, n := runeBefore(s, i)
		if !isRegional(r) {
			break
		}
		i -= n
		count++
	}
	return count%2 == 1
}
