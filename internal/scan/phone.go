package scan

const maxPhone = 32

var phoneWords = [...]string{"phone", "tel", "telephone", "mobile", "cell", "fax", "call", "whatsapp", "sms"}

// internationalPhone: a plus sign and 8 to 15 digits, the first not 0 (ITU-T E.164,
// section 6), with blanks and punctuation between. The plus is at i.
func (l *lexer) internationalPhone(i int) {
	if !l.runs[Phone] || i < l.until[Phone] || isWord(l.at(i-1)) || !isDigit(l.at(i+1)) || l.at(i+1) == '0' {
		return
	}
	l.phone(i, i+1, 8)
}

// nationalPhone: 7 to 15 digits behind a word such as phone.
func (l *lexer) nationalPhone(w word) {
	if !l.runs[Phone] || w.start < l.until[Phone] || l.at(w.start-1) == '+' {
		return
	}
	if c := l.at(w.start - 1); c == '.' || c == '-' && isWord(l.at(w.start-2)) || !l.near(w.start, phoneWords[:]) {
		return
	}
	start := w.start
	if l.at(start-1) == '(' {
		start--
	}
	l.phone(start, start, 7)
}

func (l *lexer) phone(start, i, least int) {
	digits, end := 0, i
	for j := i; j-i < maxPhone; j++ {
		c := l.at(j)
		if isDigit(c) {
			digits++
			end = j + 1
		} else if !l.phoneGap(c, j) {
			break
		}
	}
	if digits >= least && digits <= 15 && !isWord(l.at(end)) {
		l.until[Phone] = end
		l.add(Phone, PhoneEntity, start, end)
	}
}

// phoneGap reports whether a byte may stand between digits: one sign, and brackets
// beside it.
func (l *lexer) phoneGap(c byte, i int) bool {
	next := l.at(i + 1)
	switch c {
	case ' ', '-', '.', '/':
		return isDigit(next) || next == '('
	case '(':
		return isDigit(next)
	case ')':
		return isDigit(next) || next == ' ' || next == '-'
	}
	return false
}
