package jsondoc

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Value is one value on its way through the steps: what it is, where it stands
// and what shall become of it. It is reused for the next value.
type Value struct {
	w    *walker
	node uint32
	meta uint32 // of the node
	kind Kind   // as the steps so far left it
	edit edit

	marks
	id    int32  // of the name as it is written; 0: not looked up, else one more
	limit int    // elements of a list to keep; -1: all
	text  []byte // unescaped, if hasText
	raw   []byte // if edit is newRaw
	next  int    // the first step behind the one that set raw
	name  []byte // unescaped, if hasName
	more  func(dst []byte, left int) []byte

	later later

	protected []Span // of text

	reason string
	empty  Change // what to tell if the container is left out for being empty
}

// marks are what is known of a value and wanted for it.
type marks struct {
	hasText, hasName, renamed bool
	inner                     bool // the text was JSON, whose values the steps have seen
	dropEmpty, revisit        bool
}

// edit is what became of a value.
type edit uint8

const (
	unchanged edit = iota
	newText
	newRaw
	dropped
)

func (v *Value) reset(w *walker, n uint32) {
	nd := &w.x.nodes[n]
	v.w, v.node, v.meta, v.kind, v.edit = w, n, nd.meta, nd.kind(), unchanged
	v.marks, v.limit, v.id, v.later, v.protected = marks{}, -1, 0, later{}, v.protected[:0] // the rest is not looked at before it is set
}

// Kind returns the kind of the value.
func (v *Value) Kind() Kind { return v.kind }

// Text returns the text of a string, without quotes and escapes. It must not be
// written into.
func (v *Value) Text() []byte {
	if v.kind != String {
		return nil
	}
	if !v.hasText {
		v.text, v.w.unescaped = v.w.x.text(v.node, v.w.unescaped)
		v.hasText = true
	}
	return v.text
}

// PlainASCII reports whether a string was written in ASCII without escapes and is
// unchanged.
func (v *Value) PlainASCII() bool {
	return v.edit == unchanged && v.meta&(flagWide|flagEscaped) == 0
}

// Points returns the number of code points of a string that no step changed as it
// is written, which is at least that of its text; -1 for other values.
func (v *Value) Points() int {
	if v.kind != String || v.edit != unchanged {
		return -1
	}
	n := &v.w.x.nodes[v.node]
	if n.meta&flagBare != 0 {
		return int(n.aux)
	}
	return int(n.aux) - 2
}

// HoldsJSON reports whether a string is JSON in itself. Its values went through
// the steps before the string does.
func (v *Value) HoldsJSON() bool { return v.inner }

// Raw returns the JSON text of a value; of one that is not a document but bare
// text the text.
func (v *Value) Raw() []byte {
	switch v.edit {
	case newRaw:
		return v.raw
	case newText:
		quoted, _ := jsontext.AppendQuote(nil, v.text) // invalid UTF-8 was replaced
		return quoted
	}
	n := &v.w.x.nodes[v.node]
	return v.w.x.doc[n.start:n.end]
}

// Len returns the number of members or elements of a container.
func (v *Value) Len() int {
	switch {
	case v.kind&Containers == 0:
		return 0
	case v.edit == newRaw:
		return lenOf(v.raw)
	}
	return v.w.x.len(v.node)
}

func (x *Index) len(n uint32) int { return int(x.spans[x.nodes[n].aux].count) }

// lenOf returns the number of members or elements of a container.
func lenOf(raw []byte) int {
	d, err := Open(raw)
	if err != nil {
		return 0
	}
	defer d.Close()
	return d.x.len(0)
}

// Named reports whether the value is the member of an object.
func (v *Value) Named() bool { return v.meta>>keyShift != 0 }

// Key returns the name of a member, unescaped; nil for other values. It must not
// be written into.
func (v *Value) Key() []byte {
	if !v.Named() {
		return nil
	}
	if !v.hasName {
		v.name, v.w.unescapedKey = v.w.x.name(v.node, v.w.unescapedKey)
		v.hasName = true
	}
	return v.name
}

