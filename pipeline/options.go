package pipeline

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Options are the options of one step while it is built. Reading an option checks
// its type; what is wrong is kept, so that all mistakes come out together, and the
// default is returned. An option that nobody reads is an error.
type Options struct {
	builder *BuilderOptions // what the builder was made with
	values  map[string]any
	read    map[string]bool
	errs    []error
}

func newOptions(b *BuilderOptions, values map[string]any) *Options {
	return &Options{builder: b, values: values, read: map[string]bool{}}
}

// Fail says what is wrong with an option.
func (o *Options) Fail(name, format string, args ...any) {
	o.errs = append(o.errs, fmt.Errorf("option %s: %w", name, fmt.Errorf(format, args...)))
}

// value returns an option; an absent and a null one are the same.
func (o *Options) value(name string) (any, bool) {
	o.read[name] = true
	v, ok := o.values[name]
	return v, ok && v != nil
}

// Bool returns an option that is true or false.
func (o *Options) Bool(name string, byDefault bool) bool {
	v, ok := o.value(name)
	if !ok {
		return byDefault
	}
	b, ok := v.(bool)
	if !ok {
		o.Fail(name, "must be true or false")
		return byDefault
	}
	return b
}

// Int returns an option that is a whole number of at least least.
func (o *Options) Int(name string, byDefault, least int) int {
	v, ok := o.value(name)
	if !ok {
		return byDefault
	}
	n, ok := wholeNumber(v)
	switch {
	case !ok:
		o.Fail(name, "must be a whole number")
	case n < least:
		o.Fail(name, "must be at least %d", least)
	default:
		return n
	}
	return byDefault
}

// Number returns an option that is a number from least to most.
func (o *Options) Number(name string, byDefault, least, most float64) float64 {
	v, ok := o.value(name)
	if !ok {
		return byDefault
	}
	f, isFloat := v.(float64)
	n, isWhole := wholeNumber(v)
	switch {
	case number(v, &f), isFloat:
	case isWhole:
		f = float64(n)
	default:
		o.Fail(name, "must be a number")
		return byDefault
	}
	if !(f >= least && f <= most) {
		o.Fail(name, "must be a number from %v to %v", least, most)
		return byDefault
	}
	return f
}

// number reads a number that was kept as it is written.
func number(v any, f *float64) bool {
	n, ok := v.(json.Number)
	if !ok {
		return false
	}
	var err error
	*f, err = n.Float64()
	return err == nil
}

// wholeNumber takes what decoders of JSON and YAML make of numbers.
func wholeNumber(v any) (int, bool) {
	switch n := v.(type) {
	case int:
		return n, true
	case int64:
		return int(n), int64(int(n)) == n
	case uint64:
		return int(n), n <= math.MaxInt32
	case float64:
		return int(n), n == math.Trunc(n) && math.Abs(n) < 1<<53
	case json.Number:
		i, err := n.Int64()
		return int(i), err == nil
	}
	return 0, false
}

// String returns an option that is a text.
func (o *Options) String(name, byDefault string) string {
	v, ok := o.value(name)
	if !ok {
		return byDefault
	}
	s, ok := asText(v)
	if !ok {
		o.Fail(name, "must be a text")
		return byDefault
	}
	return s
}

// OneOf returns an option that is one of some words, the first of them by default.
func (o *Options) OneOf(name string, words ...string) string {
	s := o.String(name, words[0])
	if !slices.Contains(words, s) {
		o.Fail(name, "%q is none of %s", s, strings.Join(words, ", "))
		return words[0]
	}
	return s
}

// Strings returns an option that is a list of texts; one text alone is a list of
// one.
func (o *Options) Strings(name string) []string {
	v, ok := o.value(name)
	if !ok {
		return nil
	}
	list, ok := asStrings(v)
	if !ok {
		o.Fail(name, "must be a list of texts")
	}
	return list
}

// asText takes a number that was kept as it is written for a text: account ids are
// written like numbers.
func asText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	}
	return "", false
}

func asStrings(v any) ([]string, bool) {
	switch v := v.(type) {
	case string:
		return []string{v}, true
	case json.Number:
		return []string{v.String()}, true
	case []string:
		return slices.Clone(v), true
	case []any:
		out := make([]string, len(v))
		for i, element := range v {
			s, ok := asText(element)
			if !ok {
				return nil, false
			}
			out[i] = s
		}
		return out, true
	}
	return nil, false
}

// Map returns an option that is an object.
func (o *Options) Map(name string) map[string]any {
	v, ok := o.value(name)
	if !ok {
		return nil
	}
	switch m := v.(type) {
	case map[string]any:
		return m
	case map[string]string:
		out := make(map[string]any, len(m))
		for key, value := range m {
			out[key] = value
		}
		return out
	}
	o.Fail(name, "must be an object")
	return nil
}

// Texts returns an option that is an object of texts.
func (o *Options) Texts(name string) map[string]string {
	m := o.Map(name)
	if m == nil {
		return nil
	}
	out := make(map[string]string, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		s, ok := asText(m[key])
		if !ok {
			o.Fail(name, "%q must be a text", key)
			continue
		}
		out[key] = s
	}
	return out
}

// Objects returns an option that is a list of objects, each to be read like
// options of its own. What is wrong in one of them, or not read, is reported with
// its place.
func (o *Options) Objects(name string, read func(element *Options)) {
	v, ok := o.value(name)
	if !ok {
		return
	}
	list, ok := v.([]any)
	if maps, isMaps := v.([]map[string]any); isMaps {
		ok = true
		for _, m := range maps {
			list = append(list, m)
		}
	}
	if !ok {
		o.Fail(name, "must be a list of objects")
		return
	}
	for i, element := range list {
		m, ok := element.(map[string]any)
		if !ok {
			o.Fail(name, "element %d must be an object", i)
			continue
		}
		part := newOptions(o.builder, m)
		read(part)
		for _, err := range part.finish() {
			o.Fail(name, "element %d: %w", i, err)
		}
	}
}

// finish returns all that is wrong.
func (o *Options) finish() []error {
	var unknown []string
	for name := range o.values {
		if !o.read[name] {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		known := strings.Join(slices.Sorted(maps.Keys(o.read)), ", ")
		o.errs = append(o.errs, errors.New("option "+name+": unknown; there are "+cmp.Or(known, "none")))
	}
	return o.errs
}
