package scan

const maxPhone = 32

var phoneWords = [...]string{"phone", "tel", "telephone", "mobile", "cell", "fax", "call", "whatsapp", "sms"}

// internationalPhone: a plus sign and 8 to 15 digits, the first not 0 (ITU-T E.164,
// section 6), with blanks and punctuation between. The plus is at i.
func (l *lexer) internationalPhone(t token, i int) {
	if !l.runs[Phone] || i < l.until[longPhone] || isWord(l.before(t, i)) || !isDigit(l.at(i+1)) || l.at(i+1) == '0' {
		return
	}
	l.phone(i, i+1, 8)
}

// nationalPhone: 7 to 15 digits behind a word such as phone.
func (l *lexer) nationalPhone(t token, w word) {
	if !l.runs[Phone] || w.start < l.until[longPhone] || l.before(t, w.start) == '+' {
		return
	}
	if c := l.before(t, w.start); c == '.' || c == '-' && isWord(l.before(t, w.start-1)) {
		return
	}
	start := w.start
	if l.at(start-1) == '(' {
		start--
	}
	if digits, _ := l.phoneDigits(start); digits >= 7 && l.near(w.start, phoneWords[:]) {
		l.phone(start, start, 7)
	}
}

func (l *lexer) phone(start, i, least int) {
	digits, end := l.phoneDigits(i)
	if digits >= least && digits <= 15 && !isWord(l.at(end)) {
		l.until[longPhone] = end
		l.add(Phone, PhoneEntity, start, end)
	}
}

// phoneDigits counts the digits of the number at i and returns where the last ends.
func (l *lexer) phoneDigits(i int) (digits, end int) {
	end = i
	for j := i; j-i < maxPhone; j++ {
		c := l.at(j)
		if isDigit(c) {
			digits++
			end = j + 1
		} else if !l.phoneGap(c, j) {
			break
		}
	}
	return digits, end
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
