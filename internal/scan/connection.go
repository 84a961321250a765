package scan

// connectionWords are keys of secrets in connection strings (Microsoft Learn,
// "Connection string syntax", and those of Azure Storage, Service Bus and SignalR). A
// plain password counts only in a list of pairs: with a semicolon on one of its sides.
var connectionWords = [...]struct {
	text  string
	plain bool
}{
	{"password", true},
	{"pwd", true},
	{"accountkey", false},
	{"sharedaccesskey", false},
	{"sharedsecret", false},
	{"clientsecret", false},
}

// connection: the value of such a key, behind the = at sep.
func (l *lexer) connection(sep int) {
	if !l.runs[ConnectionString] || sep < l.until[longConnection] || !l.assigns(sep) {
		return
	}
	end := sep
	for end > 0 && sep-end < 4 && isBlank(l.text[end-1]) {
		end--
	}
	for _, word := range connectionWords {
		start := end - len(word.text)
		if start < 0 || !equalFold(l.text[start:end], word.text) || isWord(l.at(start-1)) {
			continue
		}
		from, to := l.connectionValue(sep + 1)
		l.until[longConnection] = to
		if !word.plain || l.at(to) == ';' || l.listed(start) {
			l.secretValue(ConnectionString, Password, from, to)
		}
	}
}

// listed reports whether a pair follows at i, behind a semicolon.
func (l *lexer) listed(i int) bool {
	for n := 0; n < 4 && isBlank(l.at(i-1)); n++ {
		i--
	}
	return l.at(i-1) == ';'
}

func (l *lexer) connectionValue(i int) (start, end int) {
	for start = i; isBlank(l.at(start)) && start-i < 4; {
		start++
	}
	for end = start; end < len(l.text) && end-start < maxUserinfo; end++ {
		if c := l.text[end]; c <= ' ' || c == ';' || c == '<' || c == '&' || c == '\\' || isQuote(c) {
			break
		}
	}
	l.work += end - start
	return start, end
}
