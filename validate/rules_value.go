package validate

import (
	"encoding"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
)

// valueRules compare with fixed values.
var valueRules = map[string]rule{
	"eq":             {kNumber | kSized | kBool, oneParam, TypeEnum, sayEq, schemaEq},
	"ne":             {kNumber | kSized | kBool, oneParam, TypeEnum, sayNe, schemaNe},
	"eq_ignore_case": {kString, oneParam, TypeEnum, func(u use) string { return "must be " + quote(u.param) + " in upper or lower case" }, schemaFolded},
	"ne_ignore_case": {kString, oneParam, TypeEnum, func(u use) string { return "must not be " + quote(u.param) + " in upper or lower case" }, schemaNotFolded},
	"oneof":          {kString | kInt | kUint, listParam, TypeEnum, sayOneOf, func(u use, s *jsonschema.Schema) { s.Enum = u.enum() }},
	"oneofci": {
		kString, listParam, TypeEnum,
		func(u use) string { return sayOneOf(u) + ", in upper or lower case" }, schemaFolded,
	},
	"noneof": {
		kString | kInt | kUint, listParam, TypeEnum,
		func(u use) string { return "must not be one of: " + u.list() },
		func(u use, s *jsonschema.Schema) { forbid(s, &jsonschema.Schema{Enum: u.enum()}) },
	},
	"noneofci": {
		kString, listParam, TypeEnum,
		func(u use) string { return "must not be one of: " + u.list() + ", in upper or lower case" }, schemaNotFolded,
	},
	"unique": {kList | kMap | kString | kNumber | kBool, maybeParam, TypeUnique, sayUnique, schemaUnique},
	"port": {
		kInt | kUint, noParam, TypeRange, phrase("must be a port number from 1 to 65535"),
		func(u use, s *jsonschema.Schema) { raise(&s.Minimum, 1); lower(&s.Maximum, 65535) },
	},
	"latitude": {
		kString | kNumber, noParam, TypeRange, phrase("must be a latitude from -90 to 90"),
		degrees(90, `^[-+]?([1-8]?\d(\.\d+)?|90(\.0+)?)$`),
	},
	"longitude": {
		kString | kNumber, noParam, TypeRange, phrase("must be a longitude from -180 to 180"),
		degrees(180, `^[-+]?(180(\.0+)?|((1[0-7]\d)|([1-9]?\d))(\.\d+)?)$`),
	},
	"boolean": {kString | kBool, noParam, TypeEnum, phrase("must be true or false"), func(u use, s *jsonschema.Schema) {
		if u.kind == kString {
			s.Enum = []any{"1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"}
		}
	}},
}

func sayEq(u use) string {
	switch u.kind {
	case kList, kMap:
		return exactly(u)
	case kString:
		return "must be " + quote(u.param)
	case kBool:
		return "must be " + strconv.FormatBool(u.truth())
	}
	return "must be " + u.bound()
}

func sayNe(u use) string {
	switch u.kind {
	case kList, kMap:
		return strings.Replace(exactly(u), "must have exactly", "must not have exactly", 1)
	case kString:
		return "must not be " + quote(u.param)
	case kBool:
		return "must be " + strconv.FormatBool(!u.truth())
	}
	return "must not be " + u.bound()
}

func (u use) truth() bool {
	b, _ := strconv.ParseBool(u.param)
	return b
}

// constant is the parameter as a JSON value, if a schema can hold it.
func (u use) constant() (any, bool) {
	switch u.kind {
	case kString:
		return u.param, true
	case kBool:
		return u.truth(), true
	case kList, kMap:
		return nil, false
	}
	n, ok := u.number()
	return n, ok && u.t != durationType
}

func schemaEq(u use, s *jsonschema.Schema) {
	if c, ok := u.constant(); ok {
		s.Const = &c
	} else if u.kind&(kList|kMap) != 0 {
		u.setSize(s, u.size(), u.size())
	}
}

func schemaNe(u use, s *jsonschema.Schema) {
	if c, ok := u.constant(); ok {
		forbid(s, &jsonschema.Schema{Const: &c})
	} else if u.kind == kMap || s.Type == "array" { // the base64 length of []byte is no exact one
		not := &jsonschema.Schema{Type: s.Type}
		u.setSize(not, u.size(), u.size())
		not.Type = ""
		forbid(s, not)
	}
}

func schemaFolded(u use, s *jsonschema.Schema) { addPattern(s, u.folded()) }

func schemaNotFolded(u use, s *jsonschema.Schema) { forbid(s, &jsonschema.Schema{Pattern: u.folded()}) }

