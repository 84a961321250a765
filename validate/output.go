package validate

import (
	"encoding"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// OutputOptions configure [Output]. Nil means defaults.
type OutputOptions struct {
	// OmitMembers are names of members that are left out wherever they occur. Nil means raw_data; an empty
	// list means none.
	OmitMembers []string
	// Schemas describe types that the package cannot look into, such as those with a MarshalJSON of their own.
	Schemas map[reflect.Type]*jsonschema.Schema
}

// Output returns the schema of a tool's structured result, for a handler that returns a t.
//
// It describes what encoding/json writes, with these differences: a type with a String method that is neither a
// struct nor [encoding/json.Number] and does not marshal itself is its text; a nil slice is [] and a nil map {}, so
// that a caller's loop never fails; and members named in opts are left out. A struct, a map or a pointer to one is
// described as it is, for pointers that are not nil. What is no object in JSON is described as the value of the one
// member of {"result": ...}, and wrapped is true.
//
// The schema is nil for types that can be anything: any and other interfaces, raw JSON, and types with a
// MarshalJSON of their own. Validate tags are not looked at: they check what comes in.
func Output(t reflect.Type, opts *OutputOptions) (schema jsontext.Value, wrapped bool, err error) {
	if t == nil {
		return nil, false, errors.New("validate: no type")
	}
	o := &outputDescriber{omit: []string{"raw_data"}, defs: map[string]*jsonschema.Schema{}, names: map[reflect.Type]string{}}
	if opts != nil {
		o.types = opts.Schemas
		if opts.OmitMembers != nil {
			o.omit = opts.OmitMembers
		}
	}
	if o.types[t] == nil && o.free(deref(t)) {
		return nil, false, nil
	}
	s, err := o.value(deref(t))
	if err != nil {
		return nil, false, fmt.Errorf("validate: output of %s: %w", t, err)
	}
	if s.Type != "object" && s.Ref == "" {
		if t.Kind() == reflect.Pointer {
			s = nullable(s)
		}
		s, wrapped = wrap(s), true
	} else if s.Ref != "" {
		s, err = o.object(deref(t))
		if err != nil {
			return nil, false, fmt.Errorf("validate: output of %s: %w", t, err)
		}
	}
	if s.Properties == nil {
		s.Properties = map[string]*jsonschema.Schema{}
	}
	schema, err = finish(s, o.defs)
	return schema, wrapped, err
}

func wrap(s *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{
		Type:                 "object",
		Properties:           map[string]*jsonschema.Schema{"result": s},
		Required:             []string{"result"},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
}

// nullable adds null to what a schema accepts.
func nullable(s *jsonschema.Schema) *jsonschema.Schema {
	switch {
	case reflect.ValueOf(*s).IsZero():
		return s
	case s.Type != "" && s.Enum == nil && s.Const == nil && s.AnyOf == nil && s.AllOf == nil && s.Not == nil:
		s.Types, s.Type = []string{s.Type, "null"}, ""
		return s
	}
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
}

// An outputDescriber makes schemas of what is written, as a describer does of what is read.
type outputDescriber struct {
	omit  []string
	types map[reflect.Type]*jsonschema.Schema
	defs  map[string]*jsonschema.Schema
	names map[reflect.Type]string
	chain []reflect.Type // as in compiler
}

var (
	marshalText     = reflect.TypeFor[encoding.TextMarshaler]()
	marshalJSON     = reflect.TypeFor[stdjson.Marshaler]()
	marshalJSONTo   = reflect.TypeFor[json.MarshalerTo]()
	knownOutputText = map[reflect.Type]string{timeType: "date-time"}
)

func implements(t, iface reflect.Type) bool {
	return t.Implements(iface) || reflect.PointerTo(t).Implements(iface)
}

// free reports whether nothing can be said about the values of a type.
func (o *outputDescriber) free(t reflect.Type) bool {
	if _, known := knownOutputText[t]; known || t == bigIntType || o.types[t] != nil {
		return false
	}
	return t.Kind() == reflect.Interface || isRaw(t) || implements(t, marshalJSON) || implements(t, marshalJSONTo)
}

// textual reports whether a type is written as its text.
func textual(t reflect.Type) bool {
	return implements(t, marshalText) || t.Kind() != reflect.Struct && implements(t, stringerType)
}

func (o *outputDescriber) value(t reflect.Type) (*jsonschema.Schema, error) {
	if slices.Contains(o.chain, t) {
		return nil, fmt.Errorf("%s holds itself without a struct in between", t)
	}
	if t.Kind() == reflect.Pointer {
		o.chain = append(o.chain, t)
		defer func() { o.chain = o.chain[:len(o.chain)-1] }()
		s, err := o.value(t.Elem())
		if err != nil {
			return nil, err
		}
		return nullable(s), nil
	}
	if host := o.types[t]; host != nil {
		return host.CloneSchemas(), nil
	}
	switch format, known := knownOutputText[t]; {
	case known:
		return &jsonschema.Schema{Type: "string", Format: format}, nil
	case t == bigIntType:
		return &jsonschema.Schema{Type: "integer"}, nil
	case o.free(t):
		return &jsonschema.Schema{}, nil
	case t == numberType:
		return &jsonschema.Schema{Type: "number"}, nil
	case textual(t):
		return &jsonschema.Schema{Type: "string"}, nil
	}
	return o.composite(t)
}

func (o *outputDescriber) composite(t reflect.Type) (*jsonschema.Schema, error) {
	o.chain = append(o.chain, t)
	defer func() { o.chain = o.chain[:len(o.chain)-1] }()
	switch kindsOf(t) {
	case kString:
		return &jsonschema.Schema{Type: "string"}, nil
	case kBool:
		return &jsonschema.Schema{Type: "boolean"}, nil
	case kInt:
		return &jsonschema.Schema{Type: "integer"}, nil
	case kUint:
		return &jsonschema.Schema{Type: "integer", Minimum: new(float64)}, nil
	case kFloat:
		return &jsonschema.Schema{Type: "number"}, nil
	case kList:
		return o.list(t)
	case kMap:
		elem, err := o.value(t.Elem())
		return &jsonschema.Schema{Type: "object", AdditionalProperties: elem}, err
	}
	if t.Kind() == reflect.Struct {
		outer := o.chain
		o.chain = nil
		defer func() { o.chain = outer }()
		return o.structure(t)
	}
	return nil, fmt.Errorf("%s has no form in JSON", t)
}

func (o *outputDescriber) list(t reflect.Type) (*jsonschema.Schema, error) {
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && !textual(t.Elem()) && !o.free(t.Elem()) {
		return &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}, nil
	}
	items, err := o.value(t.Elem())
	s := &jsonschema.Schema{Type: "array", Items: items}
	if t.Kind() == reflect.Array {
		n := t.Len()
		s.MinItems, s.MaxItems = &n, &n
	}
	return s, err
}

func (o *outputDescriber) structure(t reflect.Type) (*jsonschema.Schema, error) {
	if !holds(t, t, map[reflect.Type]bool{}) {
		return o.object(t)
	}
	name, done := o.names[t]
	if !done {
		d := describer{defs: o.defs}
		name = d.name(&plan{t: t})
		o.names[t] = name
		o.defs[name] = nil // taken
		s, err := o.object(t)
		if err != nil {
			return nil, err
		}
		o.defs[name] = s
	}
	return &jsonschema.Schema{Ref: "#/$defs/" + name}, nil
}

// holds reports whether a value of type t can hold one of type q.
func holds(t, q reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return t.Elem() == q || holds(t.Elem(), q, seen)
	case reflect.Struct:
		for field := range t.Fields() {
			if f := field.Type; f == q || holds(f, q, seen) {
				return true
			}
		}
	}
	return false
}

