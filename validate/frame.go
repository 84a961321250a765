package validate

import (
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
)

// The bits of a struct that is being read, one set after the other in decoder.bits.
const (
	seen  = iota // the name was there
	given        // and it had a value that could be read
	bad          // or one that could not
	sets
)

// A frame is one struct that is being read.
type frame struct {
	p     *plan
	d     *decoder
	v     reflect.Value
	base  int // of its bits
	words int
	first int             // problem of its own
	next  int             // field that comes next if the caller follows the order of the schema
	other map[string]bool // unknown names

	outermost bool
	alone     bool // there is no struct around the value, so what looks at others is left out
}

func (f *frame) has(set, i int) bool {
	return f.d.bits[f.base+set*f.words+i/64]&(1<<(i%64)) != 0
}

func (f *frame) mark(set, i int) { f.d.bits[f.base+set*f.words+i/64] |= 1 << (i % 64) }

// member reads a name and its value.
func (f *frame) member() {
	raw, ok := f.d.value()
	if !ok {
		return
	}
	name := f.d.unquote(raw)
	i, known := f.next, f.next < len(f.p.fields) && f.p.fields[f.next].name == string(name)
	if !known {
		i, known = f.p.index[string(name)]
	}
	if !known {
		f.unknown(string(name))
		return
	}
	f.next = i + 1
	field := &f.p.fields[i]
	from := len(f.d.problems)
	f.d.enter(&field.name)
	f.value(field, i)
	f.d.leave()
	f.d.assign(from, i)
}

func (f *frame) value(field *planField, i int) {
	d := f.d
	if f.has(seen, i) {
		d.skip(TypeDuplicate, "given more than once")
		f.mark(bad, i)
		return
	}
	f.mark(seen, i)
	if d.dec.PeekKind() == 'n' && !(field.node.nullOK && field.required) {
		if field.required {
			d.skip(TypeNull, "must not be null")
			f.mark(bad, i)
			return
		}
		d.token()
		return
	}
	if field.node.read(d, settable(f.v, field.index)) {
		f.mark(given, i)
	} else {
		f.mark(bad, i)
	}
}

// unknown reads a member that has no field.
func (f *frame) unknown(name string) {
	d := f.d
	from := len(d.problems)
	d.enter(&name)
	switch {
	case f.other[name]:
		d.skip(TypeDuplicate, "given more than once")
	case f.p.extra == nil:
		d.skip(TypeUnknown, f.advice(name))
	default:
		f.keep(name)
	}
	d.leave()
	d.assign(from, len(f.p.fields))
	if f.other == nil {
		f.other = map[string]bool{}
	}
	f.other[name] = true
}

// advice says what could be meant. Looking for it takes time, so it ends where nobody would read it.
func (f *frame) advice(name string) string {
	if len(f.d.problems) >= maxProblems {
		return ""
	}
	return unknownMessage(name, f.p.names)
}

// keep puts a member into the field for additional ones.
func (f *frame) keep(name string) {
	x := f.p.extra
	to := settable(f.v, x.index)
	if x.elem == nil {
		raw, ok := f.d.strictValue()
		if ok {
			to.SetBytes(appendMember(to.Bytes(), name, raw))
		}
		return
	}
	e := reflect.New(x.elem.t).Elem()
	if x.elem.read(f.d, e) {
		if to.IsNil() {
			to.Set(reflect.MakeMap(x.t))
		}
		to.SetMapIndex(reflect.ValueOf(name).Convert(x.t.Key()), e)
	}
}

func appendMember(obj []byte, name string, value jsontext.Value) []byte {
	if len(obj) == 0 {
		obj = append(obj, '{')
	} else {
		obj = append(obj[:len(obj)-1], ',')
	}
	obj, _ = jsontext.AppendQuote(obj, name)
	return append(append(append(obj, ':'), value...), '}')
}

// finish fills in defaults, reports what is missing and runs the rules, field by field.
func (f *frame) finish() {
	d := f.d
	for i := range f.p.fields {
		field := &f.p.fields[i]
		if !f.has(given, i) && !f.has(bad, i) {
			field.fill(d, f.v)
		}
	}
	for i := range f.p.fields {
		field := &f.p.fields[i]
		if f.has(bad, i) || field.check == nil && !field.required {
			continue
		}
		from := len(d.problems)
		d.enter(&field.name)
		f.field(field, i)
		d.leave()
		d.assign(from, i)
	}
	if x := f.p.extra; x != nil && x.check != nil {
		if v := settable(f.v, x.index); !v.IsNil() {
			from := len(d.problems)
			x.check.value(f, v)
			d.assign(from, len(f.p.fields))
		}
	}
	if f.outermost {
		f.runLate()
	}
	d.sort(f.first)
}

// there reports whether the caller or a default has given a field its value.
func (f *frame) there(i int) bool {
	return f.has(given, i) || f.p.fields[i].def != nil && !f.has(bad, i)
}

// field checks one field that could be read, or is not there.
func (f *frame) field(field *planField, i int) {
	there := f.has(given, i)
	if !there && field.def == nil {
		if field.required {
			f.d.fail(TypeMissing, field.missing)
		} else if field.check != nil {
			field.check.missing(f)
		}
		return
	}
	if field.check == nil {
		return
	}
	if there && field.check.excluded(f) {
		return
	}
	field.check.value(f, settable(f.v, field.index))
}
