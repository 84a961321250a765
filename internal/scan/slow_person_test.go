package scan_test

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	imageRE = regexp.MustCompile(`(?i)^(?:png|jpg|jpeg|gif|svg|webp)$`)
	lastRE  = regexp.MustCompile(`^(?:(?i:xn--)[A-Za-z0-9_-]+|[A-Za-z]{2,}|[^\x00-\x7F]+)$`)
)

func slowEmail(text string) (list []span) {
	for at := range len(text) {
		if text[at] != '@' {
			continue
		}
		start, end := slowLocal(text, at), slowDomain(text, at+1)
		if start < at && end > 0 && !slowAuthority(text[:start]) {
			list = append(list, span{start: start, end: end})
		}
	}
	return list
}

func slowLocal(text string, at int) int {
	start := at
	for start > 0 && at-start < 64 {
		r, size := utf8.DecodeLastRuneInString(text[:start])
		head := text[:start]
		switch {
		case r < 0x80 && alnum(byte(r)) && rx(`(?:`+escapes.String()+`)$`).MatchString(head) && rx(`\\[nrtbf]$`).MatchString(head):
			size = 0
		case r < 0x80 && alnum(byte(r)), strings.ContainsRune("._%+-", r), r >= 0x80 && unicode.Is(unicode.Latin, r):
		case r == '\'' && alpha(after(text, start)) && rx(`[A-Za-z]'$`).MatchString(head) && !rx(`(?:^|[^A-Za-z0-9])[fbruFBRU]'$`).MatchString(head):
		default:
			size = 0
		}
		if size == 0 {
			break
		}
		start -= size
	}
	for start < at && text[start] < 0x80 && !alnum(text[start]) {
		start++
	}
	if start == at {
		for start > 0 && at-start < 64 {
			r, size := utf8.DecodeLastRuneInString(text[:start])
			if r < 0x80 || !unicode.IsLetter(r) {
				break
			}
			start -= size
		}
	}
	return start
}

func slowDomain(text string, i int) int {
	all := rx(`^(?:[A-Za-z0-9-]|\.|[^\x00-\x7F])*`).FindString(text[i:])
	// Two dots, a dot at the start, or something that is no letter end it.
	end := 0
	for end < len(all) && end < 255 {
		r, size := utf8.DecodeRuneInString(all[end:])
		if r == '.' && (end == 0 || all[end-1] == '.') || r >= 0x80 && !unicode.IsLetter(r) {
			break
		}
		end += size
	}
	all = all[:end]
	if n := slowDomainEnd(all); n == len(all) && n > 0 {
		return i + n
	}
	ascii := rx(`^[\x00-\x7F]*`).FindString(all)
	if n := slowDomainEnd(ascii); n > 0 {
		return i + n
	}
	return 0
}

// slowDomainEnd cuts labels from the end until the last is a top-level domain.
func slowDomainEnd(s string) int {
	for s != "" {
		s = strings.TrimRight(s, ".-")
		head, last, ok := cutLast(s)
		if !ok {
			return 0
		}
		if len(last) <= 63 && len(last) >= 2 && lastRE.MatchString(last) && !imageRE.MatchString(last) {
			return len(s)
		}
		if m := rx(`^[A-Za-z]*-`).FindString(last); m != "" {
			s = head + m[:len(m)-1]
		} else {
			s = head
		}
	}
	return 0
}

func cutLast(s string) (head, last string, ok bool) {
	dot := strings.LastIndexByte(s, '.')
	return s[:dot+1], s[dot+1:], dot >= 0
}

