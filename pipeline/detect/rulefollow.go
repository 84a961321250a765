package detect

import (
	"regexp/syntax"
	"unicode/utf8"
)

// follow tells which bytes stand directly behind a word, and how many at least. It
// refuses most hints that belong to nothing at a fraction of the cost of the pattern.
type follow struct {
	bytes *[256]bool // nil: anything
	least int
}

// followOf returns how a repeated part of a pattern begins.
func followOf(repeated *syntax.Regexp, least int) follow {
	if repeated.Op != syntax.OpCharClass || least == 0 {
		return follow{}
	}
	f := follow{bytes: new([256]bool), least: least}
	for i := 0; i < len(repeated.Rune); i += 2 {
		for c := repeated.Rune[i]; c <= min(repeated.Rune[i+1], utf8.RuneSelf-1); c++ {
			f.bytes[c] = true
		}
		if repeated.Rune[i+1] >= utf8.RuneSelf {
			for c := utf8.RuneSelf; c < len(f.bytes); c++ {
				f.bytes[c] = true
			}
		}
	}
	return f
}

// holds reports whether text at end goes on as a match must.
func (f follow) holds(text []byte, end int) bool {
	if f.bytes == nil {
		return true
	}
	if len(text)-end < f.least {
		return false
	}
	for _, c := range text[end : end+f.least] {
		if !f.bytes[c] {
			return false
		}
	}
	return true
}
