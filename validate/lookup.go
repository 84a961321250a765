package validate

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

func (sc *scope) checkUnique(u *use) (string, error) {
	if u.kind&(kList|kMap) == 0 {
		if u.param == "" {
			return "", fmt.Errorf("cannot be applied to %s without the name of a field", u.t)
		}
		return sc.compare(u, sc.parent)
	}
	elem := deref(u.t.Elem())
	if u.param != "" {
		if u.kind == kMap || elem.Kind() != reflect.Struct {
			return "", fmt.Errorf("%s has no items with fields", u.t)
		}
		f, name, err := lookup(elem, u.param)
		if err != nil {
			return "", err
		}
		elem, u.other = deref(f), name
	}
	if !elem.Comparable() || elem.Kind() == reflect.Interface {
		return "", fmt.Errorf("values of %s cannot be compared", elem)
	}
	return u.other, nil
}

// compare finds the field that a parameter names, and reports its JSON name.
func (sc *scope) compare(u *use, in reflect.Type) (string, error) {
	t, name, err := lookup(in, u.param)
	if err != nil {
		return "", err
	}
	other := deref(t)
	if other.Kind() != u.t.Kind() && u.name != "postcode_iso3166_alpha2_field" ||
		other.Kind() == reflect.Struct && kindsOf(other) != kindsOf(u.t) {
		return "", fmt.Errorf("cannot compare %s with %s", u.t, other)
	}
	if u.name == "postcode_iso3166_alpha2_field" && other.Kind() != reflect.String {
		return "", fmt.Errorf("%s is not text", u.param)
	}
	return name, nil
}

// noField says that a struct has no field of that name, and what the field is called
// if a member of JSON is meant.
func noField(t reflect.Type, name string) error {
	for f := range t.Fields() {
		if m, _ := jsonTag(f, f.Tag.Get("json"), true); f.IsExported() && m.name == name {
			return fmt.Errorf("%s has no field %s; the rule takes Go's name of it, %s", t, name, f.Name)
		}
	}
	return fmt.Errorf("%s has no field %s", t, name)
}

// lookup follows a path of Go field names and returns the type at its end and the path of JSON names.
func lookup(t reflect.Type, path string) (reflect.Type, string, error) {
	if t == nil {
		return nil, "", errors.New("there is no struct to look for the field in")
	}
	if path == "" {
		return nil, "", errors.New("needs the name of a field")
	}
	var loc []byte
	for name := range strings.SplitSeq(path, ".") {
		t = deref(t)
		if t.Kind() != reflect.Struct {
			return nil, "", fmt.Errorf("%s has no field %s", t, name)
		}
		f, ok := t.FieldByName(name)
		if !ok || !f.IsExported() {
			return nil, "", noField(t, name)
		}
		m, _ := jsonTag(f, f.Tag.Get("json"), true)
		if m.skip {
			return nil, "", fmt.Errorf("the field %s is hidden from JSON", name)
		}
		loc, t = appendName(loc, m.name), f.Type
	}
	return t, string(loc), nil
}
