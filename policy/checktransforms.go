package policy

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
)

// transformList is a list of transforms and where it stands.
type transformList struct {
	path       string
	transforms []Transform
}

// lists returns all lists of transforms of the document.
func (p *pipelines) lists() []transformList {
	all := []transformList{{"transforms", p.doc.Transforms}, {"input_transforms", p.doc.InputTransforms}}
	for i := range p.rules {
		path := p.doc.rulePath(i)
		all = append(all,
			transformList{path + ".transforms", p.rules[i].Transforms},
			transformList{path + ".input_transforms", p.rules[i].InputTransforms})
	}
	return all
}

// rulePath returns the path of a rule by its index among roles and rules.
func (d *Document) rulePath(i int) string {
	if i < len(d.Roles) {
		return under("roles", roleOf(&d.Roles[i]))
	}
	return at("rules", i-len(d.Roles))
}

// check tells all that is wrong with the transforms of the document.
func (p *pipelines) check() error {
	detectors := p.checkDetectors()
	bad := append(p.checkSteps(detectors == nil), detectors...)
	bad = append(bad, p.checkOverrides("transform_options", p.doc.TransformOptions)...)
	for i := range p.rules {
		bad = append(bad, p.checkOverrides(p.doc.rulePath(i)+".transform_options", p.rules[i].TransformOptions)...)
	}
	if bad == nil { // all is well by itself, but may not be together
		bad = append(bad, p.checkTogether("transform_options", nil)...)
	}
	for i := 0; bad == nil && i < len(p.rules); i++ {
		bad = append(bad, p.checkTogether(p.doc.rulePath(i), []int{i})...)
	}
	return bad.err()
}

// checkSteps builds each step alone, with the document's detectors if they are good: its strategies
// may name them.
func (p *pipelines) checkSteps(withDetectors bool) (bad problems) {
	for _, list := range p.lists() {
		for i, s := range p.stepsOf(list.transforms) {
			spec := pipeline.Spec{Type: list.transforms[i].Type, ID: s.id, Options: s.options}
			if withDetectors {
				spec.Options = p.complete(s, reversal{})
			}
			_, err := p.builder.Build([]pipeline.Spec{spec})
			bad = append(bad, p.found(at(list.path, i), err)...)
		}
	}
	return bad
}

// checkOverrides looks for options that no step can get.
func (p *pipelines) checkOverrides(path string, overrides map[string]map[string]any) (bad problems) {
	for _, key := range slices.Sorted(maps.Keys(overrides)) {
		if !p.known(key) {
			bad = append(bad, p.doc.problem(under(path, key), fmt.Errorf("no transform has this type or id; %s", offered(key, p.builder.Types()))))
		}
	}
	return bad
}

// checkDetectors builds a redact with each detector alone, so that a mistake is told even where
// no redact uses it. Those that are switched off may be the document's own.
func (p *pipelines) checkDetectors() (bad problems) {
	for i, d := range p.doc.Detectors {
		bad = append(bad, p.checkRedact(at("detectors", i), map[string]any{"custom_detectors": []any{d}})...)
	}
	known := map[string]any{}
	if bad == nil {
		known = prepended(known, "custom_detectors", p.doc.Detectors)
	}
	for i, name := range p.doc.DisabledDetectors {
		options := prepended(known, "disabled_detectors", []string{name})
		bad = append(bad, p.checkRedact(at("disabled_detectors", i), options)...)
	}
	return bad
}

func (p *pipelines) checkRedact(path string, options map[string]any) problems {
	_, err := p.builder.Build([]pipeline.Spec{{Type: typeRedact, Options: options}})
	return p.found(path, err)
}

// checkTogether builds the pipelines of a primitive without hints.
func (p *pipelines) checkTogether(path string, matched []int) problems {
	_, err := p.build(&mcplayer.Spec{Kind: mcplayer.KindTool}, matched)
	var bad problems
	for _, err := range flat(err) {
		bad = append(bad, p.doc.problem(path, err))
	}
	return bad
}

// found describes the mistakes of one step at its place.
func (p *pipelines) found(path string, err error) (bad problems) {
	for _, err := range mistakes(err) {
		bad = append(bad, p.doc.problem(path, err))
	}
	return bad
}

// mistakes takes the error of a builder of one step apart and leaves out that it is the first.
func mistakes(err error) (all []error) {
	for _, err := range flat(err) {
		if inner := errors.Unwrap(err); inner != nil {
			err = inner
		}
		all = append(all, err)
	}
	return all
}

// flat returns the errors that were joined.
func flat(err error) (all []error) {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	for _, err := range joined.Unwrap() {
		all = append(all, flat(err)...)
	}
	return all
}
