package validate

import (
	"reflect"
	"slices"
	"strings"

	"github.com/go-playground/validator/v10"
)

// A check runs the rules of a level on values.
type check struct {
	*level
	engine *validator.Validate
	plain  string                     // the terms that look at the value only, joined
	fast   []func(reflect.Value) bool // the same, one by one
	owner  []int                      // the way from the plan's struct to the embedded one that declares the field
	others []*term
	prefix string // of messages
	keys   *check
	elem   *check
}

// newCheck makes the check of a level, nil if there is nothing to do. owner is as in check.
func newCheck(l *level, engine *validator.Validate, owner []int) *check {
	if l == nil || l.idle() && len(l.presence) == 0 {
		return nil
	}
	c := &check{level: l, engine: engine, owner: owner}
	for i := range l.terms {
		if t := &l.terms[i]; t.custom != nil || t.parent || t.top {
			c.others = append(c.others, t)
		} else {
			c.plain = strings.TrimPrefix(c.plain+","+t.tag, ",")
			c.fast = append(c.fast, t.fast)
		}
	}
	c.elem = newCheck(l.elem, engine, owner)
	if c.keys = newCheck(l.keys, engine, owner); c.keys != nil {
		c.keys.prefix = "the name "
	}
	if c.elem == nil && l.elem != nil && l.elem.required {
		c.elem = &check{level: l.elem, engine: engine, owner: owner}
	}
	return c
}

// value checks a value and what it holds. A nil pointer is absent.
func (c *check) value(f *frame, v reflect.Value) {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if c.mustZero && !isEmpty(v) {
		f.d.fail(TypeRule, "must be left out or empty")
		return
	}
	if c.plain != "" && !c.passes(v) && c.engine.VarWithValue(v.Addr().Interface(), nil, c.plain) != nil {
		c.blame(f, v)
		return
	}
	for _, t := range c.others {
		if !c.term(f, v, t) {
			f.d.fail(t.typ, c.prefix+t.message)
			return
		}
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		c.items(f, v)
	case reflect.Map:
		c.entries(f, v)
	}
}

func isEmpty(v reflect.Value) bool {
	if k := v.Kind(); k == reflect.Slice || k == reflect.Map {
		return v.Len() == 0
	}
	return v.IsZero()
}

// passes reports whether the plain terms hold without doubt.
func (c *check) passes(v reflect.Value) bool {
	for _, fast := range c.fast {
		if fast == nil || !fast(v) {
			return false
		}
	}
	return true
}

// blame reports the first plain term that does not hold.
func (c *check) blame(f *frame, v reflect.Value) {
	for _, t := range c.terms {
		if t.custom == nil && !t.parent && !t.top && c.engine.VarWithValue(v.Addr().Interface(), nil, t.tag) != nil {
			f.d.fail(t.typ, c.prefix+t.message)
			return
		}
	}
}

// term reports whether a term holds that needs more than the validator and the value.
func (c *check) term(f *frame, v reflect.Value, t *term) bool {
	switch {
	case f.alone && (t.parent || t.top):
		return true
	case t.parent && f.nothingToCompare(t):
		return true
	case t.custom != nil:
		return t.custom.Check(v, t.param)
	case t.top:
		if !f.outermost {
			kept := reflect.New(v.Type()) // v may move before the outermost struct is complete
			kept.Elem().Set(v)
			f.d.late = append(f.d.late, lateCheck{path: slices.Clone(f.d.path), value: kept, term: t})
			return true
		}
		return f.nothingToCompare(t) || c.engine.VarWithValue(v.Addr().Interface(), f.d.root.Interface(), t.tag) == nil
	}
	return c.engine.VarWithValue(v.Addr().Interface(), c.parent(f).Interface(), t.tag) == nil
}

// nothingToCompare reports whether the field that a term looks at could not be read, or is not there. f is the
// frame of that field.
func (f *frame) nothingToCompare(t *term) bool {
	if t.sibling == 0 {
		return false // a field of a field
	}
	i := t.sibling - 1
	return f.has(bad, i) || t.lenient && !f.there(i)
}

// parent returns a pointer to the struct that declares the field.
func (c *check) parent(f *frame) reflect.Value {
	v := f.v
	if len(c.owner) > 0 {
		v = settable(v, c.owner)
		if v.Kind() == reflect.Pointer {
			return v
		}
	}
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()) // not read-only where v is an embedded unexported struct
}

func (c *check) items(f *frame, v reflect.Value) {
	if c.elem == nil {
		return
	}
	for i := range v.Len() {
		f.d.enterItem(i)
		c.elem.inner(f, v.Index(i))
		f.d.leave()
	}
}

func (c *check) entries(f *frame, v reflect.Value) {
	if c.keys == nil && c.elem == nil {
		return
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, compareKeys)
	for _, k := range keys {
		name := keyText(k)
		f.d.enter(&name)
		if c.keys != nil {
			c.keys.inner(f, addressable(k))
		}
		if c.elem != nil {
			c.elem.inner(f, addressable(v.MapIndex(k)))
		}
		f.d.leave()
	}
}

// inner checks an item: there is always one, so null and empty ones are a matter of the tag.
func (c *check) inner(f *frame, v reflect.Value) {
	switch {
	case v.Kind() == reflect.Pointer && v.IsNil():
		if c.required {
			f.d.fail(TypeNull, "must not be null")
		}
	case c.optional && v.IsZero():
	default:
		c.value(f, v)
	}
}

func addressable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

// missing checks the rules that ask for an absent field.
func (c *check) missing(f *frame) {
	for i := range c.presence {
		p := &c.presence[i]
		if !p.excludes && p.holds(c.engine, c.parent(f), f.wasGiven) {
			f.d.fail(TypeMissing, p.message)
			return
		}
	}
}

// excluded checks the rules that forbid a field that is there.
func (c *check) excluded(f *frame) bool {
	for i := range c.presence {
		p := &c.presence[i]
		if p.excludes && p.holds(c.engine, c.parent(f), f.wasGiven) {
			f.d.fail(TypeRelation, p.message)
			return true
		}
	}
	return false
}

func (f *frame) wasGiven(i int) bool { return f.has(seen, i) && (f.has(given, i) || f.has(bad, i)) }

// runLate checks what had to wait for the outermost struct.
func (f *frame) runLate() {
	d := f.d
	for _, l := range d.late {
		if f.nothingToCompare(l.term) {
			continue
		}
		if d.args.rules.engine.VarWithValue(l.value.Interface(), d.root.Interface(), l.term.tag) != nil {
			from := len(d.problems)
			d.failAt(l.path, l.term.typ, l.term.message)
			d.assign(from, d.rootField(l.path))
		}
	}
}

func (d *decoder) rootField(path []step) int {
	p := d.args.root.plan
	if i, ok := p.index[*path[0].name]; ok {
		return i
	}
	return len(p.fields)
}
