package policy

import (
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
)

// ForgetSource makes a document equal to one made in Go.
func ForgetSource(d *Document) { d.source = nil }

// Steps returns the input and output steps of a primitive, each as TYPE, TYPE#ID or with its
// options as JSON.
func Steps(d *Document, b *pipeline.Builder, spec *mcplayer.Spec, matched ...int) (in, out []string, err error) {
	p, err := newPipelines(d, b)
	if err != nil {
		return nil, nil, err
	}
	inSteps, outSteps, err := p.steps(spec, matched)
	return shown(inSteps), shown(outSteps), err
}

func shown(steps []step) []string {
	texts := []string{}
	for _, s := range steps {
		text := s.typ
		if s.id != "" {
			text += "#" + s.id
		}
		if len(s.options) > 0 {
			d := Document{Vault: s.options}
			data, _ := d.MarshalJSON()
			text += strings.TrimSuffix(strings.TrimPrefix(string(data), `{"vault":`), "}")
		}
		texts = append(texts, text)
	}
	return texts
}

// CheckPipelines compiles the pipelines of a document.
func CheckPipelines(d *Document, b *pipeline.Builder) error {
	_, err := newPipelines(d, b)
	return err
}

// CheckHints checks the hints of a primitive.
func CheckHints(d *Document, b *pipeline.Builder, spec *mcplayer.Spec) error {
	p, err := newPipelines(d, b)
	if err != nil {
		return err
	}
	return p.checkHints(spec)
}

// Pipes returns what makes pipelines.
func Pipes(d *Document, b *pipeline.Builder) (func(*mcplayer.Spec, []int) (in, out mcplayer.Pipeline, err error), error) {
	p, err := newPipelines(d, b)
	if err != nil {
		return nil, err
	}
	return p.of, nil
}

// OnlySecrets returns the options of a redact that a hint leaves out.
func OnlySecrets(d *Document, options map[string]any) map[string]any {
	return newProtected(d, pipeline.NewBuilder(nil)).only(options)
}
