package validate

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// term reads one rule, or several joined by |, for values of type t, and tries it.
func (sc *scope) term(token string, t reflect.Type) (term, error) {
	alias := token
	if full, ok := aliases[token]; ok {
		token = full
	}
	name, param, hasParam := strings.Cut(token, "=")
	if name == "validateFn" {
		return methodTerm(cmp.Or(param, "Validate"), t)
	}
	if custom := sc.set.custom[name]; custom != nil && !strings.Contains(token, "|") {
		return sc.customTerm(custom, unescape(param), t)
	}
	var parts []use
	var tags []string
	for part := range strings.SplitSeq(token, "|") {
		name, param, hasParam = strings.Cut(part, "=")
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
	if c := closest(name, known); c != "" {
		return fmt.Errorf("unknown rule (did you mean %q?)", c)
	}
	return errors.New("unknown rule")
}

func (sc *scope) checkParam(u *use, r rule, hasParam bool) (err error) {
	switch r.param {
	case noParam:
		if hasParam {
			return errors.New("takes no parameter")
		}
	case sizeParam:
		if u.kind == kTime {
			if hasParam {
				return errors.New("takes no parameter for a time: it compares with now")
			}
			return nil
		}
		return u.checkBound()
	case oneParam:
		switch {
		case !hasParam, u.param == "" && !(u.kind == kString && (u.name == "eq" || u.name == "ne")):
			return errors.New("needs a parameter")
		case (u.name == "len" || u.name == "eq" || u.name == "ne") && u.kind != kBool && (u.kind != kString || u.name == "len"):
			return u.checkBound()
		}
	case listParam:
		return u.checkWords()
	case fieldParam:
		u.other, err = sc.compare(u, sc.parent)
	case topParam:
		u.other, err = sc.compare(u, sc.top)
	case maybeParam:
		if u.name == "unique" {
			u.other, err = sc.checkUnique(u)
		}
	}
	return err
}

// checkBound tests a parameter that is a number or a length.
func (u *use) checkBound() error {
	bad := fmt.Errorf("the parameter %q is not a number that fits %s", u.param, u.t)
	switch {
	case u.t == durationType:
		if _, err := time.ParseDuration(u.param); err == nil {
			return nil
		}
		_, err := strconv.ParseInt(u.param, 0, 64)
		if err != nil {
			return fmt.Errorf("the parameter %q is not a duration, such as 90s", u.param)
		}
	case u.kind == kInt:
		if n, err := strconv.ParseInt(u.param, 0, 64); err != nil || reflect.Zero(u.t).OverflowInt(n) {
			return bad
		}
	case u.kind == kUint:
		if n, err := strconv.ParseUint(u.param, 0, 64); err != nil || reflect.Zero(u.t).OverflowUint(n) {
			return bad
		}
	case u.kind == kFloat:
		if f, err := strconv.ParseFloat(u.param, u.t.Bits()); err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return bad
		}
	default:
		n, err := strconv.ParseInt(u.param, 0, 32)
		if err != nil || n < 0 || n == 0 && u.name == "lt" {
			return fmt.Errorf("the parameter %q is not a length", u.param)
		}
	}
	return nil
}

// checkWords tests a list of values, and replaces the texts of a type that has some by what they stand for.
func (u *use) checkWords() error {
	list := words(u.param)
	if len(list) == 0 {
		return errors.New("needs a list of values separated by spaces")
	}
	if u.kind == kString {
		return nil
	}
	for i, w := range list {
		v := reflect.New(u.t)
		var fits bool
		if n, err := strconv.ParseInt(w, 10, 64); err == nil && u.kind == kInt {
			fits = !v.Elem().OverflowInt(n) && strconv.FormatInt(n, 10) == w
		} else if n, err := strconv.ParseUint(w, 10, 64); err == nil && u.kind == kUint {
			fits = !v.Elem().OverflowUint(n) && strconv.FormatUint(n, 10) == w
		} else if m, ok := v.Interface().(encoding.TextUnmarshaler); ok && m.UnmarshalText([]byte(w)) == nil {
			list[i], fits = fmt.Sprintf("%d", v.Elem().Interface()), true
			if u.kind == kInt {
				list[i] = strconv.FormatInt(v.Elem().Int(), 10)
			} else {
				list[i] = strconv.FormatUint(v.Elem().Uint(), 10)
			}
		}
		if !fits {
			return fmt.Errorf("%q is not a value of %s", w, u.t)
		}
	}
	if isText(u.t) {
		u.param = strings.Join(list, " ")
	}
	return nil
}

