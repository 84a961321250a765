package jsondoc

import "github.com/go-json-experiment/json/jsontext"

// Made is an object as the steps left it, before it is closed.
type Made struct {
	w        *walker
	contents *contents
	start    int // where it starts in the output
}

// leave shows an object that is complete to the steps that want to see it.
func (w *walker) leave(c *contents, start int) error {
	m := Made{w: w, contents: c, start: start}
	for i := range w.steps {
		l, ok := w.steps[i].step.(Leaver)
		if !ok {
			continue
		}
		w.flush(int(w.x.nodes[c.node].end) - 1)
		if err := l.Leave(&m); err != nil {
			return &StepError{w.steps[i].place, err}
		}
	}
	return nil
}

// JSON returns the object.
func (m *Made) JSON() []byte { return append(append([]byte(nil), m.w.out[m.start:]...), '}') }

// Add adds a member with a text.
func (m *Made) Add(name, text string) {
	w := m.w
	from := len(w.out)
	if m.contents.kept > 0 {
		w.out = append(w.out, ',')
		from++
	}
	w.frames = append(w.frames, frame{node: m.contents.node})
	w.size += m.contents.layout() + len(": ")
	w.frames = w.frames[:len(w.frames)-1]
	w.out, _ = jsontext.AppendQuote(w.out, name)
	w.out = append(w.out, ':')
	w.out, _ = jsontext.AppendQuote(w.out, text)
	w.size += countPoints(w.out[from:]) - len(":")
	w.edits++
	m.contents.kept++
}
