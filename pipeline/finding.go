package pipeline

import (
	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/go-json-experiment/json/jsontext"
)

// Finding is an entity that a redaction found, and what it did to it. It never holds
// the value.
type Finding struct {
	// Pointer is where it stands in the document as it came, as a JSON pointer.
	Pointer jsontext.Pointer
	Entity  string
	// Detector is the detector or the rule that found it.
	Detector   string
	Confidence float64
	// Strategy is what was done: redact, mask, hash, pseudonymize, generalize, drop.
	Strategy string
	// Option is the option that decided: strategies.secret.
	Option string
}

// note keeps a finding for a preview.
func (t *tally) note(v *jsondoc.Value, to *outcome, done action) {
	t.findings = append(t.findings, Finding{
		Pointer: jsontext.Pointer(v.AppendPointer(nil)), Entity: to.entity, Detector: to.source,
		Confidence: to.confidence, Strategy: done.String(), Option: to.option,
	})
}
