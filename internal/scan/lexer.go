package scan

// lexer is one pass over a text.
type lexer struct {
	*Engine
	text  []byte
	found []Match
}

// token is a run of bytes without a break.
type token struct {
	start, end int
	seen       class // what it is made of
}

func (l *lexer) run() {
	text := l.text
	for i := 0; i < len(text); i++ {
		t := token{start: i}
		for ; i < len(text); i++ {
			c := classes[text[i]]
			if c&classEnd != 0 {
				break
			}
			t.seen |= c
		}
		t.end = i
		if t.seen&l.opens != 0 || i-t.start >= long {
			l.look(t)
		} else if i-t.start > 4 {
			l.plain(t)
		}
		if i < len(text) && classes[text[i]] == classStrange {
			i = l.strange(t, i)
		}
	}
}

// plain looks at a token that is a plain word, for those that announce something.
func (l *lexer) plain(t token) {
	if c := l.text[t.start]; c == '-' {
		l.flag(t)
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
	text := l.text
	if text[t.start] == '-' {
		l.flag(t)
	}
	for i := t.start; i < t.end; i++ {
		w := word{start: i}
		for ; i < t.end; i++ {
			c := classes[text[i]]
			if c&classAlnum == 0 {
				break
			}
			w.seen |= c
		}
		if w.end = i; w.end > w.start {
			l.word(t, w)
		}
		if i < t.end {
			l.separator(t, i)
		}
	}
}

// word is a run of letters and digits inside a token.
type word struct {
	start, end int
	seen       class
}

func (w word) len() int { return w.end - w.start }

func (l *lexer) word(t token, w word) {
	switch {
	case w.seen&^classHex == 0:
		l.hexWord(t, w)
	case w.len() >= long:
		l.longWord(t, w)
	}
}

// hexWord looks at a word of digits and the letters a to f.
func (l *lexer) hexWord(t token, w word) {
	if w.seen == classDigit {
		switch n := w.len(); {
		case n == 12:
			l.account(t, w)
		case n <= 3 && w.end < t.end && l.text[w.end] == '.':
			l.ipv4(t, w)
		}
	}
	if w.len() == 8 && w.end < t.end && l.text[w.end] == '-' {
		l.uuid(t, w)
	}
}

func (l *lexer) longWord(_ token, w word) {
	if w.seen&^(classLarge|classDigit) == 0 {
		l.accessKey(w)
	}
}

func (l *lexer) separator(t token, i int) {
	switch l.text[i] {
	case '@':
		l.email(t, i)
	case ':', '=':
		l.assignment(i)
	}
}

func (l *lexer) add(k Kind, e Entity, start, end int) {
	if l.wanted[k][e] {
		l.found = append(l.found, Match{Start: start, End: end, Kind: k, Entity: e, Secret: k.IsSecret(), Order: int(k)})
	}
}

// at returns a byte of the text, 0 beyond its ends.
func (l *lexer) at(i int) byte {
	if i < 0 || i >= len(l.text) {
		return 0
	}
	return l.text[i]
}
