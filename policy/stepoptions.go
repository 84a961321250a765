package policy

import (
	"maps"
	"slices"
)

// withOptions lays the option overrides of the policy, and then those of each matching
// rule, over those of steps: first what is given for the type, by any of its names, then
// what is given for the id.
func (p *pipelines) withOptions(steps []step, matched []int) []step {
	layers := []map[string]map[string]any{p.doc.TransformOptions}
	for _, i := range matched {
		layers = append(layers, p.rules[i].TransformOptions)
	}
	out := slices.Clone(steps)
	for i := range out {
		s := &out[i]
		for _, layer := range layers {
			for _, key := range slices.Sorted(maps.Keys(layer)) {
				if key != s.id && (key == s.typ || p.builder.TypeOf(key) == s.typ) {
					s.options = layOver(s.options, layer[key])
				}
			}
		}
		for _, layer := range layers {
			if s.id != "" {
				s.options = layOver(s.options, layer[s.id])
			}
		}
	}
	return out
}

// layOver is mergeOptions, but that a null is as if the option were absent.
func layOver(under, over map[string]any) map[string]any {
	over = maps.Clone(over)
	maps.DeleteFunc(over, func(_ string, v any) bool { return v == nil })
	return mergeOptions(under, over)
}

// mergeOptions lays options over others as extends does: objects are merged at every depth,
// unless they name different strategies or types, and all else is replaced. It changes neither.
func mergeOptions(under, over map[string]any) map[string]any {
	if len(over) == 0 {
		return under
	}
	out := maps.Clone(under)
	if out == nil {
		out = map[string]any{}
	}
	for key, value := range over {
		out[key] = mergeValues(out[key], value)
	}
	return out
}

func mergeValues(under, over any) any {
	a, okA := under.(map[string]any)
	b, okB := over.(map[string]any)
	if !okA || !okB || namesOther(a, b, "strategy") || namesOther(a, b, "type") {
		return over
	}
	return mergeOptions(a, b)
}

func namesOther(a, b map[string]any, key string) bool {
	x, okX := a[key].(string)
	y, okY := b[key].(string)
	return okX && okY && x != y
}

// completed gives steps what the document says elsewhere: its name, its detectors, its aliases.
func (p *pipelines) completed(steps []step, back reversal) []step {
	out := slices.Clone(steps)
	for i := range out {
		out[i].options = p.complete(out[i], back)
	}
	return out
}

func (p *pipelines) complete(s step, back reversal) map[string]any {
	switch s.typ {
	case typeAnnotate:
		if s.options["policy"] == nil {
			return mergeOptions(s.options, map[string]any{"policy": p.doc.name()})
		}
	case typeRedact, typeGuard:
		return prepended(prepended(s.options, "custom_detectors", p.doc.Detectors), "disabled_detectors", p.doc.DisabledDetectors)
	case typeDepseudonymize:
		if len(back.aliases) > 0 && s.options["aliases"] == nil {
			return mergeOptions(s.options, map[string]any{"aliases": valuesByAlias(back.aliases)})
		}
	}
	return s.options
}

func valuesByAlias(aliases map[string]string) map[string]any {
	out := make(map[string]any, len(aliases))
	for alias, value := range aliases {
		out[alias] = value
	}
	return out
}

// prepended puts elements before those of an option that is a list.
func prepended[T any](options map[string]any, key string, elements []T) map[string]any {
	if len(elements) == 0 {
		return options
	}
	var list []any
	for _, e := range elements {
		list = append(list, e)
	}
	switch own := options[key].(type) {
	case nil:
	case []any:
		list = append(list, own...)
	case []string:
		for _, s := range own {
			list = append(list, s)
		}
	default:
		list = append(list, own)
	}
	return mergeOptions(options, map[string]any{key: list})
}