// folded is a pattern for one or more words in any mixture of upper and lower case.
func (u use) folded() string {
	list := []string{u.param}
	if strings.HasSuffix(u.name, "ofci") {
		list = words(u.param)
	}
	for i, w := range list {
		var b strings.Builder
		for _, r := range w {
			b.WriteString(class(orbit(r)))
		}
		list[i] = b.String()
	}
	return "^(" + strings.Join(list, "|") + ")$"
}

// orbit returns a character and all that differ from it in case only.
func orbit(r rune) string {
	var all strings.Builder
	all.WriteString(string(r))
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		all.WriteString(string(next))
	}
	return all.String()
}

// forbid adds a "not"; a schema has only one of its own, further ones go into allOf.
func forbid(s, not *jsonschema.Schema) {
	if s.Not == nil {
		s.Not = not
		return
	}
	s.AllOf = append(s.AllOf, &jsonschema.Schema{Not: not})
}

var wordsRE = regexp.MustCompile(`'[^']*'|\S+`)

// words splits a parameter as the validator does.
func words(param string) []string {
	w := wordsRE.FindAllString(param, -1)
	for i := range w {
		w[i] = strings.ReplaceAll(w[i], "'", "")
	}
	return w
}

func quote(s string) string { return strconv.Quote(s) }

func sayOneOf(u use) string { return "must be one of: " + u.list() }

// list shows the allowed values. Words that could be misread in a list are quoted.
func (u use) list() string {
	values := u.enum()
	texts := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case string:
			texts[i] = v
			if v == "" || strings.ContainsAny(v, " ,;\"'") {
				texts[i] = quote(v)
			}
		case int64:
			texts[i] = strconv.FormatInt(v, 10)
		case uint64:
			texts[i] = strconv.FormatUint(v, 10)
		}
	}
	return strings.Join(texts, ", ")
}

// enum returns the allowed values as they look in JSON: the texts of a type that has them.
func (u use) enum() []any {
	var values []any
	for _, w := range words(u.param) {
		v := reflect.New(u.t)
		switch u.kind {
		case kString:
			v.Elem().SetString(w)
		case kInt:
			n, _ := strconv.ParseInt(w, 10, 64)
			v.Elem().SetInt(n)
		case kUint:
			n, _ := strconv.ParseUint(w, 10, 64)
			v.Elem().SetUint(n)
		}
		values = append(values, jsonOf(v))
	}
	return values
}

func jsonOf(p reflect.Value) any {
	if p.Type().Elem() == durationType {
		return p.Elem().Interface().(interface{ String() string }).String()
	}
	if m, ok := p.Interface().(encoding.TextMarshaler); ok {
		if text, err := m.MarshalText(); err == nil {
			return string(text)
		}
	}
	switch v := p.Elem(); kindsOf(v.Type()) {
	case kInt:
		return v.Int()
	case kUint:
		return v.Uint()
	default:
		return v.String()
	}
}

func sayUnique(u use) string {
	switch {
	case u.kind&(kList|kMap) == 0:
		return "must differ from " + u.other
	case u.kind == kMap:
		return "must not hold the same value twice"
	case u.param != "":
		return "must not hold two items with the same " + u.other
	}
	return "must not hold the same item twice"
}

// schemaUnique is exact for plain items only: two times can be the same as text and as JSON different.
func schemaUnique(u use, s *jsonschema.Schema) {
	s.UniqueItems = u.kind == kList && u.param == "" && s.Type == "array" &&
		kindsOf(deref(u.t.Elem()))&(kString|kInt|kUint|kFloat|kBool) != 0
}

func degrees(limit float64, pattern string) func(use, *jsonschema.Schema) {
	return func(u use, s *jsonschema.Schema) {
		if u.kind == kString {
			addPattern(s, pattern)
			return
		}
		raise(&s.Minimum, -limit)
		lower(&s.Maximum, limit)
	}
}

// addPattern adds a pattern; a schema has only one of its own, further ones go into allOf.
func addPattern(s *jsonschema.Schema, pattern string) {
	if s.Pattern == "" || s.Pattern == pattern {
		s.Pattern = pattern
		return
	}
	s.AllOf = append(s.AllOf, &jsonschema.Schema{Pattern: pattern})
}

// deref removes pointers. It ends for a type that points to itself, too.
func deref(t reflect.Type) reflect.Type {
	for range 32 {
		if t.Kind() != reflect.Pointer {
			break
		}
		t = t.Elem()
	}
	return t
}
