package validate

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"
)

// A defaultValue is what a field gets that the caller did not send.
type defaultValue struct {
	doc    jsontext.Value // as JSON
	node   *node
	shared reflect.Value // ready to be copied, if the type holds nothing that a handler could change for others
}

// newDefault reads the text of a default tag: text for what is a string in JSON, else JSON.
func newDefault(text string, t reflect.Type) (*defaultValue, error) {
	inner := deref(t)
	if isText(inner) || isBytes(inner) || inner.Kind() == reflect.String && inner != numberType && !opaque(inner) {
		doc, err := jsontext.AppendQuote(nil, text)
		if err != nil {
			return nil, fmt.Errorf("default:%q is not valid text", text)
		}
		return &defaultValue{doc: doc}, nil
	}
	doc := jsontext.Value(text)
	if !doc.IsValid() {
		return nil, fmt.Errorf("default:%q is not JSON", text)
	}
	if err := doc.Compact(); err != nil {
		return nil, fmt.Errorf("default:%q is not JSON", text)
	}
	if doc.Kind() == 'n' {
		return nil, errors.New("a default of null is no default")
	}
	return &defaultValue{doc: doc}, nil
}

// apply sets v to the default. It cannot fail: it was tried when the plan was made.
func (v *defaultValue) apply(d *decoder, to reflect.Value) {
	if v.shared.IsValid() {
		to.Set(v.shared)
		return
	}
	d.nested(v.doc, func() bool { return v.node.read(d, to) })
}

// tryDefault makes sure that a default can be read and follows the rules about its value.
func (c *compiler) tryDefault(f structField, pf planField) {
	if len(c.errs) > 0 {
		return // the plan is not complete
	}
	d := newDecoder(&Args{rules: c.set}, nil)
	v := reflect.New(f.Type).Elem()
	d.nested(pf.def.doc, func() bool { return pf.node.read(d, v) })
	if len(d.problems) == 0 && pf.check != nil {
		pf.check.value(&frame{d: d, alone: true}, v)
	}
	for _, p := range d.problems {
		c.fail(fieldError(f.owner, f.Name, fmt.Errorf("default:%q: %s", f.tags["default"], p.Msg)))
	}
	if isFlat(f.Type) {
		pf.def.shared = v
	}
}

// isFlat reports whether copying a value copies all of it.
func isFlat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return isFlat(t.Elem())
	case reflect.Struct:
		if t == timeType || t == addrType || t == prefixType || t == addrPortType {
			return true // they point to what never changes
		}
		for field := range t.Fields() {
			if !isFlat(field.Type) {
				return false
			}
		}
		return true
	}
	return kindsOf(t)&(kString|kNumber|kBool) != 0
}

var reserved = regexp.MustCompile(`^[^ \t\n]*=`)

// description reads a jsonschema tag as jsonschema-go does.
func description(f structField) (string, error) {
	text, ok := f.tags["jsonschema"]
	switch {
	case ok && text == "":
		return "", errors.New("the jsonschema tag is empty")
	case reserved.MatchString(text):
		return "", fmt.Errorf("jsonschema:%q: a description must not begin with WORD=", text)
	}
	return text, nil
}
