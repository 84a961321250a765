package jsondoc

// Change is one thing that a step did to a value.
type Change struct {
	Pointer string // where, as a JSON pointer; before any renaming
	Step    int    // the place of the step in the run
	Option  string // what decided, as the step named it
}

// doTraced is do, with changes told.
func (w *walker) doTraced(e *entry) error {
	v := &w.v
	before := *v
	v.reason = ""
	kept := append([]byte(nil), v.text...)
	if err := e.step.Do(v); err != nil {
		return &StepError{e.place, err}
	}
	if v.changedSince(&before, kept) {
		w.trace(Change{Pointer: string(v.AppendPointer(nil)), Step: e.place, Option: v.reason})
	}
	return nil
}

func (v *Value) changedSince(before *Value, text []byte) bool {
	switch {
	case v.edit != before.edit, v.renamed != before.renamed, v.limit >= 0 && v.limit < v.Len() && v.limit != before.limit:
		return true
	case v.edit == newText:
		return string(v.text) != string(text)
	}
	return v.edit == newRaw && &v.raw[0] != &before.raw[0]
}
