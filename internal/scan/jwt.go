package scan

const base64URL = classAlnum | classDash

// jwt: a signed token, three parts of base64url with dots between (RFC 7519, section 3;
// the last is empty where it is not signed), or an encrypted one, of five (RFC 7516,
// section 3.1). The header is an object, so it starts with eyJ.
func (l *lexer) jwt(t token, w word) {
	if !l.runs[JWT] || classes[l.before(t, w.start)]&base64URL != 0 || !hasPrefix(l.text, w.start, "eyJ") {
		return
	}
	header := l.run64(w.start, t.end)
	if header-w.start < 10 || l.at(header) != '.' {
		return
	}
	payload := l.run64(header+1, t.end)
	if l.at(payload) != '.' {
		return
	}
	end := l.run64(payload+1, t.end)
	switch object := hasPrefix(l.text, header+1, "eyJ") && payload-header > 8; {
	case object:
	case l.at(end) == '.' && end > payload+1 && end < t.end:
		if end = l.encrypted(end, t.end); end == 0 {
			return
		}
	default:
		return
	}
	if end-w.start >= long {
		l.add(JWT, JWTEntity, w.start, end)
	}
}

// encrypted returns where the last two parts behind the dot at i end, 0 if they are not
// there.
func (l *lexer) encrypted(i, limit int) int {
	text := l.run64(i+1, limit)
	if text == i+1 || l.at(text) != '.' {
		return 0
	}
	if tag := l.run64(text+1, limit); tag > text+1 {
		return tag
	}
	return 0
}

func (l *lexer) run64(i, limit int) int {
	for i < limit && classes[l.text[i]]&base64URL != 0 {
		l.work++
		i++
	}
	return i
}
