package jsondoc

// Outer returns, for the outermost value in a string that is JSON, the string that
// it stands in; nil for all others.
func (v *Value) Outer() *Value {
	if v.w.up == nil || len(v.w.frames) > 0 {
		return nil
	}
	return &v.w.up.v
}

// WrittenName returns the name of a member as it was before the steps; nil for other
// values.
func (v *Value) WrittenName() []byte {
	if !v.Named() {
		return nil
	}
	name, _ := v.w.x.name(v.node, nil)
	return name
}

// Renamed reports whether a step before gave the member another name.
func (v *Value) Renamed() bool { return v.renamed }

// Siblings calls yield for the name of each member of the object that v is a member
// of, as it was before the steps, itself included, with its number, see [Value.KeyID],
// until yield returns false. A name is valid until yield returns.
func (v *Value) Siblings(yield func(pos, id int, name []byte) bool) {
	w := v.w
	if len(w.frames) == 0 || !v.Named() {
		return
	}
	object := w.frames[len(w.frames)-1].node
	stop := w.x.after(object)
	last := w.guesses.last
	var scratch, name []byte
	pos := 0
	for child := object + 1; child < stop; child = w.x.after(child) {
		id := w.keyID(child)
		if name, scratch = w.x.name(child, scratch); !yield(pos, id, name) {
			break
		}
		pos++
	}
	w.guesses.last = last // what comes next follows v
}
