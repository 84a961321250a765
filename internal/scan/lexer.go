package scan

// lexer is one pass over a text.
type lexer struct {
	*Engine
	text   []byte
	found  []Match
	until  [longs]int // where the last match of each ended
	colons int        // of a token
	whole  int        // where a match ends inside which nothing else starts: at the end of the token nothing is left to look at
	work   int        // bytes that validators passed over where their number may be large
}

// Matches that may be long: what is inside one is not looked at again.
const (
	longARN = iota
	longAzure
	longGCP
	longKey
	longCard
	longPhone
	longToken
	longValue
	longConnection
	longs
)

// token is a run of bytes without a break.
type token struct {
	start, end int
	seen       class // what it is made of
}

// maxSingle is how long a text may be that single looks at: it is read once more if it is
// none.
const maxSingle = 32

// single returns a short text as a token, if it is one.
func single(text []byte) (t token, ok bool) {
	if len(text) > maxSingle {
		return t, false
	}
	for _, c := range text {
		t.seen |= classes[c]
	}
	t.end = len(text)
	return t, t.seen&classEnd == 0
}

func (l *lexer) run() {
	text := l.text
	for i := 0; i < len(text); i++ {
		if len(text)-i >= long {
			i = skipWords(text, i)
		}
		start, seen, c := i, class(0), class(0)
		for i+4 <= len(text) {
			four := classes[text[i]] | classes[text[i+1]] | classes[text[i+2]] | classes[text[i+3]]
			if four&classEnd != 0 {
				break
			}
			seen |= four
			i += 4
		}
		for ; i < len(text); i++ {
			c = classes[text[i]]
			if c&classEnd != 0 {
				break
			}
			seen |= c
		}
		if t := (token{start, i, seen}); l.opened(t) {
			l.look(t)
		} else if i-start > 4 && l.announced {
			l.plain(t)
		}
		if c == classStrange && i < len(text) {
			i = l.strange(token{start, i, seen}, i)
		}
	}
}

// plain looks at a token that is a plain word: it may announce something.
func (l *lexer) plain(t token) {
	switch c := l.text[t.end-1]; {
	case t.seen&classDash != 0 && c == 'N':
		l.privateKey(t)
	case l.text[t.start] == '-':
		l.flag(t)
	case c|0x20 == 'r', c|0x20 == 'c':
		l.authorization(t)
	}
}

// strange looks at a byte between tokens and returns the last byte that it stands for.
func (l *lexer) strange(before token, i int) int {
	if l.text[i] == '\\' {
		return escape(l.text, i)
	}
	l.element(before)
	return i
}

// escape returns the last byte of an escape such as \n or \u0041 that a text holds: what
// follows it is not part of it. A backslash in front of anything else stands for itself.
func escape(text []byte, i int) int {
	if i+1 == len(text) {
		return i
	}
	switch text[i+1] {
	case 'n', 'r', 't', 'b', 'f':
		return i + 1
	case 'u':
		if i+6 <= len(text) && all(text[i+2:i+6], classHex) {
			return i + 5
		}
	}
	return i
}

// look walks a token, word by word.
func (l *lexer) look(t token) {
	l.around(t)
	l.colons, l.whole = 0, 0
	text := l.text
	for i := t.start; i < t.end; i++ {
		w, c := word{start: i}, class(0)
		for ; i < t.end; i++ {
			c = classes[text[i]]
			if c&classAlnum == 0 {
				break
			}
			w.seen |= c
		}
		if w.end = i; w.end > w.start {
			l.word(t, w)
		}
		if l.whole == t.end {
			break
		}
		if c&classMark != 0 {
			l.separator(t, i)
		}
	}
	if l.colons >= sixColons && l.runs[IPv6] {
		l.ipv6s(t)
	}
}

// around looks at a token as a whole.
func (l *lexer) around(t token) {
	if l.text[t.start] == '-' {
		l.flag(t)
	}
	switch l.text[t.end-1] {
	case 'N':
		l.privateKey(t)
	case 'r', 'c', 'R', 'C':
		l.authorization(t)
	}
	if l.randomRuns && t.end-t.start >= minRandom && t.seen&classDigit != 0 && t.seen&classLarge != 0 && t.seen&classSmall != 0 {
		l.randoms(t)
	}
	if l.runs[Hostname] && t.seen&classDot != 0 && t.seen&classAlpha != 0 {
		l.hostnames(t)
	}
}

