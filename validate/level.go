package validate

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// A level is the part of a validate tag that is about one value: the field, the items of its list, the keys or
// the values of its map.
type level struct {
	terms     []term
	required  bool // for an item: not null
	optional  bool // omitempty and the like
	mustZero  bool // isdefault
	bare      bool // "-", structonly, nostructlevel: what is inside is not checked
	presence  []presence
	keys      *level
	elem      *level
	valueType reflect.Type // pointers removed
}

// A term is one rule, or several joined by |.
type term struct {
	tag     string // as the validator gets it
	custom  *Rule  // checked here and not by the validator
	param   string // of custom
	parent  bool   // looks at other fields of the struct
	other   string // the Go name of the field that it looks at
	sibling int    // the position of that field in the plan, or in that of the outermost struct, plus one
	lenient bool   // holds if that field is absent
	top     bool   // looks at the outermost struct
	typ     string
	message string
	schema  func(*jsonschema.Schema) // may be nil
	fast    func(reflect.Value) bool // may be nil; see use.fast
}

// scope is where a tag stands.
type scope struct {
	set    *ruleSet
	parent reflect.Type // the struct that declares the field
	top    reflect.Type // the outermost struct, nil if there is none
}

// parseLevel reads a validate tag for a value of type t and tries every rule of it.
func (sc *scope) parseLevel(tag string, t reflect.Type) (*level, error) {
	if tag == "-" {
		return &level{bare: true, valueType: deref(t)}, nil
	}
	l, err := sc.parse(strings.Split(tag, ","), t, false)
	return l, err
}

func (sc *scope) parse(tokens []string, t reflect.Type, inner bool) (*level, error) {
	l := &level{valueType: deref(t)}
	var errs []error
	fail := func(token string, err error) { errs = append(errs, fmt.Errorf("validate:%q: %w", token, err)) }
	for i, token := range tokens {
		if token == "dive" {
			if err := sc.dive(l, tokens[i+1:]); err != nil {
				errs = append(errs, err)
			}
			break
		}
		err := sc.token(l, token, inner)
		if errors.Is(err, errUnknownRule) && i > 0 && takesList(tokens[i-1]) {
			err = fmt.Errorf("%w; values of %s are separated by spaces", errUnknownRule, tokens[i-1])
		}
		if err != nil {
			fail(token, err)
		}
	}
	if len(errs) == 0 && l.impossible() {
		errs = append(errs, fmt.Errorf("validate:%q: no value can follow all of these", strings.Join(tokens, ",")))
	}
	return l, errors.Join(errs...)
}

// takesList reports whether the parameter of a rule is a list of values.
func takesList(token string) bool {
	name, _, _ := strings.Cut(token, "=")
	return rules[name].param == listParam
}

// impossible reports whether the bounds of a level contradict each other.
func (l *level) impossible() bool {
	s := new(jsonschema.Schema)
	if kindsOf(l.valueType) == kList && !isBytes(l.valueType) {
		s.Type = "array"
	}
	for _, t := range l.terms {
		if t.custom == nil && t.schema != nil {
			t.schema(s)
		}
	}
	return above(s.MinLength, s.MaxLength) || above(s.MinItems, s.MaxItems) || above(s.MinProperties, s.MaxProperties) ||
		above(s.Minimum, s.Maximum) || above(s.ExclusiveMinimum, s.Maximum) || above(s.Minimum, s.ExclusiveMaximum)
}

func above[N int | float64](least, most *N) bool {
	return least != nil && most != nil && *least > *most
}

// token adds one part of a tag to l.
func (sc *scope) token(l *level, token string, inner bool) error {
	name, param, hasParam := strings.Cut(token, "=")
	switch name {
	case "required", "omitempty", "omitnil", "omitzero", "isdefault", "structonly", "nostructlevel", "keys", "endkeys":
		if hasParam {
			return errors.New("takes no parameter")
		}
	}
	switch name {
	case "required":
		l.required = true
	case "omitempty", "omitnil", "omitzero":
		l.optional = true
	case "isdefault":
		l.mustZero = true
	case "structonly", "nostructlevel":
		if l.valueType.Kind() != reflect.Struct {
			return fmt.Errorf("makes no sense for %s", l.valueType)
		}
		l.bare = true
	case "keys", "endkeys":
		return errors.New("keys must follow dive, and endkeys must end it")
	case "":
		return errors.New("empty rule; is there a comma too many?")
	default:
		if isPresence(name) {
			return sc.presence(l, name, param, inner)
		}
		tm, err := sc.term(token, l.valueType)
		if err != nil {
			return err
		}
		l.terms = append(l.terms, tm)
	}
	return nil
}

// dive reads what comes behind dive.
func (sc *scope) dive(l *level, tokens []string) (err error) {
	t := l.valueType
	isMap := t.Kind() == reflect.Map
	if !isMap && t.Kind() != reflect.Slice && t.Kind() != reflect.Array || isText(t) || isBytes(t) || isRaw(t) {
		return fmt.Errorf("validate:\"dive\": cannot dive into %s", t)
	}
	if len(tokens) > 0 && tokens[0] == "keys" {
		end := 1
		for end < len(tokens) && tokens[end] != "endkeys" {
			end++
		}
		switch {
		case !isMap:
			return fmt.Errorf("validate:\"keys\": %s has no keys", t)
		case end == len(tokens):
			return errors.New(`validate:"keys": endkeys is missing`)
		case end == 1:
			return errors.New(`validate:"keys": no rule before endkeys`)
		}
		if l.keys, err = sc.parse(tokens[1:end], t.Key(), true); err != nil {
			return err
		}
		tokens = tokens[end+1:]
	}
	if len(tokens) == 0 {
		return nil
	}
	l.elem, err = sc.parse(tokens, t.Elem(), true)
	return err
}

// idle reports whether there is nothing to check on this level and below it.
func (l *level) idle() bool {
	return l == nil || len(l.terms) == 0 && !l.mustZero && l.keys.idle() && (l.elem.idle() && (l.elem == nil || !l.elem.required))
}
