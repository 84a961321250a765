// Package glob matches names against the patterns of policies and filters.
package glob

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Pattern is one compiled glob: * stands for any run of characters (also / and
// :), ? for one character, [abc] for one of a set, [!abc] for one outside it;
// a-z inside brackets is a range. Matching is case-sensitive and anchored.
type Pattern struct {
	text   string
	atoms  []atom
	exact  bool // no wildcard: text is compared as it is
	prefix bool // only a trailing *: the literal before it is compared
}

// atom matches one character, or with star any run of them.
type atom struct {
	star, any, not bool
	one            rune
	set            [][2]rune
}

// Compile parses a pattern. Its errors name the pattern and what is wrong with
// it.
func Compile(text string) (*Pattern, error) {
	if text == "" {
		return nil, fmt.Errorf("pattern %q is empty", text)
	}
	p := &Pattern{text: text}
	if !strings.ContainsAny(text, "*?[") {
		p.exact = true
		return p, nil
	}
	if i := strings.IndexAny(text, "*?["); i == len(text)-1 && text[i] == '*' {
		p.prefix, p.text = true, text[:i]
		return p, nil
	}
	rest := text
	for rest != "" {
		a, n, err := parseAtom(rest)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", text, err)
		}
		if !a.star || len(p.atoms) == 0 || !p.atoms[len(p.atoms)-1].star {
			p.atoms = append(p.atoms, a)
		}
		rest = rest[n:]
	}
	return p, nil
}

func parseAtom(text string) (atom, int, error) {
	r, n := utf8.DecodeRuneInString(text)
	switch r {
	case '*':
		return atom{star: true}, n, nil
	case '?':
		return atom{any: true}, n, nil
	case '[':
		return parseSet(text)
	}
	return atom{one: r}, n, nil
}

func parseSet(text string) (atom, int, error) {
	end := strings.IndexByte(text[1:], ']') + 1
	if end == 0 {
		return atom{}, 0, fmt.Errorf("the bracket at %q is not closed", text)
	}
	body, not := strings.CutPrefix(text[1:end], "!")
	if body == "" {
		return atom{}, 0, fmt.Errorf("the brackets %q are empty", text[:end+1])
	}
	a := atom{not: not}
	runes := []rune(body)
	for i := 0; i < len(runes); i++ {
		lo, hi := runes[i], runes[i]
		if i+2 < len(runes) && runes[i+1] == '-' {
			hi = runes[i+2]
			i += 2
		}
		if hi < lo {
			return atom{}, 0, fmt.Errorf("the range %c-%c runs backwards", lo, hi)
		}
		a.set = append(a.set, [2]rune{lo, hi})
	}
	return a, end + 1, nil
}

func (a atom) matches(r rune) bool {
	switch {
	case a.any:
		return true
	case a.set == nil:
		return r == a.one
	}
	for _, span := range a.set {
		if span[0] <= r && r <= span[1] {
			return !a.not
		}
	}
	return a.not
}

// Match reports whether the whole of name matches p.
func (p *Pattern) Match(name string) bool {
	switch {
	case p.exact:
		return name == p.text
	case p.prefix:
		return strings.HasPrefix(name, p.text)
	}
	return p.matchAtoms(name)
}

// matchAtoms goes back to the last star only, so that time is at most the
// product of both lengths.
func (p *Pattern) matchAtoms(name string) bool {
	at, star, retry := 0, -1, 0
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		switch {
		case at < len(p.atoms) && p.atoms[at].star:
			star, retry = at, i
			at++
		case at < len(p.atoms) && p.atoms[at].matches(r):
			at++
			i += n
		case star >= 0:
			_, skip := utf8.DecodeRuneInString(name[retry:])
			retry += skip
			at, i = star+1, retry
		default:
			return false
		}
	}
	for at < len(p.atoms) && p.atoms[at].star {
		at++
	}
	return at == len(p.atoms)
}

// A List matches what one of its patterns matches and none of its exclusions
// (patterns that start with !) does. A list of exclusions alone matches nothing.
type List struct {
	include, exclude []*Pattern
}

// CompileList parses patterns; of several bad ones it names all.
func CompileList(patterns []string) (*List, error) {
	l := &List{}
	var bad []string
	for _, text := range patterns {
		body, not := strings.CutPrefix(text, "!")
		p, err := Compile(body)
		switch {
		case err != nil:
			bad = append(bad, err.Error())
		case not:
			l.exclude = append(l.exclude, p)
		default:
			l.include = append(l.include, p)
		}
	}
	if bad != nil {
		return nil, fmt.Errorf("%s", strings.Join(bad, "; "))
	}
	return l, nil
}

// Match reports whether name is in the list. A nil list matches nothing.
func (l *List) Match(name string) bool {
	return l != nil && matchAny(l.include, name) && !matchAny(l.exclude, name)
}

func matchAny(patterns []*Pattern, name string) bool {
	for _, p := range patterns {
		if p.Match(name) {
			return true
		}
	}
	return false
}
