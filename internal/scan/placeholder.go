package scan

import "bytes"

// emptyWords stand where a secret would, and are none.
var emptyWords = [...]string{
	"null", "nil", "none", "true", "false", "undefined", "redacted", "n/a", "empty", "string", "required", "optional",
}

const maxEmptyWord = len("undefined") // of the list

// IsPlaceholder reports whether a value stands for a secret that is not there: it is
// empty or says so, it is a token of a template, it is masked, or it is what redaction
// puts in place of something.
func IsPlaceholder(s []byte) bool {
	if len(s) == 0 {
		return true
	}
	if len(s) <= maxEmptyWord {
		for _, word := range emptyWords {
			if equalFold(s, word) {
				return true
			}
		}
	}
	return isClosed(s) || isMasked(s) || isDigest(s)
}

// isClosed reports whether a value is one token of a template from end to end:
// [REDACTED:email], ${NAME}, {{name}}, <name>.
func isClosed(s []byte) bool {
	switch {
	case s[0] == '[':
		return hasPrefixFold(s, "[redacted") && bytes.IndexByte(s, ']') == len(s)-1
	case s[0] == '$':
		return hasPrefix(s, 0, "${") && bytes.IndexByte(s, '}') == len(s)-1
	case s[0] == '{':
		return hasPrefix(s, 0, "{{") && bytes.Index(s, []byte("}}")) == len(s)-2
	}
	return s[0] == '<' && len(s) > 2 && bytes.IndexByte(s, '>') == len(s)-1
}

// isMasked reports whether a value is a run of mask characters, or ends of a value
// around a run of asterisks.
func isMasked(s []byte) bool {
	const most = 4 // characters that a mask shows on a side, or as many as it hides
	if c := s[0]; isAlnum(c) && c|0x20 != 'x' && bytes.IndexByte(s, '*') < 0 {
		return false // most end here
	}
	marks, stars := 0, 0
	for _, c := range s {
		switch c {
		case '*':
			stars++
		case 'x', 'X', '#', '-', '.':
			marks++
		}
	}
	switch {
	case stars+marks == len(s) || stars*2 > len(s):
		return true
	case stars < 3:
		return false
	case stars*2 == len(s):
		return bytes.Contains(s, []byte("***"))
	}
	first, last := bytes.IndexByte(s, '*'), bytes.LastIndexByte(s, '*')
	return last-first+1 == stars && first <= most && len(s)-1-last <= most
}

// digestLen is how many digits hashing leaves usually.
const digestLen = 12

// isDigest reports whether a value is what hashing leaves: ENTITY:12hex, also next to
// another.
func isDigest(s []byte) bool {
	colon := bytes.LastIndexByte(s, ':')
	if colon < 1 || len(s)-colon-1 < 4 || !allSmallHex(s[colon+1:]) {
		return false
	}
	name := s[:colon]
	if len(name) > digestLen && allSmallHex(name[:digestLen]) {
		name = name[digestLen:]
	}
	return isEntity(name)
}

func allSmallHex(s []byte) bool { return all(s, classDigit|classHexLower) }

// isEntity reports whether s is the name of an entity.
func isEntity(s []byte) bool {
	for _, name := range entityNames {
		if string(s) == name {
			return true
		}
	}
	return false
}

// endsInEntity reports whether s ends in the name of an entity, as a word.
func endsInEntity(s []byte) bool {
	for _, name := range entityNames {
		if start := len(s) - len(name); hasPrefix(s, start, name) && apart(s, start) {
			return true
		}
	}
	return false
}
