package scan_test

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cloudg/mcplayer/internal/scan"
)

// slowPlaceholder reports whether a value is none. Names of entities are those of all
// detectors.
func slowPlaceholder(s string) bool {
	if rx(`(?i)^(?:|null|nil|none|true|false|undefined|redacted|n/a|empty|string|required|optional)$`).MatchString(s) {
		return true
	}
	if rx(`(?s)^(?:(?i:\[redacted)[^\]]*\]|\$\{[^}]*\}|\{\{(?:[^}]|\}[^}])*\}\}|<[^>]+>)$`).MatchString(s) {
		return true
	}
	if stars := strings.Count(s, "*"); rx(`^[*xX#.-]*$`).MatchString(s) || strings.Contains(s, "***") && len(s)-stars <= max(8, stars) || stars*2 > len(s) {
		return true
	}
	m := rx(`(?s)^(.+):([0-9a-f]{4,})$`).FindStringSubmatch(s)
	if m == nil {
		return false
	}
	return slowEntityName(m[1]) || len(m[2]) == 12 && rx(`^[a-z0-9_-]+$`).MatchString(m[1])
}

func slowEntityName(s string) bool {
	for _, d := range scan.Detectors() {
		for _, e := range d.Entities {
			if e.String() == s {
				return true
			}
		}
	}
	return false
}

func slowPrivateKey(raw string) (list []span) {
	visible := noEscapes(raw)
	begin := rx(`-----BEGIN`)
	for at := 0; ; {
		m := begin.FindStringIndex(visible[at:])
		if m == nil {
			return list
		}
		start, rest := at+m[0], raw[at+m[1]:]
		at += m[1]
		if rx(`^`+inside).MatchString(visible[at:]) || !rx(`-----BEGIN$`).MatchString(visible[:at]) {
			continue
		}
		label := rest[:min(64, len(rest))]
		head := strings.Index(label, "-----")
		if head < 0 || !strings.Contains(label[:head], " PRIVATE KEY") || !rx(`^[A-Z0-9 ]*$`).MatchString(label[:head]) {
			continue
		}
		end := len(raw)
		from := at + head + 5
		if foot := strings.Index(raw[from:], "-----END "); foot >= 0 {
			from += foot + 9
			tail := raw[from:min(len(raw), from+64)]
			if end = from + len(tail); strings.Contains(tail, "-----") {
				end = from + strings.Index(tail, "-----") + 5
			}
		}
		list = append(list, span{start: start, end: end})
		at = max(at, end)
		if at >= len(raw) {
			return list
		}
	}
}

// latin makes each byte a letter, so that expressions see bytes.
func latin(s string) string {
	r := make([]rune, len(s))
	for i := range len(s) {
		r[i] = rune(s[i])
	}
	return string(r)
}

var jwtRE = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{7,}\.(?:eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*|[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)`)

// slowJWT returns tokens, also those that begin in another one.
func slowJWT(text string) (list []span) {
	text = noEscapes(text)
	everywhere(jwtRE, text, func(m []int) int {
		if c := before(text, m[0]); !wordy(c) && c != '-' && m[1]-m[0] >= 20 {
			list = append(list, span{start: m[0], end: m[1]})
		}
		return 0
	})
	return list
}

// slowUserinfo returns the name and the password in front of the host of each URL.
func slowUserinfo(raw string) (names, passwords []span) {
	visible := noEscapes(raw)
	for i := range visible {
		if !strings.HasPrefix(visible[i:], "://") || !alnum(before(visible, i)) {
			continue
		}
		start := i + 3
		authority := rx("^[^/?#\"'`\\\\<>|^\x00-\x20\x7f]*").FindString(latin(raw[start:min(len(raw), start+512)]))
		n := strings.LastIndexByte(authority, '@')
		if n < 0 {
			if authority = slowStray(latin(raw[start:min(len(raw), start+512)]), authority); authority == "" {
				continue
			}
			n = len(authority)
		}
		n = utf8.RuneCountInString(authority[:n]) // bytes of the text
		if next := after(raw, start+n+1); !alnum(next) && !in(next, "[${") && next < 0x80 {
			continue
		}
		at := start + n
		name, password, ok := strings.Cut(raw[start:at], ":")
		m := rx(`(?i)^\[redacted:[^\]]*\]:?`).FindString(raw[start:at])
		if m == "" && slowEntityName(name) {
			if h := rx(`^:[0-9a-f]{12}(?::|$)`).FindString(raw[start+len(name) : at]); h != "" {
				m = name + h
			}
		}
		if m != "" {
			name, password, ok = "", raw[start+len(m):at], true
		}
		if !slowPlaceholder(name) {
			names = append(names, span{start: start, end: start + len(name)})
		}
		if ok && !slowPlaceholder(password) {
			passwords = append(passwords, span{start: at - len(password), end: at})
		}
	}
	return names, passwords
}

