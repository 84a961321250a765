package scan_test

import (
	"net/netip"
	"regexp"
	"strings"

	"github.com/cloudg/mcplayer/internal/scan"
)

const (
	guid   = `[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}`
	inside = `[A-Za-z0-9_.:/@=+%&?#~$*!-]` // what is inside tokens
)

var cloudgRE = regexp.MustCompile(`cloudg://(assets|datasets)/([A-Za-z0-9_.:@=+%&~$*!-]+)`)

func slowCloudg(text string) (list []span) {
	text = noEscapes(text)
	everywhere(cloudgRE, text, func(m []int) int {
		start, end := m[4], m[4]+len(strings.TrimRight(text[m[4]:m[5]], ".:!=/$%"))
		if alnum(before(text, m[0])) || start == end {
			return 0
		}
		entity := scan.ResourceName
		if text[m[2]] == 'd' {
			entity = scan.DatasetName
		}
		list = append(list, span{start, end, entity})
		return 0
	})
	return list
}

var accessKeyRE = regexp.MustCompile(`(?:A[KS]IA[A-Z0-9]{16})+`)

func slowAccessKey(text string) (list []span) {
	text = noEscapes(text)
	for _, m := range rx(`[A-Za-z0-9]+`).FindAllStringIndex(text, -1) {
		if len(text[m[0]:m[1]])%20 != 0 {
			continue
		}
		if accessKeyRE.FindString(text[m[0]:m[1]]) == text[m[0]:m[1]] {
			for i := m[0]; i < m[1]; i += 20 {
				list = append(list, span{start: i, end: i + 20})
			}
			continue
		}
		// A row of keys that something else ends.
		for i := m[0]; i < m[1] && rx(`^[A-Z0-9]+$`).MatchString(text[m[0]:m[1]]) && rx(`^A[KS]IA`).MatchString(text[i:]); i += 20 {
			list = append(list, span{start: i, end: i + 20})
		}
	}
	return list
}

var uniqueRE = regexp.MustCompile(`^(?:ABIA|ACCA|AGPA|AIDA|AIPA|ANPA|ANVA|APKA|AROA|ASCA)[A-Z0-9]{16,17}$`)

func slowUniqueID(text string) (list []span) {
	text = noEscapes(text)
	for _, m := range rx(`[A-Za-z0-9]+`).FindAllStringIndex(text, -1) {
		if uniqueRE.MatchString(text[m[0]:m[1]]) {
			list = append(list, span{start: m[0], end: m[1]})
		}
	}
	return list
}

var arnRE = regexp.MustCompile(`arn:aws(?:-[a-z0-9-]*)?:[a-z0-9-]+:[a-z0-9-]*:(?:\d{12}|aws)?:([A-Za-z0-9_.:/@=+%$*!-]+)`)

func slowARN(text string) (list []span) {
	text = noEscapes(text)
	everywhere(arnRE, text, func(m []int) int {
		end := m[2] + len(strings.TrimRight(text[m[2]:m[3]], ".:!=/$%"))
		if alnum(before(text, m[0])) || end == m[2] {
			return 0
		}
		list = append(list, span{start: m[0], end: end})
		return end
	})
	return list
}

var azureRE = regexp.MustCompile(`(?i)/subscriptions/` + guid + `/`)

func slowAzureID(text string) (list []span) {
	visible := noEscapes(text)
	everywhere(azureRE, visible, func(m []int) int {
		end := slowPath(text, m[1])
		if end == m[1] {
			return 0
		}
		list = append(list, span{start: m[0], end: end})
		return end
	})
	return list
}

// slowPath returns the end of a path, whose brackets are balanced.
func slowPath(text string, start int) int {
	path := rx(`^[A-Za-z0-9_./%@+:~$!*()-]*`).FindString(text[start:])
	for i := range path {
		if strings.Count(path[:i+1], ")") > strings.Count(path[:i+1], "(") {
			path = path[:i]
			break
		}
	}
	return start + len(strings.TrimRight(path, ".:!=/$%("))
}

var gcpRE = regexp.MustCompile(`(?:organizations|folders)/\d{6,}|projects/(?:[^/]+:)?(?:\d{6,30}|[a-z][a-z0-9-]{4,28}[a-z0-9])/(?:locations|zones|regions|global|topics|` +
	`subscriptions|snapshots|secrets|serviceAccounts|datasets|instances|databases|logs|sinks|roles|buckets|keyRings|services|repos|jobs|models|` +
	`triggers|alertPolicies|notificationChannels|managedZones|disks|images|networks|subnetworks|firewalls|clusters|schemas)/[A-Za-z0-9]`)

