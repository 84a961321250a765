package pipeline

import "github.com/cloudg/mcplayer/pipeline/detect"

// customDetectors reads further detectors, see [detect.Rule].
func customDetectors(o *Options, option string) (rules []detect.Rule) {
	o.Objects(option, func(o *Options) {
		enabled := o.Bool("enabled", true)
		rules = append(rules, detect.Rule{
			Name: o.String("name", ""), Entity: o.String("entity", ""), Category: o.String("category", ""),
			Pattern: o.String("pattern", ""), Group: o.Int("group", 0, 0), Confidence: o.Number("confidence", 0, 0, 1),
			Hints: o.Strings("hints"), Flags: o.String("flags", ""), Validator: o.String("validator", ""),
			MinLength: o.Int("min_length", 0, 0), Enabled: &enabled,
		})
	})
	return rules
}

// isCustom reports whether a strategy may be for what a custom detector finds, even
// one that is disabled.
func isCustom(o *Options, name string) bool {
	for _, element := range asList(o.values["custom_detectors"]) {
		m, _ := element.(map[string]any)
		for _, key := range []string{"name", "entity", "category"} {
			if m[key] == name {
				return true
			}
		}
	}
	return name == "custom" // the category of those that name none
}
