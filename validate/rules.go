package validate

import (
	"maps"
	"reflect"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// kinds is a set of the sorts of values that rules tell apart.
type kinds uint16

const (
	kString kinds = 1 << iota
	kInt
	kUint
	kFloat
	kBool
	kList // slices and arrays, []byte included
	kMap
	kTime
	kStringer // what a rule reads through its String method
	kOther

	kNumber  = kInt | kUint | kFloat
	kSized   = kString | kList | kMap
	kOrdered = kNumber | kSized | kTime
	kAny     = kOrdered | kBool
)

func kindsOf(t reflect.Type) kinds {
	switch t.Kind() {
	case reflect.String:
		return kString
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return kInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return kUint
	case reflect.Float32, reflect.Float64:
		return kFloat
	case reflect.Bool:
		return kBool
	case reflect.Slice, reflect.Array:
		return kList
	case reflect.Map:
		return kMap
	case reflect.Struct:
		if t.ConvertibleTo(timeType) {
			return kTime
		}
	}
	return kOther
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
)

// params says what may follow a rule's name.
type params uint8

const (
	noParam    params = iota
	oneParam          // any text
	listParam         // words or 'quoted words'
	fieldParam        // a field of the same struct
	topParam          // a field of the outermost struct
	maybeParam
	sizeParam // needed unless the value is a time, which is compared with now
)

// A rule is what this package knows about a rule of validator/v10: where it makes sense, how to say it to a
// model, and how to say it in a schema. The check itself is the validator's.
type rule struct {
	on     kinds
	param  params
	typ    string
	say    func(u use) string
	schema func(u use, s *jsonschema.Schema) // nil: the schema stays wider
}

// A use is one rule in one tag: its parameter and the type it is applied to, pointers removed.
type use struct {
	name, param string
	other       string // the JSON name of the field that param names
	t           reflect.Type
	kind        kinds
}

// structural names what a tag may hold beside rules; these are not handed to the validator.
var structural = map[string]bool{
	"required": true, "omitempty": true, "omitnil": true, "omitzero": true, "isdefault": true, "dive": true,
	"keys": true, "endkeys": true, "structonly": true, "nostructlevel": true, "required_if": true,
	"required_unless": true, "required_with": true, "required_with_all": true, "required_without": true,
	"required_without_all": true, "excluded_if": true, "excluded_unless": true, "excluded_with": true,
	"excluded_with_all": true, "excluded_without": true, "excluded_without_all": true, "skip_unless": true, "validateFn": true,
}

// aliasMessages say the aliases shorter than their parts would.
var aliasMessages = map[string]string{
	"iscolor":         "must be a color, such as #a0b1c2 or rgb(0, 31, 255)",
	"country_code":    "must be an ISO 3166-1 country code",
	"eu_country_code": "must be an ISO 3166-1 code of an EU country",
}

// aliases are those of validator/v10.
var aliases = map[string]string{
	"iscolor":         "hexcolor|rgb|rgba|hsl|hsla|cmyk",
	"country_code":    "iso3166_1_alpha2|iso3166_1_alpha3|iso3166_1_alpha_numeric",
	"eu_country_code": "iso3166_1_alpha2_eu|iso3166_1_alpha3_eu|iso3166_1_alpha_numeric_eu",
}

// rules are the rules of validator/v10, by name. A name that is missing here is refused, so that a new version
// of the validator cannot add a rule that is checked without a message or a place in the schema.
var rules = func() map[string]rule {
	m := map[string]rule{}
	for _, set := range []map[string]rule{sizeRules, valueRules, textRules, relationRules} {
		maps.Copy(m, set)
	}
	for name, p := range patternRules {
		m[name] = p.rule(name)
	}
	return m
}()

func phrase(s string) func(use) string { return func(use) string { return s } }
