package untrusted

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Strip returns s without control and invisible characters, and how many it took
// out; where there are none it returns s itself. What stays of them is what a
// person's text needs: joiners, variation selectors and tags inside an emoji
// sequence, joiners inside words of scripts that are written with them.
//
// s should be UTF-8. Where it is not and something is taken out, each run of
// other bytes becomes U+FFFD, so that no halves of a character meet.
func Strip(s string) (out string, removed int) {
	i := firstHidden(s, 0)
	if i >= len(s) {
		return s, 0
	}
	if !utf8.ValidString(s) {
		return Strip(strings.ToValidUTF8(s, "\uFFFD"))
	}
	b, removed := strip(make([]byte, 0, len(s)), s, i)
	return string(b), removed
}

// StripBytes is [Strip] for bytes. Where nothing is taken out it returns s and
// leaves dst alone, otherwise dst with the text appended.
func StripBytes(dst, s []byte) (out []byte, removed int) {
	i := firstHidden(s, 0)
	if i >= len(s) {
		return s, 0
	}
	if !utf8.Valid(s) {
		s = bytes.ToValidUTF8(s, []byte("\uFFFD"))
		i = firstHidden(s, 0)
	}
	return strip(dst, s, i)
}

// firstHidden returns the index of the first character at or after i that is to
// be taken out, or len(s).
func firstHidden[T text](s T, i int) int {
	for {
		var r rune
		var n int
		if i, r, n = nextHidden(s, i); n == 0 {
			return len(s)
		}
		kept := keeps(s[:i], s[:i], r, s[i+n:])
		if kept < 0 {
			return i
		}
		i += n + kept
	}
}

// strip appends s without its hidden characters; the first of them is at i.
func strip[T text](dst []byte, s T, i int) (out []byte, removed int) {
	start := len(dst)
	dst = append(dst, s[:i]...)
	for {
		_, n := hiddenAt(s, i)
		i, removed = i+n, removed+1
		for {
			at, r, n := nextHidden(s, i)
			dst = append(dst, s[i:at]...)
			if i = at; n == 0 {
				return dst, removed
			}
			kept := keeps(dst[start:], s[:i], r, s[i+n:])
			if kept < 0 {
				break
			}
			dst = append(dst, s[i:i+n+kept]...)
			i += n + kept
		}
	}
}

// nextHidden returns the first control or invisible character at or after i,
// with the size 0 where there is none.
func nextHidden[T text](s T, i int) (at int, r rune, size int) {
	for i = plain(s, i); i < len(s); i = plain(s, i) {
		for i < len(s) && byteFlags[s[i]] != 0 {
			// Most sequences are done with after one look at two bytes.
			if c := s[i]; c < 0x80 || i+1 < len(s) && hiddenPairs[c]>>(s[i+1]&0x3F)&1 != 0 {
				if r, size = hiddenAt(s, i); size > 0 {
					return i, r, size
				}
			}
			i++
		}
	}
	return len(s), 0, 0
}

// keeps decides about a hidden character between what stays before it (left), or
// stood there (before), and what follows: -1 takes it out, otherwise so many bytes
// after it stay with it.
//
// What it needs of the right side is never a hidden character outside the same
// sequence, so taking out others does not change its mind.
func keeps[L, T text](left L, before T, r rune, right T) int {
	keep := false
	switch {
	case r == zwnj:
		keep = joinsWord(left, r, right)
	case r == zwj:
		keep = joinsEmoji(left, right) || joinsWord(left, r, right)
	case r == textStyle || r == emojiStyle:
		keep = stylesEmoji(left, right)
	case r >= tagFirst && r <= tagLast:
		return tagsEmoji(before, r, right)
	}
	if keep {
		return 0
	}
	return -1
}
