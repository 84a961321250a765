package jsondoc

import "strconv"

// opened is a container whose end was not met yet.
type opened struct{ node, count uint32 }

// builder reads a document from left to right.
type builder struct {
	x       *Index
	doc     []byte
	open    []opened // the containers around the current value
	keyAt   int      // where the name of the next value starts
	meta    uint32   // flags of that name
	inside  Kind     // the innermost container
	deep    bool
	invalid bool // invalid UTF-8 was met
	keyLong bool
}

func (b *builder) fault(i int) *Fault {
	switch {
	case b.deep:
		return &Fault{Msg: "nested deeper than " + strconv.Itoa(MaxDepth) + " levels", Kind: TooDeep}
	case b.invalid:
		return &Fault{Msg: "invalid UTF-8 at byte " + strconv.Itoa(i), Kind: NotUTF8}
	case b.keyLong:
		return &Fault{Msg: "a name is longer than " + strconv.Itoa(maxKey) + " bytes", Kind: TooLarge}
	}
	return &Fault{Msg: "not valid JSON at byte " + strconv.Itoa(i), Kind: NotJSON}
}

// run returns -1 or where the fault is.
func (b *builder) run() int {
	i := b.space(0)
	for i < len(b.doc) {
		var end int
		switch c := b.doc[i]; c {
		case '"':
			end = b.str(i)
		case '{', '[':
			if end = b.enter(i); end < 0 {
				return i
			}
			if c := b.doc[i] + 2; end < len(b.doc) && b.doc[end] == c { // } and ] are two after { and [
				break
			}
			if i = b.nextValue(end); i < 0 {
				return ^i
			}
			continue
		default:
			end = b.scalar(i)
		}
		if end < 0 {
			return i
		}
		if i = b.after(end); i == len(b.doc) && len(b.open) == 0 {
			return -1
		} else if i < 0 {
			return ^i
		}
	}
	return len(b.doc)
}

// after closes containers that end at i and returns where the next value starts,
// the length of the document at its end, or the complement of where a fault is.
func (b *builder) after(i int) int {
	for {
		if i = b.space(i); len(b.open) == 0 {
			if i < len(b.doc) {
				return ^i
			}
			return i
		}
		if i >= len(b.doc) {
			return ^i
		}
		switch c := b.doc[i]; {
		case c == ',':
			return b.nextValue(b.space(i + 1))
		case c == '}' && b.inside == Object, c == ']' && b.inside == Array:
			i++
			b.leave(i)
		default:
			return ^i
		}
	}
}

// nextValue reads the name before a member's value; i is where the name or the
// element starts.
func (b *builder) nextValue(i int) int {
	b.x.size += 2 + 2*len(b.open) // comma, new line and indentation
	b.open[len(b.open)-1].count++
	if b.inside == Array {
		return i
	}
	if i >= len(b.doc) || b.doc[i] != '"' {
		return ^i
	}
	end, flags := scanString(b.doc, i)
	if end < 0 {
		return ^i
	}
	points := end - i
	if flags&flagWide != 0 {
		if points = countPoints(b.doc[i:end]); points < 0 {
			b.invalid = true
			return ^i
		}
	}
	b.x.size += points + 2 // colon and space
	b.keyAt = i
	b.meta = flags << 2
	if i = b.space(end); i >= len(b.doc) || b.doc[i] != ':' {
		return ^i
	}
	if i = b.space(i + 1); i-b.keyAt > maxKey {
		b.keyLong = true
		return ^i
	}
	return i
}

func (b *builder) space(i int) int {
	for i < len(b.doc) && isSpace(b.doc[i]) {
		i++
	}
	return i
}

// add appends the node of the value that starts at i. The flags of the name are
// used up.
func (b *builder) add(i, end, aux int, meta uint32) {
	x := b.x
	if b.inside == Object {
		meta |= b.meta
		if back := i - b.keyAt; back < longKey {
			meta |= uint32(back) << keyShift
		} else {
			x.rememberKey(b.keyAt)
			meta |= longKey << keyShift
		}
	}
	if len(x.nodes) == cap(x.nodes) {
		x.grow(i)
	}
	x.nodes = append(x.nodes, node{uint32(i), uint32(end), uint32(aux), meta})
}

func (b *builder) str(i int) int {
	end, flags := scanString(b.doc, i)
	if end < 0 {
		return -1
	}
	points := end - i
	if flags&flagWide != 0 {
		if points = countPoints(b.doc[i:end]); points < 0 {
			b.invalid = true
			return -1
		}
	}
	b.x.longText = max(b.x.longText, points-2)
	b.x.size += points
	b.add(i, end, points, uint32(String)|flags)
	return end
}

func (b *builder) scalar(i int) int {
	kind, end := Number, -1
	switch b.doc[i] {
	case 't', 'f', 'n':
		kind, end = scanLiteral(b.doc, i)
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		end = scanNumber(b.doc, i)
	}
	if end >= 0 {
		b.x.size += end - i
		b.add(i, end, end-i, uint32(kind))
	}
	return end
}

// enter opens a container and returns where its first member or element, or its
// end, is.
func (b *builder) enter(i int) int {
	x := b.x
	kind := Object
	if b.doc[i] == '[' {
		kind = Array
	}
	if len(b.open) == MaxDepth {
		b.deep = true
		return -1
	}
	b.add(i, 0, len(x.spans), uint32(kind))
	x.spans = append(x.spans, span{})
	b.open = append(b.open, opened{node: uint32(len(x.nodes) - 1)})
	b.inside = kind
	x.depth = max(x.depth, len(b.open))
	x.size += 2 // brackets; see leave for what is between
	return b.space(i + 1)
}

// leave closes the innermost container, which ends at i.
func (b *builder) leave(i int) {
	x := b.x
	top := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	n := &x.nodes[top.node]
	n.end = uint32(i)
	s := &x.spans[n.aux]
	s.next = uint32(len(x.nodes))
	if s.count = top.count; s.count > 0 {
		x.size += 2 * len(b.open) // one comma less, a new line more, indentation
		if n.kind() == Array {
			x.longList = max(x.longList, int(s.count))
		}
	}
	b.inside = 0
	if len(b.open) > 0 {
		b.inside = x.nodes[b.open[len(b.open)-1].node].kind()
	}
}
