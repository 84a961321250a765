package untrusted

// hiddenAt returns the control or invisible character of s at i and its size, or
// the size 0: C0 but tab, LF and CR, DEL, C1, and what the switch names. The
// bytes are compared as they are, so a text that is not UTF-8 does no harm.
func hiddenAt[T text](s T, i int) (r rune, size int) {
	if c := s[i]; c < 0x80 {
		if byteFlags[c]&Control != 0 {
			return rune(c), 1
		}
		return 0, 0
	}
	if i+1 >= len(s) || hiddenPairs[s[i]]>>(s[i+1]&0x3F)&1 == 0 {
		return 0, 0
	}
	switch c := s[i+1]; {
	case c&0xC0 != 0x80:
		return 0, 0
	case s[i] == 0xC2:
		return rune(c), 2
	case s[i] == 0xCD:
		return 0x034F, 2
	case s[i] == 0xD8:
		return 0x061C, 2
	}
	if i+2 >= len(s) {
		return 0, 0
	}
	if s[i] < 0xF0 {
		return hidden3(s[i], s[i+1], s[i+2])
	}
	if i+3 >= len(s) {
		return 0, 0
	}
	return hidden4(s[i], s[i+1], s[i+2], s[i+3])
}

// hiddenPairs holds, for the first byte of a sequence, the second bytes (their
// lower six bits) with which it may be an invisible character.
var hiddenPairs = func() (t [256]uint64) {
	for lead, seconds := range map[byte][][2]byte{
		0xC2: {{0x80, 0x9F}, {0xAD, 0xAD}}, // C1, soft hyphen
		0xCD: {{0x8F, 0x8F}},               // combining grapheme joiner
		0xD8: {{0x9C, 0x9C}},               // Arabic letter mark
		0xE1: {{0x85, 0x85}, {0x9E, 0x9E}, {0xA0, 0xA0}},
		0xE2: {{0x80, 0x81}},
		0xE3: {{0x85, 0x85}},
		0xEF: {{0xB8, 0xB8}, {0xBB, 0xBB}, {0xBE, 0xBF}},
		0xF0: {{0x9D, 0x9D}},
		0xF3: {{0xA0, 0xA0}},
	} {
		for _, in := range seconds {
			for c := in[0]; c <= in[1]; c++ {
				t[lead] |= 1 << (c & 0x3F)
			}
		}
	}
	return t
}()

// hidden3 is hiddenAt for three bytes.
func hidden3(a, b, c byte) (r rune, size int) {
	hidden := false
	switch uint32(a)<<8 | uint32(b) {
	case 0xE185: // Hangul fillers U+115F, U+1160
		hidden = within(c, 0x9F, 0xA0)
	case 0xE19E: // Khmer inherent vowels U+17B4, U+17B5
		hidden = within(c, 0xB4, 0xB5)
	case 0xE1A0: // Mongolian selectors U+180B-180F
		hidden = within(c, 0x8B, 0x8F)
	case 0xE280: // U+200B-200F, U+2028-202E
		hidden = within(c, 0x8B, 0x8F) || within(c, 0xA8, 0xAE)
	case 0xE281: // U+2060-206F
		hidden = within(c, 0xA0, 0xAF)
	case 0xE385: // Hangul filler U+3164
		hidden = c == 0xA4
	case 0xEFB8: // variation selectors U+FE00-FE0F
		hidden = within(c, 0x80, 0x8F)
	case 0xEFBB: // byte-order mark
		hidden = c == 0xBF
	case 0xEFBE: // halfwidth Hangul filler U+FFA0
		hidden = c == 0xA0
	case 0xEFBF: // interlinear annotation U+FFF9-FFFB
		hidden = within(c, 0xB9, 0xBB)
	}
	if !hidden {
		return 0, 0
	}
	return rune(a&0x0F)<<12 | rune(b&0x3F)<<6 | rune(c&0x3F), 3
}

func within(c, first, last byte) bool { return c-first <= last-first }

// hidden4 is hiddenAt for four bytes.
func hidden4(a, b, c, d byte) (r rune, size int) {
	r = rune(a&0x07)<<18 | rune(b&0x3F)<<12 | rune(c&0x3F)<<6 | rune(d&0x3F)
	switch {
	case d&0xC0 != 0x80 || c&0xC0 != 0x80 || b&0xC0 != 0x80:
		return 0, 0
	case r >= 0x1D173 && r <= 0x1D17A, // musical formatting
		r >= tagFirst && r <= tagLast, // tag block
		r >= 0xE0100 && r <= 0xE01EF:  // variation selectors
		return r, 4
	}
	return 0, 0
}
