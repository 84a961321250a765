package policy

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
)

// hinted is what the hints of a tool change in its pipelines.
//
// A tool can add protection. It can take some away only where the policy honours hints, and never
// what hides secrets and credentials, nor names whose input is turned back for it: it would tell
// everybody what they stand for. Tools with the capability reveal are there to do just that.
type hinted struct {
	*pipelines
	spec    *mcplayer.Spec
	honored bool
}

// honors reports whether hints may relax pipelines: the last matching rule that says so decides.
func (p *pipelines) honors(matched []int) bool {
	honor := p.doc.HonorHints
	for _, i := range matched {
		if own := p.rules[i].HonorHints; own != nil {
			honor = own
		}
	}
	return honor == nil || *honor
}

func (h hinted) reveals() bool { return h.spec.Capabilities.Has(mcplayer.Reveal) }

func (h hinted) says(hint *bool) bool { return h.honored && hint != nil && !*hint }

// added returns the steps that the hints add to the output.
func (h hinted) added() []step {
	var steps []step
	if h.honored && h.spec.Hints.Project != nil {
		steps = append(steps, step{typeProject, "hint", h.spec.Hints.Project})
	}
	for _, t := range h.spec.Hints.Transforms {
		steps = append(steps, h.stepsOf([]Transform{{t.Type, t.ID, t.Options}})...)
	}
	return steps
}

// input applies hints to the input pipeline and adds what turns names back.
func (h hinted) input(steps []step, back reversal) []step {
	steps = slices.DeleteFunc(slices.Clone(steps), func(s step) bool {
		switch {
		case s.typ == typeGuard && h.says(h.spec.Hints.InputGuard), s.typ == typeDepseudonymize && h.says(h.spec.Hints.Depseudonymize):
			return true
		}
		return h.honored && h.skips(s, h.spec.Hints.SkipInput)
	})
	automatic := step{typ: typeDepseudonymize}
	there := slices.ContainsFunc(steps, func(s step) bool { return s.typ == typeDepseudonymize })
	if there || !back.any() || !h.mayTurnBack() || h.honored && h.skips(automatic, h.spec.Hints.SkipInput) {
		return steps
	}
	return append(steps, automatic)
}

// mayTurnBack reports whether names may be turned back without being asked for.
func (h hinted) mayTurnBack() bool {
	if h.says(h.spec.Hints.Depseudonymize) {
		return false
	}
	switch h.doc.Depseudonymize {
	case "off":
		return false
	case "closed_world":
		return !openWorld(h.spec)
	}
	return true
}

// openWorld reports whether a primitive may reach what is outside. A tool that does not say counts
// as one that does.
func openWorld(spec *mcplayer.Spec) bool {
	hint := spec.Annotations.OpenWorld
	return spec.Kind == mcplayer.KindTool && (hint == nil || *hint)
}

func (h hinted) skips(s step, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return h.called(s, name) })
}

// output applies hints to the output pipeline. Reversed says that the tool gets real values for
// names.
func (h hinted) output(steps []step, reversed bool) []step {
	if !h.honored {
		return steps
	}
	var out []step
	for _, s := range steps {
		keep := true
		if h.skips(s, h.spec.Hints.Skip) {
			s, keep = h.skipped(s, reversed)
		}
		if keep {
			out = append(out, h.shown(s, reversed))
		}
	}
	return out
}

// skipped returns what stays of a step that a hint leaves out.
func (h hinted) skipped(s step, reversed bool) (left step, stays bool) {
	switch {
	case h.reveals():
		return s, false
	case s.typ == typeRedact && reversed && pseudonymizes(s):
		return s, true
	case s.typ == typeRedact:
		s.options = h.protected.only(s.options)
		return s, s.options != nil
	case s.typ == typeAlias, s.typ == typeSubstitute:
		return s, reversed
	}
	return s, false
}

// shown shows values in the place of pseudonyms if a hint says so.
func (h hinted) shown(s step, reversed bool) step {
	if s.typ == typeRedact && h.says(h.spec.Hints.Pseudonymize) && (h.reveals() || !reversed) {
		s.options = mergeOptions(s.options, map[string]any{"allow_pseudonymize": "keep"})
	}
	return s
}

// checkHints tells all that is wrong with the hints of a primitive.
func (p *pipelines) checkHints(spec *mcplayer.Spec) error {
	var errs []error
	for _, list := range []struct {
		name  string
		names []string
	}{{"skip", spec.Hints.Skip}, {"skip_input", spec.Hints.SkipInput}} {
		for _, name := range list.names {
			if !p.known(name) {
				errs = append(errs, fmt.Errorf("hint %s: no transform has the type or id %q; %s", list.name, name, offered(name, p.builder.Types())))
			}
		}
	}
	for i, t := range spec.Hints.Transforms {
		errs = append(errs, p.checkHint(spec, fmt.Sprintf("hint transforms[%d]", i), t)...)
	}
	if spec.Hints.Project != nil {
		errs = append(errs, p.checkHint(spec, "hint project", mcplayer.TransformSpec{Type: typeProject, Options: spec.Hints.Project})...)
	}
	return errors.Join(errs...)
}

func (p *pipelines) checkHint(spec *mcplayer.Spec, name string, t mcplayer.TransformSpec) (errs []error) {
	typ := p.builder.TypeOf(t.Type)
	if (typ == typeDepseudonymize && !spec.Capabilities.Has(mcplayer.Reveal)) || typ == typeGuard {
		return []error{fmt.Errorf("%s: %s is for arguments, not for results", name, typ)}
	}
	_, err := p.builder.Build([]pipeline.Spec{{Type: t.Type, ID: t.ID, Options: t.Options}})
	for _, err := range mistakes(err) {
		errs = append(errs, fmt.Errorf("%s: %w", name, err))
	}
	return errs
}

// known reports whether a name is a type or the id of some step.
func (p *pipelines) known(name string) bool {
	if p.builder.TypeOf(name) != "" {
		return true
	}
	for _, list := range p.lists() {
		if slices.ContainsFunc(list.transforms, func(t Transform) bool { return t.ID == name }) {
			return true
		}
	}
	return false
}
