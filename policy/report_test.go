package policy_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// What a step hides, wherever it stands, is not told by the report either.
func TestReportTellsNothingHidden(t *testing.T) {
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "x", Sensitivity: mcplayer.Public, Capabilities: mcplayer.ReadState}, func(context.Context, *mcplayer.ToolContext, struct{}) (any, error) {
		return map[string]any{"dataset": "blue-whale", "findings": []any{map[string]string{"severity": "high"}}}, nil
	})
	const severities = `"findings_by_severity":{"high":1}`
	for name, tt := range map[string]struct {
		doc, tells string
	}{
		"a role's redact":  {`{"extends":"standard","roles":{"r":{"transforms":[{"type":"redact","strategies":{"dataset_name":"redact"}}]}}}`, severities},
		"redact behind":    {`{"transforms":["annotate",{"type":"redact","strategies":{"dataset_name":"pseudonymize"}}]}`, severities},
		"project before":   {`{"transforms":[{"type":"project","exclude":["dataset"]},"annotate"]}`, severities},
		"project behind":   {`{"transforms":["annotate",{"type":"project","exclude":["dataset"]}]}`, severities},
		"inline":           {`{"transforms":[{"type":"annotate","inline":true},{"type":"project","exclude":["dataset"]}]}`, severities},
		"nothing is left":  {`{"transforms":["annotate",{"type":"project","exclude":["dataset","findings"]}]}`, `"members_dropped":2`},
		"annotated by two": {`{"transforms":["annotate",{"type":"project","exclude":["dataset"]},{"type":"annotate","id":"second"}]}`, severities},
	} {
		p, err := policy.Load(tt.doc, nil)
		if err != nil {
			t.Fatal(err)
		}
		l := newLayer(t, reg, p)
		res, err := l.CallTool(t.Context(), "x", nil, mcplayer.As(mcplayer.NewPrincipal("somebody", "default", "r")))
		if err != nil {
			t.Fatal(err)
		}
		wire, err := res.ToWire().MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if got := string(wire); strings.Contains(got, "blue-whale") || !strings.Contains(got, tt.tells) && !strings.Contains(got, strings.ReplaceAll(tt.tells, `"`, `\"`)) {
			t.Errorf("%s: got %s", name, got)
		}
	}
}
