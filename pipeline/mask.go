package pipeline

import (
	"strings"
	"unicode/utf8"
)

// masking is how a value is masked: its ends stay, what is between becomes a row of
// one character.
type masking struct {
	char        string
	first, last int // characters that stay
	preserve    string
	most        int // characters of what comes out; 0: as many as went in
}

func newMasking(o *Options) masking {
	m := masking{
		char:     o.String("char", "*"),
		first:    o.Int("keep_first", 0, 0),
		last:     o.Int("keep_last", 4, 0),
		preserve: o.String("preserve", ""),
		most:     o.Int("max_length", 0, 1),
	}
	if utf8.RuneCountInString(m.char) != 1 {
		o.Fail("char", "must be one character")
	}
	if m.most > 0 && m.most <= m.first+m.last {
		o.Fail("max_length", "must be greater than keep_first and keep_last together (%d)", m.first+m.last)
	}
	return m
}

// append appends the masked value to dst.
func (m *masking) append(dst, value []byte) []byte {
	n := utf8.RuneCount(value)
	first, last := m.first, m.last
	if n <= first+last { // nothing would be masked
		first, last = 0, min(last, n/4)
		if n <= 4 {
			last = 0
		}
	}
	skip := 0
	if m.most > 0 && n > m.most {
		skip = n - m.most
	}
	for i := 0; len(value) > 0; i++ {
		_, size := utf8.DecodeRune(value)
		switch c := value[:size]; {
		case i < first || i >= n-last:
			dst = append(dst, c...)
		case i < first+skip:
		case strings.Contains(m.preserve, string(c)):
			dst = append(dst, c...)
		default:
			dst = append(dst, m.char...)
		}
		value = value[size:]
	}
	return dst
}
