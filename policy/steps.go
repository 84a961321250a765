package policy

import (
	"slices"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
)

// Types of transforms that have a place of their own in pipelines.
const (
	typeAlias          = "alias"
	typeAnnotate       = "annotate"
	typeDepseudonymize = "depseudonymize"
	typeGuard          = "guard_secrets"
	typeProject        = "project"
	typeRedact         = "redact"
	typeSanitize       = "sanitize"
	typeSubstitute     = "substitute"
)

// step is a transform of a pipeline that is not built yet.
type step struct {
	typ     string // not an alias
	id      string // the author's; may be empty
	options map[string]any
}

// called reports whether a step has a type or an id.
func (p *pipelines) called(s step, name string) bool {
	return s.id == name || p.builder.TypeOf(name) == s.typ
}

// stepsOf resolves aliases of types.
func (p *pipelines) stepsOf(transforms []Transform) []step {
	steps := make([]step, len(transforms))
	for i, t := range transforms {
		steps[i] = step{p.builder.TypeOf(t.Type), t.ID, t.Options}
		if steps[i].typ == "" {
			steps[i].typ = t.Type
		}
	}
	return steps
}

// steps returns the input and the output pipeline of a primitive.
func (p *pipelines) steps(spec *mcplayer.Spec, matched []int) (in, out []step, err error) {
	out = afterRedact(p.withOptions(p.outputOf(matched), matched))
	in = p.withOptions(p.inputOf(matched), matched)
	h := hinted{p, spec, p.honors(matched)}
	added := h.added()
	back, err := p.turnsBack(append(slices.Clone(out), added...))
	if err != nil {
		return nil, nil, err
	}
	in = h.input(in, back)
	reversed := slices.ContainsFunc(in, func(s step) bool { return s.typ == typeDepseudonymize })
	out = insertHinted(h.output(out, reversed), added)
	return p.completed(guardFirst(in), back), p.completed(out, back), nil
}

// outputOf returns the policy's transforms with those of matching rules.
func (p *pipelines) outputOf(matched []int) []step {
	steps := p.stepsOf(p.doc.Transforms)
	for _, i := range matched {
		r := &p.rules[i]
		own := p.stepsOf(r.Transforms)
		switch {
		case r.Transforms == nil:
		case r.TransformsMode == "replace":
			steps = own
		case r.TransformsMode == "prepend":
			steps = append(own, steps...)
		default:
			steps = append(steps, own...)
		}
	}
	return steps
}

func (p *pipelines) inputOf(matched []int) []step {
	steps := p.stepsOf(p.doc.InputTransforms)
	for _, i := range matched {
		steps = append(steps, p.stepsOf(p.rules[i].InputTransforms)...)
	}
	return steps
}

// afterRedact moves aliases that stand before the last redact to just after it: what it looks
// for are the real values.
func afterRedact(steps []step) []step {
	last := lastOf(steps, typeRedact)
	if last < 0 {
		return steps
	}
	var before, moved []step
	for _, s := range steps[:last+1] {
		if s.typ == typeAlias || s.typ == typeSubstitute {
			moved = append(moved, s)
		} else {
			before = append(before, s)
		}
	}
	return slices.Concat(before, moved, steps[last+1:])
}

// guardFirst moves what refuses secrets before all else: nothing is turned back for an argument
// that is refused.
func guardFirst(steps []step) []step {
	isGuard := func(s step) bool { return s.typ == typeGuard }
	guards := slices.DeleteFunc(slices.Clone(steps), func(s step) bool { return !isGuard(s) })
	return append(guards, slices.DeleteFunc(slices.Clone(steps), isGuard)...)
}

func lastOf(steps []step, typ string) int {
	for i, s := range slices.Backward(steps) {
		if s.typ == typ {
			return i
		}
	}
	return -1
}

// insertHinted puts what a hint adds behind the last redact, but before notes about the result.
func insertHinted(steps, added []step) []step {
	for i := lastOf(steps, typeRedact) + 1; i < len(steps); i++ {
		if steps[i].typ == typeAnnotate {
			return slices.Insert(steps, i, added...)
		}
	}
	return append(steps, added...)
}

// turnsBack tells what of an output has to be turned back when it comes in again.
func (p *pipelines) turnsBack(out []step) (back reversal, err error) {
	var specs []pipeline.Spec
	for _, s := range out {
		switch s.typ {
		case typeRedact:
			back.pseudonyms = back.pseudonyms || pseudonymizes(s)
		case typeSanitize:
			back.fences = back.fences || fences(s)
		case typeAlias, typeSubstitute:
			specs = append(specs, pipeline.Spec{Type: s.typ, ID: s.id, Options: s.options})
		}
	}
	made, err := p.builder.Build(specs)
	if built, ok := made.(*pipeline.Pipeline); ok {
		back.aliases = built.Aliases()
	}
	return back, err
}

// reversal is what an output has in it that stands for something else.
type reversal struct {
	pseudonyms, fences bool
	aliases            map[string]string // alias -> value
}

func (r reversal) any() bool { return r.pseudonyms || r.fences || len(r.aliases) > 0 }

// hides reports whether values stand behind names, not just between fences.
func (r reversal) hides() bool { return r.pseudonyms || len(r.aliases) > 0 }

// fences reports whether a sanitize step can put text between fences.
func fences(s step) bool {
	action, given := s.options["on_suspicious"]
	return s.options["detect"] != false && (!given || action == nil || action == "fence")
}

// pseudonymizes reports whether a redact step has a strategy that does.
func pseudonymizes(s step) bool {
	switch s.options["allow_pseudonymize"] {
	case false, "hash", "keep":
		return false
	}
	return mentionsPseudonyms(nodeOf(s.options))
}

// pseudonymizesSomewhere reports whether a document may turn values into pseudonyms.
func pseudonymizesSomewhere(d *Document) bool { return mentionsPseudonyms(d.node()) }

// mentionsPseudonyms reports whether one of the spellings of the strategy is a value in n.
func mentionsPseudonyms(n *node) (found bool) {
	n.walk("", func(_ string, n *node) {
		if n.kind == textNode {
			found = found || pipeline.StrategyOf(n.text) == "pseudonymize"
		}
	})
	return found
}
