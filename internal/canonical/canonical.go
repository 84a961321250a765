package canonical

import (
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// Append appends the canonical form of v to dst: that of RFC 8785 (members sorted by
// the UTF-16 code units of their names, no white space, the shortest escapes, numbers
// as ECMAScript writes a double), with two differences, so that values which differ
// keep apart: integers (no fraction, no exponent) keep all their digits, and a number
// beyond the range of a double stays as it is written.
//
// It returns dst and an error if v is not valid: bad syntax, invalid UTF-8, a lone
// surrogate, a name that stands twice in an object, or more than 10,000 levels. V
// itself is not changed. Besides dst it allocates nothing for values of usual sizes.
func Append(dst []byte, v jsontext.Value) ([]byte, error) {
	if Is(v) {
		return append(dst, v...), nil
	}
	if flat, ok := appendFlat(dst, v); ok {
		return flat, nil
	}
	return rewrite(dst, v)
}

// rewrite is Append for what is not canonical yet.
func rewrite(dst []byte, v jsontext.Value) ([]byte, error) {
	if !v.IsValid() {
		return dst, fault(v)
	}
	w := writers.Get().(*writer)
	defer w.release()
	w.src, w.dst = v, dst
	w.space()
	w.value()
	if w.unsorted {
		w.sort(len(dst))
	}
	return w.dst, nil
}

// fault returns what is wrong with v, which is not valid.
func fault(v jsontext.Value) error {
	c := v.Clone()
	return c.Canonicalize()
}

// writer writes the members of objects in the order they come in and notes where
// they stand. If that is not their order, a second pass moves them: each byte is
// copied at most twice, however deep the objects lie in each other.
type writer struct {
	src jsontext.Value // valid
	pos int
	dst []byte

	names    []byte   // unescaped
	open     []member // of the objects that have not ended
	members  []member // of the others, in order, an object's next to each other
	objects  []object // in the order they begin
	unsorted bool
	first    []byte // what the first pass wrote, while the second runs
}

// member is one member of an object: its name in writer.names; where it stands, name
// and value, in what the first pass wrote; the first object that begins in it or after it.
type member struct{ name, nameEnd, from, to, object int }

// object is an object in what the first pass wrote, its part of writer.members, and
// the first object that begins after its end.
type object struct{ from, to, members, membersEnd, next int }

var writers = sync.Pool{New: func() any { return new(writer) }}

// keep is how much scratch, in bytes or elements, goes back to the pool.
const keep = 1 << 14

func (w *writer) release() {
	if cap(w.names)+cap(w.open)+cap(w.members)+cap(w.objects)+cap(w.first) > keep {
		return
	}
	*w = writer{names: w.names[:0], open: w.open[:0], members: w.members[:0], objects: w.objects[:0], first: w.first[:0]}
	writers.Put(w)
}

func (w *writer) space() {
	for w.pos < len(w.src) {
		switch w.src[w.pos] {
		case ' ', '\t', '\r', '\n':
			w.pos++
		default:
			return
		}
	}
}

// value writes the value at pos and stops at what follows it.
func (w *writer) value() {
	switch c := w.src[w.pos]; c {
	case '{':
		w.object()
	case '[':
		w.array()
	case '"':
		w.str(w.text())
	case 't', 'n':
		w.copy(len("true"))
	case 'f':
		w.copy(len("false"))
	default:
		w.number()
	}
	w.space()
}

func (w *writer) copy(n int) {
	w.dst = append(w.dst, w.src[w.pos:w.pos+n]...)
	w.pos += n
}

// punctuation passes over the byte at pos and the space behind it.
func (w *writer) punctuation() byte {
	c := w.src[w.pos]
	w.pos++
	w.space()
	return c
}

func (w *writer) array() {
	w.dst = append(w.dst, w.punctuation())
	for w.src[w.pos] != ']' {
		w.value()
		if w.src[w.pos] == ',' {
			w.dst = append(w.dst, w.punctuation())
		}
	}
	w.copy(1)
}

func (w *writer) object() {
	self, firstOpen := len(w.objects), len(w.open)
	w.objects = append(w.objects, object{from: len(w.dst)})
	w.dst = append(w.dst, w.punctuation())
	for w.src[w.pos] != '}' {
		w.open = append(w.open, w.member())
		if w.src[w.pos] == ',' {
			w.dst = append(w.dst, w.punctuation())
		}
	}
	w.copy(1)
	o := &w.objects[self]
	o.to, o.next, o.members = len(w.dst), len(w.objects), len(w.members)
	w.members = append(w.members, w.open[firstOpen:]...)
	w.open = w.open[:firstOpen]
	o.membersEnd = len(w.members)
	w.order(w.members[o.members:])
}

func (w *writer) member() member {
	m := member{name: len(w.names), from: len(w.dst), object: len(w.objects)}
	raw, escaped := w.text()
	m.nameEnd = w.name(raw, escaped)
	w.str(raw, escaped)
	w.space()
	w.dst = append(w.dst, w.punctuation()) // the colon
	w.value()
	m.to = len(w.dst)
	return m
}

// order sorts an object's members.
func (w *writer) order(members []member) {
	if compare := w.compare; !slices.IsSortedFunc(members, compare) {
		w.unsorted = true
		slices.SortFunc(members, compare)
	}
}

// sort is the second pass, over what stands in dst from base.
func (w *writer) sort(base int) {
	w.first = append(w.first[:0], w.dst[base:]...)
	end := len(w.dst)
	w.dst = w.dst[:base]
	w.move(base, base, end, 0)
}

// move writes what the first pass wrote from..to, which begins before object next.
// It is given with the offsets of dst, where it began at base.
func (w *writer) move(base, from, to, next int) {
	for next < len(w.objects) && w.objects[next].from < to {
		o := w.objects[next]
		w.dst = append(w.dst, w.first[from-base:o.from-base]...)
		w.moveMembers(base, o)
		from, next = o.to, o.next
	}
	w.dst = append(w.dst, w.first[from-base:to-base]...)
}

func (w *writer) moveMembers(base int, o object) {
	w.dst = append(w.dst, '{')
	for i, m := range w.members[o.members:o.membersEnd] {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		w.move(base, m.from, m.to, m.object)
	}
	w.dst = append(w.dst, '}')
}
