package mcplayer

import (
	stdjson "encoding/json"
	"net/netip"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// hasPlainType reports whether encoding the value runs no code but the encoder's,
// so that it ends without the help of a deadline: no type in it has methods or
// is an interface, which could hold any, and none is inside itself, since a value that
// refers to its parts again and again may be endless.
func hasPlainType(value any) bool {
	t := reflect.TypeOf(value)
	if plain, ok := plainTypes.Load(t); ok {
		return plain.(bool)
	}
	plain := hasNoCode(t, make(map[reflect.Type]bool))
	plainTypes.Store(t, plain)
	return plain
}

var plainTypes sync.Map // of what hasPlainType found, by reflect.Type

// knownTypes are types whose methods are known to end, and that are not encoded as
// the text of a fmt.Stringer.
var knownTypes = map[reflect.Type]bool{
	reflect.TypeFor[time.Time]():          true,
	reflect.TypeFor[netip.Addr]():         true,
	reflect.TypeFor[netip.AddrPort]():     true,
	reflect.TypeFor[netip.Prefix]():       true,
	reflect.TypeFor[stdjson.RawMessage](): true,
	reflect.TypeFor[jsontext.Value]():     true,
}

// hasNoCode is hasPlainType for a type inside others.
func hasNoCode(t reflect.Type, around map[reflect.Type]bool) bool {
	if knownTypes[t] {
		return true
	}
	if around[t] {
		return false
	}
	around[t] = true
	defer delete(around, t)
	if t.Kind() != reflect.Pointer && reflect.PointerTo(t).NumMethod() > 0 { // those of t among them
		return false
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return hasNoCode(t.Elem(), around)
	case reflect.Map:
		return hasNoCode(t.Key(), around) && hasNoCode(t.Elem(), around)
	case reflect.Struct:
		for field := range t.Fields() {
			if !hasNoCode(field.Type, around) {
				return false
			}
		}
		return true
	}
	return t.Kind() != reflect.Interface
}

// isPlainTree reports the same of a value that is a tree of JSON in Go, which the SDK
// encodes as we do: it looks at what is in interfaces, too.
func isPlainTree(value any) bool {
	switch v := value.(type) {
	case nil, bool, string, int, int32, int64, uint, uint32, uint64, float32, float64, []string, stdjson.Number, stdjson.RawMessage:
		return true
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !isPlainTree(e) })
	case map[string]any:
		for _, e := range v {
			if !isPlainTree(e) {
				return false
			}
		}
		return true
	}
	return false
}
