package scan

// mac: six pairs of hexadecimal digits with colons or dashes (IEEE 802-2014, section
// 8.1), or three groups of four with dots, as Cisco writes them. One with dashes has a
// decimal digit, one with dots a letter.
func (l *lexer) mac(t token, w word) {
	if !l.runs[MACAddress] || w.end == t.end {
		return
	}
	width, size, sep := w.len(), 17, l.text[w.end]
	if width == 4 {
		size = 14
	}
	if (width == 2) != (sep == ':' || sep == '-') || (width == 4) != (sep == '.') || w.start+size > t.end {
		return
	}
	s := l.text[w.start : w.start+size]
	seen := class(0)
	for i, c := range s {
		if (i%(width+1) == width) != (c == sep) || c != sep && !isHex(c) {
			return
		}
		seen |= classes[c]
	}
	if sep == '-' && seen&classDigit == 0 || sep == '.' && seen&classAlpha == 0 || l.inSeries(w, size, sep) {
		return
	}
	l.add(MACAddress, MACEntity, w.start, w.start+size)
}

// inSeries reports whether further groups stand beside: a fingerprint.
func (l *lexer) inSeries(w word, size int, sep byte) bool {
	end, width := w.start+size, w.len()
	if isWord(l.at(end)) || l.at(end) == sep && isHex(l.at(end+1)) {
		return true
	}
	before := w.start - 1 - width
	if l.at(w.start-1) != sep || before < 0 {
		return false
	}
	return all(l.text[before:w.start-1], classHex) && !isAlnum(l.at(before-1))
}
