package scan_test

import (
	"regexp"
	"strings"
)

// slowKeyRE is the name of a secret at the end of a text. Words that must stand apart
// are in the second group.
var slowKeyRE = regexp.MustCompile(`(?i)(?:` + loose("password") + `|` + loose("passwd") + `|` + loose("passphrase") + `)$`)

var slowWholeRE = func() (list []*regexp.Regexp) {
	for _, word := range []string{"secret", "clientsecret", "token", "accesstoken", "authtoken", "refreshtoken", "bearer", "apikey", "privatekey", "secretkey"} {
		list = append(list, rx(`(?i)`+loose(word)+`$`))
	}
	return list
}()

// loose allows a separator between any two letters.
func loose(word string) string { return strings.Join(strings.Split(word, ""), `[-_ ]?`) }

func slowKey(head string) bool {
	head = head[max(0, len(head)-64):]
	if len(head) < 5 {
		return false
	}
	if slowKeyRE.MatchString(head) {
		return true
	}
	for _, re := range slowWholeRE {
		// Of the places where the word may start the last counts.
		for start := len(head) - 1; start >= 0; start-- {
			if re.FindString(head[start:]) != head[start:] {
				continue
			}
			if slowApart(head, start) {
				paging := strings.Contains(re.String(), "(?i)t[") && rx(`(?i)(?:next|page|continuation|sync|pagination)[-_]*$`).MatchString(head[:start])
				return !paging
			}
			break
		}
	}
	return false
}

var asideOfKey = regexp.MustCompile("[ \t\"'`\\\\\\[\\]:]{0,32}$")

func slowAssignment(raw string) (list []span) {
	until := 0
	add := func(s span, ok bool) {
		good := ok && s.end-s.start >= 3 && !slowPlaceholder(raw[s.start:s.end])
		if good {
			list = append(list, s)
		}
		if until = 0; ok && !in(before(raw, s.start), "\"'`") && (good || s.end-s.start > 256) {
			until = s.end
		}
	}
	for _, sep := range slowSigns(raw, ":=") {
		if sep < until {
			continue
		}
		head := raw[:asideOfKey.FindStringIndex(raw[max(0, sep-32):sep])[0]+max(0, sep-32)]
		if raw[sep] == '=' && rx(`(?i)string$`).MatchString(head) {
			head = head[:len(head)-6]
			head = head[:asideOfKey.FindStringIndex(head[max(0, len(head)-32):])[0]+max(0, len(head)-32)]
		}
		name := rx(`[A-Za-z0-9_-]{0,64}$`).FindStringIndex(head)
		if rx(`(?i)\[redacted:[a-z0-9_-]{0,64}$`).MatchString(head) && in(after(raw, len(head)), "]") {
			continue
		}
		if !slowKey(head) || raw[sep] == ':' && strings.HasSuffix(head[:name[0]], ":") {
			continue
		}
		if raw[sep] == ':' && len(head) == sep && rx(`^:[0-9a-f]{12}(?:[^A-Za-z0-9_]|$)`).MatchString(raw[sep:]) && rx(`(?:^|[^A-Za-z]|\\[nrtbf])(?:password|api_token|high_entropy_secret)$`).MatchString(raw[:sep]) {
			continue
		}
		at := sep + 1
		if strings.HasPrefix(raw[at:], ">") {
			at++
		}
		add(slowValue(raw, at))
	}
	visible := noEscapes(raw)
	for _, m := range rx(inside+`+`).FindAllStringIndex(visible, -1) {
		if visible[m[0]] == '-' && m[1]-m[0] > 4 && in(after(raw, m[1]), " \t") && after(raw, m[1]+1) != '-' && slowKey(raw[:m[1]]) {
			add(slowValue(raw, m[1]))
		}
	}
	for i := range len(visible) {
		name := rx(`<` + inside + `*$`).FindStringIndex(visible[:i])
		if visible[i] != '>' || name == nil || before(raw, name[0]+1) != '<' || !slowKey(raw[:i]) {
			continue
		}
		if end := strings.IndexByte(raw[i+1:], '<'); raw[name[0]+1] != '/' && end >= 0 && end < 4096 && strings.HasPrefix(raw[i+1+end:], "</") {
			s := raw[i+1 : i+1+end]
			start := i + 1 + len(s) - len(strings.TrimLeft(s, " \t\r\n"))
			add(span{start: start, end: start + len(strings.Trim(s, " \t\r\n"))}, true)
		}
		if raw[name[0]+1] != '/' {
			continue
		}
		end := name[0]
		if start := strings.LastIndexAny(raw[:end], "<>") + 1; start > 0 && raw[start-1] == '>' && end-start < 4096 {
			s := strings.TrimLeft(raw[start:end], " \t\r\n")
			add(span{start: end - len(s), end: end - len(s) + len(strings.TrimRight(s, " \t\r\n"))}, true)
		}
	}
	return list
}

var (
	openingRE = regexp.MustCompile("^(?:[rRbBuUfF@$]{0,2}|(\\\\{1,8}))([\"'`])")
	scalarRE  = regexp.MustCompile(`^[|>][-+0-9 \t\r]*\n[ \t\r\n]*[ \t]([^ \t\r\n])`)
	quotedRE  = regexp.MustCompile("^\\\\{0,8}[\"'`]")
	pairRE    = regexp.MustCompile(`^(?:[A-Za-z0-9_.-]{1,32}[=:]|[^A-Za-z0-9_.-]|$)`)
	codeRE    = regexp.MustCompile(`^(?:process|os|env|var|local|data|module|secrets|vars|config|settings|self|this|req|request|ctx|args|params|options|opts)\.[A-Za-z0-9_.]*$`)
)

