package jsondoc

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// Protect marks a part of the current text of a string that steps behind this one
// must not cut through. The marks end with the next change of the text.
func (v *Value) Protect(start, end int) {
	v.protected = append(v.protected, Span{start, end})
}

// Protected returns the parts of the current text that must not be cut through, in
// the order in which they were marked. They are valid until Do returns.
func (v *Value) Protected() []Span { return v.protected }
