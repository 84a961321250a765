package pipeline

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline/detect"
)

// guard refuses arguments that hold secrets, or takes the secrets out.
type guard struct {
	redacts bool
	scanner *detect.Scanner
	rules   *detect.KeyRules // sensitive names; nil: they do not matter
	exempt  *pathSet
}

// newGuard reads the options: action (reject or redact), categories, min_confidence,
// custom_detectors, disabled_detectors, and exempt, paths of arguments, as in project, in which
// nothing is looked for.
func newGuard(o *Options) (Transform, error) {
	g := &guard{exempt: paths(o, "exempt")}
	switch action := o.String("action", "reject"); action {
	case "reject":
	case "redact":
		g.redacts = true
	default:
		o.Fail("action", "must be reject or redact")
	}
	categories := stringsOr(o, "categories", []string{detect.CategorySecret})
	checkCategories(o, categories)
	d := detectors(o, sure)
	d.Want = func(d *detect.Detector, _ string) bool { return slices.Contains(categories, d.Category) }
	g.scanner = newScanner(o, d)
	if slices.Contains(categories, detect.CategorySecret) {
		secrets := slices.DeleteFunc(detect.BuiltinKeyRules(), func(r detect.KeyRule) bool { return !r.Secret() })
		var err error
		g.rules, err = detect.NewKeyRules(secrets)
		return g, err
	}
	return g, nil
}

func checkCategories(o *Options, categories []string) {
	known := map[string]bool{}
	for _, d := range detect.Detectors() {
		known[d.Category] = true
	}
	for _, c := range categories {
		if !known[c] && !isCustom(o, c) {
			o.Fail("categories", "%q is none; there are %s", c, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
	}
}

// Begin returns the step.
func (g *guard) Begin(_ context.Context, p *Pass) Step {
	s := room(p.in != nil && p.in.guarder.guard == nil, func() *guarder { return &p.in.guarder })
	s.guard, s.counter, s.secret = g, p.counter(), s.few[:0]
	return s
}

// refusal is the error for arguments with secrets.
func refusal(found []secretFound) error {
	entities := map[string]bool{}
	findings := make([]map[string]any, len(found))
	for i, f := range found {
		entities[f.entity] = true
		findings[i] = map[string]any{"pointer": f.pointer, "detector": f.detector}
	}
	names := slices.Sorted(maps.Keys(entities))
	return mcplayer.InvalidArguments(
		"Arguments appear to contain secrets ("+strings.Join(names, ", ")+"); refusing to process them. "+
			"Pass resource references, never credentials.",
		map[string]any{"entities": names, "findings": findings})
}
