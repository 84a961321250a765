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
		room = min(max(guess, n+n/4), max(8*n, len(x.doc)/8)) // the rest may be unlike
	}
	nodes := make([]node, n, room)
	copy(nodes, x.nodes)
	x.nodes = nodes
	x.spans = slices.Grow(x.spans, int(float64(len(x.spans))*(float64(room)/float64(n+1)-1)))
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
