package pipeline

import (
	"slices"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

// detectors reads the options custom_detectors, disabled_detectors, which may name
// custom ones too, and min_confidence.
func detectors(o *Options, minConfidence float64) *detect.Options {
	return &detect.Options{
		Custom:        customDetectors(o),
		Disabled:      o.Strings("disabled_detectors"),
		MinConfidence: o.Number("min_confidence", minConfidence, 0, 1),
	}
}

// customDetectors returns the detectors of the builder, and reads further ones, see
// [detect.Rule].
func customDetectors(o *Options) []detect.Rule {
	rules := slices.Clone(o.builder.Rules)
	o.Objects("custom_detectors", func(o *Options) {
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

// newScanner makes a scanner; what is wrong is an error of the option that most of
// it comes from.
func newScanner(o *Options, d *detect.Options) *detect.Scanner {
	s, err := detect.NewScanner(d)
	if err != nil {
		o.Fail("custom_detectors or disabled_detectors", "%w", err)
	}
	return s
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
	for _, r := range o.builder.Rules {
		if name == r.Name || name == r.Entity || name == r.Category {
			return true
		}
	}
	return name == "custom" // the category of those that name none
}
