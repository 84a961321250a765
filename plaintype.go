package mcplayer

import (
	stdjson "encoding/json"
	"net/netip"
	"reflect"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// hasPlainType reports whether encoding the value runs no code but the encoder's,
// so that it ends without the help of a deadline: no type in it has methods or
// is an interface, which could hold any.
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

// hasNoCode is hasPlainType for a type. A type inside itself is as plain as the rest of it.
func hasNoCode(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] || knownTypes[t] {
		return true
	}
	seen[t] = true
	if t.Kind() == reflect.Pointer {
		return hasNoCode(t.Elem(), seen)
	}
	if reflect.PointerTo(t).NumMethod() > 0 { // those of t among them
		return false
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return hasNoCode(t.Elem(), seen)
	case reflect.Map:
		return hasNoCode(t.Key(), seen) && hasNoCode(t.Elem(), seen)
	case reflect.Struct:
		for field := range t.Fields() {
			if !hasNoCode(field.Type, seen) {
				return false
			}
		}
		return true
	}
	return t.Kind() != reflect.Interface
}
