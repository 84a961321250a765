package canonical

import (
	"bytes"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// text passes over the string at pos and returns it with its quotes.
func (w *writer) text() (raw []byte, escaped bool) {
	from := w.pos
	for w.pos++; w.src[w.pos] != '"'; w.pos++ {
		if w.src[w.pos] == '\\' {
			escaped = true
			w.pos++
		}
	}
	w.pos++
	return w.src[from:w.pos], escaped
}

// str writes a string. One without escapes needs none: it is valid.
func (w *writer) str(raw []byte, escaped bool) {
	if !escaped {
		w.dst = append(w.dst, raw...)
		return
	}
	from := len(w.names)
	end := w.name(raw, escaped)
	w.dst, _ = jsontext.AppendQuote(w.dst, w.names[from:end])
	w.names = w.names[:from]
}

// name appends an unescaped string to names and returns where it ends.
func (w *writer) name(raw []byte, escaped bool) int {
	if escaped {
		w.names, _ = jsontext.AppendUnquote(w.names, raw)
	} else {
		w.names = append(w.names, raw[1:len(raw)-1]...)
	}
	return len(w.names)
}

func (w *writer) number() {
	from := w.pos
	for w.pos < len(w.src) && isNumber(w.src[w.pos]) {
		w.pos++
	}
	w.dst = appendNumber(w.dst, w.src[from:w.pos])
}

func isNumber(c byte) bool {
	return '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// appendNumber appends a number as RFC 8785, 3.2.2.3 writes it, integers with all
// their digits.
func appendNumber(dst, raw []byte) []byte {
	switch {
	case string(raw) == "-0":
		return append(dst, '0')
	case !bytes.ContainsAny(raw, ".eE"):
		return append(dst, raw...)
	}
	f, _ := strconv.ParseFloat(string(raw), 64)
	switch {
	case math.IsInf(f, 0):
		return append(dst, raw...)
	case f == 0: // -0 as well
		return append(dst, '0')
	}
	return jsontext.AppendFloat(dst, f, 64)
}

// compare orders two members by the UTF-16 code units of their names.
func (w *writer) compare(a, b member) int {
	return compareUTF16(w.names[a.name:a.nameEnd], w.names[b.name:b.nameEnd])
}

// compareUTF16 orders valid UTF-8 like its UTF-16: like its bytes, but that what
// takes two units, and in UTF-8 begins with 0xF0 or more, comes before U+E000 to U+FFFF.
func compareUTF16(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		order := int(a[i]) - int(b[i])
		if min(a[i], b[i]) >= 0xEE && (a[i] >= 0xF0) != (b[i] >= 0xF0) {
			return -order
		}
		return order
	}
	return len(a) - len(b)
}
