package scan

// account: an AWS account id, 12 digits that stand alone (AWS Account Management
// Reference Guide, "View AWS account identifiers"). Digits behind a decimal point, a
// plus sign or in a UUID do not; nor does one digit twelve times.
func (l *lexer) account(t token, w word) {
	if !l.runs[AWSAccountID] || l.sameDigit(w) || l.decimal(t, w) || l.before(t, w.start) == '+' {
		return
	}
	if w.start-t.start >= 24 && isUUID(l.text[w.start-24:w.end]) {
		return
	}
	l.add(AWSAccountID, AWSAccount, w.start, w.end)
}

func (l *lexer) sameDigit(w word) bool {
	for _, c := range l.text[w.start:w.end] {
		if c != l.text[w.start] {
			return false
		}
	}
	return true
}

// decimal reports whether a number is one side of a decimal point.
func (l *lexer) decimal(t token, w word) bool {
	before := w.start-t.start >= 2 && l.text[w.start-1] == '.' && isDigit(l.text[w.start-2])
	return before || w.end+1 < t.end && l.text[w.end] == '.' && isDigit(l.text[w.end+1])
}
