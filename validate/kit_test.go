package validate_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/validate"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// structOf returns a struct with one field V, in JSON v, of the type of zero and with the given tags.
func structOf(zero any, tags string) reflect.Type {
	return reflect.StructOf([]reflect.StructField{{
		Name: "V", Type: typeOf(zero), Tag: reflect.StructTag(strings.TrimSpace(`json:"v" ` + tags)),
	}})
}

// typeOf lets a table hold a type: a value of it, or the reflect.Type where a value would not do.
func typeOf(zero any) reflect.Type {
	if t, ok := zero.(reflect.Type); ok {
		return t
	}
	return reflect.TypeOf(zero)
}

func compile(t testing.TB, typ reflect.Type, opts *validate.Options) *validate.Args {
	t.Helper()
	args, err := validate.Compile(typ, opts)
	if err != nil {
		t.Fatalf("Compile(%s) = %v", typ, err)
	}
	return args
}

// decode returns what the arguments became, and the problems as "loc: msg [type]".
func decode(t testing.TB, args *validate.Args, typ reflect.Type, doc string) (reflect.Value, []string) {
	t.Helper()
	v := reflect.New(typ)
	err := args.Decode(jsontext.Value(doc), v.Interface())
	if err == nil {
		return v.Elem(), nil
	}
	var bad *validate.Error
	if !errors.As(err, &bad) {
		t.Fatalf("Decode(%s) = %v, not an *Error", doc, err)
	}
	return v.Elem(), problems(bad)
}

func problems(e *validate.Error) []string {
	var list []string
	for _, p := range e.Problems {
		s := p.Msg + " [" + p.Type + "]"
		if p.Loc != "" {
			s = p.Loc + ": " + s
		}
		list = append(list, s)
	}
	return list
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// property returns the schema of the member v, as it was written.
func property(t testing.TB, schema jsontext.Value) string {
	t.Helper()
	var s struct{ Properties map[string]json.RawMessage }
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatal(err)
	}
	return string(s.Properties["v"])
}

func resolve(t testing.TB, schema jsontext.Value) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatalf("schema %s: %v", schema, err)
	}
	r, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatalf("schema %s: %v", schema, err)
	}
	return r
}

// schemaAccepts reports what a validator of schemas says.
func schemaAccepts(t testing.TB, r *jsonschema.Resolved, doc string) bool {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(doc), &v); err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	return r.Validate(v) == nil
}
