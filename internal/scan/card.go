package scan

// creditCard: 13 to 19 digits with the prefix and the length of an issuer and a right
// check digit (ISO/IEC 7812-1, annex B), in groups as on a card or behind a word such as
// card.
func (l *lexer) creditCard(t token, w word) {
	if !l.runs[CreditCard] || w.start < l.until[longCard] || l.decimal(t, w) || l.before(t, w.start) == '.' || l.joined(t, w.start) {
		return
	}
	var digits [20]byte
	n, end, grouped := l.cardDigits(w.start, digits[:])
	if n < 13 || n > 19 || isWord(l.at(end)) || !issued(digits[:n]) || !luhn(digits[:n]) {
		return
	}
	if c := l.at(end); c == '-' && isAlnum(l.at(end+1)) || c == '.' && isDigit(l.at(end+1)) {
		return
	}
	if grouped || l.near(w.start, cardWords[:]) {
		l.until[longCard] = end
		l.add(CreditCard, CreditCardEntity, w.start, end)
	}
}

// joined reports whether a group of digits goes on what stands in front of it.
func (l *lexer) joined(t token, i int) bool {
	if i > 0 && i-1 == l.until[longCard] {
		return false // that was a card too
	}
	if i == t.start {
		return l.at(i-1) == ' ' && isDigit(l.at(i-2))
	}
	c := l.text[i-1]
	return c == '-' && isAlnum(l.before(t, i-1)) || c == '_' || c == '+'
}

var cardWords = [...]string{
	"card", "cc", "visa", "mastercard", "amex", "discover", "credit", "debit", "pan", "jcb", "diners", "unionpay",
}

// cardDigits reads the digits at i, in one run or in the groups of a card.
func (l *lexer) cardDigits(i int, digits []byte) (n, end int, grouped bool) {
	sep, sizes, group := byte(0), 0, 0
	for end = i; n < len(digits); end++ {
		c := l.at(end)
		switch {
		case isDigit(c):
			digits[n] = c - '0'
			n++
			group++
			continue
		case sizes*10+group == 4444:
		case (c == ' ' || c == '-') && (sep == 0 || sep == c) && isDigit(l.at(end+1)) && group >= 4 && group <= 6:
			sep, sizes, group = c, sizes*10+group, 0
			continue
		}
		break
	}
	switch sizes = sizes*10 + group; sizes {
	case 4444, 465, 464, 44443:
		return n, end, true
	}
	if sep != 0 {
		return 0, end, false
	}
	return n, end, false
}

// issued reports whether a number has the prefix and the length of a network.
func issued(d []byte) bool {
	head := int(d[0])*1000 + int(d[1])*100 + int(d[2])*10 + int(d[3])
	two := head / 100
	switch n := len(d); {
	case d[0] == 4: // Visa
		return n == 13 || n == 16 || n == 19
	case two >= 51 && two <= 55, head >= 2221 && head <= 2720: // Mastercard
		return n == 16
	case two == 34, two == 37: // American Express
		return n == 15
	case head == 6011, two == 65, head/10 >= 644 && head/10 <= 649: // Discover
		return n == 16 || n == 19
	case head >= 3528 && head <= 3589: // JCB
		return n == 16
	case two == 36, two == 38, head/10 >= 300 && head/10 <= 305: // Diners Club
		return n == 14
	case two == 62: // UnionPay
		return n >= 16
	}
	return false
}

func luhn(d []byte) bool {
	sum := 0
	for i, v := range d {
		n := int(v)
		if (len(d)-i)%2 == 0 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}