func (o *outputDescriber) object(t reflect.Type) (*jsonschema.Schema, error) {
	fields, _, errs := flatten(t, true)
	s := &jsonschema.Schema{
		Type:                 "object",
		Properties:           map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, f := range fields {
		if slices.Contains(o.omit, f.name) {
			continue
		}
		property, err := o.field(f)
		if err != nil {
			errs = append(errs, fieldError(f.owner, f.Name, err))
			continue
		}
		s.Properties[f.name] = property
		s.PropertyOrder = append(s.PropertyOrder, f.name)
		if !f.omitempty && !throughPointer(t, f.index) {
			s.Required = append(s.Required, f.name)
		}
	}
	return s, errors.Join(errs...)
}

// throughPointer reports whether a field is in an embedded struct that may be nil.
func throughPointer(t reflect.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		if t = t.Field(i).Type; t.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}

func (o *outputDescriber) field(f structField) (*jsonschema.Schema, error) {
	t := f.Type
	if f.omitempty && t.Kind() == reflect.Pointer {
		t = t.Elem() // nil is left out
	}
	s, err := o.value(t)
	if err != nil {
		return nil, err
	}
	if f.quoted && kindsOf(deref(t))&(kString|kNumber|kBool) != 0 && !textual(deref(t)) {
		s = &jsonschema.Schema{Type: "string"}
		if t.Kind() == reflect.Pointer {
			s = nullable(s)
		}
	}
	s.Description = f.tags["jsonschema"]
	return s, nil
}
