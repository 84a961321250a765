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
	return w.lead(v, text, w.steps)
}

// lead leads the values of the text of v, if it is JSON, through steps.
func (w *walker) lead(v *Value, text []byte, steps []entry) error {
	out, ok, err := w.inside(text, steps)
	if err != nil || !ok {
		return err
	}
	if out != nil {
		v.SetText(out)
	}
	v.inner = true
	return nil
}

// inside leads the values of the document text through steps. It is not ok if
// text is no JSON; out is nil if nothing changed. It is valid until the next call.
func (w *walker) inside(text []byte, steps []entry) (out []byte, ok bool, err error) {
	d := newDocument()
	defer d.Close()
	if d.x.build(text) != nil {
		return nil, false, nil // also if it is nested too deep: then it is text like any other
	}
	in := &d.w
	in.start(&d.x, w.run)
	in.steps, in.trace, in.look, in.up, in.level = steps, w.trace, w.look, w, w.level+1
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

// writeRaw writes the value that a step put in place of the current one. The steps
// behind it go through what is in it. It is not kept if nothing remains that
// should.
func (w *walker) writeRaw(v *Value) (kept bool, err error) {
	raw := v.raw
	if v.kind&Containers != 0 && v.next < len(w.steps) {
		d := newDocument()
		defer d.Close()
		if fault := d.x.build(raw); fault != nil {
			return false, fault
		}
		in := &d.w
		in.start(&d.x, w.run)
		in.steps, in.trace, in.up, in.level = w.steps[v.next:], w.trace, w, w.level
		in.v.reset(in, 0)
		in.v.marks, in.v.limit, in.v.more = v.marks, v.limit, v.more
		if kept, err := in.container(0); !kept || err != nil {
			return false, err
		}
		in.flush(len(raw))
		raw = in.out
	}
	n := &w.x.nodes[v.node]
	w.replace(int(n.start), int(n.end))
	w.out = append(w.out, raw...)
	w.size += measure(raw, len(w.frames))
	return true, nil
}

// LookInside leads what is in a string that a step made JSON through all steps, as if
// it had been JSON before. It does nothing with a string that is not.
func (v *Value) LookInside() error { return v.leadInside(v.w.steps) }

// LookInsideBehind is LookInside for the steps behind the one at work.
func (v *Value) LookInsideBehind() error {
	steps := v.w.steps
	for len(steps) > 0 && steps[0].place <= v.w.run.at {
		steps = steps[1:]
	}
	return v.leadInside(steps)
}

func (v *Value) leadInside(steps []entry) error {
	w := v.w
	if v.kind != String || v.inner || w.level >= maxLevel || !looksLikeJSON(v.Text()) {
		return nil
	}
	at := w.run.at
	defer func() { w.run.at = at }()
	return w.lead(v, v.Text(), steps)
}
