package scan

// opening returns where a quoted value starts and how many backslashes escape its quote.
// Letters in front of the quote may tell what kind of string it is, as in r"" and b”;
// the quote may stand there two or three times.
func (l *lexer) opening(i int) (start, depth int, ok bool) {
	i = l.literal(i)
	for ; depth < 8 && l.at(i) == '\\'; depth++ {
		i++
	}
	if i >= len(l.text) || !isQuote(l.text[i]) || l.endsString(i) {
		return 0, 0, false
	}
	if start = i + 1; depth == 0 {
		start = l.repeated(start)
	}
	return start, depth, true
}

// maxString is how far back the quote is looked for that opens a string.
const maxString = 256

// endsString reports whether the quote at i closes a string in which the key stands, as
// in "token: " + token: what follows it goes on with an expression, and it is not the
// first of a pair.
func (l *lexer) endsString(i int) bool {
	next := i + 1
	if isBlank(l.at(next)) {
		next++
		if next+1 >= len(l.text) || !isBlank(l.text[next+1]) && l.text[next] != '|' && l.text[next] != '&' {
			return false
		}
	}
	switch l.at(next) {
	case ',', ')', '+', '.', '%', '&', '|':
	default:
		return false
	}
	open := false
	for start := i - 1; start >= 0 && i-start < maxString && l.text[start] != '\n'; start-- {
		l.work++
		open = open != (l.text[start] == l.text[i])
	}
	return open
}

// literal returns where the quote of a string such as r"" or @"" stands; i where there is
// no letter in front of one.
func (l *lexer) literal(i int) int {
	for n := range 3 {
		switch c := l.at(i + n); {
		case isQuote(c):
			return i + n
		case c != '@' && c != '$' && c|0x20 != 'r' && c|0x20 != 'b' && c|0x20 != 'u' && c|0x20 != 'f':
			return i
		}
	}
	return i
}

// repeated returns where the value behind the quote in front of start starts, if that
// stands there again: three times, as in TOML and Python, or twice, as in a field of CSV.
func (l *lexer) repeated(start int) int {
	i := start
	for i-start < 2 && l.at(i) == l.text[start-1] {
		i++
	}
	if i-start == 2 && l.at(i) == '\r' {
		i++
	}
	switch c := l.at(i); {
	case i == start:
		return start
	case c == '\n' && i-start > 1:
		return i + 1
	case isWord(c):
		return i
	}
	return start
}

// closing returns where the quoted value at start ends: in front of its quote, escaped as
// often as the opening one at most, or at the end of the line.
func (l *lexer) closing(start, depth int) int {
	quote := l.text[start-1]
	if quote == '\n' { // behind three quotes
		quote = 0
	}
	limit := min(len(l.text), start+maxValue)
	for i := start; i < limit; i++ {
		l.work++
		switch c := l.text[i]; {
		case c == quote, c == '\n':
			return i
		case c == '\\' && depth == 0:
			i++
		case c == '\\':
			run := i
			for run < limit && l.text[run] == '\\' {
				run++
			}
			if run-i <= depth && l.at(run) == quote {
				return i
			}
			i = run
		}
	}
	return limit
}

// quoteAhead reports whether a run of backslashes ends in a quote.
func (l *lexer) quoteAhead(i int) bool {
	for n := 0; n < 8 && l.at(i) == '\\'; n++ {
		i++
	}
	return i < len(l.text) && isQuote(l.text[i])
}

// scalar returns the lines of a block scalar (YAML 1.2.2, section 8.1) whose indicator
// stands at i, the end of which is 0 if none does.
func (l *lexer) scalar(i int) (start, end int) {
	if c := l.at(i); c != '|' && c != '>' {
		return 0, 0
	}
	for i++; isDigit(l.at(i)) || l.at(i) == '-' || l.at(i) == '+' || isBlank(l.at(i)) || l.at(i) == '\r'; {
		l.work++
		i++
	}
	if l.at(i) != '\n' {
		return 0, 0
	}
	for start = i + 1; isSpace(l.at(start)) && start-i < maxValue; start++ {
		l.work++
	}
	if !isBlank(l.at(start - 1)) {
		return 0, 0
	}
	for end = start; end < len(l.text) && end-start < maxValue; end++ {
		l.work++
		if l.text[end] == '\n' && !isBlank(l.at(end+1)) {
			break
		}
	}
	if l.at(end-1) == '\r' {
		end--
	}
	return start, end
}
