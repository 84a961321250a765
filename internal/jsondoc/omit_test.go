package jsondoc_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/go-json-experiment/json/jsontext"
)

func TestOmitMembers(t *testing.T) {
	tests := []struct {
		name, doc, want string
		omit            []string
	}{
		{"none there", `{"a":1}`, `{"a":1}`, []string{"x"}},
		{"no names", `{"x":1}`, `{"x":1}`, nil},
		{"the only one", `{"x":1}`, `{}`, []string{"x"}},
		{"first", `{"x":1,"a":2}`, `{"a":2}`, []string{"x"}},
		{"middle", `{"a":1,"x":2,"b":3}`, `{"a":1,"b":3}`, []string{"x"}},
		{"last", `{"a":1,"x":2}`, `{"a":1}`, []string{"x"}},
		{"two names at the end", `{"a":1,"x":2,"y":3}`, `{"a":1}`, []string{"x", "y"}},
		{"two names at the start", `{"x":2,"y":3,"a":1}`, `{"a":1}`, []string{"x", "y"}},
		{"two names around", `{"x":2,"a":1,"y":3}`, `{"a":1}`, []string{"x", "y"}},
		{"two names alone", `{"x":2,"y":3}`, `{}`, []string{"x", "y"}},
		{"three at the end", `{"a":1,"x":2,"y":3,"x":4}`, `{"a":1}`, []string{"x", "y"}},
		{"any depth", `[{"x":1},{"a":{"x":[{}],"b":[{"x":null,"c":1}]}}]`, `[{},{"a":{"b":[{"c":1}]}}]`, []string{"x"}},
		{"whole subtree", `{"x":{"x":[1,{"b":"}"}]},"a":1}`, `{"a":1}`, []string{"x"}},
		{"a value is no name", `{"a":"x","b":["x"]}`, `{"a":"x","b":["x"]}`, []string{"x"}},
		{"part of a name is no name", `{"xx":1,"ax":2,"x ":3}`, `{"xx":1,"ax":2,"x ":3}`, []string{"x"}},
		{"case matters", `{"X":1}`, `{"X":1}`, []string{"x"}},
		{"scalar", `"x"`, `"x"`, []string{"x"}},
		{"white space", " { \"a\" : 1 , \"x\" : 2 } ", " { \"a\" : 1 } ", []string{"x"}},
		{"a name with a quote", `{"a\"b":1,"c":2}`, `{"c":2}`, []string{`a"b`}},
		{"a name with a newline", `{"a\nb":1,"c":2}`, `{"c":2}`, []string{"a\nb"}},
		{"a name beyond ASCII", `{"größe":1,"c":2}`, `{"c":2}`, []string{"größe"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := []byte(tt.doc)
			got := jsondoc.OmitMembers(doc, tt.omit)
			if string(got) != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if string(doc) != tt.doc {
				t.Errorf("the document was changed to %s", doc)
			}
		})
	}
}

// without is OmitMembers the slow way, on a tree.
func without(value any, names []string) any {
	switch v := value.(type) {
	case map[string]any:
		for key, member := range v {
			if slices.Contains(names, key) {
				delete(v, key)
				continue
			}
			v[key] = without(member, names)
		}
	case []any:
		for i, element := range v {
			v[i] = without(element, names)
		}
	}
	return value
}

func parse(t *testing.T, doc []byte) any {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%q is not JSON: %v", doc, err)
	}
	return v
}

func FuzzOmitMembers(f *testing.F) {
	f.Add([]byte(`{"raw_data":{"a":[1,{"raw_data":2}]},"b":"raw_data","dump":3}`))
	f.Add([]byte(`[{"dump":1,"raw_data":2},{"a":1,"dump":"}","raw_data":[]}]`))
	f.Add([]byte(" { \"a\" : \"\\\\\\\"\" , \"dump\" : null\n} "))
	names := []string{"raw_data", "dump"}
	f.Fuzz(func(t *testing.T, doc []byte) {
		doc, err := jsontext.AppendFormat(nil, doc, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return // no JSON is no input of it
		}
		before := bytes.Clone(doc)
		got := jsondoc.OmitMembers(doc, names)
		if !bytes.Equal(doc, before) {
			t.Fatalf("%q was changed to %q", before, doc)
		}
		if want := without(parse(t, doc), names); !reflect.DeepEqual(parse(t, got), want) {
			t.Errorf("of %q remains %q, want %v", doc, got, want)
		}
	})
}

func FuzzAppendIndent(f *testing.F) {
	for _, doc := range indentDocs {
		f.Add([]byte(doc), 5)
	}
	f.Fuzz(func(t *testing.T, doc []byte, limit int) {
		if !json.Valid(doc) || limit < 0 {
			return // no input of it
		}
		var want bytes.Buffer
		if err := json.Indent(&want, bytes.TrimSpace(doc), "", "  "); err != nil {
			t.Fatal(err)
		}
		whole, total := jsondoc.AppendIndent(nil, doc, -1)
		if !bytes.Equal(whole, want.Bytes()) {
			t.Fatalf("%q: got %q, want %q", doc, whole, want.Bytes())
		}
		cut, n := jsondoc.AppendIndent(nil, doc, limit)
		if n != total || !bytes.HasPrefix(whole, cut) {
			t.Errorf("%q, limit %d: got %q (%d of %d)", doc, limit, cut, n, total)
		}
	})
}
