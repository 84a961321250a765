package validate

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-playground/validator/v10"
)

// A presence rule asks for a field, or excludes it, depending on others.
type presence struct {
	excludes bool
	message  string
	tag      string   // of _if and _unless: a required rule that fails for "" if the condition holds
	fields   []string // of _with and _without: Go names
	siblings []int    // the same, as positions in the struct's plan
	all      bool     // all of them, not any
	given    bool     // given, not missing
}

var presenceNames = []string{
	"_if", "_unless", "_with", "_with_all", "_without", "_without_all",
}

func isPresence(name string) bool {
	kind, cond, ok := strings.Cut(name, "_")
	if name == "skip_unless" {
		return true
	}
	if !ok || kind != "required" && kind != "excluded" {
		return false
	}
	return slices.Contains(presenceNames, "_"+cond)
}

// presence reads a rule like required_if. skip_unless is one by another name: see the validator.
func (sc *scope) presence(l *level, name, param string, inner bool) error {
	if inner {
		return errors.New("makes no sense for an item")
	}
	if strings.Contains(param, "|") {
		return errors.New("cannot be joined with |")
	}
	kind, cond, _ := strings.Cut(name, "_")
	if name == "skip_unless" {
		kind, cond = "required", "if"
	}
	p := presence{excludes: kind == "excluded"}
	if p.excludes {
		p.message = "not allowed "
	} else {
		p.message = "required "
	}
	args := words(unescape(param))
	if len(args) == 0 {
		return errors.New("needs the name of a field")
	}
	err := sc.condition(&p, cond, args, param)
	if err == nil {
		l.presence = append(l.presence, p)
	}
	return err
}

func (sc *scope) condition(p *presence, cond string, args []string, param string) error {
	if cond == "if" || cond == "unless" {
		return sc.values(p, cond, args, param)
	}
	p.all = strings.HasSuffix(cond, "_all")
	p.given = strings.HasPrefix(cond, "with") && !strings.HasPrefix(cond, "without")
	var names []string
	for _, a := range args {
		if strings.Contains(a, ".") {
			return fmt.Errorf("%s is not a field of the same struct", a)
		}
		_, name, err := lookup(sc.parent, a)
		if err != nil {
			return err
		}
		names, p.fields = append(names, name), append(p.fields, a)
	}
	and := " or "
	if p.all {
		and = " and "
	}
	verb := " is "
	if p.all && len(names) > 1 {
		verb = " are "
	}
	state := "missing"
	if p.given {
		state = "given"
	}
	p.message += "when " + strings.Join(names, and) + verb + state
	return nil
}

// values reads pairs of field and value.
func (sc *scope) values(p *presence, cond string, args []string, param string) error {
	if len(args)%2 != 0 {
		return errors.New("needs pairs of field and value")
	}
	var pairs []string
	seen := map[string]bool{}
	for i := 0; i < len(args); i += 2 {
		t, name, err := lookup(sc.parent, args[i])
		if err != nil {
			return err
		}
		if seen[args[i]] {
			return fmt.Errorf("names the field %s twice", args[i])
		}
		seen[args[i]] = true
		if err := comparesWith(deref(t), args[i+1]); err != nil {
			return err
		}
		value := args[i+1]
		if kindsOf(deref(t)) == kString {
			value = quote(value)
		}
		pairs = append(pairs, name+" is "+value)
	}
	and, when := " and ", "when "
	p.tag = "required_if=" + param
	if cond == "unless" {
		and, when, p.tag = " or ", "unless ", "required_unless="+param
	}
	p.message += when + strings.Join(pairs, and)
	return nil
}

// comparesWith reports an error unless the validator can compare a value of type t with the text of a parameter.
func comparesWith(t reflect.Type, value string) (err error) {
	switch kindsOf(t) {
	case kInt:
		_, err = strconv.ParseInt(value, 0, 64)
	case kUint:
		_, err = strconv.ParseUint(value, 0, 64)
	case kFloat:
		_, err = strconv.ParseFloat(value, t.Bits())
	case kBool:
		if value != "true" && value != "false" {
			err = errors.New("neither true nor false")
		}
	case kList, kMap:
		if value != "nil" || t.Kind() == reflect.Array {
			_, err = strconv.ParseInt(value, 0, 64)
		}
	case kString:
	default:
		return fmt.Errorf("cannot compare %s with a value", t)
	}
	if err != nil {
		return fmt.Errorf("%q is not a value to compare %s with", value, t)
	}
	return nil
}

// holds reports whether the condition of the rule is met. given tells of a position in the plan whether the
// caller sent the field.
func (p *presence) holds(engine *validator.Validate, parent reflect.Value, given func(int) bool) bool {
	if p.tag != "" {
		return engine.VarWithValue("", parent.Interface(), p.tag) != nil
	}
	for _, i := range p.siblings {
		if (given(i) == p.given) != p.all {
			return !p.all
		}
	}
	return p.all
}
