package jsondoc

// maxLevel is how many strings deep JSON is looked for inside strings.
const maxLevel = 3

// lookInside leads the values of a string that is JSON through the steps, before
// the string itself. What came out becomes the string's text.
func (w *walker) lookInside(v *Value) error {
	n := &w.x.nodes[v.node]
	if n.meta&flagBare != 0 {
		return nil // or it would have been read as JSON
	}
	switch w.x.doc[n.start+1] {
	case '{', '[', '"', ' ', '\\', '\t', '\r', '\n': // what JSON or an escape in front of it starts with
	default:
		return nil
	}
	text := v.Text()
	if !looksLikeJSON(text) {
		return nil
	}
	out, ok, err := w.inside(text, w.steps, w.level+1)
	if err != nil || !ok {
		return err
	}
	v.inner = true
	if out != nil {
		v.SetText(out)
	}
	return nil
}

// inside leads the values of the document text through steps. It is not ok if
// text is no JSON; out is nil if nothing changed. It is valid until the next call.
func (w *walker) inside(text []byte, steps []entry, level int) (out []byte, ok bool, err error) {
	d := newDocument()
	defer d.Close()
	if fault := d.x.build(text); fault != nil {
		if fault.Kind == NotJSON {
			return nil, false, nil
		}
		return nil, false, fault
	}
	in := &d.w
	in.start(&d.x, w.run)
	in.steps, in.trace, in.up, in.level = steps, w.trace, w, level
	if err := in.root(); err != nil {
		return nil, false, err
	}
	if in.edits == 0 {
		return nil, true, nil
	}
	in.flush(len(text))
	w.made = append(w.made[:0], in.out...)
	return w.made, true, nil
}

// applyInside leads a container that a step put in place of the current value
// through the steps behind it.
func (w *walker) applyInside(steps []entry) error {
	v := &w.v
	out, _, err := w.inside(v.raw, steps, w.level)
	if out != nil {
		v.raw = append([]byte(nil), out...)
	}
	return err
}