// slowStray returns what stands in front of the @ where a password has a /, a ? or a # in
// it; "" if there is no such password behind the start of it.
func slowStray(text, start string) string {
	_, password, _ := strings.Cut(start, ":")
	if m := rx(`(?i)^\[redacted:[^\]]*\]:?`).FindString(start); m != "" {
		password = start[len(m):]
	} else if m := rx(`^([a-z_]+):[0-9a-f]{12}(?::|$)`).FindStringSubmatch(start); len(m) > 1 && slowEntityName(m[1]) {
		password = start[len(m[0]):]
	} else if strings.HasPrefix(start, "[") {
		return ""
	}
	if !rx(`^[A-Za-z0-9]`).MatchString(password) || rx(`^[0-9]*$`).MatchString(password) {
		return ""
	}
	m := rx("^([/?#][^\"'`\\\\<>|^@\x00-\x20\x7f]*)@").FindStringSubmatch(text[len(start):])
	if m == nil {
		return ""
	}
	return start + m[1]
}

func slowURLName(text string) []span {
	names, _ := slowUserinfo(text)
	return names
}

func slowURLPassword(text string) []span {
	_, passwords := slowUserinfo(text)
	return passwords
}

// slowSigns returns where = and : assign something.
func slowSigns(raw string, signs string) (list []int) {
	visible := noEscapes(raw)
	for i := range len(visible) {
		head, tail := raw[:i], raw[i+1:]
		switch c := visible[i]; {
		case !in(c, signs):
		case c == '=' && (strings.HasPrefix(tail, "=") || rx(`[=!<>]$`).MatchString(head)):
		case c == ':' && (strings.HasSuffix(head, ":") || rx(`^(?:[:=]|//)`).MatchString(tail)):
		default:
			list = append(list, i)
		}
	}
	return list
}

var connectionRE = regexp.MustCompile(`(?i)(?:^|[^A-Za-z0-9_])(password|pwd|accountkey|sharedaccesskey|sharedsecret|clientsecret)[ \t]{0,4}$`)

func slowConnection(raw string) (list []span) {
	until := 0
	for _, sep := range slowSigns(raw, "=") {
		if sep < until {
			continue
		}
		m := connectionRE.FindStringSubmatchIndex(raw[:sep])
		if m == nil {
			continue
		}
		v := rx("^[ \t]{0,4}([^\x00-\x20;<&\\\\\"'`]*)").FindStringSubmatch(latin(raw[sep+1 : min(len(raw), sep+1+4+512)]))
		start := sep + 1 + len(v[0]) - len(v[1])
		end := start + min(512, utf8.RuneCountInString(v[1]))
		until = end
		plain := strings.HasPrefix(strings.ToLower(raw[m[2]:m[3]]), "p")
		if plain && after(raw, end) != ';' && !rx(`;[ \t]{0,4}$`).MatchString(raw[:m[2]]) {
			continue
		}
		if end-start >= 3 && !slowPlaceholder(raw[start:end]) {
			list = append(list, span{start: start, end: end})
		}
	}
	return list
}

// slowRandom returns the runs of base64 in a text, with their padding.
func slowRandom(visible string) (list []span) {
	for _, m := range rx(`[A-Za-z0-9_+/-]{32,}={0,2}`).FindAllStringIndex(visible, -1) {
		s := visible[m[0]:m[1]]
		mixed := rx(`[a-z]`).MatchString(s) && rx(`[A-Z]`).MatchString(s) && rx(`\d`).MatchString(s)
		hash := rx(`(?i)^(?:sha1|sha256|sha384|sha512|md5|h1)-`).MatchString(s) ||
			rx(`(?i)(?:sha1|sha256|sha384|sha512|md5|h1)[:=]$`).MatchString(visible[:m[0]])
		if mixed && !hash {
			list = append(list, span{start: m[0], end: m[1]})
		}
	}
	return list
}

func slowAWSSecret(raw string) (list []span) {
	text := noEscapes(raw)
	for _, s := range slowRandom(text) {
		key, label := text[s.start:s.end], strings.ToLower(raw[max(0, s.start-64):s.start])
		if rx(`^[A-Za-z0-9+/]{40}$`).MatchString(key) && !rx(`^[0-9A-Fa-f]*$`).MatchString(key) &&
			strings.Contains(label, "secret") && rx(`aws|amazon|s3|access[-_ ]?key`).MatchString(label) {
			list = append(list, s)
		}
	}
	return list
}

func slowStorageKey(text string) (list []span) {
	text = noEscapes(text)
	for _, s := range slowRandom(text) {
		if rx(`^[A-Za-z0-9+/]{86}==$`).MatchString(text[s.start:s.end]) && after(text, s.end) != '=' {
			list = append(list, s)
		}
	}
	return list
}