// slowValue returns the value at i; it is not ok if it is code or prose.
func slowValue(raw string, i int) (s span, ok bool) {
	apart := in(before(raw, i), ":") || in(after(raw, i), " \t")
	i += len(rx(`^[ \t]{0,32}`).FindString(raw[i:]))
	if open := openingRE.FindStringSubmatch(raw[i:]); len(open) > 0 && !slowEndsString(raw, i+len(open[0])-1) {
		start := i + len(open[0])
		if open[1] == "" {
			start += slowRepeated(raw[start:], open[2])
		}
		return span{start: start, end: slowClosing(raw, start, open[2][0], len(open[1]))}, true
	}
	if block := scalarRE.FindStringSubmatchIndex(raw[i:]); block != nil {
		s := span{start: i + block[2], end: i + block[2]}
		for s.end < min(len(raw), s.start+4096) && !rx(`^\n(?:[^ \t]|$)`).MatchString(raw[s.end:]) {
			s.end++
		}
		if raw[s.end-1] == '\r' {
			s.end--
		}
		if s.end > s.start {
			return s, true
		}
	}
	if chain := rx(`^[A-Za-z0-9_.]{0,64}`).FindString(raw[i:]); chain != "" {
		named := rx(`^[A-Za-z_.]*\.[A-Za-z_.]*$`).MatchString(chain) && slowKey(raw[:i+len(chain)])
		if (named || codeRE.MatchString(chain)) && (i+len(chain) == len(raw) || in(raw[i+len(chain)], " \t\n\r;,)}")) || slowCloses(raw[i+len(chain):]) {
			return s, false
		}
	}
	end := slowBare(raw, i)
	if scheme := strings.ToLower(raw[i:end]); (scheme == "bearer" || scheme == "basic") && in(after(raw, end), " \t") {
		i = end + 1
		end = slowBare(raw, i)
	}
	value, tail := raw[i:end], raw[end:]
	switch {
	case apart && rx(`^[a-z]*$`).MatchString(value) && rx(`^[ \t][A-Za-z]`).MatchString(tail):
		return s, false
	}
	return span{start: i, end: end}, true
}

// slowCloses reports whether text begins with a bracket that is closed soon, on its line.
func slowCloses(text string) bool {
	line, _, _ := strings.Cut(text[:min(len(text), 64)], "\n")
	if !in(after(line, 0), "([") {
		return false
	}
	depth := 0
	for _, c := range rx(`[()\[\]]`).FindAllString(line, -1) {
		if in(c[0], "([") {
			depth++
		} else if depth--; depth == 0 {
			return true
		}
	}
	return false
}

func slowEndsString(raw string, i int) bool {
	line := raw[max(0, i-255):i]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return rx(`^.(?:[,)+.%&|]|[ \t](?:[,)+.%&|][ \t]|[|&].))`).MatchString(raw[i:]) && strings.Count(line, raw[i:i+1])%2 == 1
}

func slowRepeated(text, quote string) int {
	again := rx(`^(?:` + quote + `{2}\r?\n?|` + quote + `)`).FindString(text)
	if again != "" && (again[len(again)-1] == '\n' || wordy(after(text, len(again)))) {
		return len(again)
	}
	return 0
}

func slowClosing(raw string, start int, quote byte, depth int) int {
	if raw[start-1] == '\n' {
		quote = 0
	}
	limit := min(len(raw), start+4096)
	for i := start; i < limit; i++ {
		slashes := len(rx(`^\\*`).FindString(raw[i:limit]))
		switch {
		case raw[i] == quote || raw[i] == '\n':
			return i
		case slashes == 0:
		case depth == 0:
			i++
		case slashes <= depth && i+slashes < len(raw) && raw[i+slashes] == quote:
			return i
		default:
			i += slashes
		}
	}
	return limit
}

func slowBare(raw string, start int) int {
	end, depth := start, 0
loop:
	for ; end < min(len(raw), start+4096); end++ {
		switch c := raw[end]; {
		case in(c, "([{"):
			depth++
		case in(c, ")]}"):
			if depth--; depth < 0 && !rx(`^[)\]}]{1,8}[A-Za-z0-9_]`).MatchString(raw[end:]) {
				break loop
			}
			depth = max(depth, 0)
		case in(c, "\"'`") && end > start && wordy(raw[end-1]) && rx(`^.[A-Za-z0-9_]{4}`).MatchString(raw[end:]):
		case c == '<' && !rx(`^<(?:[/!?]|[A-Za-z][A-Za-z0-9_:-]{0,31}[>/ \t\n\r])`).MatchString(raw[end:]):
		case c <= ' ', in(c, ";\"'`"), c == '<' && end > start:
			break loop
		case c == '\\' && (rx(`^`+escapes.String()).MatchString(raw[end:]) || quotedRE.MatchString(raw[end:])):
			break loop
		case in(c, ",&"):
			next := raw[end+1:]
			if pairRE.MatchString(next) || c == '&' && rx(`^[A-Za-z0-9_.-]{1,32}$`).MatchString(next) {
				break loop
			}
		}
	}
	for end > start+1 && in(raw[end-1], ".:,") {
		end--
	}
	return end
}
