package jsondoc

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// walker leads the values of one document through the steps and writes what
// becomes of it. What no step changes is copied as it is, in the longest possible
// pieces.
type walker struct {
	x      *Index
	run    *Run
	steps  []entry
	trace  func(Change)
	v      Value
	frames []frame
	up     *walker // the walker at the string that this document was in
	level  int     // how many strings are around the document
	split  bool    // others may help with a large container
	look   bool    // steps look and do nothing

	splice
	guesses *guesses
	size    int // code points of the rendering so far
	max     int // size at which to give up; 0: none

	unescaped, unescapedKey, edited, editedKey, made []byte
}

// errOver ends a walk whose output grew beyond its limit.
var errOver = errors.New("the document is larger than the limit")

// root works on the whole document.
func (w *walker) root() error {
	n := &w.x.nodes[0]
	mark := w.mark()
	kept, err := w.visit(0)
	if err != nil || kept {
		return err
	}
	w.rollBack(mark)
	w.replace(int(n.start), int(n.end))
	empty := emptyOf(n.kind())
	if n.meta&flagBare != 0 {
		empty = ""
	}
	w.out = append(w.out, empty...)
	w.size = len(empty)
	return nil
}

func emptyOf(k Kind) string {
	switch k {
	case Object:
		return "{}"
	case Array:
		return "[]"
	case String:
		return `""`
	}
	return "null"
}

// visit works on the value n. It is not kept if a step dropped it; what was
// written of it is then for the caller to take back.
func (w *walker) visit(n uint32) (kept bool, err error) {
	v := &w.v
	v.reset(w, n)
	if v.kind == String && w.level < maxLevel {
		if err := w.lookInside(v); err != nil {
			return false, err
		}
	}
	if err := w.apply(w.steps); err != nil || v.edit == dropped {
		return false, err
	}
	if v.Named() {
		w.writeKey(v)
	}
	nd := &w.x.nodes[n]
	switch {
	case v.edit == newText:
		w.writeText(v, nd)
	case v.edit == newRaw:
		return w.writeRaw(v)
	case nd.kind()&Containers != 0:
		return w.container(n)
	default:
		w.size += int(nd.aux)
	}
	return true, nil
}

// apply leads the current value through steps.
func (w *walker) apply(steps []entry) error {
	v := &w.v
	for k := range steps {
		e := &steps[k]
		if e.wants&v.kind == 0 || v.edit == dropped || w.level > 0 && e.wants&Shallow != 0 {
			continue
		}
		if err := w.do(e); err != nil {
			return err
		}
		if v.edit == newRaw && v.next == 0 {
			v.next = k + 1
		}
	}
	return nil
}

func (w *walker) do(e *entry) error {
	w.run.at = e.place
	if w.trace != nil {
		return w.doTraced(e)
	}
	if w.look {
		return w.lookAt(e)
	}
	if err := e.step.Do(&w.v); err != nil {
		return &StepError{e.place, err}
	}
	return nil
}

func (w *walker) lookAt(e *entry) error {
	if err := e.step.(Looker).Look(&w.v); err != nil {
		return &StepError{e.place, err}
	}
	w.v.edit, w.v.kind, w.v.marks = unchanged, w.x.nodes[w.v.node].kind(), marks{inner: w.v.inner}
	w.v.limit = -1
	return nil
}

func (w *walker) writeKey(v *Value) {
	start, end := w.x.key(v.node)
	if v.renamed {
		w.replace(start, end)
		from := len(w.out)
		w.out, _ = jsontext.AppendQuote(w.out, v.name)
		w.size += countPoints(w.out[from:])
	} else if w.x.nodes[v.node].meta&flagKeyWide != 0 {
		w.size += countPoints(w.x.doc[start:end])
	} else {
		w.size += end - start
	}
	w.size += len(": ")
}

func (w *walker) writeText(v *Value, nd *node) {
	w.replace(int(nd.start), int(nd.end))
	from := len(w.out)
	if nd.meta&flagBare != 0 {
		w.out = append(w.out, v.text...)
	} else {
		w.out = appendQuote(w.out, v.text)
	}
	w.size += countPoints(w.out[from:])
}

// appendQuote is jsontext.AppendQuote for a valid text, quicker for one without escapes.
func appendQuote(dst, text []byte) []byte {
	if !isPlain(text) {
		dst, _ = jsontext.AppendQuote(dst, text)
		return dst
	}
	return append(append(append(dst, '"'), text...), '"')
}

// container works on what is in n, as the steps wanted it.
func (w *walker) container(n uint32) (kept bool, err error) {
	v := &w.v
	c := contents{w: w, node: n, first: n + 1, stop: w.x.after(n), past: w.x.after(n), limit: v.limit, more: v.more, last: -1}
	dropEmpty, made, change := v.dropEmpty, v.revisit, v.empty
	if v.renamed && len(w.frames) > 0 {
		w.remember(v)
	}
	groups := w.groups(n, v)
	var start int
	if made {
		start = w.flush(int(w.x.nodes[n].start))
	}
	if err := c.runWith(groups); err != nil {
		return false, err
	}
	if made {
		if c.kept, err = w.leave(n, c.kept, start); err != nil {
			return false, err
		}
	}
	w.size += 2
	if c.kept > 0 {
		w.size += 1 + 2*len(w.frames)
	}
	if c.kept == 0 && dropEmpty && w.trace != nil {
		change.Pointer = string(w.appendPointer(nil))
		w.trace(change)
	}
	return c.kept > 0 || !dropEmpty, nil
}

// remember keeps the name that the steps gave a container, for what is in it.
func (w *walker) remember(v *Value) {
	f := &w.frames[len(w.frames)-1]
	f.shown, f.shownAt = bytes.Clone(v.name), v.node
}