// word is a run of letters and digits inside a token.
type word struct {
	start, end int
	seen       class
}

func (w word) len() int { return w.end - w.start }

// word looks for what starts with a word.
func (l *lexer) word(t token, w word) {
	switch n := w.len(); {
	case w.seen&^classHex == 0:
		l.hexWord(t, w)
	case n == 3 && l.text[w.start] == 'a':
		l.arn(t, w)
	case n == 6 && l.text[w.start] == 'c':
		l.cloudg(t, w)
	case n == 15 || n == 16:
		if l.text[w.start+8] == 'T' {
			l.timestamp(w)
		}
	case n >= accessKeyLen && w.seen&^(classLarge|classDigit) == 0:
		l.accessKey(w)
		l.uniqueID(w)
	}
	if l.tokens && t.end-w.start >= long && tokenHeads[l.text[w.start]] {
		l.apiToken(t, w)
	}
	if l.runs[IBAN] && w.seen&classDigit != 0 && w.seen&classLarge != 0 {
		l.iban(w)
	}
}

// hexWord looks at a word of digits and the letters a to f.
func (l *lexer) hexWord(t token, w word) {
	next := l.at(w.end)
	switch n := w.len(); {
	case n == 2 && (next == ':' || next == '-'), n == 4 && next == '.':
		l.mac(t, w)
	case n == 8 && next == '-':
		l.uuid(t, w)
	}
	if w.seen == classDigit {
		l.number(t, w, next)
	}
}

// number looks at a word of digits; next is the byte behind it.
func (l *lexer) number(t token, w word, next byte) {
	switch n := w.len(); {
	case n <= 3 && next == '.':
		l.ipv4(t, w)
	case n == 4 && next == '-':
		l.timestamp(w)
	case n == 12:
		l.account(t, w)
	}
	if l.numbers {
		l.personal(t, w)
	}
}

// personal looks at a number that may be one of a person.
func (l *lexer) personal(t token, w word) {
	switch n := w.len(); {
	case n == 4 || n >= 13:
		l.creditCard(t, w)
	case n == 3 || n == 9:
		l.ssn(t, w)
	}
	if w.start > minContext {
		l.nationalPhone(t, w)
	}
}

// separator looks for what a byte between words tells.
func (l *lexer) separator(t token, i int) {
	switch l.text[i] {
	case '@':
		l.email(i)
	case ':':
		l.colon(t, i)
	case '=':
		l.assignment(i)
		l.connection(i)
		l.sas(t, i)
	case '/':
		l.azureID(i)
		if l.before(t, i) == 's' {
			l.gcpName(t, i)
		}
	case '+':
		l.internationalPhone(t, i)
	}
}

// colon counts the colons of a token; two in a row count for as many as an address of
// IPv6 has.
func (l *lexer) colon(t token, i int) {
	l.colons++
	switch l.at(i + 1) {
	case ':':
		l.colons += sixColons
	case '/':
		l.userinfoOf(t, i)
	}
	l.assignment(i)
}

// sixColons are in an address without :: that ends as one of IPv4; others have more.
const sixColons = 6

func (l *lexer) add(k Kind, e Entity, start, end int) {
	if l.wanted[k][e] {
		if l.found == nil {
			l.found = l.room()
		}
		l.found = append(l.found, Match{Start: start, End: end, Kind: k, Entity: e, Secret: k.IsSecret(), Order: int(k)})
	}
}

// addWhole is add for a match inside which no other one starts.
func (l *lexer) addWhole(k Kind, e Entity, start, end int) {
	if l.wanted[k][e] {
		l.add(k, e, start, end)
		l.whole = end
	}
}

// before returns the byte in front of i, 0 where the token starts: what stands in front
// of it may be part of an escape.
func (l *lexer) before(t token, i int) byte {
	if i <= t.start {
		return 0
	}
	return l.text[i-1]
}

// at returns a byte of the text, 0 beyond its ends.
func (l *lexer) at(i int) byte {
	if i < 0 || i >= len(l.text) {
		return 0
	}
	return l.text[i]
}
