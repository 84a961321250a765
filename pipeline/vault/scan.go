package vault

// isWord tells the bytes that names without separators are made of.
func isWord(c byte) bool { return isAlnum(c) || c == '-' || c == '_' }

// minPlainWord is the shortest name without a digit and without a hyphen.
const minPlainWord = 16

// scan goes over the text once, from word to word. The look-ups at one word are
// bounded, so the work follows the length of the text.
func (r *reversal) scan() {
	i := 0
	for i < len(r.text) && r.err == nil {
		c := r.text[i]
		switch {
		case c == '%' && i+2 < len(r.text) && isHex(r.text[i+1]) && isHex(r.text[i+2]):
			i += 3
		case isAlnum(c):
			i = r.word(i)
		case c == ':' && i+1 < len(r.text) && r.text[i+1] == ':': // ::ffff:10.0.0.1
			i = max(r.joined(i), i+2)
		default:
			i++
		}
	}
	r.out = append(r.out, r.text[r.copied:]...)
}

// word looks at the word that starts at i and at what starts with it, longest
// first, and returns where to go on.
func (r *reversal) word(i int) int {
	end, telling := i, false
	for end < len(r.text) && isWord(r.text[end]) {
		telling = telling || !isLower(r.text[end]|0x20)
		end++
	}
	if end-i > maxName {
		return end
	}
	if end < len(r.text) && isJoint(r.text[end]) {
		if to := r.joined(i); to > 0 {
			return to
		}
	}
	if telling || end-i >= minPlainWord {
		r.single(i, end)
	}
	return end
}

// isJoint tells the bytes that join the words of a name, or encode them.
func isJoint(c byte) bool { return c == '.' || c == ':' || c == '@' || c == '/' || c == '%' }

// single looks up a word, then without hyphens and underscores behind it.
func (r *reversal) single(from, to int) {
	as, end := r.raw(), to
	for !isAlnum(r.text[end-1]) {
		end--
	}
	if !r.replace(from, to, r.text[from:to], as) && end < to {
		r.replace(from, end, r.text[from:end], as)
	}
}

// raw tells how originals are written where nothing is encoded.
func (r *reversal) raw() how {
	if r.uri {
		return segment
	}
	return plainText
}

// joined looks up the names of several words that start at i. It returns where the
// longest that was issued ends, or 0.
func (r *reversal) joined(i int) int {
	if i > 1 && r.text[i-1] == '.' && isDigit(r.text[i-2]) && isDigit(r.text[i]) {
		return 0 // inside a longer address
	}
	text := r.text[i:min(len(r.text), i+maxJoined+1)]
	encoded := r.decoded.decode(text)
	if encoded {
		text = r.decoded.text()
	}
	for _, end := range joinedEnds(text) {
		to, as := i+end, r.raw()
		if encoded && r.decoded.at(end) != end {
			to, as = i+r.decoded.at(end), component
		}
		if end > 0 && r.replace(i, to, text[:end], as) {
			return to
		}
	}
	return 0
}
