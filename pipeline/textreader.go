package pipeline

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"

	"github.com/cloudg/mcplayer/internal/untrusted"
)

// textReader reads a text in the ways in which a secret may be hidden in it: as it
// is, without fences and invisible characters, and with percent-encoding (RFC 3986,
// 2.1, and that of forms) and base64 (RFC 4648, 4 and 5) taken off once. It is used by
// one goroutine.
type textReader struct{ percent, joined, decoded []byte }

// read calls yield for each reading that differs from those before, until it
// returns false. A reading is valid until yield returns.
func (r *textReader) read(text []byte, yield func([]byte) bool) {
	if !yield(text) {
		return
	}
	if plain := clean(text); len(plain) != len(text) {
		if text = plain; !yield(text) {
			return
		}
	}
	if bytes.IndexByte(text, '%') >= 0 && !r.unescaped(text, yield) {
		return
	}
	if r.base64(text, yield) && r.join(text) {
		r.base64(r.joined, yield)
	}
}

// unescaped yields a text without percent-encoding, also as forms write it: with + for a
// blank. It returns what yield does.
func (r *textReader) unescaped(text []byte, yield func([]byte) bool) bool {
	r.percent = appendUnescaped(r.percent[:0], text)
	if len(r.percent) == len(text) || !utf8.Valid(r.percent) {
		return true
	}
	if !yield(r.percent) {
		return false
	}
	if bytes.IndexByte(text, '+') < 0 {
		return true
	}
	r.joined = bytes.ReplaceAll(text, []byte{'+'}, []byte{' '})
	r.percent = appendUnescaped(r.percent[:0], r.joined)
	return yield(r.percent)
}

// join leaves in r.joined a text without the line breaks that stand inside of base64
// (RFC 2045, 6.8). It is false if there are none.
func (r *textReader) join(text []byte) bool {
	r.joined = r.joined[:0]
	from := 0
	for i := range text {
		if text[i] != '\n' || i == from {
			continue
		}
		end := i
		if text[i-1] == '\r' {
			end--
		}
		if end > from && isBase64(text[end-1]) && i+1 < len(text) && isBase64(text[i+1]) {
			r.joined = append(r.joined, text[from:end]...)
			from = i + 1
		}
	}
	if from == 0 {
		return false
	}
	r.joined = append(r.joined, text[from:]...)
	return true
}

// clean returns a text without fences and invisible characters; the text itself
// where there are none.
func clean(text []byte) []byte {
	text, _ = untrusted.StripBytes(nil, text)
	if bytes.Contains(text, []byte("⟧")) {
		return []byte(untrusted.Unfence(string(text)))
	}
	return text
}

// appendUnescaped appends a text with what is percent-encoded in it decoded.
func appendUnescaped(dst, text []byte) []byte {
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			high, ok1 := hexDigit(text[i+1])
			low, ok2 := hexDigit(text[i+2])
			if ok1 && ok2 {
				dst = append(dst, high<<4|low)
				i += 2
				continue
			}
		}
		dst = append(dst, text[i])
	}
	return dst
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}

// minEncoded is the length of the shortest base64 that is read: what it holds is
// too short for a secret below that.
const minEncoded = 16

// base64 reads runs of base64 that hold text. It returns what yield does.
func (r *textReader) base64(text []byte, yield func([]byte) bool) bool {
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && isBase64(text[end]) {
			end++
		}
		if end-i >= minEncoded && !r.run(text[i:end], yield) {
			return false
		}
		i = end + 1
	}
	return true
}

// run reads a run of base64. One that holds no text may be a path, of which a segment
// does.
func (r *textReader) run(run []byte, yield func([]byte) bool) bool {
	if r.decode(run) {
		return yield(r.decoded)
	}
	if bytes.IndexByte(run, '/') < 0 {
		return true
	}
	for segment := range bytes.SplitSeq(run, []byte{'/'}) {
		if len(segment) >= minEncoded && r.decode(segment) && !yield(r.decoded) {
			return false
		}
	}
	return true
}

func isBase64(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}

// decode decodes a run of either alphabet, without padding.
func (r *textReader) decode(run []byte) bool {
	encoding := base64.RawStdEncoding
	if bytes.ContainsAny(run, "-_") {
		encoding = base64.RawURLEncoding
	}
	if len(run)%4 == 1 {
		run = run[:len(run)-1]
	}
	out, err := encoding.AppendDecode(r.decoded[:0], run)
	r.decoded = out
	return err == nil && isText(out)
}

// isText reports whether bytes are text: UTF-8 without control characters but white
// space.
func isText(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return utf8.Valid(b)
}
