package scan

// maxContext is how far in front of a number the word may stand that tells what it is.
const maxContext = 32

// near reports whether one of words, in any case and not part of a longer one, stands in
// front of i, in the same line.
func (l *lexer) near(i int, words []string) bool {
	from := max(0, i-maxContext)
	for end := i; end > from; {
		for end > from && !isAlpha(l.text[end-1]) {
			if l.text[end-1] == '\n' {
				return false
			}
			end--
		}
		start := end
		for start > from && isAlpha(l.text[start-1]) {
			start--
		}
		for _, word := range words {
			if hasSuffixFold(l.text[start:end], word) && apart(l.text[start:end], end-start-len(word)) {
				return start > from || !isAlpha(l.at(start-1)) || end-start > len(word)
			}
		}
		end = start
	}
	return false
}
