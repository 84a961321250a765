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
// of, as it was before the steps, itself included, until yield returns false. A name
// is valid until yield returns.
func (v *Value) Siblings(yield func(pos int, name []byte) bool) {
	if len(v.w.frames) == 0 || !v.Named() {
		return
	}
	x := v.w.x
	object := v.w.frames[len(v.w.frames)-1].node
	stop := x.after(object)
	var scratch, name []byte
	pos := 0
	for child := object + 1; child < stop; child = x.after(child) {
		name, scratch = x.name(child, scratch)
		if !yield(pos, name) {
			return
		}
		pos++
	}
}
