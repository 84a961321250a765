package scan

// class tells what a byte may be part of; those of a token are joined with |.
type class uint16

const (
	classDigit    class = 1 << iota
	classHexLower       // a to f
	classHexUpper       // A to F
	classLower          // g to z
	classUpper          // G to Z
	classDash           // - and _
	classPlus           // +
	classDot
	classColon
	classSlash
	classAt
	classEqual
	classInner   // other bytes inside a token
	classBreak   // between tokens
	classStrange // between tokens, and the lexer looks at it
)

const (
	classHex   = classDigit | classHexLower | classHexUpper
	classSmall = classHexLower | classLower
	classLarge = classHexUpper | classUpper
	classAlpha = classSmall | classLarge
	classAlnum = classDigit | classAlpha
	classEnd   = classBreak | classStrange
	classMark  = classAt | classColon | classEqual | classSlash | classPlus // inside a token, and the lexer looks at it
)

var classes = classTable()

func classTable() (table [256]class) {
	for c := range table {
		table[c] = classOf(byte(c))
	}
	return table
}

func classOf(c byte) class {
	switch {
	case c >= '0' && c <= '9':
		return classDigit
	case c >= 'a' && c <= 'f':
		return classHexLower
	case c >= 'A' && c <= 'F':
		return classHexUpper
	case c >= 'g' && c <= 'z':
		return classLower
	case c >= 'G' && c <= 'Z':
		return classUpper
	}
	switch c {
	case '-', '_':
		return classDash
	case '+':
		return classPlus
	case '.':
		return classDot
	case ':':
		return classColon
	case '/':
		return classSlash
	case '@':
		return classAt
	case '=':
		return classEqual
	case '%', '&', '?', '#', '~', '$', '*', '!':
		return classInner
	case '\\', '>':
		return classStrange
	}
	return classBreak
}

func isDigit(c byte) bool { return c-'0' < 10 }
func isAlnum(c byte) bool { return classes[c]&classAlnum != 0 }
func isAlpha(c byte) bool { return classes[c]&classAlpha != 0 }
func isHex(c byte) bool   { return classes[c]&classHex != 0 }

// isWord reports whether a byte continues a name: a letter, a digit or _.
func isWord(c byte) bool { return isAlnum(c) || c == '_' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

func isSpace(c byte) bool { return isBlank(c) || c == '\n' || c == '\r' }

// all reports whether each byte of s is of one of the classes.
func all(s []byte, of class) bool {
	for _, c := range s {
		if classes[c]&of == 0 {
			return false
		}
	}
	return true
}

// equalFold reports whether s is word, which is in lower case, in any case.
func equalFold(s []byte, word string) bool {
	if len(s) != len(word) {
		return false
	}
	for i, c := range s {
		if c != word[i] && (c|0x20 != word[i] || c-'A' >= 26) {
			return false
		}
	}
	return true
}

func hasSuffixFold(s []byte, suffix string) bool {
	return len(s) >= len(suffix) && equalFold(s[len(s)-len(suffix):], suffix)
}

func hasPrefixFold(s []byte, prefix string) bool {
	return len(s) >= len(prefix) && equalFold(s[:len(prefix)], prefix)
}

// hasPrefix reports whether text goes on with prefix at i.
func hasPrefix(text []byte, i int, prefix string) bool {
	return i >= 0 && len(text)-i >= len(prefix) && string(text[i:i+len(prefix)]) == prefix
}
