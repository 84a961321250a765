package validate

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"reflect"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// A decoder holds the state of one call. Everything in it is reused.
type decoder struct {
	args  *Args
	dec   *jsontext.Decoder // reads the document, or the text of a string that holds one
	outer jsontext.Decoder
	buf   bytes.Buffer

	path     []step
	problems []Problem
	order    []int // of each problem: the position of its field in the struct being read
	bits     []uint64
	text     []byte // scratch for names and texts

	syntax error // the document is no JSON; everything stops
	root   reflect.Value
	late   []lateCheck
}

// A step is one element of a location: a name, or an index if name is nil.
type step struct {
	name  *string
	index int
}

// A lateCheck is a rule about the outermost struct, which is complete only at the end.
type lateCheck struct {
	path  []step
	value reflect.Value
	term  *term
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

var lenientNames = jsontext.AllowDuplicateNames(true) // duplicates are reported with their location

func newDecoder(a *Args, doc []byte) *decoder {
	d := decoders.Get().(*decoder)
	d.args, d.dec = a, &d.outer
	d.buf = *bytes.NewBuffer(doc)
	d.outer.Reset(&d.buf, lenientNames)
	return d
}

// release gives the decoder back, unless a call has made it large.
func (d *decoder) release() {
	if cap(d.text) > 64<<10 || cap(d.bits) > 8<<10 || cap(d.path) > 1<<10 || d.late != nil {
		return
	}
	d.buf = bytes.Buffer{}
	d.outer.Reset(&d.buf) // lets go of the document
	d.args, d.dec, d.syntax, d.root = nil, nil, nil, reflect.Value{}
	d.path, d.bits, d.problems, d.order = d.path[:0], d.bits[:0], nil, d.order[:0]
	decoders.Put(d)
}

// fail records a problem at the current location. It returns false, for the caller to return.
func (d *decoder) fail(typ, msg string) bool { return d.failAt(d.path, typ, msg) }

func (d *decoder) failAt(path []step, typ, msg string) bool {
	switch n := len(d.problems); {
	case n < maxProblems:
		d.problems = append(d.problems, Problem{Loc: location(path), Msg: msg, Type: typ})
		d.order = append(d.order, 0)
	case n == maxProblems:
		d.problems = append(d.problems, Problem{Msg: "there are more problems; correct these first", Type: TypeMore})
		d.order = append(d.order, 0)
	}
	return false
}

func (d *decoder) broken(err error) bool {
	if d.syntax == nil {
		d.syntax = err
	}
	return false
}

func location(path []step) string {
	var loc []byte
	for _, s := range path {
		if s.name == nil {
			loc = appendIndex(loc, s.index)
		} else {
			loc = appendName(loc, *s.name)
		}
	}
	return string(loc)
}

func (d *decoder) enter(name *string) { d.path = append(d.path, step{name: name}) }
func (d *decoder) enterItem(i int)    { d.path = append(d.path, step{index: i}) }
func (d *decoder) leave()             { d.path = d.path[:len(d.path)-1] }

// assign gives the problems from the given one on the position of a field.
func (d *decoder) assign(from, position int) {
	for i := from; i < len(d.order); i++ {
		d.order[i] = position
	}
}

// sort puts the problems from the given one on into the order of their fields.
func (d *decoder) sort(from int) {
	if len(d.problems)-from < 2 {
		return
	}
	end := min(len(d.problems), maxProblems) // the note about more stays last
	type placed struct {
		Problem
		at int
	}
	list := make([]placed, 0, end-from)
	for i := from; i < end; i++ {
		list = append(list, placed{d.problems[i], d.order[i]})
	}
	slices.SortStableFunc(list, func(a, b placed) int { return cmp.Compare(a.at, b.at) })
	for i, p := range list {
		d.problems[from+i], d.order[from+i] = p.Problem, p.at
	}
}

// value reads the next value as it is. The bytes are valid until the next read.
func (d *decoder) value() (jsontext.Value, bool) {
	v, err := d.dec.ReadValue()
	if err != nil {
		return nil, d.broken(err)
	}
	return v, true
}

// token reads a delimiter.
func (d *decoder) token() bool {
	if _, err := d.dec.ReadToken(); err != nil {
		return d.broken(err)
	}
	return true
}

// skip reads the next value and reports a problem instead of it.
func (d *decoder) skip(typ, msg string) bool {
	if err := d.dec.SkipValue(); err != nil {
		return d.broken(err)
	}
	return d.fail(typ, msg)
}

// unquote returns the text of a JSON string. It is valid until the next call.
func (d *decoder) unquote(v jsontext.Value) []byte {
	if bytes.IndexByte(v, '\\') < 0 {
		return v[1 : len(v)-1]
	}
	d.text, _ = jsontext.AppendUnquote(d.text[:0], v)
	return d.text
}

// nested reads a document within the document: the text of a string, or a default.
func (d *decoder) nested(doc []byte, read func() bool) bool {
	outer := d.dec
	d.dec = jsontext.NewDecoder(bytes.NewReader(doc), lenientNames)
	ok := read()
	d.dec = outer
	return ok
}

// atEnd reports whether nothing follows.
func (d *decoder) atEnd() bool {
	_, err := d.dec.ReadToken()
	return errors.Is(err, io.EOF)
}

// container reads a value that starts with the given delimiter, or a string that holds such a value.
func (d *decoder) container(open jsontext.Kind, want string, v reflect.Value, read func(*decoder, reflect.Value) bool) bool {
	switch d.dec.PeekKind() {
	case open:
		return read(d, v)
	case '"':
		raw, ok := d.value()
		if !ok {
			return false
		}
		doc := jsontext.Value(bytes.Clone(d.unquote(raw)))
		if doc.Kind() != open || !doc.IsValid(lenientNames) {
			return d.fail(TypeType, "must be "+want)
		}
		return d.nested(doc, func() bool { return read(d, v) })
	case 'n':
		return d.skip(TypeNull, "must not be null")
	}
	return d.skip(TypeType, "must be "+want)
}
