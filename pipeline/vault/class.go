package vault

func isDigit(c byte) bool { return c-'0' < 10 }

func isLower(c byte) bool { return c-'a' < 26 }

func isUpper(c byte) bool { return c-'A' < 26 }

func isAlnum(c byte) bool { return isDigit(c) || isLower(c|0x20) }

func isHex(c byte) bool { return isDigit(c) || (c|0x20)-'a' < 6 }

// isBase32 tells the alphabet of RFC 4648, upper case, that AWS uses in its ids.
func isBase32(c byte) bool { return isUpper(c) || c-'2' < 6 }

// each reports whether all bytes of a text that is not empty are of a class.
func each(text []byte, class func(byte) bool) bool {
	for _, c := range text {
		if !class(c) {
			return false
		}
	}
	return len(text) > 0
}

func isDigits(text []byte) bool { return each(text, isDigit) }

// letters tells which cases a text has letters in.
func letters(text []byte) (lower, upper bool) {
	for _, c := range text {
		lower = lower || isLower(c)
		upper = upper || isUpper(c)
	}
	return lower, upper
}

// appendLower appends text in lower case (ASCII).
func appendLower(dst, text []byte) []byte {
	for _, c := range text {
		if isUpper(c) {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	return dst
}

// appendUpper appends text in upper case (ASCII).
func appendUpper(dst, text []byte) []byte {
	for _, c := range text {
		if isLower(c) {
			c &^= 0x20
		}
		dst = append(dst, c)
	}
	return dst
}

// oneCase gives a text written in one case its seed, the lower case, so that its
// names differ in case alone; what mixes cases is a value of its own.
func (j *job) oneCase(value []byte) (seed []byte) {
	if lower, upper := letters(value); lower || !upper {
		return value
	}
	j.folded = appendLower(j.folded[:0], value)
	return j.folded
}

// sameCase puts the hexadecimal digits of name into upper case if those of value
// are.
func sameCase(name, value []byte) {
	if lower, upper := letters(value); upper && !lower {
		appendUpper(name[:0], name)
	}
}
