package validate

import (
	"regexp"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaDatetime says a layout of package time as a format, where JSON Schema has one, else as a pattern.
func schemaDatetime(u use, s *jsonschema.Schema) {
	switch u.param {
	case time.RFC3339, time.RFC3339Nano:
		s.Format = "date-time"
	case time.DateOnly:
		s.Format = "date"
	}
	if p, ok := layoutPattern(u.param); ok {
		addPattern(s, p)
	}
}

// layoutElements are what a layout is made of, longest first where one begins like another. A pattern accepts
// what time.Parse accepts and a little more: it does not count the days of a month.
var layoutElements = []struct{ layout, pattern string }{
	{"January", `[A-Za-z]+`},
	{"Jan", `[A-Za-z]{3}`},
	{"Monday", `[A-Za-z]+`},
	{"Mon", `[A-Za-z]{3}`},
	{"MST", ""}, // too many forms to say
	{"2006", `[0-9]{4}`},
	{"002", `[0-9]{3}`},
	{"01", `(0[1-9]|1[0-2])`},
	{"02", `(0[1-9]|[12][0-9]|3[01])`},
	{"03", `(0[0-9]|1[0-2])`},
	{"04", `[0-5][0-9]`},
	{"05", `[0-5][0-9]([.,][0-9]+)?`},
	{"06", `[-+0-9][0-9]`},
	{"15", `([01]?[0-9]|2[0-3])`},
	{"-070000", `[-+][0-9]{6}`},
	{"-07:00:00", `[-+][0-9]{2}:[0-9]{2}:[0-9]{2}`},
	{"-0700", `[-+][0-9]{4}`},
	{"-07:00", `[-+][0-9]{2}:[0-9]{2}`},
	{"-07", `[-+][0-9]{2}`},
	{"Z070000", `(Z|[-+][0-9]{6})`},
	{"Z07:00:00", `(Z|[-+][0-9]{2}:[0-9]{2}:[0-9]{2})`},
	{"Z0700", `(Z|[-+][0-9]{4})`},
	{"Z07:00", `(Z|[-+][0-9]{2}:[0-9]{2})`},
	{"Z07", `(Z|[-+][0-9]{2})`},
	{"PM", `[AP]M`},
	{"pm", `[ap]m`},
}

// layoutPattern reports false for a layout with elements whose forms a pattern would get wrong.
func layoutPattern(layout string) (string, bool) {
	var b strings.Builder
	b.WriteByte('^')
next:
	for layout != "" {
		for _, e := range layoutElements {
			if rest, ok := strings.CutPrefix(layout, e.layout); ok {
				if e.pattern == "" {
					return "", false
				}
				b.WriteString(e.pattern)
				layout = rest
				continue next
			}
		}
		if strings.ContainsAny(layout[:1], "0123456789_") || isFraction(layout) || layout == " " {
			return "", false // one-digit elements and padding too
		}
		b.WriteString(regexp.QuoteMeta(layout[:1]))
		if layout[0] == ' ' {
			b.WriteByte('+')
		}
		layout = layout[1:]
	}
	b.WriteByte('$')
	return b.String(), true
}

// isFraction reports whether a layout begins with a fraction of a second, like .000.
func isFraction(layout string) bool {
	if layout[0] != '.' && layout[0] != ',' || len(layout) == 1 || layout[1] != '0' && layout[1] != '9' {
		return false
	}
	rest := strings.TrimLeft(layout[1:], layout[1:2])
	return rest == "" || rest[0] < '0' || rest[0] > '9'
}
