package pipeline

import (
	"context"
	"strings"

	"github.com/cloudg/mcplayer/internal/jsondoc"
)

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

// noted lets the last step note what a result holds: what another one takes away must
// not stand in the report.
func noted(steps []step) []step {
	var last *annotate
	for i, s := range steps {
		if a, ok := s.transform.(*annotate); ok {
			last, a.early = a, i < len(steps)-1
		}
	}
	if last == nil || !last.early {
		return steps
	}
	return append(steps, step{"annotate", noting{}})
}

// noting is the transform of a noter.
type noting struct{}

// Begin returns the step.
func (noting) Begin(_ context.Context, p *Pass) Step { return &noter{p.counter()} }

// noter notes what a result holds.
type noter struct{ counter }

// Wants tells what is looked at: names of datasets and severities.
func (n *noter) Wants() jsondoc.Kind { return jsondoc.String }

// Value makes noter a [Step]; the engine calls Do.
func (n *noter) Value(c *Cursor) error { return n.Do(c.v) }

// Do notes a severity or a dataset.
func (n *noter) Do(v *jsondoc.Value) error {
	switch string(v.Key()) {
	case "severity":
		if level := severities[strings.ToLower(string(v.Text()))]; level != "" {
			n.to.add(seenFinding, level, 1)
		}
	case "dataset", "dataset_id", "source":
		if v.Depth() == 1 && len(v.Text()) > 0 {
			n.noteDataset(string(v.Key()), string(v.Text()))
		}
	}
	return nil
}

// noteDataset keeps the name under the most telling key.
func (n *noter) noteDataset(key, text string) {
	rank := func(key string) int { return strings.Index("dataset dataset_id source ", key+" ") }
	if old, ok := n.to.get(seenDataset).(dataset); !ok || rank(key) < rank(old.key) {
		n.to.set(seenDataset, dataset{key, text})
	}
}

type dataset struct{ key, name string }

// Fork returns a step for another part of the same document.
func (n *noter) Fork() jsondoc.Step { return &noter{newCounter()} }

// Join adds what a fork saw.
func (n *noter) Join(fork jsondoc.Step) { n.joinNotes(*fork.(*noter)) }

func (n *noter) joinNotes(fork noter) {
	n.join(fork.counter)
	if d, ok := fork.to.get(seenDataset).(dataset); ok {
		n.noteDataset(d.key, d.name)
	}
}