// KeyID returns a number below [MaxKeys] that stands for the name of a member as it
// is written, the same one for all documents of the run; -1 if the value has no
// name or there were too many different ones. Steps keep by it what they find out
// about names.
func (v *Value) KeyID() int {
	if v.id == 0 {
		v.id = int32(v.w.keyID(v.node)) + 1
	}
	return int(v.id) - 1
}

// keyID returns the number of the name of node n, -1 if it has none.
func (w *walker) keyID(n uint32) int {
	if w.x.nodes[n].meta>>keyShift == 0 {
		return -1
	}
	if w.run.Keys == nil {
		w.run.Keys = &Keys{}
	}
	w.guesses.use(w.run.Keys)
	start, end := w.x.key(n)
	return w.guesses.id(w.x.doc[start+1:end-1], len(w.frames))
}

// Sibling returns the member of that name of the object that v is a member of, as
// it was before the steps.
func (v *Value) Sibling(name string) (Peek, bool) {
	if len(v.w.frames) == 0 {
		return Peek{}, false
	}
	return v.w.x.member(v.w.frames[len(v.w.frames)-1].node, name)
}

// Member returns a member of an object, as it was before the steps.
func (v *Value) Member(name string) (Peek, bool) {
	if v.kind != Object || v.edit != unchanged {
		return Peek{}, false
	}
	return v.w.x.member(v.node, name)
}

// Peek is a value of the document as it was before the steps.
type Peek struct {
	x    *Index
	node uint32
}

// Kind returns the kind of the value.
func (p Peek) Kind() Kind { return p.x.nodes[p.node].kind() }

// Raw returns the value as it is written.
func (p Peek) Raw() []byte {
	n := &p.x.nodes[p.node]
	return p.x.doc[n.start:n.end]
}

// Text returns the text of a string, unescaped; of other values nil.
func (p Peek) Text() []byte {
	if p.Kind() != String {
		return nil
	}
	text, _ := p.x.text(p.node, nil)
	return text
}

// member finds a member of the object n.
func (x *Index) member(n uint32, name string) (Peek, bool) {
	nd := &x.nodes[n]
	if nd.kind() != Object {
		return Peek{}, false
	}
	stop := x.spans[nd.aux].next
	for child := n + 1; child < stop; child = x.after(child) {
		if x.isNamed(child, name) {
			return Peek{x, child}, true
		}
	}
	return Peek{}, false
}

func (x *Index) isNamed(n uint32, name string) bool {
	start, end := x.key(n)
	if x.nodes[n].meta&flagKeyEscaped == 0 {
		return string(x.doc[start+1:end-1]) == name
	}
	key, _ := x.name(n, nil)
	return string(key) == name
}

// text returns the text of the string n. One with escapes is unescaped into
// scratch, which is returned for the next one.
func (x *Index) text(n uint32, scratch []byte) (text, rest []byte) {
	nd := &x.nodes[n]
	switch {
	case nd.meta&flagBare != 0:
		return x.doc[nd.start:nd.end], scratch
	case nd.meta&flagEscaped == 0:
		return x.doc[nd.start+1 : nd.end-1], scratch
	}
	scratch, _ = jsontext.AppendUnquote(scratch[:0], x.doc[nd.start:nd.end]) // half surrogates become U+FFFD
	return scratch, scratch
}

// name is text for the name of the member n.
func (x *Index) name(n uint32, scratch []byte) (name, rest []byte) {
	start, end := x.key(n)
	if x.nodes[n].meta&flagKeyEscaped == 0 {
		return x.doc[start+1 : end-1], scratch
	}
	scratch, _ = jsontext.AppendUnquote(scratch[:0], x.doc[start:end])
	return scratch, scratch
}

// looksLikeJSON tells cheaply what cannot be an object, a list or a string.
func looksLikeJSON(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) < 2 {
		return false
	}
	switch text[0] {
	case '{', '[':
		return true
	case '"':
		text = bytes.TrimRight(text, " \t\r\n")
		return text[len(text)-1] == '"'
	}
	return false
}
