package jsontree_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/cloudg/mcplayer/internal/jsontree"
	"github.com/go-json-experiment/json/jsontext"
)

type names []string

type table map[int][]names

func TestClone(t *testing.T) {
	tests := []struct {
		name  string
		value any
	}{
		{"nil", nil},
		{"scalars", []any{"s", true, 1, int64(2), 2.5, uint8(3), nil}},
		{"map", map[string]any{"a": map[string]any{"b": []any{1, nil}}, "n": nil}},
		{"nil map inside", map[string]any{"a": map[string]any(nil), "b": []any(nil), "c": []string(nil), "d": table(nil)}},
		{"strings", []string{"a"}},
		{"map of strings", map[string]string{"a": "b"}},
		{"map of numbers", map[string]int{"a": 1}},
		{"list of maps", []map[string]any{{"a": []int{1}}, nil}},
		{"map of lists", map[string][]string{"a": {"b"}}},
		{"named types", table{1: {{"a"}, nil}}},
		{"documents", []any{json.RawMessage(`{}`), jsontext.Value(`[]`), json.RawMessage(nil), jsontext.Value(nil)}},
		{"list of lists", [][]byte{[]byte("a"), nil}},
		{"map of interfaces", map[string]fmt.Stringer{"a": nil}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := jsontree.Clone(tt.value)
			if !reflect.DeepEqual(c, tt.value) {
				t.Fatalf("got %#v, want %#v", c, tt.value)
			}
			if path := shared("", reflect.ValueOf(c), reflect.ValueOf(tt.value)); path != "" {
				t.Errorf("%s is shared", path)
			}
		})
	}
}

// shared returns the path of a map or slice that a and b share.
func shared(path string, a, b reflect.Value) string {
	switch a.Kind() {
	case reflect.Interface:
		if !a.IsNil() {
			return shared(path, a.Elem(), b.Elem())
		}
	case reflect.Map:
		if !a.IsNil() && a.Pointer() == b.Pointer() {
			return path + "{}"
		}
		for _, key := range a.MapKeys() {
			if p := shared(fmt.Sprint(path, ".", key), a.MapIndex(key), b.MapIndex(key)); p != "" {
				return p
			}
		}
	case reflect.Slice:
		if a.Len() > 0 && a.Pointer() == b.Pointer() {
			return path + "[]"
		}
		for i := range a.Len() {
			if p := shared(fmt.Sprint(path, "[", i, "]"), a.Index(i), b.Index(i)); p != "" {
				return p
			}
		}
	}
	return ""
}
