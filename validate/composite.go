package validate

import (
	"reflect"
	"strconv"
)

func appendIndex(loc []byte, i int) []byte {
	return append(strconv.AppendInt(append(loc, '['), int64(i), 10), ']')
}

// readPointer reads into a new value; null is nil.
func readPointer(elem *node) reader {
	return func(d *decoder, v reflect.Value) bool {
		if d.dec.PeekKind() == 'n' {
			v.SetZero()
			return d.token()
		}
		p := reflect.New(elem.t)
		if !elem.read(d, p.Elem()) {
			return false
		}
		v.Set(p)
		return true
	}
}

func readList(t reflect.Type, elem *node) reader {
	items := func(d *decoder, v reflect.Value) bool {
		if !d.token() {
			return false
		}
		ok := true
		if d.dec.PeekKind() == ']' {
			v.Set(reflect.MakeSlice(t, 0, 0)) // [] is not nil
		}
		for i := 0; d.dec.PeekKind() != ']'; i++ {
			if i == v.Cap() {
				v.Grow(max(i, 4)) // doubled: most lists are short
			}
			v.SetLen(i + 1)
			ok = d.item(i, elem, v.Index(i)) && ok
			if d.syntax != nil {
				return false
			}
		}
		return d.token() && ok
	}
	return func(d *decoder, v reflect.Value) bool { return d.container('[', "a list", v, items) }
}

func (d *decoder) item(i int, elem *node, v reflect.Value) bool {
	d.enterItem(i)
	ok := elem.read(d, v)
	d.leave()
	return ok
}

func readArray(t reflect.Type, elem *node) reader {
	size := t.Len()
	items := func(d *decoder, v reflect.Value) bool {
		if !d.token() {
			return false
		}
		ok, n := true, 0
		for ; d.dec.PeekKind() != ']'; n++ {
			if n < size {
				ok = d.item(n, elem, v.Index(n)) && ok
			} else if err := d.dec.SkipValue(); err != nil {
				return d.broken(err)
			}
			if d.syntax != nil {
				return false
			}
		}
		if !d.token() {
			return false
		}
		if n != size {
			return d.fail(TypeLength, exactly(use{name: "len", param: strconv.Itoa(size), t: t, kind: kList}))
		}
		return ok
	}
	return func(d *decoder, v reflect.Value) bool { return d.container('[', "a list", v, items) }
}

func readMap(t reflect.Type, key, elem *node) reader {
	entries := func(d *decoder, v reflect.Value) bool {
		if !d.token() {
			return false
		}
		m, ok := reflect.MakeMap(t), true
		for d.dec.PeekKind() != '}' {
			ok = d.entry(m, key, elem) && ok
			if d.syntax != nil {
				return false
			}
		}
		v.Set(m)
		return d.token() && ok
	}
	return func(d *decoder, v reflect.Value) bool { return d.container('{', "an object", v, entries) }
}

// entry reads one member of an object into a map.
func (d *decoder) entry(m reflect.Value, key, elem *node) bool {
	raw, ok := d.value()
	if !ok {
		return false
	}
	name := string(d.unquote(raw))
	d.enter(&name)
	defer d.leave()
	k := reflect.New(key.t).Elem()
	if !key.readKey(d, name, k) {
		if err := d.dec.SkipValue(); err != nil {
			return d.broken(err)
		}
		return false
	}
	if m.MapIndex(k).IsValid() {
		return d.skip(TypeDuplicate, "given more than once")
	}
	e := reflect.New(elem.t).Elem()
	ok = elem.read(d, e)
	m.SetMapIndex(k, e) // a failed one too, so that a duplicate of it is found
	return ok
}
