package scan

// maxAside is how many blanks and quotes may stand between a key, its separator and
// its value.
const maxAside = 32

// assignment: a value behind a key such as password and the separator at sep, as source
// code, YAML, TOML, .env files, JSON, also with escaped quotes, and query strings write
// it.
func (l *lexer) assignment(sep int) {
	if !l.runs[SecretAssignment] || !l.assigns(sep) {
		return
	}
	end := l.keyEnd(sep)
	if !secretKey(l.text, end) {
		return
	}
	if start := l.keyStart(end); l.text[sep] == ':' && l.at(start-1) == ':' {
		return // arn:aws:secretsmanager:eu-west-1:123456789012:secret:name
	}
	i := sep + 1
	if l.at(i) == '>' {
		i++ // password => "x"
	}
	l.value(SecretAssignment, SecretValue, i)
}

// assigns reports whether a separator is one: not a comparison, a scope or a scheme.
func (l *lexer) assigns(sep int) bool {
	before, after := l.at(sep-1), l.at(sep+1)
	if l.text[sep] == '=' {
		return after != '=' && before != '=' && before != '!' && before != '<' && before != '>'
	}
	return before != ':' && after != ':' && after != '=' && (after != '/' || l.at(sep+2) != '/')
}

// keyEnd returns where the key in front of a separator ends: behind blanks and quotes.
func (l *lexer) keyEnd(sep int) int {
	end := sep
	for end > 0 && sep-end < maxAside {
		switch l.text[end-1] {
		case ' ', '\t', '"', '\'', '`', '\\', '[', ']', ':':
			end--
			continue
		}
		break
	}
	return end
}

func (l *lexer) keyStart(end int) int {
	start := end
	for start > 0 && end-start < maxKey && (isWord(l.text[start-1]) || l.text[start-1] == '-') {
		start--
	}
	return start
}

// flag: a value behind a flag such as --password.
func (l *lexer) flag(t token) {
	if l.runs[SecretAssignment] && isBlank(l.at(t.end)) && secretKey(l.text, t.end) && l.at(t.end+1) != '-' {
		l.value(SecretAssignment, SecretValue, t.end)
	}
}

// element: the text of an element such as <password>, whose name ends in front of its >.
func (l *lexer) element(name token) {
	if !l.runs[SecretAssignment] || l.at(name.start-1) != '<' || !secretKey(l.text, name.end) {
		return
	}
	start, end := name.end+1, name.end+1
	for end < len(l.text) && end-start < maxValue && l.text[end] != '<' {
		end++
	}
	if l.at(end) != '<' || l.at(end+1) != '/' {
		return
	}
	for start < end && isSpace(l.text[start]) {
		start++
	}
	for end > start && isSpace(l.text[end-1]) {
		end--
	}
	l.secretValue(SecretAssignment, SecretValue, start, end)
}
