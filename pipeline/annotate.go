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
}

func newAnnotate(o *Options) (Transform, error) {
	return &annotate{
		inline:        o.Bool("inline", false),
		labelFindings: o.Bool("label_findings", false),
		blocks:        o.Bool("annotate_blocks", false),
		policy:        o.String("policy", ""),
	}, nil
}

// severities are the levels of a finding that are told apart.
var severities = map[string]string{
	"critical": "critical", "high": "high", "medium": "medium", "moderate": "medium", "low": "low",
	"info": "info", "informational": "info",
}

// Members of the tally that are not for the report: what an annotater saw.
const (
	hidden      = "\x00"
	seenFinding = hidden + "finding"
	seenDataset = hidden + "dataset"
)

// Begin returns the step.
func (a *annotate) Begin(_ context.Context, p *Pass) Step {
	s := room(p.out != nil && p.out.annotater.annotate == nil, func() *annotater { return &p.out.annotater })
	s.annotate, s.counter, s.pass, s.begun = a, p.counter(), p, time.Now()
	p.annotater = s
	return s
}

// annotater notes what a result holds.
type annotater struct {
	*annotate
	counter
	pass  *Pass // nil in a fork
	notes notes // scratch
	begun time.Time
	first bool // the document is the first piece of the result
}

// Wants tells what is looked at: names of datasets and severities.
func (a *annotater) Wants() jsondoc.Kind {
	a.first = a.pass == nil || a.pass.used == 0
	if a.inline || a.labelFindings {
		return jsondoc.String | jsondoc.Object
	}
	return jsondoc.String
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
	switch string(v.Key()) {
	case "severity":
		if level := severities[strings.ToLower(string(v.Text()))]; level != "" {
			a.to.add(seenFinding, level, 1)
		}
	case "dataset", "dataset_id", "source":
		if v.Depth() == 1 && len(v.Text()) > 0 {
			a.noteDataset(string(v.Key()), string(v.Text()))
		}
	}
	return nil
}

// noteDataset keeps the name under the most telling key.
func (a *annotater) noteDataset(key, text string) {
	rank := func(key string) int { return strings.Index("dataset dataset_id source ", key+" ") }
	if old, ok := a.to.get(seenDataset).(dataset); !ok || rank(key) < rank(old.key) {
		a.to.set(seenDataset, dataset{key, text})
	}
}

type dataset struct{ key, name string }

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
	return &annotater{annotate: a.annotate, counter: newCounter()}
}

// Join adds what a fork saw.
func (a *annotater) Join(fork jsondoc.Step) {
	f := fork.(*annotater)
	a.join(f.counter)
	if d, ok := f.to.get(seenDataset).(dataset); ok {
		a.noteDataset(d.key, d.name)
	}
}

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
