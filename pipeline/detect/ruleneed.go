package detect

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

const (
	// minWord is the length below which a word occurs in too many texts.
	minWord = 3
	// maxExact bounds the texts that a part of a pattern is known to match exactly.
	maxExact = 64
	// maxClass bounds the characters of a class that is taken as its members.
	maxClass = 12
)

// needFinder looks for the words that every match of a pattern holds.
type needFinder struct {
	fits      func(words []string) bool
	onlyASCII bool // k and s do not stand for U+212A and U+017F
}

// part is what is known of a part of a pattern.
type part struct {
	exact []string // all texts that it matches, in lower case; nil: too many
	need  need
	least int    // the length of a match, in characters
	most  extent // the same, in bytes
	head  follow // how a match begins
}

// matching returns a part that matches nothing but the texts.
func (f *needFinder) matching(most extent, texts ...string) part {
	slices.Sort(texts)
	p := part{exact: slices.Compact(texts), least: shortest(texts), most: most}
	if f.fits(p.exact) && shortest(p.exact) > 0 {
		p.need.words = p.exact
	}
	return p
}

func (f *needFinder) find(re *syntax.Regexp) part {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return f.matching(0, "")
	case syntax.OpLiteral:
		return f.literal(re)
	case syntax.OpCharClass:
		return f.class(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return part{least: 1, most: utf8.UTFMax}
	case syntax.OpCapture:
		return f.find(re.Sub[0])
	case syntax.OpQuest:
		return f.optional(f.find(re.Sub[0]))
	case syntax.OpStar:
		return part{most: unbounded}
	case syntax.OpPlus:
		return f.repeated(re.Sub[0], 1, -1)
	case syntax.OpRepeat:
		return f.repeated(re.Sub[0], re.Min, re.Max)
	case syntax.OpConcat:
		return f.concat(f.findAll(re.Sub))
	case syntax.OpAlternate:
		return f.alternate(f.findAll(re.Sub))
	}
	return part{most: unbounded}
}

func (f *needFinder) findAll(list []*syntax.Regexp) []part {
	parts := make([]part, len(list))
	for i, re := range list {
		parts[i] = f.find(re)
	}
	return parts
}

func (f *needFinder) literal(re *syntax.Regexp) part {
	parts := make([]part, len(re.Rune))
	for i, r := range re.Rune {
		class := []rune{r, r}
		if re.Flags&syntax.FoldCase != 0 {
			for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
				class = append(class, next, next)
			}
		}
		parts[i] = f.class(class)
	}
	return f.concat(parts)
}

// class takes pairs of first and last characters.
func (f *needFinder) class(pairs []rune) part {
	var most extent
	var texts []string
	small := true
	for i := 0; i < len(pairs); i += 2 {
		lo, hi := pairs[i], pairs[i+1]
		most = max(most, extent(max(utf8.RuneLen(hi), 1)))
		if f.onlyASCII && lo == hi && (lo == '\u017f' || lo == '\u212a') {
			continue
		}
		if small = small && hi < utf8.RuneSelf && int(hi-lo)+len(texts) < 2*maxClass; small {
			for r := lo; r <= hi; r++ {
				texts = append(texts, lowerASCII(string(r)))
			}
		}
	}
	slices.Sort(texts)
	if texts = slices.Compact(texts); !small || len(texts) == 0 || len(texts) > maxClass {
		return part{least: 1, most: most}
	}
	return f.matching(most, texts...)
}

func (f *needFinder) optional(p part) part {
	if p.exact == nil || len(p.exact) >= maxExact {
		return part{most: p.most}
	}
	return f.matching(p.most, append(slices.Clone(p.exact), "")...)
}

// repeated is about the first of the repetitions.
func (f *needFinder) repeated(re *syntax.Regexp, least, most int) part {
	p := f.find(re)
	out := part{least: least * p.least, most: p.most.times(most), head: followOf(re, least)}
	if least > 0 && p.need.words != nil {
		out.need = p.need
		out.need.after = p.need.after.plus(p.most.times(max(most-1, -1)))
		if most < 0 {
			out.need.after = unbounded
		}
	}
	return out
}

func (f *needFinder) alternate(parts []part) part {
	var out part
	var exact []string
	known, complete := true, true
	for i, p := range parts {
		known, complete = known && p.exact != nil, complete && p.need.words != nil
		exact = append(exact, p.exact...)
		out.need.words = append(out.need.words, p.need.words...)
		out.need.before = out.need.before.or(p.need.before)
		out.need.after = out.need.after.or(p.need.after)
		out.most = out.most.or(p.most)
		if out.least = min(out.least, p.least); i == 0 {
			out.least = p.least
		}
	}
	if known && len(exact) <= maxExact {
		return f.matching(out.most, exact...)
	}
	if !complete {
		out.need = need{}
	}
	return out
}
