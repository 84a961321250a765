package pipeline

import (
	"context"
	"strings"

	"github.com/cloudg/mcplayer/internal/glob"
	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/cloudg/mcplayer/internal/untrusted"
)

// sanitize makes text of unknown origin fit for a model: it takes out what nobody
// sees, cuts what is too long and marks text that speaks to the model.
type sanitize struct {
	strip       bool
	detector    *untrusted.Detector // nil: nothing is looked for
	action      string              // what becomes of suspicious text
	maxFreeText int                 // 0: no limit
	maxLength   int                 // 0: no limit
	maxPaths    int
	freeText    *glob.List
}

// The values of on_suspicious.
const (
	actionFence    = "fence"
	actionDatamark = "datamark"
	actionRedact   = "redact"
	actionFlag     = "flag"
)

// freeTextKeys are the names under which people write.
var freeTextKeys = []string{
	"name", "*_name", "display*", "title", "description", "*description*", "comment*", "message", "note*", "summary",
	"evidence", "remediation", "label*", "value", "tags", "alias*", "subject",
}

func newSanitize(o *Options) (Transform, error) {
	s := &sanitize{
		strip:       o.Bool("strip", true),
		action:      o.OneOf("on_suspicious", actionFence, actionDatamark, actionRedact, actionFlag),
		maxFreeText: o.Int("max_free_text", 2000, 0),
		maxLength:   o.Int("max_length", 0, 1),
		maxPaths:    o.Int("max_paths", 20, 0),
	}
	keys := o.Strings("free_text_keys")
	if keys == nil {
		keys = freeTextKeys
	}
	s.freeText = globs(o, "free_text_keys", keys)
	detector, err := untrusted.NewDetector(&untrusted.DetectorOptions{
		Patterns:  o.Strings("extra_patterns"),
		MinLength: o.Int("min_length", untrusted.DefaultMinLength, 1),
	})
	if err != nil {
		o.Fail("extra_patterns", "%w", err)
	}
	if o.Bool("detect", true) {
		s.detector = detector
	}
	return s, nil
}

// Begin returns the step.
func (s *sanitize) Begin(_ context.Context, p *Pass) Step {
	step := room(p.out != nil && p.out.sanitizer.sanitize == nil, func() *sanitizer { return &p.out.sanitizer })
	step.sanitize, step.counter, step.facts = s, p.counter(), p.remembered(newNameTable).(*nameTable)
	return step
}

// nameFacts is what a sanitizer makes of a name.
type nameFacts struct {
	free       bool   // what stands under it is free text
	visible    string // the name without what nobody sees
	removed    int    // how much of it that was
	suspicious bool
}

// look tells what to make of a name.
func (s *sanitize) look(name string) *nameFacts {
	f := &nameFacts{visible: name, free: s.freeText.Match(strings.ToLower(name))}
	if s.strip {
		f.visible, f.removed = untrusted.Strip(name)
	}
	if s.detector != nil {
		_, f.suspicious = s.detector.Suspicious(f.visible)
	}
	return f
}

// neutralise returns what is shown of a suspicious text.
func (s *sanitize) neutralise(text string) string {
	switch s.action {
	case actionFence:
		return untrusted.Fence(text)
	case actionDatamark:
		return untrusted.Datamark(text)
	case actionRedact:
		return untrusted.RedactedInjection
	}
	return text
}

// later returns the step that makes the cuts and tells the places.
func (s *sanitize) later() Transform { return &settle{s} }

// limit returns where a text under a name is to be cut, 0 for nowhere, and the
// option that says so.
func (s *sanitize) limit(free bool) (int, string) {
	if free && s.maxFreeText > 0 && (s.maxLength == 0 || s.maxFreeText < s.maxLength) {
		return s.maxFreeText, "max_free_text"
	}
	return s.maxLength, "max_length"
}

// mayNeedCut reports whether a string may be longer than limit.
func mayNeedCut(v *jsondoc.Value, limit int) bool {
	n := v.Points()
	return limit > 0 && (n > limit || n < 0 && len(v.Text()) > limit)
}
