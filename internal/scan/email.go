package scan

import (
	"unicode"
	"unicode/utf8"
)

// Longest parts of an address (RFC 5321, section 4.5.3.1).
const (
	maxLocal  = 64
	maxDomain = 255
)

// email: the address around an @ (RFC 5321 and 5322, without quoted local parts and
// address literals), with letters beyond ASCII (RFC 6531) too.
func (l *lexer) email(at int) {
	if !l.runs[Email] {
		return
	}
	start := l.localPart(at)
	if start == at {
		return
	}
	if end := l.domain(at + 1); end > 0 && !l.inAuthority(start) {
		l.add(Email, EmailEntity, start, end)
	}
}

// localPart returns where the part in front of the @ starts. It takes Latin letters with
// it, as in jörg, and letters of another script where there is nothing else.
func (l *lexer) localPart(at int) int {
	start := at
	for start > 0 && at-start < maxLocal {
		if c := classes[l.text[start-1]]; c&(classAlnum|classDash|classDot|classPlus) != 0 && l.at(start-2) != '\\' {
			start--
			continue
		}
		size := l.atomBefore(start)
		if size == 0 {
			break
		}
		start -= size
	}
	for start < at && !isAlnum(l.text[start]) && l.text[start] < 0x80 {
		start++
	}
	if start < at {
		return start
	}
	for start > 0 && at-start < maxLocal {
		r, size := utf8.DecodeLastRune(l.text[:start])
		if !unicode.IsLetter(r) || r < 0x80 {
			break
		}
		start -= size
	}
	return start
}

// atomBefore returns how many bytes in front of i belong to a local part, 0 for none.
func (l *lexer) atomBefore(i int) int {
	switch c := l.text[i-1]; {
	case isAlnum(c):
		if i > 1 && l.text[i-2] == '\\' && escape(l.text, i-2) == i-1 {
			return 0
		}
		return 1
	case c == '.', c == '_', c == '%', c == '+', c == '-':
		return 1
	case c == '\'':
		return l.apostrophe(i - 1)
	case c >= 0x80:
		if r, size := utf8.DecodeLastRune(l.text[:i]); unicode.Is(unicode.Latin, r) {
			return size
		}
	}
	return 0
}

// apostrophe returns 1 if the one at i is inside a name, as in o'hara, and does not
// quote something, as in f'ada@example.com'.
func (l *lexer) apostrophe(i int) int {
	if !isAlpha(l.at(i-1)) || !isAlpha(l.at(i+1)) {
		return 0
	}
	if c := l.text[i-1] | 0x20; !isAlnum(l.at(i-2)) && (c == 'f' || c == 'b' || c == 'r' || c == 'u') {
		return 0
	}
	return 1
}

// inAuthority reports whether i is in the authority of a URL, in front of its host:
// https://name@host.
func (l *lexer) inAuthority(i int) bool {
	for j := i; j > 0 && i-j < maxLocal*2; j-- {
		l.work++
		if !isUserinfo(l.text[j-1]) {
			return hasPrefix(l.text, j-3, "://")
		}
	}
	return false
}

// domain returns the end of the domain at i, 0 for none.
func (l *lexer) domain(i int) int {
	ascii, end := -1, i
	for end < len(l.text) && end-i < maxDomain {
		l.work++
		c := l.text[end]
		if isAlnum(c) || c == '-' || c == '.' && end > i && l.text[end-1] != '.' {
			end++
			continue
		}
		r, size := utf8.DecodeRune(l.text[end:])
		if c < 0x80 || !unicode.IsLetter(r) {
			break
		}
		if ascii < 0 {
			ascii = end
		}
		end += size
	}
	if ascii < 0 {
		return l.domainEnd(i, end)
	}
	if last := l.domainEnd(i, end); last == end {
		return end
	}
	return l.domainEnd(i, ascii)
}

// domainEnd returns where the domain between i and end ends, without labels that are no
// top-level domain, 0 if none is left.
func (l *lexer) domainEnd(i, end int) int {
	for end > i {
		if c := l.text[end-1]; c == '.' || c == '-' {
			end--
			continue
		}
		label := end
		for label > i && l.text[label-1] != '.' {
			label--
		}
		if label == i {
			return 0
		}
		if isTopLevel(l.text[label:end]) {
			return end
		}
		if dash := l.lettersEnd(label); dash < end && l.text[dash] == '-' {
			end = dash
		} else {
			end = label
		}
	}
	return 0
}

func (l *lexer) lettersEnd(i int) int {
	for isAlpha(l.at(i)) {
		i++
	}
	return i
}

// isTopLevel reports whether a label can be the last: letters of ASCII or of others, or
// xn-- and more (RFC 5890). Those of images are not: logo@2x.png.
func isTopLevel(label []byte) bool {
	if len(label) < 2 || len(label) > maxLocal-1 {
		return false
	}
	if hasPrefixFold(label, "xn--") {
		return all(label[4:], classAlnum|classDash) && len(label) > 4
	}
	if label[0] >= 0x80 {
		for _, c := range label {
			if c < 0x80 {
				return false
			}
		}
		return true
	}
	if !all(label, classAlpha) {
		return false
	}
	for _, image := range [...]string{"png", "jpg", "jpeg", "gif", "svg", "webp"} {
		if equalFold(label, image) {
			return false
		}
	}
	return true
}
