package detect

// AppendKey appends the normalised form of a member's name to dst: words in lower
// case, joined by _, whether they were told apart by capitals (apiKey, APIKey) or
// by other characters (api-key, Api Key).
func AppendKey(dst, name []byte) []byte {
	start := len(dst)
	for i, c := range name {
		switch {
		case c >= 'A' && c <= 'Z':
			if startsWord(name, i) {
				dst = appendBreak(dst, start)
			}
			dst = append(dst, c|0x20)
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c >= 0x80:
			dst = append(dst, c)
		default:
			dst = appendBreak(dst, start)
		}
	}
	if n := len(dst); n > start && dst[n-1] == '_' {
		dst = dst[:n-1]
	}
	return dst
}

func appendBreak(dst []byte, start int) []byte {
	if n := len(dst); n > start && dst[n-1] != '_' {
		dst = append(dst, '_')
	}
	return dst
}

// startsWord reports whether the capital at i begins a word: after a small letter
// or a digit, or as the last of some capitals before a small letter, unless that is
// the s of a plural (IDs).
func startsWord(name []byte, i int) bool {
	if i == 0 {
		return false
	}
	if before := name[i-1]; isLower(before) || isDigit(before) {
		return true
	}
	if i+1 == len(name) || !isLower(name[i+1]) {
		return false
	}
	plural := name[i+1] == 's' && (i+2 == len(name) || !isLower(name[i+2]))
	return !plural
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