func slowGCP(text string) (list []span) {
	visible := noEscapes(text)
	everywhere(gcpRE, visible, func(m []int) int {
		slash := strings.IndexByte(text[m[0]:], '/') + m[0]
		project := text[m[0]:slash] == "projects"
		if c := before(visible, m[0]); wordy(c) || c == '-' || m[1] > slash+97 && project {
			return 0
		}
		if c := after(text, m[1]); !project && (wordy(c) || c == '-') {
			return 0
		}
		end := slowPath(text, slash+1)
		if end == slash+1 {
			return 0
		}
		list = append(list, span{start: m[0], end: end})
		return end
	})
	return list
}

var uuidRE = regexp.MustCompile(guid)

func slowUUID(text string) []span {
	text = noEscapes(text)
	return matches(uuidRE, text, func(start, end int) bool { return !alnum(before(text, start)) && !alnum(after(text, end)) })
}

var (
	asideRE   = regexp.MustCompile("[ \t\"'`:=/\\\\(>]{1,8}$")
	azureName = regexp.MustCompile(`(?i)s[-_ ]?u[-_ ]?b[-_ ]?s[-_ ]?c[-_ ]?r[-_ ]?i[-_ ]?p[-_ ]?t[-_ ]?i[-_ ]?o[-_ ]?n(?:[-_ ]?s|[-_ ]?i[-_ ]?d)?$|s[-_ ]?u[-_ ]?b[-_ ]?i[-_ ]?d$|` +
		`t[-_ ]?e[-_ ]?n[-_ ]?a[-_ ]?n[-_ ]?t(?:[-_ ]?s|[-_ ]?i[-_ ]?d)?$|d[-_ ]?i[-_ ]?r[-_ ]?e[-_ ]?c[-_ ]?t[-_ ]?o[-_ ]?r[-_ ]?y[-_ ]?i[-_ ]?d$|microsoftonline\.com$`)
)

func slowSubscription(text string) (list []span) {
	for _, s := range slowUUID(text) {
		aside := asideRE.FindStringIndex(text[:s.start])
		if aside == nil {
			continue
		}
		head := text[max(0, aside[0]-24):aside[0]]
		name := azureName.FindStringIndex(head)
		if len(name) == 0 || !slowApart(head, name[0]) {
			continue
		}
		s.entity = scan.AzureSubscription
		if head[name[0]]|0x20 != 's' {
			s.entity = scan.AzureTenant
		}
		list = append(list, s)
	}
	return list
}

// slowApart reports whether a word starts at i.
func slowApart(s string, i int) bool {
	return rx(`(?:^|[^A-Za-z]|\\[nrtbf])$`).MatchString(s[:i]) || rx(`[a-z]$`).MatchString(s[:i]) && s[i] <= 'Z'
}

func slowAccount(text string) (list []span) {
	text = noEscapes(text)
	for _, m := range rx(`[A-Za-z0-9]+`).FindAllStringIndex(text, -1) {
		s, head, tail := text[m[0]:m[1]], text[:m[0]], text[m[1]:]
		switch {
		case !rx(`^\d{12}$`).MatchString(s), strings.Count(s, s[:1]) == 12:
		case rx(`\d\.$|\+$`).MatchString(head), rx(`^\.\d`).MatchString(tail):
		case rx(`[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}$`).MatchString(head):
		default:
			list = append(list, span{start: m[0], end: m[1]})
		}
	}
	return list
}

var ipv4RE = regexp.MustCompile(`\d{1,3}(?:\.\d{1,3}){3}`)

func slowIPv4(raw string) (list []span) {
	text := noEscapes(raw)
	everywhere(ipv4RE, text, func(m []int) int {
		start, end := m[0], m[1]
		addr, err := netip.ParseAddr(text[start:end])
		head, tail := text[:start], text[end:]
		switch {
		case err != nil, alnum(before(text, start)), before(text, start) == '_', rx(`(?:^|[^.])\.$`).MatchString(head):
			return 0
		case rx(`^(?:\w|\.[A-Za-z0-9]|[-+][A-Za-z])`).MatchString(tail):
			return 0
		case rx(`(?:^|[^A-Za-z0-9_.:/@=+%&?#~$*!-])[A-Z][A-Za-z0-9_-]{0,31}/$`).MatchString(head):
			return 0
		case slowVersion(raw[:start]):
			return 0
		}
		list = append(list, slowAddress(text, start, end, addr, 32))
		return 0
	})
	return list
}

