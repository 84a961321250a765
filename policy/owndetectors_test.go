package policy_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/policy"
)

// TestStepsMayNameOwnDetectors puts documents in force whose steps name their detectors.
func TestStepsMayNameOwnDetectors(t *testing.T) {
	const own = "detectors: [{name: ticket, pattern: 'TCK-[0-9]+', entity: case_number, category: internal}]\n"
	for _, tt := range []struct{ name, doc, want string }{
		{"by name", own + "transforms: [{type: redact, strategies: {ticket: hash}}]", ""},
		{"by entity", own + "transforms: [{type: redact, strategies: {case_number: hash}}]", ""},
		{"by category", own + "roles: {a: {transforms: [{type: dlp, strategies: {internal: hash}}]}}", ""},
		{"by the category of a guard", own + "input_transforms: [{type: guard_secrets, categories: [internal]}]", ""},
		{"one that is off", own + "disabled_detectors: [ticket]\ntransforms: [{type: redact, strategies: {ticket: hash}}]", ""},
		{"off in a step", own + "transforms: [{type: redact, disabled_detectors: [ticket]}]", ""},
		{"a slip of the pen", own + "transforms: [{type: redact, strategies: {tickets: hash}}]", `transforms[0]: option strategies: "tickets" is no entity, detector, key rule or category`},
		{"off by a slip of the pen", own + "disabled_detectors: [tickets]", `disabled_detectors[0]: option custom_detectors or disabled_detectors: Disabled[0]: "tickets" is not the name of a detector`},
		{"a bad one is told once", "detectors: [{name: ticket, pattern: '('}]\ntransforms: [redact, redact]", "detectors[0]: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := policy.New(parsed(t, tt.doc), &policy.Options{Logger: slog.New(slog.DiscardHandler)})
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) || len(policy.Problems(err)) > 1):
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
