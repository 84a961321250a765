package untrusted

import "unicode"

// The characters that emoji sequences are made of (UTS #51).
const (
	zwnj       = 0x200C
	zwj        = 0x200D
	textStyle  = 0xFE0E
	emojiStyle = 0xFE0F
	keycap     = 0x20E3
	blackFlag  = 0x1F3F4
	tagFirst   = 0xE0000
	tagLast    = 0xE007F // cancel tag: the end of a tag sequence
)

func isModifier(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }

func isRegional(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

// isPictograph reports whether r can be an element of a joined emoji. Reserved
// code points count too, so emoji of later versions stay whole.
func isPictograph(r rune) bool {
	return r >= 0xA9 && unicode.Is(pictographs, r)
}

// joinsEmoji reports whether a zero width joiner stands between two elements of
// an emoji: a pictograph, styled or with a skin tone, and a pictograph.
func joinsEmoji[L, R text](left L, right R) bool {
	if next, _ := runeAt(right, 0); !isPictograph(next) {
		return false
	}
	r, n := runeBefore(left, len(left))
	if r == emojiStyle || isModifier(r) {
		r, _ = runeBefore(left, len(left)-n)
	}
	return isPictograph(r)
}

// stylesEmoji reports whether a variation selector chooses how the emoji before
// it looks, or stands inside a keycap.
func stylesEmoji[L, R text](left L, right R) bool {
	r, _ := runeBefore(left, len(left))
	if r >= 0x80 {
		return unicode.Is(presentable, r)
	}
	if r >= '0' && r <= '9' || r == '#' || r == '*' {
		next, _ := runeAt(right, 0)
		return next == keycap
	}
	return false
}

// tagsEmoji returns how many bytes after the tag character r belong to the flag
// of a subdivision that it begins (England is the black flag, the tags g b e n g
// and the cancel tag), or -1. The tags must be a subdivision of CLDR by their
// form, two letters and up to four letters or digits: more would be room for text.
// All of left counts, hidden or not: the rest of a sequence that was taken out is
// no flag.
func tagsEmoji[T text](left T, r rune, right T) int {
	if flag, _ := runeBefore(left, len(left)); flag != blackFlag {
		return -1
	}
	for i, tags := 0, 0; tags < 7; tags++ {
		switch c := r - tagFirst; {
		case r == tagLast && tags >= 3:
			return i
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9' && tags >= 2:
		default:
			return -1
		}
		next, n := runeAt(right, i)
		r, i = next, i+n
	}
	return -1
}
