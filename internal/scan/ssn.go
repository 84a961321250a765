package scan

var ssnWords = [...]string{"ssn", "social", "security"}

// ssn: 3, 2 and 4 digits behind a word such as SSN, with dashes or blanks or without; no
// group is zero and the first not 666 or 900 and more (US Social Security
// Administration, "Social Security Number Randomization").
func (l *lexer) ssn(t token, w word) {
	if !l.runs[USSSN] {
		return
	}
	s, group := l.text[w.start:min(len(l.text), w.start+11)], 4
	switch {
	case w.len() == 9:
		s, group = s[:9], 3
	case w.len() != 3 || len(s) < 11 || s[3] != '-' && s[3] != ' ' || s[6] != s[3] || !all(s[4:6], classDigit) || !all(s[7:], classDigit):
		return
	}
	end := w.start + len(s)
	if c := l.before(t, w.start); isWord(l.at(end)) || l.at(end) == '-' || c == '-' || c == '.' || c == '_' {
		return
	}
	area := string(s[:3])
	if area == "000" || area == "666" || area[0] == '9' || string(s[group:group+2]) == "00" || string(s[len(s)-4:]) == "0000" {
		return
	}
	if l.near(w.start, ssnWords[:]) {
		l.add(USSSN, USSSNEntity, w.start, end)
	}
}
