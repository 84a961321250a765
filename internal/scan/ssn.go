package scan

var ssnWords = [...]string{"ssn", "social", "security"}

// ssn: 3, 2 and 4 digits behind a word such as SSN, with dashes or blanks or without; no
// group is zero and the first not 666 or 900 and more (US Social Security
// Administration, "Social Security Number Randomization").
func (l *lexer) ssn(t token, w word) {
	if !l.runs[USSSN] {
		return
	}
	end, group := l.ssnEnd(w)
	if end == 0 || isWord(l.at(end)) || l.at(end) == '-' {
		return
	}
	if c := l.before(t, w.start); c == '-' || c == '.' || c == '_' {
		return
	}
	area := string(l.text[w.start : w.start+3])
	if area == "000" || area == "666" || area[0] == '9' || hasPrefix(l.text, group, "00") || hasPrefix(l.text, end-4, "0000") {
		return
	}
	if l.near(w.start, ssnWords[:]) {
		l.add(USSSN, USSSNEntity, w.start, end)
	}
}

// ssnEnd returns where a number of that form ends, 0 if it is none, and where its second
// group starts.
func (l *lexer) ssnEnd(w word) (end, group int) {
	if w.len() == 9 {
		return w.end, w.start + 3
	}
	end = w.start + 11
	if w.len() != 3 || end > len(l.text) {
		return 0, 0
	}
	s := l.text[w.start:end]
	if s[3] != '-' && s[3] != ' ' || s[6] != s[3] || !all(s[4:6], classDigit) || !all(s[7:], classDigit) {
		return 0, 0
	}
	return end, w.start + 4
}
