package validate

import (
	"reflect"
)

// A plan is how one struct type is read, made once.
type plan struct {
	t      reflect.Type
	fields []planField
	index  map[string]int // by JSON name
	names  []string       // in order, for messages
	extra  *extraField
	root   bool
	fills  bool // an object that is not there has values all the same, because of defaults
}

// A planField is one member of the object.
type planField struct {
	name     string
	goName   string
	index    []int // as in reflect.Value.FieldByIndex
	owner    reflect.Type
	node     *node
	level    *level
	check    *check
	required bool
	def      *defaultValue
	about    string // description
	missing  string // what to say if it is required and not there
}

// An extraField takes the members that have no field: a map, or raw JSON if elem is nil.
type extraField struct {
	goName string
	index  []int
	elem   *node
	t      reflect.Type
	check  *check
	level  *level
}

func (p *plan) words() int { return (len(p.fields) + 63) / 64 }

func (p *plan) read(d *decoder, v reflect.Value) bool {
	return d.container('{', "an object", v, p.object)
}

// object reads the members of an object, then looks after those that were not there, then checks the rules.
func (p *plan) object(d *decoder, v reflect.Value) bool {
	if !d.token() {
		return false
	}
	f := frame{p: p, d: d, v: v, base: len(d.bits), first: len(d.problems), words: p.words()}
	f.outermost = p.root && d.root.IsValid() && v.Addr().UnsafePointer() == d.root.UnsafePointer()
	for range sets * f.words {
		d.bits = append(d.bits, 0)
	}
	for d.dec.PeekKind() != '}' {
		if f.member(); d.syntax != nil {
			return false
		}
	}
	if !d.token() {
		return false
	}
	f.finish()
	d.bits = d.bits[:f.base]
	return len(d.problems) == f.first
}

// settable returns a field, making the embedded structs on the way to it.
func settable(v reflect.Value, index []int) reflect.Value {
	if len(index) == 1 {
		return v.Field(index[0])
	}
	for i, x := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v
}

// fill gives a field that is not there its default, and those inside it.
func (field *planField) fill(d *decoder, v reflect.Value) {
	switch {
	case field.def != nil:
		field.def.apply(d, settable(v, field.index))
	case field.node.shape == shapeStruct && field.node.plan.fills:
		inner := settable(v, field.index)
		for i := range field.node.plan.fields {
			field.node.plan.fields[i].fill(d, inner)
		}
	}
}

// hasDefaults reports whether fill has anything to do. It ends because a struct does not hold itself as a value.
func (p *plan) hasDefaults() bool {
	for _, f := range p.fields {
		if f.def != nil || f.node.shape == shapeStruct && f.node.plan.hasDefaults() {
			return true
		}
	}
	return false
}
