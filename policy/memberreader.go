package policy

import "github.com/cloudg/mcplayer/internal/jsondoc"

// memberReader reads the members of a JSON object, without looking into their values.
type memberReader struct {
	rest   []byte
	failed bool // what is left is no object
}

// open passes the opening brace.
func (m *memberReader) open() bool {
	m.space()
	return m.pass('{')
}

// next returns the next name, in its quotes, and value; nil at the end.
func (m *memberReader) next() (name, value []byte) {
	m.space()
	if m.pass('}') {
		m.space()
		m.failed = len(m.rest) > 0
		return nil, nil
	}
	name = m.value()
	m.space()
	m.failed = len(name) < 2 || name[0] != '"' || !m.pass(':')
	m.space()
	if value = m.value(); m.failed || len(value) == 0 {
		m.failed = true
		return nil, nil
	}
	m.space()
	m.pass(',')
	return name, value
}

func (m *memberReader) space() {
	for len(m.rest) > 0 && isSpace(m.rest[0]) {
		m.rest = m.rest[1:]
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (m *memberReader) pass(c byte) bool {
	if len(m.rest) == 0 || m.rest[0] != c {
		return false
	}
	m.rest = m.rest[1:]
	return true
}

// value passes a value: up to what ends it outside of brackets and strings.
func (m *memberReader) value() []byte {
	depth, n := 0, 0
	for ; n < len(m.rest); n++ {
		switch c := m.rest[n]; {
		case c == '"':
			n += jsondoc.StringLen(m.rest[n:]) - 1
		case c == '{' || c == '[':
			depth++
		case depth == 0 && (c == ',' || c == ':' || c == '}' || c == ']' || isSpace(c)):
			return m.take(n)
		case c == '}' || c == ']':
			depth--
		}
	}
	return m.take(n)
}

func (m *memberReader) take(n int) []byte {
	n = min(n, len(m.rest))
	taken := m.rest[:n]
	m.rest = m.rest[n:]
	return taken
}
