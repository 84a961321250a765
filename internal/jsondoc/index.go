package jsondoc

import (
	"slices"
	"strconv"
)

// Limits of a document. They bound the memory and the stack that an answer can
// take; a document beyond them is refused.
const (
	MaxDepth = 1000    // levels of objects and lists
	MaxBytes = 1 << 30 // so that offsets fit into 32 bits
	maxKey   = 1<<24 - 1
)

// Kind is the kind of a value. Kinds are bits, so that they can be united.
type Kind uint8

// The kinds of values.
const (
	Object Kind = 1 << iota
	Array
	String
	Number
	True
	False
	Null

	Bool       = True | False
	Containers = Object | Array
	Any        = Containers | String | Number | Bool | Null
)

// node is one value in document order. Its members or elements follow it.
type node struct {
	start, end uint32
	aux        uint32 // a scalar's code points; of a container where it is in spans
	meta       uint32 // kind, flags and, from bit 13, how far before start the name starts
}

const (
	flagEscaped    = 1 << 8
	flagWide       = 1 << 9 // has bytes beyond ASCII
	flagKeyEscaped = 1 << 10
	flagKeyWide    = 1 << 11
	flagBare       = 1 << 12 // text that is not JSON
	keyShift       = 13
	longKey        = 1<<(32-keyShift) - 1 // the distance is in Index.keys
)

func (n *node) kind() Kind { return Kind(n.meta) }

// span tells more about a container.
type span struct{ next, count uint32 }

// Index is a flat list of the values of one document: where each one starts and
// ends, how long it is and where the next one of its list stands.
type Index struct {
	doc   []byte
	nodes []node
	spans []span
	keys  map[uint32]int // where names too long for meta start, by node
	open  []opened       // scratch

	size     int // code points of the rendering indented by two spaces
	depth    int // the deepest level of containers
	longText int // code points of the longest string
	longList int // elements of the longest list
}

// build reads doc into x. It refuses what is not exactly one JSON value.
// Duplicate members are values like all others.
func (x *Index) build(doc []byte) *Fault {
	x.reset()
	if len(doc) > MaxBytes {
		return tooLarge()
	}
	x.doc = doc
	b := builder{x: x, doc: doc, open: x.open[:0]}
	i := b.run()
	x.open = b.open
	if i >= 0 {
		return b.fault(i)
	}
	return nil
}

func tooLarge() *Fault {
	return &Fault{Msg: "longer than " + strconv.Itoa(MaxBytes) + " bytes", Kind: TooLarge}
}

func (x *Index) reset() {
	clear(x.keys)
	*x = Index{nodes: x.nodes[:0], spans: x.spans[:0], keys: x.keys, open: x.open}
}

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

func (x *Index) rememberKey(at int) {
	if x.keys == nil {
		x.keys = map[uint32]int{}
	}
	x.keys[uint32(len(x.nodes))] = at
}

// grow makes room for more nodes: for as many as the document will have if its
// rest is like what was read. Doubling all the way would leave twice as much
// behind.
func (x *Index) grow(at int) {
	n := len(x.nodes)
	room := max(2*n, 64)
	if n >= 4096 {
		guess := int(float64(n) / float64(at) * float64(len(x.doc)) * 1.03)
		room = min(max(guess, n+n/4), 2*n+len(x.doc)/16)
	}
	nodes := make([]node, n, room)
	copy(nodes, x.nodes)
	x.nodes = nodes
	x.spans = slices.Grow(x.spans, int(float64(len(x.spans))*(float64(room)/float64(n+1)-1)))
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

// after returns the node behind n and all that is in it.
func (x *Index) after(n uint32) uint32 {
	nd := &x.nodes[n]
	if nd.kind()&Containers == 0 {
		return n + 1
	}
	return x.spans[nd.aux].next
}

// key returns the span of the name of node n, quotes included. Only members of
// objects have names.
func (x *Index) key(n uint32) (start, end int) {
	nd := &x.nodes[n]
	back := nd.meta >> keyShift
	switch back {
	case 0:
		return 0, 0
	case longKey:
		start = x.keys[n]
	default:
		start = int(nd.start - back)
	}
	for end = int(nd.start) - 1; x.doc[end-1] != '"'; {
		end-- // the colon and the spaces around it
	}
	return start, end
}