// slowNear reports whether one of words, which are alternatives of an expression, is in
// front of i.
func slowNear(text string, i int, words string) bool {
	head := text[max(0, i-32-40):i]
	re := rx(`(?i)(?:` + words + `)`)
	for start := range head {
		m := re.FindString(head[start:])
		if m == "" || !strings.HasPrefix(head[start:], m) {
			continue
		}
		for end := start + 1; end <= len(head); end++ {
			if !rx(`(?i)^(?:`+words+`)$`).MatchString(head[start:end]) || len(head)-end >= 32 || strings.Contains(head[end:], "\n") {
				continue
			}
			next := after(head, end)
			ends := !alpha(next) || head[end-1] >= 'a' && next <= 'Z'
			hump := rx(`[a-z][A-Z]`).MatchString(head[start:end])
			escaped := false
			for k := start + 1; k < end; k++ {
				escaped = escaped || rx(`\\[nrtbf]$`).MatchString(head[:k])
			}
			if ends && slowApart(head, start) && !hump && !escaped {
				return true
			}
		}
	}
	return false
}

const cardWords = `card|cc|visa|mastercard|amex|discover|credit|debit|pan|jcb|diners|unionpay`

var cardFormRE = regexp.MustCompile(`^(?:\d{4}([ -])\d{4}([ -])\d{4}([ -])\d{4}|\d{4}([ -])\d{6}([ -])\d{4,5}|\d{13,19})`)

func slowCard(raw string) (list []span) {
	text := noEscapes(raw)
	last := -1
	for i := range len(text) {
		if !digit(text[i]) || alnum(before(text, i)) || i < last {
			continue
		}
		n, end := 0, i
		if m := cardFormRE.FindStringSubmatch(text[i:]); m != nil {
			seps := strings.Join(m[1:], "")
			if strings.Trim(seps, " ") != "" && strings.Trim(seps, "-") != "" {
				continue
			}
			end = i + len(m[0])
			n = len(rx(`\d`).FindAllString(m[0], -1))
		}
		head, tail := text[:i], text[end:]
		grouped := n < end-i
		switch number := strings.NewReplacer(" ", "", "-", "").Replace(text[i:end]); {
		case n == 0, rx(`^(?:\w|\.\d|-[A-Za-z0-9])`).MatchString(tail), !slowIssuer(number), !slowLuhn(number):
		case i-1 != last && rx(`[0-9A-Za-z]-$|[_+.]$|\d $`).MatchString(head):
		case i-1 == last && before(text, i) == '.':
		case !grouped && rx(`^\.\d`).MatchString(text[rx(`^\d+`).FindStringIndex(text[i:])[1]+i:]):
		case rx(`^(?:[ -]\d)`).MatchString(tail) && !slowEnds(text[i:end], tail):
		case grouped || slowNear(raw, i, cardWords):
			list = append(list, span{start: i, end: end})
			last = end
		}
	}
	return list
}

// slowEnds reports whether a group that follows does not belong to the number.
func slowEnds(number, tail string) bool {
	groups := strings.FieldsFunc(number, func(r rune) bool { return r == ' ' || r == '-' })
	if len(groups) == 4 {
		return true
	}
	group := len(groups[len(groups)-1])
	sep := byte(0)
	if len(groups) > 1 {
		sep = number[len(groups[0])]
	}
	return group < 4 || group > 6 || sep != 0 && tail[0] != sep
}

func slowIssuer(number string) bool {
	return rx(`^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|(?:222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}|(?:6011|65\d\d|64[4-9]\d)(?:\d{12}|\d{15})|` +
		`(?:352[89]|35[3-8]\d)\d{12}|(?:36|38)\d{12}|30[0-5]\d{11}|62\d{14,17})$`).MatchString(number)
}

func slowLuhn(number string) bool {
	sum := 0
	for i := range number {
		d := int(number[len(number)-1-i] - '0')
		if i%2 == 1 {
			d = d*2/10 + d*2%10
		}
		sum += d
	}
	return sum%10 == 0
}

