package pipeline

import (
	"context"
	"regexp"
	"strings"

	"github.com/cloudg/mcplayer/internal/glob"
	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// regexReplace replaces what patterns match in strings.
type regexReplace struct{ rules []replaceRule }

type replaceRule struct {
	pattern *regexp.Regexp
	with    []byte
	keys    *glob.List // nil: under any name
	count   int        // per string; -1: all
}

func newRegexReplace(o *Options) (Transform, error) {
	t := &regexReplace{}
	o.Objects("rules", func(o *Options) {
		r := replaceRule{
			with:  []byte(o.String("replace", "")),
			keys:  globs(o, "keys", o.Strings("keys")),
			count: o.Int("count", 0, 0),
		}
		if r.count == 0 {
			r.count = -1
		}
		r.pattern = pattern(o)
		t.rules = append(t.rules, r)
	})
	return t, nil
}

// pattern compiles the option pattern with the option flags: i, m, s and U of RE2.
func pattern(o *Options) *regexp.Regexp {
	text, flags := o.String("pattern", ""), o.String("flags", "")
	if text == "" {
		o.Fail("pattern", "is missing")
		return nil
	}
	if strings.Trim(flags, "imsU") != "" {
		o.Fail("flags", "may hold i, m, s and U")
		return nil
	}
	if flags != "" {
		text = "(?" + flags + ")" + text
	}
	re, err := regexp.Compile(text)
	if err != nil {
		o.Fail("pattern", "%w", err)
	}
	return re
}

// Begin returns the step.
func (r *regexReplace) Begin(_ context.Context, p *Pass) Step {
	return &regexReplacer{regexReplace: r, counter: p.counter()}
}

type regexReplacer struct {
	*regexReplace
	counter
	text []byte // scratch
}

// Wants leaves out what is no string. A string that is JSON is offered, but what is
// in it was replaced already.
func (r *regexReplacer) Wants() jsondoc.Kind { return jsondoc.String }

// Value makes regexReplacer a [Step]; the engine calls Do.
func (r *regexReplacer) Value(c *Cursor) error { return r.Do(c.v) }

// Fork returns a step for another part of the same document.
func (r *regexReplacer) Fork() jsondoc.Step {
	return &regexReplacer{regexReplace: r.regexReplace, counter: newCounter()}
}

// Join adds what a fork counted.
func (r *regexReplacer) Join(fork jsondoc.Step) { r.join(fork.(*regexReplacer).counter) }

// Do applies the rules in their order.
func (r *regexReplacer) Do(v *jsondoc.Value) error {
	if v.HoldsJSON() {
		return nil
	}
	for i := range r.rules {
		rule := &r.rules[i]
		if rule.keys != nil && !rule.keys.Match(string(v.ListKey())) || !rule.pattern.Match(v.Text()) {
			continue
		}
		text := v.Text()
		r.text = r.text[:0]
		from, n := 0, 0
		for _, m := range rule.pattern.FindAllSubmatchIndex(text, rule.count) {
			r.text = append(r.text, text[from:m[0]]...)
			r.text = rule.pattern.Expand(r.text, rule.with, text, m)
			from = m[1]
			n++
		}
		r.text = append(r.text, text[from:]...)
		v.Because("rules")
		v.SetText(r.text)
		r.add("regex_replaced", n)
	}
	return nil
}