func slowEntropy(text string) (list []span) {
	text = noEscapes(text)
	for _, s := range slowRandom(text) {
		run := strings.TrimRight(text[s.start:s.end], "=")
		bits := math.Log2(float64(len(run)))
		var counts []int
		for _, c := range rx(`.`).FindAllString(run, -1) {
			if n := strings.Count(run, c); !slices.Contains(counts, int(c[0])) {
				counts = append(counts, int(c[0]))
				bits -= float64(n) / float64(len(run)) * math.Log2(float64(n))
			}
		}
		words := len(rx(`[a-z]{4,}`).FindAllString(run, -1))
		for _, part := range rx(`[-_]`).Split(run, -1) {
			if rx(`^[A-Z]{4,}$`).MatchString(part) {
				words++
			}
		}
		if rx(`data:(?:image|audio|video|font)/[^:]*;base64,$`).MatchString(text[max(0, s.start-64):s.start]) {
			continue
		}
		if !rx(`^[0-9A-Fa-f_-]*$`).MatchString(run) && words < 3 && bits > 4-1e-9 {
			list = append(list, s)
		}
	}
	return list
}

func slowAuthorization(raw string) (list []span) {
	visible := noEscapes(raw)
	everywhere(rx(`(?i)(?:bearer|basic)`), visible, func(m []int) int {
		if wordy(before(visible, m[0])) || m[1] < len(visible) && !in(visible[m[1]], " \t") {
			return 0
		}
		v := rx(`^[ \t]{1,4}([A-Za-z0-9._~+/=-]*)`).FindStringSubmatchIndex(raw[m[1]:])
		if v == nil {
			return 0
		}
		start := m[1] + v[2]
		s := strings.TrimRight(raw[start:m[1]+v[3]], ".")
		random := rx(`\d`).MatchString(s) || rx(`[a-z]`).MatchString(s) && rx(`[A-Z]`).MatchString(s)
		if len(s) >= 16 && random && !slowPlaceholder(s) {
			list = append(list, span{start: start, end: start + len(s)})
		}
		return 0
	})
	return list
}

func slowGitHub(text string) (list []span) {
	text = noEscapes(text)
	patRE := rx(`^github_pat_[A-Za-z0-9_]{82,}`)
	oneRE := rx(`^gh[pousr]_[A-Za-z0-9]{36,}`)
	rowRE := rx(`^gh[pousr]_[A-Za-z0-9]{36,}gh[pousr]_`)
	for i := 0; i < len(text); i++ {
		if alnum(before(text, i)) && !slices.ContainsFunc(list, func(s span) bool { return s.end == i }) {
			continue
		}
		s := patRE.FindString(text[i:])
		if alnum(before(text, i)) {
			s = ""
		}
		if s == "" {
			s = oneRE.FindString(text[i:])
			if row := rx(`^gh[pousr]_`).MatchString(text[i:]) && strings.HasPrefix(text[min(len(text), i+len(s)):], "_"); row && rowRE.MatchString(text[i:]) {
				s = s[:len(s)-3]
			}
		}
		if s != "" {
			list = append(list, span{start: i, end: i + len(s)})
		}
	}
	return list
}

func slowSlack(text string) []span {
	text = noEscapes(text)
	var list []span
	everywhere(rx(`(?:xox[abcdeoprs]|xapp)-[A-Za-z0-9-]*`), text, func(m []int) int {
		s := strings.TrimRight(text[m[0]:m[1]], "-")
		if !alnum(before(text, m[0])) && len(s) >= 20 && rx(`-.*\d`).MatchString(s) {
			list = append(list, span{start: m[0], end: m[0] + len(s)})
		}
		return 0
	})
	return list
}

func slowGoogle(text string) []span {
	text = noEscapes(text)
	return matches(rx(`AIza[A-Za-z0-9_-]{35}`), text, func(start, end int) bool {
		c := after(text, end)
		return !alnum(before(text, start)) && !wordy(c) && c != '-'
	})
}

func slowStripe(text string) []span {
	text = noEscapes(text)
	return matches(rx(`(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{32,})`), text, func(start, _ int) bool { return !alnum(before(text, start)) })
}

func slowSAS(raw string) []span {
	visible := noEscapes(raw)
	var list []span
	everywhere(rx(`(?i)sig=`), visible, func(m []int) int {
		s := rx(`^[A-Za-z0-9%+/=_-]*`).FindString(raw[m[1]:min(len(raw), m[1]+132)])
		if !wordy(before(visible, m[0])) && len(s) >= 43 {
			list = append(list, span{start: m[1], end: m[1] + len(s)})
		}
		return 0
	})
	return list
}
