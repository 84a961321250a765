// Package jsontree copies the Go values that JSON documents are made of.
package jsontree

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Clone returns a copy of value that shares no map and no slice with it, at any
// depth. Values of other types are taken to be immutable: what pointers and
// structs hold is shared. Value must not contain itself.
func Clone(value any) any {
	switch v := value.(type) {
	case nil, string, bool, int, int64, float64:
		return v
	case map[string]any:
		return cloneMap(v)
	case []any:
		return cloneSlice(v)
	case []string:
		return slices.Clone(v)
	case map[string]string:
		return maps.Clone(v)
	case jsontext.Value:
		return slices.Clone(v)
	case json.RawMessage:
		return slices.Clone(v)
	}
	return cloneOther(reflect.ValueOf(value)).Interface()
}

func cloneMap(m map[string]any) map[string]any {
	if m == nil {
		return nil
	}
	c := make(map[string]any, len(m))
	for key, member := range m {
		c[key] = Clone(member)
	}
	return c
}

func cloneSlice(s []any) []any {
	if s == nil {
		return nil
	}
	c := make([]any, len(s))
	for i, element := range s {
		c[i] = Clone(element)
	}
	return c
}

func cloneOther(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		return reflect.ValueOf(Clone(v.Interface()))
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		c := reflect.MakeMapWithSize(v.Type(), v.Len())
		for key, member := range v.Seq2() {
			c.SetMapIndex(key, cloneOther(member))
		}
		return c
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		if holdsReferences(v.Type().Elem().Kind()) {
			for i := range v.Len() {
				c.Index(i).Set(cloneOther(v.Index(i)))
			}
		}
		return c
	}
	return v
}

func holdsReferences(k reflect.Kind) bool {
	return k == reflect.Map || k == reflect.Slice || k == reflect.Interface
}
