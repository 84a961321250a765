package scan

// maxProduct is how long the name of a product may be in front of its version.
const maxProduct = 32

// isVersion reports whether four numbers are a version or the like and no address: behind
// a word that says so (version 1.2.3.4), behind the name of a product with a capital
// (Chrome/126.0.64.127, RFC 9110, section 10.1.5), or in front of a pre-release (-beta)
// or a build (+build7).
func (l *lexer) isVersion(t token, start, end int) bool {
	if c := l.at(end); (c == '-' || c == '+') && isAlpha(l.at(end+1)) {
		return true
	}
	return l.product(t, start) || l.versionWord(start)
}

// product reports whether a token has nothing but a name and a slash in front of i.
func (l *lexer) product(t token, i int) bool {
	n := i - 1 - t.start
	if n < 1 || n > maxProduct || l.text[i-1] != '/' || classes[l.text[t.start]]&classLarge == 0 {
		return false
	}
	return all(l.text[t.start:i-1], classAlnum|classDash)
}

var versionWords = [...]string{
	"version", "ver", "release", "build", "revision", "section", "chapter", "clause", "paragraph", "oid",
}

// versionWord reports whether such a word stands in front of i, with blanks, quotes and a
// separator between.
func (l *lexer) versionWord(i int) bool {
	end := i
	for end > 0 && i-end < 6 && isAside(l.text[end-1]) && l.text[end-1] != '/' {
		end--
	}
	if end == i {
		return false
	}
	start := end
	for start > 0 && end-start < maxProduct && isAlpha(l.text[start-1]) {
		start--
	}
	for _, word := range versionWords {
		if hasSuffixFold(l.text[start:end], word) && apart(l.text[start:end], end-start-len(word)) {
			return true
		}
	}
	return false
}
