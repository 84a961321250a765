package validate

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/go-playground/validator/v10"
	"github.com/google/jsonschema-go/jsonschema"
)

// Options configure [Compile] and [For]. Nil means defaults. They are only read, and only during the call.
type Options struct {
	// Rules are custom rules for the validate tag, beside those of validator/v10.
	Rules []Rule
	// Schemas describe types that the package cannot look into, such as those with an UnmarshalJSON of
	// their own. The check is not derived from them: they must fit what the type accepts.
	Schemas map[reflect.Type]*jsonschema.Schema
}

// A Rule is a custom rule, used as validate:"tag" or validate:"tag=param".
type Rule struct {
	// Tag is the name. It must not be one that validator/v10 knows.
	Tag string
	// Check reports whether a value follows the rule. Pointers are followed; it is not called for an absent
	// or null value. It is tried with the zero value when the rule is compiled; if it panics then, the rule
	// does not fit the field or the parameter. It must be safe for concurrent use.
	Check func(value reflect.Value, param string) bool
	// Message says what is allowed, like "must be even". Nil means "must follow the rule TAG". It must not
	// depend on the value.
	Message func(param string) string
	// Schema narrows the schema of the value. It must accept everything that Check accepts. May be nil.
	Schema func(param string, s *jsonschema.Schema)
}

func (r *Rule) message(param string) string {
	if r.Message == nil {
		return "must follow the rule " + r.Tag
	}
	return r.Message(param)
}

// ruleSet is what the rules of one Options make: a validator of their own and the rules by name.
type ruleSet struct {
	engine *validator.Validate
	custom map[string]*Rule
}

// standard is the validator without custom rules. It has no state but caches, so all who add nothing share it.
var standard = sync.OnceValue(func() *validator.Validate { return validator.New() })

func newRuleSet(opts *Options) (*ruleSet, error) {
	if opts == nil || len(opts.Rules) == 0 {
		return &ruleSet{engine: standard()}, nil
	}
	s := &ruleSet{engine: validator.New(), custom: map[string]*Rule{}}
	var errs []error
	for i := range opts.Rules {
		if err := s.add(&opts.Rules[i]); err != nil {
			errs = append(errs, err)
		}
	}
	return s, errors.Join(errs...)
}

func (s *ruleSet) add(r *Rule) error {
	_, standard := rules[r.Tag]
	switch {
	case r.Tag == "" || strings.ContainsAny(r.Tag, ".[],|=+()`~!@#$%^&*\\\"/?<>{} "):
		return fmt.Errorf("rule %q: not a name for a rule", r.Tag)
	case r.Check == nil:
		return fmt.Errorf("rule %q: Check is nil", r.Tag)
	case s.custom[r.Tag] != nil:
		return fmt.Errorf("rule %q: defined twice", r.Tag)
	case standard || structural[r.Tag] || aliases[r.Tag] != "":
		return fmt.Errorf("rule %q: the name is taken by a standard rule", r.Tag)
	}
	rule := *r
	s.custom[r.Tag] = &rule
	return s.engine.RegisterValidation(r.Tag, func(fl validator.FieldLevel) bool {
		return rule.Check(fl.Field(), fl.Param())
	})
}
