package scan

// tokenHeads are what those that apiToken looks for start with.
var tokenHeads = [256]bool{'e': true, 'g': true, 'x': true, 'A': true, 's': true, 'r': true, 'w': true}

// apiToken looks at a word that starts as JSON web tokens and those of some services do.
func (l *lexer) apiToken(t token, w word) {
	switch l.text[w.start] {
	case 'e':
		l.jwt(t, w)
	case 'g':
		l.github(t, w)
	case 'x':
		l.slack(t, w)
	case 'A':
		l.google(t, w)
	case 's', 'r', 'w':
		l.stripe(t, w)
	}
}

// github: ghp_, gho_, ghu_, ghs_, ghr_ and 36 or more letters and digits, or github_pat_
// and 22, _ and 59 (GitHub Docs, "About authentication to GitHub").
func (l *lexer) github(t token, w word) {
	if hasPrefix(l.text, w.start, "github_pat_") {
		if w.start < l.until[longToken] {
			return
		}
		if end := l.tokenEnd(w.start+11, t.end); end-w.start >= 11+82 {
			l.until[longToken] = end
			l.add(GitHubToken, APIToken, w.start, end)
		}
		return
	}
	for start := w.start; isGitHub(l.text[start:t.end]); {
		end := start + 4
		for end < t.end && isAlnum(l.text[end]) {
			l.work++
			end++
		}
		next := end
		if end-start >= 4+36+3 && isGitHub(l.text[end-3:t.end]) {
			end -= 3 // another one follows
			next = end
		}
		if end-start < 4+36 {
			return
		}
		l.add(GitHubToken, APIToken, start, end)
		start = next
	}
}

func isGitHub(s []byte) bool {
	if len(s) < 4 || s[0] != 'g' || s[1] != 'h' || s[3] != '_' {
		return false
	}
	return s[2] == 'p' || s[2] == 'o' || s[2] == 'u' || s[2] == 's' || s[2] == 'r'
}

// slack: xoxb-, xoxp- and so on, or xapp-, and groups of letters and digits (Slack API,
// "Token types").
func (l *lexer) slack(t token, w word) {
	if w.len() != 4 || l.at(w.end) != '-' || w.start < l.until[longToken] {
		return
	}
	switch string(l.text[w.start:w.end]) {
	case "xoxa", "xoxb", "xoxc", "xoxd", "xoxe", "xoxo", "xoxp", "xoxr", "xoxs", "xapp":
	default:
		return
	}
	end := w.end
	for end < t.end && (isAlnum(l.text[end]) || l.text[end] == '-') {
		end++
	}
	l.work += end - w.end
	l.until[longToken] = end
	for l.text[end-1] == '-' {
		end--
	}
	if end-w.start >= long && !all(l.text[w.end:end], classAlpha|classDash) {
		l.add(SlackToken, APIToken, w.start, end)
	}
}

// google: AIza and 35 of the alphabet of base64url (Google Cloud, "API keys").
func (l *lexer) google(t token, w word) {
	const size = 39
	if !hasPrefix(l.text, w.start, "AIza") || w.start+size > t.end {
		return
	}
	if l.run64(w.start, min(t.end, w.start+size+1)) == w.start+size {
		l.add(GoogleAPIKey, APIToken, w.start, w.start+size)
	}
}

// stripe: sk_live_, sk_test_, rk_live_, rk_test_ and 16 or more letters and digits, or
// whsec_ and 32 (Stripe, "API keys" and "Webhooks").
func (l *lexer) stripe(t token, w word) {
	head, least := 8, 16
	switch {
	case hasPrefix(l.text, w.start, "sk_live_"), hasPrefix(l.text, w.start, "sk_test_"):
	case hasPrefix(l.text, w.start, "rk_live_"), hasPrefix(l.text, w.start, "rk_test_"):
	case hasPrefix(l.text, w.start, "whsec_"):
		head, least = 6, 32
	default:
		return
	}
	end := w.start + head
	l.work += w.len()
	for end < t.end && (isAlnum(l.text[end]) || head == 6 && classes[l.text[end]]&(classPlus|classSlash) != 0) {
		end++
	}
	if end-w.start >= head+least {
		l.add(StripeKey, APIToken, w.start, end)
	}
}

// tokenEnd returns where a run of letters, digits and _ ends.
func (l *lexer) tokenEnd(i, limit int) int {
	for i < limit && isWord(l.text[i]) {
		l.work++
		i++
	}
	return i
}
