package scan

// maxAside is how many blanks and quotes may stand between a key, its separator and
// its value.
const maxAside = 32

// assignment: a value behind a key such as password and the separator at sep, as source
// code, YAML, TOML, .env files, JSON, also with escaped quotes, and query strings write
// it.
func (l *lexer) assignment(sep int) {
	if !l.runs[SecretAssignment] || sep < l.until[longValue] || !l.assigns(sep) {
		return
	}
	end := l.keyEnd(sep)
	if hasSuffixFold(l.text[:end], "string") && l.text[sep] == '=' {
		end = l.keyEnd(end - len("string")) // token: string = "x"
	}
	if !secretKey(l.text, end) || l.redacted(end) {
		return
	}
	if l.text[sep] == ':' && l.inName(end, sep) {
		return
	}
	i := sep + 1
	if l.at(i) == '>' {
		i++ // password => "x"
	}
	l.until[longValue] = l.value(i)
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

// redacted reports whether the key that ends at end is the name in a placeholder:
// [REDACTED:api_token].
func (l *lexer) redacted(end int) bool {
	return l.at(end) == ']' && hasSuffixFold(l.text[:l.keyStart(end)], "[redacted:")
}

// inName reports whether the colon at sep is part of a name: of an ARN, whose secret:name
// is behind another colon, or of what hashing leaves, password:0123456789ab.
func (l *lexer) inName(end, sep int) bool {
	start := l.keyStart(end)
	if l.at(start-1) == ':' {
		return true
	}
	digest := sep + 1 + digestLen
	return end == sep && digest <= len(l.text) && !isWord(l.at(digest)) && allSmallHex(l.text[sep+1:digest]) && endsInEntity(l.text[:end])
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
		l.value(t.end)
	}
}

// element: the text of an element such as <password>, whose name ends in front of its >.
func (l *lexer) element(name token) {
	if !l.runs[SecretAssignment] || l.at(name.start-1) != '<' || !secretKey(l.text, name.end) {
		return
	}
	if l.text[name.start] == '/' {
		l.elementBefore(name.start - 1)
		return
	}
	start, end := name.end+1, name.end+1
	for end < len(l.text) && end-start < maxValue && l.text[end] != '<' {
		end++
	}
	l.work += end - start
	if l.at(end) != '<' || l.at(end+1) != '/' {
		return
	}
	l.elementText(start, end)
}

// elementBefore: the text of an element that ends at end, whose name has a prefix or
// attributes where it starts.
func (l *lexer) elementBefore(end int) {
	start := end
	for start > 0 && end-start < maxValue && l.text[start-1] != '>' && l.text[start-1] != '<' {
		start--
	}
	l.work += end - start
	if l.at(start-1) == '>' {
		l.elementText(start, end)
	}
}

func (l *lexer) elementText(start, end int) {
	for start < end && isSpace(l.text[start]) {
		start++
	}
	for end > start && isSpace(l.text[end-1]) {
		end--
	}
	l.secretValue(SecretAssignment, SecretValue, start, end)
}
