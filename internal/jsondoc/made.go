package jsondoc

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

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

// Has reports whether the object has a member of that name.
func (m *Made) Has(name string) bool { return m.find(name) != nil }

// Scalar returns the text of the string, or the number, true or false, that is the
// first member of that name.
func (m *Made) Scalar(name string) (text []byte, ok bool) {
	value := m.find(name)
	if value == nil {
		return nil, false
	}
	switch kindOf(value) {
	case String:
		text, _ = jsontext.AppendUnquote(nil, value)
		return text, true
	case Number, True, False:
		return value, true
	}
	return nil, false
}

// find returns the first member of that name; nil if there is none.
func (m *Made) find(name string) []byte {
	doc := m.w.out[m.start:]
	for i := 1; ; {
		for i < len(doc) && (isSpace(doc[i]) || doc[i] == ',') {
			i++
		}
		if i >= len(doc) {
			return nil
		}
		quoted := doc[i : i+StringLen(doc[i:])]
		i += len(quoted)
		for isSpace(doc[i]) || doc[i] == ':' {
			i++
		}
		from := i
		if i = valueEnd(doc, i); isQuoted(quoted, name) {
			return doc[from:i]
		}
	}
}

// isQuoted reports whether a quoted text is that of name.
func isQuoted(quoted []byte, name string) bool {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1:len(quoted)-1]) == name
	}
	text, _ := jsontext.AppendUnquote(nil, quoted)
	return string(text) == name
}

// valueEnd returns where the value at doc[i] ends; doc need not go on behind it.
func valueEnd(doc []byte, i int) int {
	if doc[i] == '{' || doc[i] == '[' || doc[i] == '"' {
		return skipValue(doc, i)
	}
	return i + scalarLen(doc[i:])
}

// Depth returns how many containers are around the object.
func (m *Made) Depth() int { return m.w.depth() }

// Add adds a member with a text.
func (m *Made) Add(name string, text []byte) {
	quoted, _ := jsontext.AppendQuote(nil, text)
	m.AddRaw(name, quoted)
}

// AddRaw adds a member with a value that is valid JSON.
func (m *Made) AddRaw(name string, raw []byte) {
	w := m.w
	from := len(w.out)
	if m.kept > 0 {
		w.out = append(w.out, ',')
		from++
	}
	w.size += layout(len(w.frames)+1, m.kept) + len(": ")
	w.out, _ = jsontext.AppendQuote(w.out, name)
	w.size += countPoints(w.out[from:]) + measure(raw, len(w.frames)+1)
	w.out = append(append(w.out, ':'), raw...)
	w.edits++
	m.kept++
}
