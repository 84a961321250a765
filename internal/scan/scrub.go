package scan

import "sync"

// secrets finds what must not stand in a log.
var secrets = sync.OnceValue(func() *Engine {
	detectors := Detectors()
	return New(func(k Kind, _ Entity) bool {
		d := detectors[k]
		return d.Category == secret || d.Category == credential
	})
})

// Scrub returns s with [REDACTED:ENTITY] in place of secrets and credentials; s itself
// where there are none.
func Scrub(s string) string {
	engine := secrets()
	found := engine.Append(nil, []byte(s))
	if len(found) == 0 {
		return s
	}
	out, from := make([]byte, 0, len(s)), 0
	for _, m := range found {
		out = append(append(append(out, s[from:m.Start]...), "[REDACTED:"...), m.Entity.String()...)
		out = append(out, ']')
		from = m.End
	}
	engine.Release(found)
	return string(append(out, s[from:]...))
}
