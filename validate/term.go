package validate

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/cloudg/mcplayer/internal/nearest"
	"github.com/google/jsonschema-go/jsonschema"
)

// term reads one rule, or several joined by |, for values of type t, and tries it.
func (sc *scope) term(token string, t reflect.Type) (term, error) {
	alias := token
	if full, ok := aliases[token]; ok {
		token = full
	}
	name, param, _ := strings.Cut(token, "=")
	if name == "validateFn" {
		return methodTerm(cmp.Or(param, "Validate"), t)
	}
	if custom := sc.set.custom[name]; custom != nil && !strings.Contains(token, "|") {
		return sc.customTerm(custom, unescape(param), t)
	}
	var parts []use
	var tags []string
	for part := range strings.SplitSeq(token, "|") {
		name, param, hasParam := strings.Cut(part, "=")
		u := use{name: name, param: unescape(param), t: t, kind: kindsOf(t)}
		if err := sc.check(&u, hasParam); err != nil {
			return term{}, err
		}
		parts = append(parts, u)
		tags = append(tags, u.tag(hasParam))
	}
	tm := sc.describe(parts)
	tm.tag = strings.Join(tags, "|")
	if m := aliasMessages[alias]; m != "" {
		tm.message = m
	}
	return tm, sc.try(&tm, t)
}

// unescape replaces what stands for the separators of a tag.
func unescape(param string) string {
	return strings.NewReplacer("0x2C", ",", "0x7C", "|").Replace(param)
}

func (u use) tag(hasParam bool) string {
	if !hasParam {
		return u.name
	}
	return u.name + "=" + strings.NewReplacer(",", "0x2C", "|", "0x7C").Replace(u.param)
}

func (sc *scope) customTerm(r *Rule, param string, t reflect.Type) (tm term, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("cannot be applied to %s: %v", t, p)
		}
	}()
	tm = term{custom: r, param: param, typ: TypeRule, message: r.message(param)}
	r.Check(reflect.New(t).Elem(), param)
	if r.Schema != nil {
		tm.schema = func(s *jsonschema.Schema) { r.Schema(param, s) }
		tm.schema(&jsonschema.Schema{}) // a panic is an error here and not later
	}
	return tm, nil
}

// methodTerm makes the term of validateFn: a method of the value says whether it is valid. The validator does
// not call it for structs, which are most of the types that have one.
func methodTerm(name string, t reflect.Type) (term, error) {
	m, ok := reflect.PointerTo(t).MethodByName(name)
	if !ok {
		return term{}, fmt.Errorf("%s has no method %s", t, name)
	}
	if f := m.Type; f.NumIn() != 1 || f.NumOut() != 1 || f.Out(0).Kind() != reflect.Bool && f.Out(0) != errorType {
		return term{}, fmt.Errorf("the method %s of %s must take nothing and return a bool or an error", name, t)
	}
	check := func(v reflect.Value, _ string) bool {
		out := v.Addr().Method(m.Index).Call(nil)[0]
		return out.Kind() == reflect.Bool && out.Bool() || out.Kind() == reflect.Interface && out.IsNil()
	}
	return term{custom: &Rule{Tag: "validateFn", Check: check}, typ: TypeRule, message: "must be valid"}, nil
}

// check looks for what the validator would not notice, or only at the first call.
func (sc *scope) check(u *use, hasParam bool) error {
	if sc.set.custom[u.name] != nil {
		if u.kind == kOther || u.kind == kTime {
			return fmt.Errorf("a custom rule for %s cannot be joined with |", u.t)
		}
		return nil
	}
	r, known := rules[u.name]
	if !known {
		return sc.unknown(u.name)
	}
	stringer := r.on&kStringer != 0 && u.t.Implements(stringerType)
	if u.kind&r.on == 0 && !stringer {
		return fmt.Errorf("cannot be applied to %s", u.t)
	}
	return sc.checkParam(u, r, hasParam)
}

func (sc *scope) unknown(name string) error {
	if structural[name] || aliases[name] != "" {
		return errors.New("cannot be joined with | or take a parameter")
	}
	known := make([]string, 0, len(rules)+len(structural))
	for k := range rules {
		known = append(known, k)
	}
	for k := range structural {
		known = append(known, k)
	}
	for k := range sc.set.custom {
		known = append(known, k)
	}
	slices.Sort(known)
	if c := nearest.Name(name, known); c != "" {
		return fmt.Errorf("%w (did you mean %q?)", errUnknownRule, c)
	}
	return errUnknownRule
}

var errUnknownRule = errors.New("unknown rule")

// describe makes message and schema of rules joined by |.
func (sc *scope) describe(parts []use) term {
	var tm term
	var schemas []func(*jsonschema.Schema)
	for i, u := range parts {
		message, typ, schema := sc.facts(u)
		r := rules[u.name]
		tm.parent = tm.parent || r.param == fieldParam || u.name == "unique" && u.kind&(kList|kMap) == 0
		tm.top = tm.top || r.param == topParam
		if (r.param == fieldParam || r.param == topParam) && len(parts) == 1 {
			tm.other, _, _ = strings.Cut(u.param, ".")
			tm.lenient = u.name != "eqfield" && u.name != "eqcsfield"
		}
		switch {
		case i == 0:
			tm.message, tm.typ = message, typ
		case strings.HasPrefix(message, "must be "):
			tm.message += " or " + strings.TrimPrefix(message, "must be ")
		default:
			tm.message += " or " + strings.TrimPrefix(message, "must ")
		}
		if typ != tm.typ {
			tm.typ = mixedType(u.kind)
		}
		schemas = append(schemas, schema)
	}
	switch {
	case len(schemas) == 1:
		tm.schema = schemas[0]
		tm.fast = parts[0].fast()
	default:
		tm.schema = func(s *jsonschema.Schema) { either(s, schemas) }
	}
	return tm
}

func (sc *scope) facts(u use) (message, typ string, schema func(*jsonschema.Schema)) {
	if c := sc.set.custom[u.name]; c != nil {
		if c.Schema != nil {
			schema = func(s *jsonschema.Schema) { c.Schema(u.param, s) }
		}
		return c.message(u.param), TypeRule, schema
	}
	r := rules[u.name]
	if r.schema != nil && (!isText(u.t) || r.param == listParam && u.t != durationType) {
		schema = func(s *jsonschema.Schema) { r.schema(u, s) }
	}
	return r.say(u), r.problemType(u), schema
}

// problemType is the type of a problem: lengths are no ranges.
func (r rule) problemType(u use) string {
	_, compares := accepts[u.name]
	switch {
	case r.typ == TypeRange && compares && u.kind&kSized != 0, r.typ == TypeEnum && compares && u.kind&(kList|kMap) != 0:
		return TypeLength
	}
	return r.typ
}

// mixedType is the type of a problem with alternatives of different types.
func mixedType(k kinds) string {
	if k&kNumber != 0 {
		return TypeRange
	}
	return TypeFormat
}

// either adds alternatives to a schema, if each of them says something.
func either(s *jsonschema.Schema, schemas []func(*jsonschema.Schema)) {
	var list []*jsonschema.Schema
	for _, f := range schemas {
		if f == nil {
			return
		}
		sub := &jsonschema.Schema{Type: s.Type}
		f(sub)
		sub.Type = ""
		if reflect.ValueOf(*sub).IsZero() {
			return
		}
		list = append(list, sub)
	}
	addAnyOf(s, list)
}

var (
	stringerType = reflect.TypeFor[fmt.Stringer]()
	errorType    = reflect.TypeFor[error]()
)
