package pipeline

import (
	"bytes"
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"
)

// replacer replaces whole tokens: a text that is part of a longer one, of letters,
// digits, _ and -, is not touched.
type replacer struct {
	starts [256]bool // the first bytes of the texts
	pairs  map[byte][]replacement
}

type replacement struct{ from, to []byte }

func newReplacer(texts map[string]string) *replacer {
	r := &replacer{pairs: map[byte][]replacement{}}
	for from, to := range texts {
		r.starts[from[0]] = true
		r.pairs[from[0]] = append(r.pairs[from[0]], replacement{[]byte(from), []byte(to)})
	}
	for _, list := range r.pairs { // the longest first
		slices.SortFunc(list, func(a, b replacement) int { return cmp.Compare(len(b.from), len(a.from)) })
	}
	return r
}

// append appends text to dst with what it replaces, and returns how often it did.
// Dst is not touched if it never did.
func (r *replacer) append(dst, text []byte) ([]byte, int) {
	from, n := 0, 0
	for i := 0; i < len(text); i++ {
		if !r.starts[text[i]] {
			continue
		}
		p := r.at(text, i)
		if p == nil {
			continue
		}
		dst = append(append(dst, text[from:i]...), p.to...)
		from = i + len(p.from)
		i = from - 1
		n++
	}
	if n > 0 {
		dst = append(dst, text[from:]...)
	}
	return dst, n
}

// at returns what replaces the token at text[i]; nil if nothing does.
func (r *replacer) at(text []byte, i int) *replacement {
	list := r.pairs[text[i]]
	for k := range list {
		p := &list[k]
		if bytes.HasPrefix(text[i:], p.from) && isToken(text, i, i+len(p.from)) {
			return p
		}
	}
	return nil
}

// isToken reports whether text[i:j] is not part of a longer token.
func isToken(text []byte, i, j int) bool {
	first, _ := utf8.DecodeRune(text[i:j])
	last, _ := utf8.DecodeLastRune(text[i:j])
	before, n := utf8.DecodeLastRune(text[:i])
	after, m := utf8.DecodeRune(text[j:])
	return (n == 0 || !inToken(first) || !inToken(before)) && (m == 0 || !inToken(last) || !inToken(after))
}

func inToken(r rune) bool {
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
