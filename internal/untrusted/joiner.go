package untrusted

import "unicode"

// joining are the scripts whose letters change form with their neighbours, and
// brahmic those that build conjuncts: both are written with joiners.
var (
	joining = []*unicode.RangeTable{
		unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Mongolian, unicode.Phags_Pa,
		unicode.Manichaean, unicode.Psalter_Pahlavi, unicode.Hanifi_Rohingya, unicode.Sogdian, unicode.Old_Sogdian,
		unicode.Adlam, unicode.Chorasmian,
	}
	brahmic = []*unicode.RangeTable{
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
		unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Tibetan, unicode.Myanmar,
		unicode.Khmer, unicode.Thai, unicode.Lao, unicode.Balinese, unicode.Javanese, unicode.Sundanese,
		unicode.Tai_Tham, unicode.Cham, unicode.Lepcha, unicode.Limbu, unicode.Meetei_Mayek, unicode.Saurashtra,
		unicode.Kaithi, unicode.Chakma, unicode.Brahmi, unicode.Grantha, unicode.Newa, unicode.Tirhuta, unicode.Siddham,
		unicode.Modi, unicode.Sharada, unicode.Takri, unicode.Syloti_Nagri, unicode.Buginese, unicode.Rejang,
	}
)

// maxMarks bounds how far a joiner looks for its letter over marks.
const maxMarks = 8

// joinsWord reports whether a joiner stands where a writer puts one: after a
// virama (RFC 5892, appendix A.1 and A.2), between two letters of one script that
// is written with joiners, or, without joining, between a letter of such a script
// and the letter or digit of another (a Persian plural after a Latin
// abbreviation). The letters may carry marks. This is wider than the rule for
// domain names, which knows letters by their joining type: people also type the
// joiner where it shows no difference.
func joinsWord[L, R text](left L, r rune, right R) bool {
	before, n := runeBefore(left, len(left))
	if before < 0x80 && r == zwj || n == 0 {
		return false
	}
	if before >= 0x094D && unicode.Is(viramas, before) {
		return true
	}
	for range maxMarks {
		if !isMark(before) {
			break
		}
		left = left[:len(left)-n]
		before, n = runeBefore(left, len(left))
	}
	after, n := runeAt(right, 0)
	for range maxMarks {
		// A mark of the script itself, a virama for one, is enough.
		if !isMark(after) || scriptOf(after) != nil {
			break
		}
		right = right[n:]
		after, n = runeAt(right, 0)
	}
	if n == 0 {
		return false
	}
	if _, hidden := hiddenAt(right, 0); hidden > 0 {
		return false // a filler is a letter, but it goes
	}
	a, b := scriptOf(before), scriptOf(after)
	if r == zwj {
		return a != nil && a == b
	}
	return a != nil && isWord(after) || b != nil && isWord(before)
}

func isWord(r rune) bool {
	return scriptOf(r) != nil || unicode.In(r, unicode.L, unicode.Nd)
}

// scriptOf returns the script of r, a letter, mark or digit, if it is written
// with joiners.
func scriptOf(r rune) *unicode.RangeTable {
	if r >= 0x0620 && r <= 0x064A || r >= 0x0671 && r <= 0x06D3 {
		return unicode.Arabic // most of its letters
	}
	if r < 0x0600 || !unicode.In(r, unicode.L, unicode.M, unicode.Nd) {
		return nil
	}
	for _, scripts := range [][]*unicode.RangeTable{joining, brahmic} {
		for _, s := range scripts {
			if unicode.Is(s, r) {
				return s
			}
		}
	}
	return nil
}

func isMark(r rune) bool {
	switch {
	case r < 0x0300, r >= 0x0620 && r <= 0x064A, r >= 0x0671 && r <= 0x06D3:
		return false
	}
	return unicode.Is(unicode.M, r)
}
