package scan

// The word that tells what a number is stands at most maxContext in front of it, and is
// at least minContext long.
const (
	minContext = 3
	maxContext = 32
)

// near reports whether one of words, in any case, stands in front of i, in the same line.
// It may be part of a name: phoneNumber, employee_ssn.
func (l *lexer) near(i int, words []string) bool {
	from := max(0, i-maxContext)
	for end := i; end > from; {
		l.work++
		if !isAlpha(l.text[end-1]) {
			if end--; l.text[end] == '\n' {
				return false
			}
			continue
		}
		start := end - 1
		for start > 0 && end-start <= maxContext && isAlpha(l.text[start-1]) && !isHump(l.text[start-1], l.text[start]) && !behindEscape(l.text, start) {
			start--
		}
		for _, word := range words {
			if equalFold(l.text[start:end], word) {
				return true
			}
		}
		end = start
	}
	return false
}

// isHump reports whether a word starts at the second of two letters: phoneNumber.
func isHump(a, b byte) bool { return classes[a]&classSmall != 0 && classes[b]&classLarge != 0 }
