package validate

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-playground/validator/v10"
)

// outcomes is the set of results of a comparison that a rule accepts.
type outcomes uint8

const (
	less outcomes = 1 << iota
	equal
	greater
)

var accepts = map[string]outcomes{
	"min": equal | greater, "gte": equal | greater, "gt": greater,
	"max": less | equal, "lte": less | equal, "lt": less,
	"len": equal, "eq": equal, "ne": less | greater,
}

// fast returns a test that says yes to nothing that the validator would refuse, and no to little else, or nil. The
// validator boxes each value that it looks at; most values of most calls need not go there.
func (u use) fast() func(reflect.Value) bool {
	if implements(u.t, valuerType) {
		return nil // it is another value that counts
	}
	if u.name == "oneof" && u.kind == kString {
		list := words(u.param)
		return func(v reflect.Value) bool { return slices.Contains(list, v.String()) }
	}
	ok, known := accepts[u.name]
	if !known {
		return nil
	}
	switch u.kind {
	case kInt:
		n := u.integer()
		return func(v reflect.Value) bool { return ok.has(cmp.Compare(v.Int(), n)) }
	case kUint:
		n, _ := strconv.ParseUint(u.param, 0, 64)
		return func(v reflect.Value) bool { return ok.has(cmp.Compare(v.Uint(), n)) }
	case kFloat:
		n, _ := strconv.ParseFloat(u.param, u.t.Bits())
		return func(v reflect.Value) bool { return ok.has(cmp.Compare(v.Float(), n)) }
	case kString:
		if u.name == "eq" || u.name == "ne" {
			return func(v reflect.Value) bool { return (v.String() == u.param) == (u.name == "eq") }
		}
		n := u.size()
		return func(v reflect.Value) bool { return ok.has(cmp.Compare(int64(utf8.RuneCountInString(v.String())), n)) }
	case kList, kMap:
		n := u.size()
		return func(v reflect.Value) bool { return ok.has(cmp.Compare(int64(v.Len()), n)) }
	}
	return nil
}

// has reports whether the result of cmp.Compare is among the outcomes.
func (o outcomes) has(comparison int) bool { return o&(1<<(comparison+1)) != 0 }

var valuerType = reflect.TypeFor[validator.Valuer]()
