package pipeline

import "github.com/cloudg/mcplayer/pipeline/detect"

// customDetectors reads further detectors.
func customDetectors(o *Options, option string) (rules []detect.Rule) {
	o.Objects(option, func(o *Options) {
		rules = append(rules, detect.Rule{Name: o.String("name", "")})
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
	return false
}
