package jsondoc

import "github.com/go-json-experiment/json/jsontext"

// Made is an object as the steps left it, before it is closed.
type Made struct {
	w     *walker
	kept  int // members
	start int // where it starts in the output
}

// leave shows the object n, complete with its kept members, to the steps that want
// to see it. It returns how many members there are then.
func (w *walker) leave(n uint32, kept, start int) (int, error) {
	m := &Made{w: w, kept: kept, start: start}
	for i := range w.steps {
		l, ok := w.steps[i].step.(Leaver)
		if !ok {
			continue
		}
		w.flush(int(w.x.nodes[n].end) - 1)
		if err := l.Leave(m); err != nil {
			return 0, &StepError{w.steps[i].place, err}
		}
	}
	return m.kept, nil
}

// JSON returns the object.
func (m *Made) JSON() []byte { return append(append([]byte(nil), m.w.out[m.start:]...), '}') }

// Add adds a member with a text.
func (m *Made) Add(name, text string) {
	w := m.w
	from := len(w.out)
	if m.kept > 0 {
		w.out = append(w.out, ',')
		from++
	}
	w.size += layout(len(w.frames)+1, m.kept) + len(": ")
	w.out, _ = jsontext.AppendQuote(w.out, name)
	w.out = append(w.out, ':')
	w.out, _ = jsontext.AppendQuote(w.out, text)
	w.size += countPoints(w.out[from:]) - len(":")
	w.edits++
	m.kept++
}
