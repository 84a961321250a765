package jsondoc

import (
	"math"
	"math/bits"
	"unicode/utf8"
)

// AppendIndent appends the valid JSON document doc to dst, indented by two
// spaces, and returns dst and the length of the whole rendering in code points.
// At most limit code points are appended; a negative limit means all. What goes
// beyond the limit is counted but not written.
func AppendIndent(dst []byte, doc []byte, limit int) ([]byte, int) {
	if limit < 0 {
		limit = math.MaxInt
	}
	start := len(dst)
	dst, i, depth := appendTokens(dst, doc, limit)
	w := indenter{dst: dst, depth: depth, total: codePoints(dst[start:]), limit: limit}
	for i < len(doc) {
		i = w.token(doc, i)
	}
	return w.dst, w.total
}

// appendTokens lays out tokens as long as they are surely inside the limit, since a code
// point has at least one byte. It returns where the token begins that may not be, and how
// deep that is.
func appendTokens(dst []byte, doc []byte, limit int) (out []byte, i, depth int) {
	start := len(dst)
	for i < len(doc) {
		n := 1
		switch c := doc[i]; c {
		case ' ', '\t', '\r', '\n':
			i++
			continue
		case '"':
			n = StringLen(doc[i:])
		case '{', '[', '}', ']', ',', ':':
		default:
			n = scalarLen(doc[i:])
		}
		if n > limit-(len(dst)-start)-len(newline)-2*depth {
			return dst, i, depth
		}
		switch c := doc[i]; c {
		case '{', '[':
			dst = append(dst, c)
			next := skipSpace(doc, i+1)
			if next < len(doc) && (doc[next] == '}' || doc[next] == ']') {
				dst = append(dst, doc[next])
				n = next + 1 - i
				break
			}
			depth++
			dst = appendNewline(dst, depth)
		case '}', ']':
			depth--
			dst = append(appendNewline(dst, depth), c)
		case ',':
			dst = appendNewline(append(dst, ','), depth)
		case ':':
			dst = append(dst, ": "...)
		default:
			dst = append(dst, doc[i:i+n]...)
		}
		i += n
	}
	return dst, i, depth
}

// newline is a line break with spaces for a usual depth.
const newline = "\n" + spaces

func appendNewline(dst []byte, depth int) []byte {
	if depth <= len(spaces)/2 {
		return append(dst, newline[:1+2*depth]...)
	}
	dst = append(dst, '\n')
	for n := 2 * depth; n > 0; n -= len(spaces) {
		dst = append(dst, spaces[:min(n, len(spaces))]...)
	}
	return dst
}

func skipSpace(doc []byte, i int) int {
	for i < len(doc) && isSpace(doc[i]) {
		i++
	}
	return i
}

// measure returns the code points of the rendering of a value that stands so deep
// in a document.
func measure(doc []byte, depth int) int {
	w := indenter{depth: depth}
	for i := 0; i < len(doc); {
		i = w.token(doc, i)
	}
	return w.total
}

// indenter lays out tokens. It trusts its input: punctuation decides all.
type indenter struct {
	dst   []byte
	depth int
	total int // code points so far, those beyond the limit included
	limit int
}

const spaces = "                                                                "

// token lays out the token at doc[i] and returns where the next one starts.
func (w *indenter) token(doc []byte, i int) int {
	switch c := doc[i]; c {
	case ' ', '\t', '\r', '\n':
		return i + 1
	case '{', '[':
		return w.open(doc, i)
	case '}', ']':
		w.depth--
		w.newline()
		w.emit(doc[i : i+1])
		return i + 1
	case ',':
		w.emit(doc[i : i+1])
		w.newline()
		return i + 1
	case ':':
		w.emitString(": ")
		return i + 1
	case '"':
		n := StringLen(doc[i:])
		w.emit(doc[i : i+n])
		return i + n
	default:
		n := scalarLen(doc[i:])
		w.emit(doc[i : i+n])
		return i + n
	}
}

// open lays out an opening bracket; empty objects and lists stay on one line.
func (w *indenter) open(doc []byte, i int) int {
	w.emit(doc[i : i+1])
	next := skipSpace(doc, i+1)
	if next < len(doc) && (doc[next] == '}' || doc[next] == ']') {
		w.emit(doc[next : next+1])
		return next + 1
	}
	w.depth++
	w.newline()
	return next
}

func (w *indenter) newline() {
	w.emitString("\n")
	for n := 2 * w.depth; n > 0; n -= len(spaces) {
		w.emitString(spaces[:min(n, len(spaces))])
	}
}

func (w *indenter) emitString(s string) { emit(w, s) }
func (w *indenter) emit(b []byte)       { emit(w, b) }

func emit[T ~string | ~[]byte](w *indenter, text T) {
	n := codePoints(text)
	room := max(0, min(n, w.limit-w.total))
	w.total += n
	w.dst = append(w.dst, text[:prefixLen(text, room, n)]...)
}

func codePoints[T ~string | ~[]byte](text T) int {
	n, i := len(text), 0
	for ; i+8 <= len(text); i += 8 {
		w := uint64(text[i]) | uint64(text[i+1])<<8 | uint64(text[i+2])<<16 | uint64(text[i+3])<<24 |
			uint64(text[i+4])<<32 | uint64(text[i+5])<<40 | uint64(text[i+6])<<48 | uint64(text[i+7])<<56
		n -= bits.OnesCount64(w >> 7 &^ (w >> 6) & lows) // bytes inside a character
	}
	for ; i < len(text); i++ {
		if text[i]&0xC0 == 0x80 {
			n--
		}
	}
	return n
}

// prefixLen returns the length in bytes of the first points of the total code
// points of text.
func prefixLen[T ~string | ~[]byte](text T, points, total int) int {
	if points == total {
		return len(text)
	}
	end := 0
	for ; points > 0; points-- {
		end++
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end++
		}
	}
	return end
}

func scalarLen(doc []byte) int {
	for i, c := range doc {
		switch c {
		case ' ', '\t', '\r', '\n', ',', ':', '}', ']':
			return i
		}
	}
	return len(doc)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// CutText returns the first limit code points of text and how many were left
// out.
func CutText(text string, limit int) (string, int) { return cutPoints(text, limit) }

// CutBytes is CutText for bytes.
func CutBytes(text []byte, limit int) ([]byte, int) { return cutPoints(text, limit) }

func cutPoints[T ~string | ~[]byte](text T, limit int) (T, int) {
	if len(text) <= limit {
		return text, 0
	}
	total := codePoints(text)
	if total <= limit {
		return text, 0
	}
	return text[:prefixLen(text, limit, total)], total - limit
}
