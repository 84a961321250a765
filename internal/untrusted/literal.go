package untrusted

import (
	"regexp/syntax"
)

// minTrigger is the least number of letters of a word worth waiting for.
const minTrigger = 3

// requiredWords returns words, as the automaton sees them, of which one must occur
// in every text that the pattern matches; none where there are no such words.
func requiredWords(pattern string) []string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	return wordsOf(re.Simplify())
}

func wordsOf(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return longestWord(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return wordsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return wordsOf(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if words := wordsOf(sub); shortest(words) > shortest(best) {
				best = words
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			words := wordsOf(sub)
			if len(words) == 0 {
				return nil
			}
			all = append(all, words...)
		}
		return all
	}
	return nil
}

func shortest(words []string) int {
	if len(words) == 0 {
		return 0
	}
	n := len(words[0])
	for _, w := range words {
		n = min(n, len(w))
	}
	return n
}

// longestWord returns the longest run of letters in a literal. Only ASCII is
// sure to look the same in every case.
func longestWord(literal []rune) []string {
	best, word := "", ""
	for _, r := range append(literal, 0xFFFF) {
		class := byte(classOther)
		if r < 0x80 {
			class = asciiClass[r]
		}
		switch {
		case class < 26:
			word += string(rune('a' + class))
		case class != classSkip:
			if len(word) > len(best) {
				best = word
			}
			word = ""
		}
	}
	if len(best) < minTrigger {
		return nil
	}
	return []string{best}
}