func slowVersion(head string) bool {
	m := rx("(?i)(version|ver|release|build|revision|section|chapter|clause|paragraph|oid)[ \t\"':=(>\\\\`]{1,6}$").FindStringIndex(head)
	if m == nil {
		return false
	}
	for end := m[1]; end > m[0]; end-- {
		for _, word := range []string{"version", "ver", "release", "build", "revision", "section", "chapter", "clause", "paragraph", "oid"} {
			if start := end - len(word); start >= 0 && strings.EqualFold(head[start:end], word) && !alpha(after(head, end)) && slowApart(head, start) {
				return true
			}
		}
	}
	return false
}

func slowAddress(text string, start, end int, addr netip.Addr, most int) span {
	if m := rx(`^/(0|[1-9]\d{0,2})(?:[^A-Za-z0-9_]|$)`).FindStringSubmatch(text[end:]); m != nil {
		if p, err := netip.ParsePrefix(addr.String() + "/" + m[1]); err == nil && p.Bits() <= most {
			entity := slowBlock(p.Masked().Addr()) + scan.PrivateCIDR - scan.PrivateIP
			if p.Bits() == 0 {
				entity = scan.SpecialCIDR
			}
			return span{start, end + 1 + len(m[1]), entity}
		}
	}
	return span{start, end, slowBlock(addr)}
}

func slowBlock(a netip.Addr) scan.Entity {
	a = a.Unmap()
	in := func(blocks string) bool {
		for b := range strings.FieldsSeq(blocks) {
			if netip.MustParsePrefix(b).Contains(a) {
				return true
			}
		}
		return false
	}
	switch {
	case in("0.0.0.0/32 127.0.0.0/8 169.254.0.0/16 224.0.0.0/4 240.0.0.0/4 ::/128 ::1/128 fe80::/10 ff00::/8"):
		return scan.SpecialIP
	case in("10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 fc00::/7"):
		return scan.PrivateIP
	}
	return scan.PublicIP
}

func slowIPv6(raw string) (list []span) {
	text := noEscapes(raw)
	for _, m := range rx(`[0-9A-Fa-f:.]+`).FindAllStringIndex(text, -1) {
		start, end := m[0], m[1]
		if wordy(before(text, start)) {
			start += strings.IndexByte(text[start:end]+":", ':') + 1
			if start >= end || text[start] == ':' {
				continue
			}
		}
		if c := before(text, start); wordy(after(text, end)) || c == '-' {
			continue
		}
		s := strings.TrimRight(text[start:end], ".")
		for {
			cut := strings.TrimRight(s, ".")
			if strings.HasSuffix(cut, ":") && !strings.HasSuffix(cut, "::") {
				cut = cut[:len(cut)-1]
			}
			if cut == s {
				break
			}
			s = cut
		}
		addr, err := netip.ParseAddr(s)
		if err != nil || !addr.Is6() || strings.Count(text[start:end], ":") < 1 {
			continue
		}
		found := slowAddress(text, start, start+len(s), addr, 128)
		hexDigits := rx(`[0-9A-Fa-f]`).FindAllString(s, -1)
		switch {
		case s == "::":
			if before(text, start) != '[' || after(text, start+2) != ']' {
				if found.end == start+2 {
					continue
				}
			}
		case s == "::1":
		case len(hexDigits) < 4, !rx(`\d`).MatchString(s), rx(`^(?:..:){7}..$`).MatchString(s):
			continue
		}
		list = append(list, found)
	}
	return list
}

var macRE = regexp.MustCompile(`[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}|[0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){5}|[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}`)

func slowMAC(text string) (list []span) {
	visible := noEscapes(text)
	everywhere(macRE, visible, func(m []int) int {
		s, head, tail := visible[m[0]:m[1]], visible[:m[0]], visible[m[1]:]
		sep, group := ":", `[0-9A-Fa-f]{2}`
		switch len(s) {
		case 14:
			sep, group = `\.`, `[0-9A-Fa-f]{4}`
		case 17:
			sep = s[2:3]
		}
		switch {
		case wordy(after(visible, m[1])), alnum(before(visible, m[0])), rx(`^` + sep + `[0-9A-Fa-f]`).MatchString(tail):
		case sep == "-" && !rx(`\d`).MatchString(s), sep == `\.` && !rx(`[A-Fa-f]`).MatchString(s):
		case rx(`(?:^|[^A-Za-z0-9])` + group + sep + `$`).MatchString(head):
		default:
			list = append(list, span{start: m[0], end: m[1]})
		}
		return 0
	})
	return list
}