func slowIBAN(raw string) (list []span) {
	text := noEscapes(raw)
	re := rx(`[A-Z]{2}\d{2}[A-Z0-9]{11,30}|[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?`)
	for i := range len(text) {
		m := re.FindStringIndex(text[i:])
		if m == nil {
			return list
		}
		if m[0] != 0 || alnum(before(text, i)) {
			continue
		}
		for end := i + 15; end <= min(len(text), i+34+8); end++ {
			s := text[i:end]
			number := strings.ReplaceAll(s, " ", "")
			if alnum(after(text, end)) || s != number && s != grouped(number) || !slowCountry(number) || !slowMod97(number) {
				continue
			}
			list = append(list, span{start: i, end: end})
		}
	}
	return list
}

func grouped(s string) string {
	return strings.TrimSuffix(rx(`.{4}`).ReplaceAllString(s, "$0 "), " ")
}

// slowCountry knows the lengths of the countries that the cases have.
func slowCountry(number string) bool {
	lengths := map[string]int{"DE": 22, "GB": 22, "FR": 27, "NL": 18, "BE": 16, "NO": 15, "CH": 21, "ES": 24, "IT": 27, "MT": 31, "AT": 20, "PL": 28, "SE": 24}
	return rx(`^[A-Z]{2}\d\d[A-Z0-9]+$`).MatchString(number) && lengths[number[:2]] == len(number)
}

func slowMod97(number string) bool {
	r := 0
	for _, c := range number[4:] + number[:4] {
		if unicode.IsDigit(c) {
			r = (r*10 + int(c-'0')) % 97
		} else {
			r = (r*100 + int(c-'A') + 10) % 97
		}
	}
	return r == 1
}

const phoneWords = `phone|tel|telephone|mobile|cell|fax|call|whatsapp|sms`

func slowPhone(raw string) (list []span) {
	visible := noEscapes(raw)
	last := 0
	for i := range len(visible) {
		start, from, least := i, i, 7
		switch head := visible[:i]; {
		case i < last:
			continue
		case visible[i] == '+' && rx(`^\+[1-9]`).MatchString(raw[i:]) && !wordy(before(visible, i)):
			from, least = i+1, 8
		case !rx(`^\d+(?:[^A-Za-z0-9]|$)`).MatchString(visible[i:]), alnum(before(visible, i)), in(before(visible, i), "+."), rx(`\w-$`).MatchString(head):
			continue
		case !slowNear(raw, i, phoneWords):
			continue
		case before(raw, i) == '(':
			start, from = i-1, i-1
		}
		s := slowDigits(raw[from:])
		digits := len(rx(`\d`).FindAllString(s, -1))
		if end := from + len(s); digits >= least && digits <= 15 && !wordy(after(raw, end)) {
			list = append(list, span{start: start, end: end})
			last = end
		}
	}
	return list
}

// slowDigits returns what a number is made of, up to its last digit, of 32 bytes.
func slowDigits(s string) string {
	end := 0
	for i := 0; i < min(len(s), 32); i++ {
		switch rest := s[i:]; {
		case digit(s[i]):
			end = i + 1
		case rx(`^(?:[ ./-][0-9(]|\([0-9]|\)[0-9 -])`).MatchString(rest):
		default:
			return s[:end]
		}
	}
	return s[:end]
}

func slowSSN(raw string) (list []span) {
	text := noEscapes(raw)
	re := rx(`\d{3}-\d{2}-\d{4}|\d{3} \d{2} \d{4}|\d{9}`)
	everywhere(re, text, func(m []int) int {
		number := rx(`\D`).ReplaceAllString(text[m[0]:m[1]], "")
		bad := rx(`^(?:000|666|9)|^...00|0000$`).MatchString(number)
		c := before(text, m[0])
		if bad || alnum(c) || in(c, "-._") || wordy(after(text, m[1])) || after(text, m[1]) == '-' || !slowNear(raw, m[0], `ssn|social|security`) {
			return 0
		}
		list = append(list, span{start: m[0], end: m[1]})
		return 0
	})
	return list
}
