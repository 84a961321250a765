package policy

import (
	"slices"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

// detectors looks for detectors whose findings nothing acts on.
func (l *linter) detectors() {
	l.idleDetectors("detectors", l.doc.Detectors)
	for _, list := range l.pipes.lists() {
		for i, t := range list.transforms {
			if isRedact(t.Type) {
				l.idleDetectors(under(at(list.path, i), "custom_detectors"), objects(t.Options["custom_detectors"]))
			}
		}
	}
}

func (l *linter) idleDetectors(path string, detectors []map[string]any) {
	for i, d := range detectors {
		name, _ := d["name"].(string)
		off := d["enabled"] == false || slices.Contains(l.doc.DisabledDetectors, name)
		if off || slices.ContainsFunc(l.stepOptions(), func(o map[string]any) bool { return actsOn(o, d) }) {
			continue
		}
		l.add(LintIdleDetector, at(path, i), "no strategy is for what detector '%s' finds: name it, its entity or its category in the strategies of a redact", name)
	}
}

// stepOptions returns all options that a step may get, each as it is written.
func (l *linter) stepOptions() (all []map[string]any) {
	overrides := []map[string]map[string]any{l.doc.TransformOptions}
	for i := range l.written {
		overrides = append(overrides, l.written[i].TransformOptions)
	}
	for _, by := range overrides {
		for _, options := range by {
			all = append(all, options)
		}
	}
	for _, list := range l.pipes.lists() {
		for _, t := range list.transforms {
			all = append(all, t.Options)
			if l.pipes.builder.TypeOf(t.Type) == typeGuard && t.Options["categories"] == nil {
				all = append(all, map[string]any{"categories": detect.CategorySecret})
			}
		}
	}
	for _, spec := range l.specs {
		for _, t := range spec.Hints.Transforms {
			all = append(all, t.Options)
		}
	}
	return all
}

// actsOn reports whether options of a redact or a guard do something to what a detector finds.
func actsOn(options, detector map[string]any) bool {
	names := namesOfDetector(detector)
	if !keeps(options["default"]) {
		return true
	}
	for name, strategy := range object(options["strategies"]) {
		if slices.Contains(names, name) && !keeps(strategy) {
			return true
		}
	}
	for _, category := range elements(nodeOf(options["categories"])) {
		if category.text == names[0] {
			return true
		}
	}
	return false
}

// namesOfDetector returns what strategies may call what a detector finds, its category first.
func namesOfDetector(detector map[string]any) []string {
	text := func(key, byDefault string) string {
		if s, _ := detector[key].(string); s != "" {
			return s
		}
		return byDefault
	}
	name := text("name", "")
	entity := text("entity", name)
	return append([]string{text("category", "custom"), name, entity}, detect.Parents(entity)...)
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}
