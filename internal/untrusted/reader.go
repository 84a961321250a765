package untrusted

// gap is what stands between two words.
type gap uint8

const (
	gapSpace gap = 1 << iota
	gapLine      // the end of a line, also written as \n
	gapStop      // the end of a sentence
	gapColon
	gapComma
	gapQuote // " or a backtick
	gapMark  // other marks: - * > ( and so on
	gapJoin  // _
)

// gapBreak is what a phrase does not go across.
const gapBreak = gapStop | gapColon | gapComma | gapLine | gapMark | gapQuote

// reach is how far a reader looks, in bytes.
const reach = 320

// reader reads a text word by word as a person would: look-alike letters as what
// they look like, without invisible characters, markup and entities.
type reader[T text] struct {
	s        T
	at       int // what is read next
	end      int // where reading ends
	start    int // of the word read last
	squeezed bool
	gap      gap // before the word read last
}

// newReader returns a reader of s from at on. A squeezed one finds words by the
// vocabulary, wherever spaces stand.
func newReader[T text](s T, at int, squeezed bool) reader[T] {
	return reader[T]{s: s, at: at, end: min(len(s), at+reach), squeezed: squeezed}
}

// next reads a word and returns what it means, 0 for one that means nothing; at
// the end ok is false.
func (r *reader[T]) next() (role role, ok bool) {
	if r.squeezed {
		return r.nextSqueezed()
	}
	r.gap = 0
	stop := false
	for r.at < r.end {
		c, n := byte(' '), 1
		if b := r.s[r.at]; b != ' ' { // readAt, for the most frequent character in place
			c, n = readAt(r.s, r.at)
		}
		g := gaps[c]
		if g == gapNone {
			r.start = r.at
			var word wordHash
			word, r.at = readWord(r.s, r.at, r.end)
			return vocabulary.role(word), true
		}
		if g&(gapSpace|gapLine) != 0 && stop {
			r.gap |= gapStop
		}
		if !closes(c) {
			stop = c == '.' || c == '!' || c == '?'
		}
		r.gap |= g
		r.at += n
		if c == '<' || c == '&' || c == '\\' {
			r.skipMarkup(c)
		}
	}
	r.start = r.at
	return 0, false
}

// closes reports whether c may stand between the end of a sentence and the space
// behind it.
func closes(c byte) bool {
	return c == nothing || c == '"' || c == '\'' || c == ')' || c == ']' || c == '*'
}

// gapNone in gaps stands for what is part of a word.
const gapNone gap = 0xFF

// gaps holds what a character between words is.
var gaps = func() (t [256]gap) {
	for c := range t {
		t[c] = gapOf(byte(c))
	}
	return t
}()

func isWordByte(c byte) bool { return gaps[c] == gapNone }

func gapOf(c byte) gap {
	switch c {
	case ' ', '\t', '\r':
		return gapSpace
	case '\n':
		return gapLine
	case ':':
		return gapColon
	case ',', ';':
		return gapComma
	case '"', '`':
		return gapQuote
	case '_':
		return gapJoin
	case nothing, '.', '!', '?', '/', '&', '<', '\\', '\'':
		return 0
	}
	if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == letter {
		return gapNone
	}
	return gapMark
}

// skipMarkup steps over the rest of a tag, an entity or an escaped end of line
// that began with c.
func (r *reader[T]) skipMarkup(c byte) {
	to := r.at
	switch c {
	case '<':
		to = tagEnd(r.s, r.at, r.end)
	case '&':
		to = entityEnd(r.s, r.at, r.end)
	case '\\':
		if r.at < r.end && (r.s[r.at] == 'n' || r.s[r.at] == 'r' || r.s[r.at] == 't') {
			to, r.gap = r.at+1, r.gap|gapLine
		}
	}
	if to > r.at {
		r.at, r.gap = to, r.gap|gapSpace
	}
}

// tagEnd returns where a tag ends whose name begins at i, or i.
func tagEnd[T text](s T, i, end int) int {
	at := i
	if at < end && s[at] == '/' {
		at++
	}
	if at >= end || s[at] < 0x80 && (s[at]|0x20 < 'a' || s[at]|0x20 > 'z') {
		return i
	}
	for ; at < min(end, i+80) && s[at] != '<'; at++ {
		if s[at] == '>' {
			return at + 1
		}
	}
	return i
}

// entityEnd returns where an entity ends whose name begins at i, or i.
func entityEnd[T text](s T, i, end int) int {
	for at := i; at < min(end, i+8); at++ {
		switch c := s[at]; {
		case c == ';' && at > i+1:
			return at + 1
		case c >= 0x80 || c != '#' && !isWordByte(foldASCII[c]):
			return i
		}
	}
	return i
}

// readWord returns the word of s at i and where it ends; 0 is one with a letter
// that no word of the vocabulary has.
func readWord[T text](s T, i, end int) (word wordHash, at int) {
	word = noWord
	known, letters := true, false
	for i < end {
		if l := s[i] | 0x20; l >= 'a' && l <= 'z' {
			word, letters = word.add(l), true
			i++
			continue
		}
		c, n := readAt(s, i)
		switch {
		case c >= 'a' && c <= 'z':
			letters = true
		case c == nothing:
			i += n
			continue
		case c == '\'' || c == '@' || c == '$':
			// Only in front of a letter: don't, p@ssword.
			if !isLetter(s[:end], i+n) {
				return done(word, known && letters), i
			}
			if c = leet(c); c == 0 {
				i += n
				continue
			}
		case !isWordByte(c):
			return done(word, known && letters), i
		case c == letter:
			known = false
		default:
			if l := leet(c); l != 0 {
				c = l
			}
		}
		word = word.add(c)
		i += n
	}
	return done(word, known && letters), i
}

func done(word wordHash, known bool) wordHash {
	if !known {
		return 0
	}
	return word
}

// nextSqueezed reads the longest word of the vocabulary whose letters come next,
// whatever stands between them.
func (r *reader[T]) nextSqueezed() (found role, ok bool) {
	r.gap = gapSpace
	word, n, after := noWord, 0, 0
	for i := r.at; i < r.end && n < maxWord; {
		c, size := readAt(r.s, i)
		i += size
		if l := leet(c); l != 0 {
			c = l
		}
		if c == letter {
			break
		}
		if c < 'a' || c > 'z' {
			continue
		}
		if n++; n == 1 {
			r.start, after = i-size, i
		}
		word = word.add(c)
		// "A pirate" begins with api.
		if role := vocabulary.role(word); role != 0 && role != rScope {
			found, after = role, i
		}
	}
	r.at = max(r.at, after)
	return found, n > 0
}

// before reads the word that ends before i, and the gap between them; without one
// ok is false.
func (r *reader[T]) before(i int) (role role, start int, g gap, ok bool) {
	first := max(0, i-reach)
	space := false
	for i > first {
		c, n := readBefore(r.s, i)
		if isWordByte(c) {
			break
		}
		if space && (c == '.' || c == '!' || c == '?') {
			g |= gapStop
		}
		if !closes(c) {
			space = gaps[c]&(gapSpace|gapLine) != 0
		}
		g |= gaps[c]
		i -= n
	}
	end := i
	for i > first {
		c, n := readBefore(r.s, i)
		if c != nothing && c != '\'' && !isWordByte(c) {
			break
		}
		i -= n
	}
	if i == end {
		return 0, i, g, false
	}
	word, _ := readWord(r.s, i, end)
	return vocabulary.role(word), i, g, true
}
