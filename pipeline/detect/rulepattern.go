package detect

import (
	"regexp"
	"regexp/syntax"
)

// pattern is a regular expression with what every match of it must hold. It is
// immutable.
type pattern struct {
	re       *regexp.Regexp
	tree     *syntax.Regexp
	required need
	least    int // the length of a match, in bytes
}

func compilePattern(flags, text string) (*pattern, error) {
	if flags != "" {
		text = "(?" + flags + ")" + text
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	p := &pattern{re: re, tree: tree}
	finder := needFinder{fits: func(words []string) bool { return shortest(words) >= minWord }}
	all := finder.find(tree)
	p.required, p.least = all.need, all.least
	return p, nil
}

// requiredWith returns the words required by the pattern that fit; k and s stand for
// the ASCII letters only, also where case is ignored.
func (p *pattern) requiredWith(fits func(words []string) bool) need {
	finder := needFinder{fits: fits, onlyASCII: true}
	return finder.find(p.tree).need
}

// need is a list of words in lower case of which every match holds one, and how far
// that is, in bytes, from the ends of the match. No words: nothing is known.
type need struct {
	words         []string
	before, after extent
	follow        follow
}

// window is how far a match reaches, in bytes, before and behind the end of a hint in
// it; negative: unknown.
type window struct{ before, after int }

// window allows for hints that are only a part of the word, at either end.
func (n need) window() window {
	if len(n.words) == 0 || n.before == unbounded || n.after == unbounded {
		return window{-1, -1}
	}
	longest := 0
	for _, word := range n.words {
		longest = max(longest, len(word))
	}
	return window{int(n.before) + longest, int(n.after) + longest}
}

// extent is a length in bytes of which only the most is known.
type extent int

const (
	unbounded extent = -1
	// Beyond maxExtent a window is no better than the whole text.
	maxExtent extent = 1 << 14
)

func (e extent) plus(other extent) extent {
	if e == unbounded || other == unbounded || e+other > maxExtent {
		return unbounded
	}
	return e + other
}

func (e extent) times(n int) extent {
	if e == 0 {
		return 0
	}
	if e == unbounded || n < 0 || e > maxExtent/extent(max(n, 1)) {
		return unbounded
	}
	return e * extent(n)
}

func (e extent) or(other extent) extent {
	if e == unbounded || other == unbounded {
		return unbounded
	}
	return max(e, other)
}

// shortest returns the length of the shortest word, 0 of none.
func shortest(words []string) int {
	n := 0
	for i, word := range words {
		if i == 0 || len(word) < n {
			n = len(word)
		}
	}
	return n
}
