package scan

// uuid: 8-4-4-4-12 hexadecimal digits (RFC 9562, section 4).
func (l *lexer) uuid(t token, w word) {
	if w.start+36 > t.end || !isUUID(l.text[w.start:w.start+36]) || isAlnum(l.at(w.start+36)) {
		return
	}
	l.addWhole(UUID, UUIDEntity, w.start, w.start+36)
	l.subscriptionRef(w.start, w.start+36)
}

func isUUID(s []byte) bool {
	if len(s) != 36 {
		return false
	}
	for i, c := range s {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash && c != '-' || !dash && !isHex(c) {
			return false
		}
	}
	return true
}
