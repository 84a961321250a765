package jsondoc

import "strconv"

// frame is a container on the way from the root to the current value.
type frame struct {
	node  uint32
	child uint32 // the member or element on the way
	pos   int    // its position

	shown   []byte // the name that the steps gave to shownAt; nil: none
	shownAt uint32
}

// Depth returns how many containers are around the value: the length of its path.
// Inside a string that holds JSON it goes on as if the string were the value.
func (v *Value) Depth() int { return v.w.depth() }

func (w *walker) depth() int {
	if w.up == nil {
		return len(w.frames)
	}
	return len(w.frames) + w.up.depth()
}

// Index returns the position of the element or member in its container, 0 for the
// document itself.
func (v *Value) Index() int {
	if len(v.w.frames) == 0 {
		return 0
	}
	return v.w.frames[len(v.w.frames)-1].pos
}

// ListKey returns the name under which the value stands: its own, or that of the
// list, however deep, that it is an element of. It is nil where there is none.
func (v *Value) ListKey() []byte {
	n, ok := v.listNode()
	switch {
	case !ok:
		return nil
	case n == v.node:
		return v.Key()
	}
	name, _ := v.w.x.name(n, nil)
	return name
}

// ListKeyID is [Value.KeyID] for the name of [Value.ListKey].
func (v *Value) ListKeyID() int {
	n, ok := v.listNode()
	switch {
	case !ok:
		return -1
	case n == v.node:
		return v.KeyID()
	}
	return v.w.keyID(n)
}

// listNode returns the value or the list around it that has a name.
func (v *Value) listNode() (n uint32, ok bool) {
	if v.Named() {
		return v.node, true
	}
	w := v.w
	for i := len(w.frames) - 1; i >= 0; i-- {
		n := w.frames[i].node
		nd := &w.x.nodes[n]
		if nd.kind() != Array {
			return 0, false
		}
		if nd.meta>>keyShift != 0 {
			return n, true
		}
	}
	return 0, false
}

// AppendPointer appends the JSON pointer (RFC 6901) of the value. Inside a string
// that holds JSON it goes on as if the string were the value.
func (v *Value) AppendPointer(dst []byte) []byte { return v.w.appendPointer(dst) }

func (w *walker) appendPointer(dst []byte) []byte {
	if w.up != nil {
		dst = w.up.appendPointer(dst)
	}
	for i := range w.frames {
		dst = w.appendPlace(dst, i)
	}
	return dst
}

// appendPlace appends the segment at a level of the path.
func (w *walker) appendPlace(dst []byte, i int) []byte {
	if segment, ok := w.segment(i); ok {
		return appendSegment(dst, segment)
	}
	return strconv.AppendInt(append(dst, '/'), int64(w.frames[i].pos), 10)
}

// Path returns the names and positions that lead to the value.
func (v *Value) Path() []string { return v.w.path(nil) }

func (w *walker) path(dst []string) []string {
	if w.up != nil {
		dst = w.up.path(dst)
	}
	for i := range w.frames {
		if segment, ok := w.segment(i); ok {
			dst = append(dst, string(segment))
		} else {
			dst = append(dst, strconv.Itoa(w.frames[i].pos))
		}
	}
	return dst
}

// segment returns the name at a level of the path; not ok in lists.
func (w *walker) segment(i int) (name []byte, ok bool) {
	child := w.frames[i].child
	if w.x.nodes[child].meta>>keyShift == 0 {
		return nil, false
	}
	name, _ = w.x.name(child, nil)
	return name, true
}
