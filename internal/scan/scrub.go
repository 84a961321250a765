package scan

import (
	"bytes"
	"sync"
	"unicode/utf8"

	"github.com/cloudg/mcplayer/internal/untrusted"
)

// secrets finds what must not stand in a log.
var secrets = sync.OnceValue(func() *Engine {
	detectors := Detectors()
	return New(func(k Kind, _ Entity) bool {
		d := detectors[k]
		return d.Category == secret || d.Category == credential
	})
})

// Scrub returns s with [REDACTED:ENTITY] in place of secrets and credentials; s itself
// where there are none. If invisible characters or percent-encoding (RFC 3986, section
// 2.1), also of what a URI has encoded already, hide one, that stands for all of s.
func Scrub(s string) string {
	if IsShortWord(s) {
		return s
	}
	out := []byte(s)
	engine := secrets()
	found := engine.Append(nil, out)
	clean := len(found) == 0
	if !clean {
		out = scrubbed(out, found)
	}
	defer func() { engine.Release(found) }()
	hidden := out
	for range 2 {
		if hidden = unveiled(hidden); hidden == nil {
			break
		}
		if found = engine.Append(found[:0], hidden); len(found) > 0 {
			return string(appendRedacted(nil, found[0].Entity))
		}
	}
	if clean {
		return s
	}
	return string(out)
}

// IsShortWord reports whether s is a word of ASCII letters, digits and _ as most names are,
// shorter than every secret of these alone: [Scrub] leaves it as it is.
func IsShortWord[T string | []byte](s T) bool {
	if len(s) >= long {
		return false
	}
	for i := range len(s) {
		if !isWord(s[i]) {
			return false
		}
	}
	return true
}

func scrubbed(s []byte, found []Match) []byte {
	out, from := make([]byte, 0, len(s)), 0
	for _, m := range found {
		out = appendRedacted(append(out, s[from:m.Start]...), m.Entity)
		from = m.End
	}
	return append(out, s[from:]...)
}

func appendRedacted(dst []byte, e Entity) []byte {
	return append(append(append(dst, "[REDACTED:"...), e.String()...), ']')
}

// unveiled returns s without invisible characters and percent-encoding; nil where it has
// neither.
func unveiled(s []byte) []byte {
	plain, removed := untrusted.StripBytes(nil, s)
	if bytes.IndexByte(plain, '%') < 0 {
		if removed == 0 {
			return nil
		}
		return plain
	}
	out := make([]byte, 0, len(plain))
	for i := 0; i < len(plain); i++ {
		c := plain[i]
		if c == '%' && i+2 < len(plain) && isHex(plain[i+1]) && isHex(plain[i+2]) {
			c = nibble(plain[i+1])<<4 | nibble(plain[i+2])
			i += 2
		}
		out = append(out, c)
	}
	if !utf8.Valid(out) {
		out = bytes.ToValidUTF8(out, []byte("\uFFFD"))
	}
	plain, _ = untrusted.StripBytes(nil, out)
	return plain
}

// nibble returns the value of a hexadecimal digit.
func nibble(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