func (sc *scope) checkUnique(u *use) (string, error) {
	if u.kind&(kList|kMap) == 0 {
		if u.param == "" {
			return "", fmt.Errorf("cannot be applied to %s without the name of a field", u.t)
		}
		return sc.compare(u, sc.parent)
	}
	elem := deref(u.t.Elem())
	if u.param != "" {
		if u.kind == kMap || elem.Kind() != reflect.Struct {
			return "", fmt.Errorf("%s has no items with fields", u.t)
		}
		f, name, err := lookup(elem, u.param)
		if err != nil {
			return "", err
		}
		elem, u.other = deref(f), name
	}
	if !elem.Comparable() || elem.Kind() == reflect.Interface {
		return "", fmt.Errorf("values of %s cannot be compared", elem)
	}
	return u.other, nil
}

// compare finds the field that a parameter names, and reports its JSON name.
func (sc *scope) compare(u *use, in reflect.Type) (string, error) {
	t, name, err := lookup(in, u.param)
	if err != nil {
		return "", err
	}
	other := deref(t)
	if other.Kind() != u.t.Kind() && u.name != "postcode_iso3166_alpha2_field" ||
		other.Kind() == reflect.Struct && kindsOf(other) != kindsOf(u.t) {
		return "", fmt.Errorf("cannot compare %s with %s", u.t, other)
	}
	if u.name == "postcode_iso3166_alpha2_field" && other.Kind() != reflect.String {
		return "", fmt.Errorf("%s is not text", u.param)
	}
	return name, nil
}

// lookup follows a path of Go field names and returns the type at its end and the path of JSON names.
func lookup(t reflect.Type, path string) (reflect.Type, string, error) {
	if t == nil {
		return nil, "", errors.New("there is no struct to look for the field in")
	}
	if path == "" {
		return nil, "", errors.New("needs the name of a field")
	}
	var loc []byte
	for name := range strings.SplitSeq(path, ".") {
		t = deref(t)
		if t.Kind() != reflect.Struct {
			return nil, "", fmt.Errorf("%s has no field %s", t, name)
		}
		f, ok := t.FieldByName(name)
		if !ok || !f.IsExported() {
			return nil, "", fmt.Errorf("%s has no field %s", t, name)
		}
		m, _ := jsonTag(f, f.Tag.Get("json"), true)
		if m.skip {
			return nil, "", fmt.Errorf("the field %s is hidden from JSON", name)
		}
		loc, t = appendName(loc, m.name), f.Type
	}
	return t, string(loc), nil
}

// describe makes message and schema of rules joined by |.
func (sc *scope) describe(parts []use) term {
	var tm term
	var schemas []func(*jsonschema.Schema)
	for i, u := range parts {
		message, typ, schema := sc.facts(u)
		r := rules[u.name]
		tm.parent = tm.parent || r.param == fieldParam || u.name == "unique" && u.kind&(kList|kMap) == 0
		tm.top = tm.top || r.param == topParam
		if r.param == fieldParam && r.on == kOrdered && len(parts) == 1 {
			tm.order = u.param
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
	var any []*jsonschema.Schema
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
		any = append(any, sub)
	}
	addAnyOf(s, any)
}

// try runs a term on sample values, so that whatever makes the validator panic does so now.
func (sc *scope) try(tm *term, t reflect.Type) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("refused by the validator: %v", p)
		}
	}()
	var other any
	switch {
	case tm.top:
		other = reflect.New(sc.top).Interface()
	case tm.parent:
		other = reflect.New(sc.parent).Interface()
	}
	for _, v := range samples(t) {
		p := reflect.New(t)
		p.Elem().Set(v)
		_ = sc.set.engine.VarWithValue(p.Interface(), other, tm.tag)
	}
	return nil
}

// samples are the zero value and one that is not.
func samples(t reflect.Type) []reflect.Value {
	some := reflect.New(t).Elem()
	switch kindsOf(t) {
	case kString:
		some.SetString("a")
	case kInt:
		some.SetInt(1)
	case kUint:
		some.SetUint(1)
	case kFloat:
		some.SetFloat(1)
	case kBool:
		some.SetBool(true)
	case kList:
		if t.Kind() == reflect.Slice {
			some.Set(reflect.MakeSlice(t, 1, 1))
		}
	case kMap:
		some.Set(reflect.MakeMap(t))
		some.SetMapIndex(reflect.Zero(t.Key()), reflect.Zero(t.Elem()))
	}
	return []reflect.Value{reflect.Zero(t), some}
}

var (
	stringerType = reflect.TypeFor[fmt.Stringer]()
	errorType    = reflect.TypeFor[error]()
)
