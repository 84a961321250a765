package pipeline

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// marker is a text that stands for a value: its parts, between which stands what is
// known of the value only when it is met, its length or its digest.
type marker struct {
	parts []string
	hex   bool // a digest is between the parts, else a length
}

// newMarker makes a marker of a text with {entity} and a second name, for instance
// "[REDACTED:{entity}]".
func newMarker(text, entity, name string) marker {
	text = strings.ReplaceAll(text, "{entity}", entity)
	return marker{parts: strings.Split(text, "{"+name+"}"), hex: name == "digest"}
}

var markerName = regexp.MustCompile(`\{[^{}]*\}`)

// checkMarker tells what is wrong with the text of a marker.
func checkMarker(text, name string) error {
	if text == "" {
		return fmt.Errorf("must not be empty")
	}
	for _, found := range markerName.FindAllString(text, -1) {
		if found != "{entity}" && found != "{"+name+"}" {
			return fmt.Errorf("unknown name %s; there are {entity} and {%s}", found, name)
		}
	}
	return nil
}

// append appends the marker with what stands between its parts.
func (m *marker) append(dst, between []byte) []byte {
	for i, part := range m.parts {
		if i > 0 {
			dst = append(dst, between...)
		}
		dst = append(dst, part...)
	}
	return dst
}

// appendLength is append for a length.
func (m *marker) appendLength(dst []byte, n int) []byte {
	var buf [20]byte
	return m.append(dst, strconv.AppendInt(buf[:0], int64(n), 10))
}

// is reports whether a text is what append makes.
func (m *marker) is(text []byte) bool { return len(text) > 0 && m.start(text) == len(text) }

// start returns the length of the marker that a text starts with; 0 if it starts
// with none.
func (m *marker) start(text []byte) int {
	rest := text
	for i, part := range m.parts {
		if i > 0 {
			n := m.run(rest)
			if n == 0 {
				return 0
			}
			rest = rest[n:]
		}
		if len(rest) < len(part) || string(rest[:len(part)]) != part {
			return 0
		}
		rest = rest[len(part):]
	}
	return len(text) - len(rest)
}

// run returns how far text goes on like what stands between the parts.
func (m *marker) run(text []byte) int {
	n := 0
	for n < len(text) && (text[n] >= '0' && text[n] <= '9' || m.hex && text[n] >= 'a' && text[n] <= 'f') {
		n++
	}
	return n
}
