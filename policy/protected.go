package policy

import (
	"slices"

	"github.com/cloudg/mcplayer/pipeline"
	"github.com/cloudg/mcplayer/pipeline/detect"
)

// protected are the names under which strategies for secrets and credentials are looked
// up: categories, entities, detectors, key rules.
type protected map[string]bool

func newProtected(d *Document, b *pipeline.Builder) protected {
	p := protected{detect.CategorySecret: true, detect.CategoryCredential: true}
	for _, known := range detect.Detectors() {
		p.add(known.Category, append(known.Entities, known.Name, known.Entity)...)
	}
	for _, rule := range detect.BuiltinKeyRules() {
		p.add(rule.Category, rule.Name, rule.Entity)
	}
	for _, rule := range slices.Concat(detect.VendorRules(), b.Rules()) {
		p.add(rule.Category, rule.Name, rule.Entity)
	}
	p.addCustom(d.Detectors)
	return p
}

func (p protected) add(category string, names ...string) {
	if category != detect.CategorySecret && category != detect.CategoryCredential {
		return
	}
	for _, name := range names {
		p[name] = true
	}
}

func (p protected) addCustom(detectors []map[string]any) {
	for _, d := range detectors {
		category, _ := d["category"].(string)
		for _, key := range []string{"name", "entity"} {
			if name, ok := d[key].(string); ok {
				p.add(category, name)
			}
		}
	}
}

// only returns the options of a redact that does to secrets and credentials what another
// does, and nothing to all else; nil if it would do nothing.
func (p protected) only(options map[string]any) map[string]any {
	names := protected{}
	for name := range p {
		names[name] = true
	}
	for _, list := range []string{"custom_detectors", "extra_key_rules", "key_rules"} {
		names.addCustom(objects(options[list]))
	}
	strategies := map[string]any{}
	given, _ := options["strategies"].(map[string]any)
	if byDefault := options["default"]; !keeps(byDefault) {
		strategies[detect.CategorySecret], strategies[detect.CategoryCredential] = byDefault, byDefault
	}
	hides := len(strategies) > 0
	for name, strategy := range given {
		if names[name] {
			strategies[name] = strategy
			hides = hides || !keeps(strategy)
		}
	}
	if !hides {
		return nil
	}
	out := mergeOptions(options, map[string]any{"default": "keep"})
	out["strategies"] = strategies
	return out
}

// keeps reports whether a strategy leaves values as they are.
func keeps(strategy any) bool {
	if m, ok := strategy.(map[string]any); ok {
		strategy = m["strategy"]
	}
	spelling, ok := strategy.(string)
	return strategy == nil || strategy == false || ok && pipeline.StrategyOf(spelling) == "keep"
}

// objects returns the objects of a list.
func objects(v any) (list []map[string]any) {
	switch v := v.(type) {
	case []map[string]any:
		return v
	case []any:
		for _, element := range v {
			if m, ok := element.(map[string]any); ok {
				list = append(list, m)
			}
		}
	}
	return list
}
