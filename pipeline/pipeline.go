package pipeline

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/go-json-experiment/json/jsontext"
)

// Pipeline is a list of steps, built by a [Builder]. It is safe for concurrent
// use.
type Pipeline struct {
	steps []step
	input bool // some step is one for arguments, see isInput
	memo  atomic.Pointer[memo]
}

// step is a transform with what it is called in errors and previews.
type step struct {
	name      string
	transform Transform
}

// Begin starts the work on one result.
func (p *Pipeline) Begin(ctx context.Context, info mcplayer.CallInfo) mcplayer.Pass {
	return p.begin(ctx, info)
}

func (p *Pipeline) begin(ctx context.Context, info mcplayer.CallInfo) *Pass {
	pass := p.newPass()
	pass.pipeline, pass.info, pass.memo = p, info, p.memory()
	pass.run.Keys = &pass.memo.keys
	var few [8]jsondoc.Step
	steps := few[:0]
	for i := range p.steps {
		pass.place = i
		s := p.steps[i].transform.Begin(ctx, pass)
		engine, ok := s.(jsondoc.Step)
		if !ok {
			engine, pass.foreign = &adapter{step: s}, true
		}
		if shape, ok := engine.(*shaper); ok {
			pass.addShaper(shape, len(steps))
		}
		steps = append(steps, engine)
	}
	for _, s := range steps {
		if _, ok := s.(jsondoc.Looker); ok {
			pass.looks = true
		}
	}
	pass.run.SetSteps(steps...)
	return pass
}

// Pass is the work of a pipeline on one result. It is used by one goroutine.
type Pass struct {
	pipeline  *Pipeline
	info      mcplayer.CallInfo
	run       jsondoc.Run
	tally     tally
	shapers   []placedShaper
	memo      *memo
	annotater *annotater
	looks     bool // some step looks at whole documents first
	place     int  // the step that begins
	foreign   bool // some step is not of this package
	used      int  // code points of the pieces so far
	changes   []Change
	out       *outputSlots // nil in the pass of an input pipeline
	in        *inputSlots  // nil in that of an output pipeline
}

// Info returns the call that the result belongs to.
func (p *Pass) Info() mcplayer.CallInfo { return p.info }

// owner returns the id of the principal that sees the result.
func (p *Pass) owner() string {
	if p.info.Principal == nil {
		return ""
	}
	return p.info.Principal.ID()
}

// Count adds to a count of the report: to the member key or, with a label, to the
// member label of the object key. Labels must not hold values of the document.
func (p *Pass) Count(key, label string, n int) { p.tally.add(key, label, n) }

// Note sets a member of the report that is no count. Value must be encodable as
// JSON and must not hold values of the document.
func (p *Pass) Note(key string, value any) { p.tally.set(key, value) }

// Report tells what was done so far.
func (p *Pass) Report() mcplayer.Report {
	r := p.tally.report()
	if p.annotater != nil {
		r = p.annotater.report(r)
	}
	return r
}

// Changed reports whether anything was done to the data so far, besides annotating. See
// [mcplayer.Changer].
func (p *Pass) Changed() bool { return !p.tally.empty() }

// JSON returns the transformed document; doc itself when nothing changed.
func (p *Pass) JSON(doc jsontext.Value) (jsontext.Value, error) {
	d, err := jsondoc.Open(doc)
	if err != nil {
		return nil, fmt.Errorf("document: %w", err)
	}
	defer d.Close()
	return p.apply(d)
}

// Text returns the transformed text; text that is JSON is transformed as JSON.
func (p *Pass) Text(s string) (string, error) {
	if s == "" {
		return s, nil
	}
	text := []byte(s)
	d, err := p.openText(text)
	if err != nil {
		return "", fmt.Errorf("text: %w", err)
	}
	defer d.Close()
	out, err := p.apply(d)
	if err != nil {
		return "", err
	}
	if len(out) == len(text) && len(out) > 0 && &out[0] == &text[0] {
		return s, nil
	}
	return string(out), nil
}

// apply leads a document through the steps.
func (p *Pass) apply(d *jsondoc.Document) (out []byte, err error) {
	if p.out != nil {
		defer p.out.takeBack(p.out.lend())
	}
	if p.looks {
		if err := d.Look(&p.run); err != nil {
			return nil, p.named(err)
		}
	}
	if len(p.shapers) > 0 {
		out, err = p.shape(d)
	} else {
		out, _, err = d.Apply(&p.run)
	}
	return out, p.named(err)
}

// named puts the name of the step in front of its error.
func (p *Pass) named(err error) error {
	if err == nil {
		return nil
	}
	var s *jsondoc.StepError
	if errors.As(err, &s) {
		return fmt.Errorf("step %s: %w", p.pipeline.steps[s.Step].name, s.Err)
	}
	return err
}
