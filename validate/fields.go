package validate

import (
	"fmt"
	"reflect"
	"slices"
)

// structField is a field of a struct or of one embedded in it, as JSON sees it.
type structField struct {
	reflect.StructField
	member
	index []int
	owner reflect.Type // the struct that declares it
	tags  map[string]string
}

// fieldError names the place of a mistake in a struct.
func fieldError(owner reflect.Type, field string, err error) error {
	return fmt.Errorf("%s.%s: %w", owner, field, err)
}

// flatten lists the members of a struct in the order of declaration, embedded structs in the place where they
// are embedded. extra is the field that takes members of any name, if there is one. With lenient set, it follows
// encoding/json, which drops fields that clash, and tags are not checked; else each mistake is an error.
func flatten(t reflect.Type, lenient bool) (fields []structField, extra *structField, errs []error) {
	w := fieldWalk{lenient: lenient}
	w.visit(t, nil, map[reflect.Type]bool{})
	for _, f := range w.fields {
		switch winner, clash := dominant(w.fields, f.name); {
		case clash && !lenient:
			w.fail(f.owner, f.Name, fmt.Errorf("more than one field has the JSON name %q", f.name))
		case !clash && slices.Equal(winner.index, f.index):
			fields = append(fields, f)
		}
	}
	return fields, w.extra, w.errs
}

// dominant picks the field that a name means: the one embedded least deep, among equals the one that a tag names.
func dominant(all []structField, name string) (winner structField, clash bool) {
	depth, n := 0, 0
	for _, f := range all {
		d, better := len(f.index), false
		switch {
		case f.name != name:
			continue
		case n == 0 || d < depth || d == depth && f.named && !winner.named:
			better, n = true, 1
		case d == depth && f.named == winner.named:
			n++
		}
		if better {
			winner, depth = f, d
		}
	}
	return winner, n > 1
}

type fieldWalk struct {
	lenient bool
	fields  []structField
	extra   *structField
	errs    []error
}

func (w *fieldWalk) fail(owner reflect.Type, field string, err error) {
	w.errs = append(w.errs, fieldError(owner, field, err))
}

func (w *fieldWalk) visit(t reflect.Type, index []int, seen map[reflect.Type]bool) {
	if seen[t] {
		return // a struct that embeds itself through a pointer: nothing deeper can win
	}
	seen[t] = true
	defer delete(seen, t)
	for i := range t.NumField() {
		sf := t.Field(i)
		f := structField{StructField: sf, owner: t, index: append(slices.Clone(index), i)}
		if !w.read(&f) {
			continue
		}
		switch inner := deref(sf.Type); {
		case sf.Anonymous && !f.named && !f.inline && inner.Kind() == reflect.Struct && !opaque(inner),
			f.inline && inner.Kind() == reflect.Struct && !opaque(inner):
			w.embed(f, inner, seen)
		case f.inline:
			w.setExtra(f)
		case sf.IsExported():
			w.fields = append(w.fields, f)
		case f.tags["validate"] != "" || f.tags["json"] != "":
			w.fail(t, sf.Name, fmt.Errorf("the field is not exported, so its tags have no effect"))
		}
	}
}

// read fills in the tags. It reports false for a field that JSON does not see.
func (w *fieldWalk) read(f *structField) bool {
	if w.lenient {
		f.tags = map[string]string{"json": f.Tag.Get("json"), "jsonschema": f.Tag.Get("jsonschema")}
	} else {
		tags, err := splitTag(f.Tag)
		if err != nil {
			w.fail(f.owner, f.Name, err)
			return false
		}
		f.tags = tags
	}
	m, err := jsonTag(f.StructField, f.tags["json"], w.lenient)
	if err != nil {
		w.fail(f.owner, f.Name, err)
		return false
	}
	f.member = m
	rules := f.tags["validate"]
	if m.skip && !w.lenient && (rules != "" && rules != "-" || f.tags["default"] != "") {
		w.fail(f.owner, f.Name, fmt.Errorf(`json:"-" hides the field, so its validate and default tags have no effect`))
	}
	return !m.skip
}

func (w *fieldWalk) embed(f structField, inner reflect.Type, seen map[reflect.Type]bool) {
	if !f.IsExported() && f.Type.Kind() == reflect.Pointer {
		if !w.lenient {
			w.fail(f.owner, f.Name, fmt.Errorf("an embedded pointer to a struct that is not exported cannot be set"))
		}
		return
	}
	if f.tags["validate"] != "" || f.tags["default"] != "" {
		w.fail(f.owner, f.Name, fmt.Errorf("an embedded struct has no validate or default tag of its own"))
	}
	w.visit(inner, f.index, seen)
}

func (w *fieldWalk) setExtra(f structField) {
	t := f.Type
	switch {
	case !f.IsExported():
		w.fail(f.owner, f.Name, fmt.Errorf("the field is not exported"))
	case !isRaw(t) && (t.Kind() != reflect.Map || t.Key().Kind() != reflect.String):
		w.fail(f.owner, f.Name, fmt.Errorf("json option inline needs a struct, a map with string keys or raw JSON"))
	case w.extra != nil:
		w.fail(f.owner, f.Name, fmt.Errorf("a second field for additional members, beside %s", w.extra.Name))
	case f.tags["default"] != "":
		w.fail(f.owner, f.Name, fmt.Errorf("additional members have no default"))
	default:
		w.extra = &f
	}
}
