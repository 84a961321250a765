package policy

import (
	"context"
	"crypto/rand"
	"maps"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
	"github.com/cloudg/mcplayer/pipeline/vault"
)

// previewTool takes secrets: whether they are found is what it is asked.
func previewTool() mcplayer.Tool {
	t := privacyTool("preview_transform", "Show what you would see of a text if a tool returned it. Pseudonyms and hashes come from a key that is made for the preview: they stand for nothing. Aliases are left out.")
	t.Hints.Skip = append(t.Hints.Skip, typeSanitize, typeAlias, typeSubstitute)
	t.Hints.InputGuard = new(false)
	return t
}

type previewArguments struct {
	Text string `json:"text" jsonschema:"the text, or a JSON document" validate:"required"`
	Tool string `json:"tool,omitempty" jsonschema:"the tool that would return it; an ordinary one if left out"`
}

// previewResult is what preview_transform says. It holds the text only as it would be
// seen.
type previewResult struct {
	After    string           `json:"after"`
	Changes  []previewChange  `json:"changes"`
	Findings []previewFinding `json:"findings"`
	More     int              `json:"more,omitempty"` // changes and findings that are left out
	Report   mcplayer.Report  `json:"report,omitempty"`
}

type previewChange struct {
	Pointer string `json:"pointer"`
	Step    string `json:"step"`
	Option  string `json:"option,omitempty"`
}

type previewFinding struct {
	Pointer    string  `json:"pointer"`
	Entity     string  `json:"entity"`
	Detector   string  `json:"detector"`
	Confidence float64 `json:"confidence"`
	Strategy   string  `json:"strategy"`
}

// maxPreviewed is how many changes and how many findings a preview tells.
const maxPreviewed = 200

type previewer struct {
	registry *mcplayer.Registry
	policy   *Policy
}

func newPreviewer(reg *mcplayer.Registry, p *Policy) *previewer { return &previewer{reg, p} }

func (w *previewer) preview(ctx context.Context, tc *mcplayer.ToolContext, in previewArguments) (*previewResult, error) {
	spec, err := w.spec(in.Tool, tc.Principal())
	if err != nil {
		return nil, err
	}
	pipe, err := w.policy.current.Load().throwaway(spec, tc.Principal())
	if err != nil {
		return nil, withheldPreview(err)
	}
	seen, err := pipeline.NewPreview(ctx, pipe, mcplayer.CallInfo{Kind: mcplayer.KindTool, Name: spec.Name, Spec: spec, Principal: tc.Principal()}, in.Text)
	if err != nil {
		return nil, withheldPreview(err)
	}
	return previewOf(seen), nil
}

func withheldPreview(err error) error {
	return &mcplayer.Error{Code: mcplayer.CodeHandlerError, Message: "Preview withheld: the output pipeline failed", Err: err}
}

// spec returns the tool of a name if the caller sees it.
func (w *previewer) spec(name string, who *mcplayer.Principal) (*mcplayer.Spec, error) {
	if name == "" {
		return ordinary(), nil
	}
	spec, ok := w.registry.Lookup(mcplayer.KindTool, name)
	if ok {
		access := w.policy.Bind(spec, who)
		ok = access != nil && access.Visible
	}
	if !ok {
		return nil, mcplayer.ReferenceNotFound("Unknown tool: "+name, nil)
	}
	return spec, nil
}

// throwaway builds an output pipeline as a caller has it, but with pseudonyms and
// hashes that come from a key of its own, and without aliases: whoever can guess a
// value must not learn what stands for it.
func (r *revision) throwaway(spec *mcplayer.Spec, who *mcplayer.Principal) (mcplayer.Pipeline, error) {
	_, out, err := r.pipes.steps(spec, r.matching(spec, who))
	if err != nil {
		return nil, err
	}
	v, err := vault.New(&vault.Options{Key: []byte(rand.Text()), Logger: r.logger})
	if err != nil {
		return nil, err
	}
	b := r.pipes.builder.With(pipeline.BuilderOptions{Pseudonyms: v, HashKey: []byte(rand.Text())})
	var specs []pipeline.Spec
	for _, s := range out {
		if s.typ == typeSubstitute {
			s.options = maps.Clone(s.options)
			delete(s.options, "aliases")
			delete(s.options, "files")
		}
		if s.typ != typeAlias {
			specs = append(specs, pipeline.Spec{Type: s.typ, ID: s.id, Options: s.options})
		}
	}
	return b.Build(specs)
}

func previewOf(p *pipeline.Preview) *previewResult {
	r := &previewResult{After: p.After, Changes: []previewChange{}, Findings: []previewFinding{}, Report: p.Report}
	for _, c := range p.Changes[:min(len(p.Changes), maxPreviewed)] {
		r.Changes = append(r.Changes, previewChange{string(c.Pointer), c.Step, c.Option})
	}
	for _, f := range p.Findings[:min(len(p.Findings), maxPreviewed)] {
		r.Findings = append(r.Findings, previewFinding{string(f.Pointer), f.Entity, f.Detector, f.Confidence, f.Strategy})
	}
	r.More = len(p.Changes) - len(r.Changes) + len(p.Findings) - len(r.Findings)
	return r
}
