package pipeline_test

import (
	"context"
	"encoding/json"
	"reflect"
	"regexp"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var stamp = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$`)

func TestAnnotate(t *testing.T) {
	b := pipeline.NewBuilder(nil)
	counts := func(*pipeline.Options) (pipeline.Transform, error) { return counting{}, nil }
	if err := b.Register("counting", counts); err != nil {
		t.Fatal(err)
	}
	p, err := b.Build([]pipeline.Spec{
		{Type: "counting"},
		{Type: "project", Options: options{"exclude": "x"}},
		{Type: "annotate", Options: options{"policy": "standard"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	who := mcplayer.NewPrincipal("ada", "writer", "admin")
	pass := p.Begin(t.Context(), mcplayer.CallInfo{
		Kind: mcplayer.KindTool, Name: "list_findings", Principal: who,
		Spec: &mcplayer.Spec{Sensitivity: mcplayer.Restricted, Category: "findings"},
	})
	doc := `{"source":"aws","dataset":"prod","x":1,"findings":[{"severity":"HIGH"},{"severity":"low"},{"severity":"low"},{"severity":"my own"}]}`
	if _, err := pass.JSON([]byte(doc)); err != nil {
		t.Fatal(err)
	}
	report := pass.Report()
	notes := decoded(t, report["annotations"])
	provenance := notes["provenance"].(map[string]any)
	if at, _ := provenance["generated_at"].(string); !stamp.MatchString(at) {
		t.Errorf("generated_at is %q", at)
	}
	delete(provenance, "generated_at")
	want := map[string]any{
		"classification": map[string]any{
			"sensitivity": "restricted", "withheld_entities": []any{"password"}, "pseudonymized_entities": []any{"aws_arn", "resource_name"},
			"note": "Identifiers are pseudonyms; pass them back unchanged and tools resolve the real resources.",
		},
		"provenance": map[string]any{
			"kind": "tool", "name": "list_findings", "policy": "standard", "category": "findings", "dataset": "prod",
			"principal_roles": []any{"admin", "writer"},
		},
		"transformed":          map[string]any{"redacted": 2.0, "pseudonymized": 4.0, "projection": 1.0},
		"findings_by_severity": map[string]any{"high": 1.0, "low": 2.0},
	}
	if !reflect.DeepEqual(notes, want) {
		t.Errorf("got  %v\nwant %v", notes, want)
	}
	if got, want := decoded(t, report["content_annotations"]), (map[string]any{"audience": []any{"user"}, "priority": 0.9}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := json.Marshal(report); err != nil {
		t.Error(err)
	}
}

// decoded reads a member of a report that is JSON.
func decoded(t *testing.T, value any) (m map[string]any) {
	t.Helper()
	doc, ok := value.(jsontext.Value)
	if err := json.Unmarshal(doc, &m); !ok || err != nil {
		t.Fatalf("%T is no JSON: %v", value, err)
	}
	return m
}

// counting counts what later steps might, once.
type counting struct{}

func (counting) Begin(_ context.Context, p *pipeline.Pass) pipeline.Step {
	p.Count("redacted", "password", 2)
	p.Count("pseudonymized", "resource_name", 3)
	p.Count("pseudonymized", "aws_arn", 1)
	return counting{}
}

func (counting) Value(*pipeline.Cursor) error { return nil }

func TestAnnotateInline(t *testing.T) {
	p := build(t, "annotate", options{"inline": true, "label_findings": true})
	out, _ := run(t, p, `{"a":{"severity":"High","id":1},"_meta":{}}`)
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if got["a"].(map[string]any)["_risk"] != "high" {
		t.Errorf("no label in %s", out)
	}
	notes, _ := got["_annotations"].(map[string]any)
	if c, _ := notes["classification"].(map[string]any); c["sensitivity"] != "internal" {
		t.Errorf("no annotations in %s", out)
	}
}

func TestAnnotateAlone(t *testing.T) {
	out, report := run(t, build(t, "annotator", nil), `{"a":1}`)
	if out != `{"a":1}` || decoded(t, report["annotations"])["transformed"] != nil {
		t.Errorf("%s, %v", out, report)
	}
	want := map[string]any{"audience": []any{"user", "assistant"}, "priority": 0.45}
	if got := decoded(t, report["content_annotations"]); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAnnotateBlocks(t *testing.T) {
	own := &mcp.Annotations{Priority: 1}
	res := &result.ToolResult{Content: []mcp.Content{
		&mcp.TextContent{Text: `{"severity":"high"}`}, &mcp.TextContent{Text: "x", Annotations: own}, &mcp.ImageContent{Data: []byte{0}, MIMEType: "image/png"},
	}}
	for _, tt := range []struct {
		on   bool
		want *mcp.Annotations
	}{{true, &mcp.Annotations{Audience: []mcp.Role{"user", "assistant"}, Priority: 0.9}}, {false, nil}} {
		got, err := newLayer(t, build(t, "annotate", options{"annotate_blocks": tt.on}), res).CallTool(t.Context(), "get", nil)
		if err != nil {
			t.Fatal(err)
		}
		text, second, image := got.Content[0].(*mcp.TextContent), got.Content[1].(*mcp.TextContent), got.Content[2].(*mcp.ImageContent)
		if !reflect.DeepEqual(text.Annotations, tt.want) || !reflect.DeepEqual(image.Annotations, tt.want) || !reflect.DeepEqual(second.Annotations, own) {
			t.Errorf("annotate_blocks %v: %v, %v, %v", tt.on, text.Annotations, second.Annotations, image.Annotations)
		}
	}
	if a := res.Content[0].(*mcp.TextContent).Annotations; a != nil {
		t.Errorf("the handler's own block got %v", a)
	}
}
