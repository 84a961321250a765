package pipeline

import (
	"strings"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

// extraKeyRules reads rules about names: each an object with a name, globs over
// normalised names of members under keys, an entity and a category.
func extraKeyRules(o *Options, option string) (rules []detect.KeyRule) {
	o.Objects(option, func(o *Options) { rules = append(rules, keyRule(o)) })
	return rules
}

func keyRule(o *Options) detect.KeyRule {
	r := detect.KeyRule{
		Name: o.String("name", ""), Entity: o.String("entity", ""), Category: o.String("category", detect.CategoryIdentifier),
		Keys: o.Strings("keys"), Siblings: o.Strings("siblings"),
	}
	if r.Entity == "" {
		r.Entity = r.Name
	}
	return r
}

// chosenKeyRules reads the option key_rules, which stands in the place of the
// built-in rules: names of those and rules as in extra_key_rules.
func chosenKeyRules(o *Options) (rules []detect.KeyRule) {
	const option = "key_rules"
	builtIn := map[string]detect.KeyRule{}
	var names []string
	for _, r := range detect.BuiltinKeyRules() {
		builtIn[r.Name] = r
		names = append(names, r.Name)
	}
	v, _ := o.value(option)
	for i, element := range asList(v) {
		switch e := element.(type) {
		case string:
			r, ok := builtIn[e]
			if !ok {
				o.Fail(option, "element %d: %q is no built-in rule; there are %s", i, e, strings.Join(names, ", "))
				continue
			}
			rules = append(rules, r)
		case map[string]any:
			part := newOptions(o.builder, e)
			rules = append(rules, keyRule(part))
			for _, err := range part.finish() {
				o.Fail(option, "element %d: %w", i, err)
			}
		default:
			o.Fail(option, "must be a list of names of built-in rules and of rules")
			return nil
		}
	}
	return rules
}

// asList returns a list of any kind; of what is none a list that holds it.
func asList(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case []string:
		list := make([]any, len(v))
		for i, s := range v {
			list[i] = s
		}
		return list
	case []map[string]any:
		list := make([]any, len(v))
		for i, m := range v {
			list[i] = m
		}
		return list
	}
	return []any{v}
}