var (
	hostRE   = regexp.MustCompile(`[A-Za-z0-9_.-]+`)
	hostForm = regexp.MustCompile(`^([^A-Za-z0-9_]*)([A-Za-z0-9_][A-Za-z0-9_-]*\.(?:[A-Za-z0-9_-]+\.)*([A-Za-z]{2,}))\.*-*[.-]*$`)
)

func slowHostname(raw string) (list []span) {
	text := noEscapes(raw)
	for _, m := range hostRE.FindAllStringIndex(text, -1) {
		f := hostForm.FindStringSubmatchIndex(text[m[0]:m[1]])
		if f == nil {
			continue
		}
		start, end, tld := m[0]+f[4], m[0]+f[5], text[m[0]+f[6]:m[0]+f[7]]
		name, tail := text[start:end], text[end:]
		if strings.HasPrefix(tail, "-") || strings.HasPrefix(tail, "(") || len(name) > 253 {
			continue
		}
		sure := strings.HasSuffix(text[:start], "://") || rx(`^:\d`).MatchString(tail) || rx(`(?i)^www\.`).MatchString(name)
		if tld != strings.ToLower(tld) && tld != strings.ToUpper(tld) {
			continue
		}
		words := " " + strings.ToLower(tld) + " "
		switch {
		case !strings.Contains(slowTLDs, words):
			continue
		case strings.Contains(" cc md mk ml pm ps py rs sh so ", words) && !sure:
			continue
		case strings.Contains(" am an as id in is la my pl do ", words) && !sure && strings.Count(name, ".") == 1:
			continue
		case rx(`^(?:process|os|env|var|module|secrets|vars|config|settings|self|this|req|request|ctx|args|params|options|opts)\.`).MatchString(name) && !sure && !rx(`(?i)^[^.]*\..+\.(?:internal|local|localdomain|lan|corp|intra)$`).MatchString(name):
			continue
		case before(text, start) == '@' && !slowAuthority(raw[:start-1]):
			continue
		}
		list = append(list, span{start: start, end: end})
	}
	return list
}

const slowTLDs = " com net org edu gov mil int info biz pro mobi dev app cloud online site website shop store tech xyz club agency digital solutions software " +
	"hosting news blog space asia arpa aws museum travel jobs academy company consulting systems network finance bank health london berlin nyc tokyo paris wiki " +
	"internal local localdomain lan corp intra ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca " +
	"cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr " +
	"gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me " +
	"mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw " +
	"sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu " +
	"wf ws ye yt za zm zw an "

// slowAuthority reports whether a text ends inside the userinfo of a URL.
func slowAuthority(head string) bool {
	m := rx("[^/?#\"'`\\\\<>|^\x00-\x20\x7f]*$").FindStringIndex(head)
	return len(head)-m[0] < 128 && strings.HasSuffix(head[:m[0]], "://")
}

var timeRE = regexp.MustCompile(`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt _](?:[01]\d|2[0-4]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d{1,9})?)?|` +
	`\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-4])[0-5]\d(?:[0-5]\d|60)(?:[.,]\d{1,9})?`)

func slowTimestamp(raw string) (list []span) {
	text := noEscapes(raw)
	everywhere(timeRE, text, func(m []int) int {
		end := m[1]
		switch z := after(raw, end); {
		case z == 'Z' || z == 'z':
			end++
		default:
			for _, re := range []string{`^ ?[+-]\d\d:\d\d`, `^ ?[+-]\d\d\d\d`, `^ ?[+-]\d\d`} {
				if o := rx(re).FindString(raw[end:]); o != "" {
					if !alnum(after(raw, end+len(o))) {
						end += len(o)
					}
					break
				}
			}
		}
		compact := text[m[0]+4] != '-'
		if alnum(before(text, m[0])) || alnum(after(raw, end)) || rx(`^:\d`).MatchString(text[m[1]:]) && m[1]-m[0] == 16 && !compact {
			return 0
		}
		list = append(list, span{start: m[0], end: end})
		return 0
	})
	return list
}
