package validate

import (
	"fmt"
	"reflect"
)

// try runs a term on sample values, so that whatever makes the validator panic does so now.
func (sc *scope) try(tm *term, t reflect.Type) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("refused by the validator: %v", p)
		}
	}()
	var other any
	switch {
	case tm.top:
		other = reflect.New(sc.top).Interface()
	case tm.parent:
		other = reflect.New(sc.parent).Interface()
	}
	for _, v := range samples(t) {
		p := reflect.New(t)
		p.Elem().Set(v)
		_ = sc.set.engine.VarWithValue(p.Interface(), other, tm.tag)
	}
	return nil
}

// samples are the zero value and one that is not.
func samples(t reflect.Type) []reflect.Value {
	some := reflect.New(t).Elem()
	switch kindsOf(t) {
	case kString:
		some.SetString("a")
	case kInt:
		some.SetInt(1)
	case kUint:
		some.SetUint(1)
	case kFloat:
		some.SetFloat(1)
	case kBool:
		some.SetBool(true)
	case kList:
		if t.Kind() == reflect.Slice {
			some.Set(reflect.MakeSlice(t, 1, 1))
		}
	case kMap:
		some.Set(reflect.MakeMap(t))
		some.SetMapIndex(reflect.Zero(t.Key()), reflect.Zero(t.Elem()))
	}
	return []reflect.Value{reflect.Zero(t), some}
}
