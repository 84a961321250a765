package pipeline

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// annotate tells what a result is: how sensitive, where from, what was done to it.
// It writes to the report, and into the document only if asked.
type annotate struct {
	inline        bool   // as the member _annotations of the structured value
	labelFindings bool   // a member _risk in objects that have a severity
	blocks        bool   // hints for clients on content blocks
	policy        string // name of the policy
	early         bool   // other steps stand behind it
}

func newAnnotate(o *Options) (Transform, error) {
	return &annotate{
		inline:        o.Bool("inline", false),
		labelFindings: o.Bool("label_findings", false),
		blocks:        o.Bool("annotate_blocks", false),
		policy:        o.String("policy", ""),
	}, nil
}

// Begin returns the step.
func (a *annotate) Begin(_ context.Context, p *Pass) Step {
	s := room(p.out != nil && p.out.annotater.annotate == nil, func() *annotater { return &p.out.annotater })
	s.annotate, s.counter, s.pass, s.begun = a, p.counter(), p, time.Now()
	p.annotater = s
	return s
}

// annotater adds what is known of a result, and notes what it holds unless other steps
// may still change that: then a noter behind them does.
type annotater struct {
	*annotate
	noter
	pass  *Pass // nil in a fork
	notes notes // scratch
	begun time.Time
	first bool // the document is the first piece of the result
}

// Wants tells what is looked at: names of datasets and severities.
func (a *annotater) Wants() jsondoc.Kind {
	a.first = a.pass == nil || a.pass.used == 0
	wants := a.noter.Wants()
	if a.early {
		wants = 0
	}
	if a.inline || a.labelFindings {
		wants |= jsondoc.Object
	}
	return wants
}

// Value makes annotater a [Step]; the engine calls Do.
func (a *annotater) Value(c *Cursor) error { return a.Do(c.v) }

// Do notes a severity or a dataset.
func (a *annotater) Do(v *jsondoc.Value) error {
	if v.Kind() == jsondoc.Object {
		if a.inline && v.Depth() == 0 || a.labelFindings {
			v.Revisit()
		}
		return nil
	}
	return a.noter.Do(v)
}

// Leave adds the members that were asked for.
func (a *annotater) Leave(o *jsondoc.Made) error {
	if a.labelFindings {
		if text, ok := o.Scalar("severity"); ok && !o.Has("_risk") {
			if level := severities[strings.ToLower(string(text))]; level != "" {
				o.Add("_risk", []byte(level))
			}
		}
	}
	if !a.inline || o.Depth() > 0 || !a.first || o.Has("_annotations") {
		return nil
	}
	o.AddRaw("_annotations", a.annotations())
	return nil
}

// Fork returns a step for another part of the same document.
func (a *annotater) Fork() jsondoc.Step {
	return &annotater{annotate: a.annotate, noter: noter{newCounter()}}
}

// Join adds what a fork saw.
func (a *annotater) Join(fork jsondoc.Step) { a.joinNotes(fork.(*annotater).noter) }

// report adds what is known to a report.
func (a *annotater) report(r mcplayer.Report) mcplayer.Report {
	if r == nil {
		r = mcplayer.Report{}
	}
	doc := a.annotations()
	r["annotations"] = slices.Clip(doc)
	r["content_annotations"] = slices.Clip(a.contentAnnotations(doc[len(doc):])) // in what is left of the memory
	return r
}
