package pipeline

import (
	"context"
	"errors"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/go-json-experiment/json/jsontext"
)

// Preview is what a pipeline would make of a document.
type Preview struct {
	Before, After string
	// Changes tells what the steps did, in the order in which they did it.
	Changes []Change
	// Findings are the entities that were found and did not stay.
	Findings []Finding
	Report   mcplayer.Report
}

// Change is one thing that a step did to a value.
type Change struct {
	// Pointer is where the value stands in the document as it came, as a JSON
	// pointer; it goes on inside strings that are JSON.
	Pointer jsontext.Pointer
	// Step is the ID of the step.
	Step string
	// Option is the option that decided; empty if the step did not say.
	Option string
}

// NewPreview shows what a pipeline makes of a document, or of a text that is no
// JSON, when info describes the call. A nil pipeline changes nothing. It shows the
// data itself and is meant for those who may see it.
func NewPreview(ctx context.Context, p mcplayer.Pipeline, info mcplayer.CallInfo, doc string) (*Preview, error) {
	if p == nil {
		return &Preview{Before: doc, After: doc}, nil
	}
	ours, ok := p.(*Pipeline)
	if !ok {
		return nil, errors.New("preview: the pipeline was not built by this package")
	}
	pass := ours.begin(ctx, info)
	pass.run.Trace = func(c jsondoc.Change) {
		pass.changes = append(pass.changes, Change{jsontext.Pointer(c.Pointer), ours.steps[c.Step].name, c.Option})
	}
	after, err := pass.Text(doc)
	if err != nil {
		return nil, err
	}
	return &Preview{Before: doc, After: after, Changes: pass.changes, Findings: pass.tally.findings, Report: pass.Report()}, nil
}
