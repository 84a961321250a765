package pipeline_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// allow lets everything through one output pipeline.
type allow struct{ output mcplayer.Pipeline }

func (allow) Admit(*mcplayer.Spec) error                  { return nil }
func (allow) NotFound(context.Context, mcplayer.CallInfo) {}

func (a allow) Bind(*mcplayer.Spec, *mcplayer.Principal) *mcplayer.Access {
	return &mcplayer.Access{
		Visible: true, Version: 1, Output: a.output,
		Check: func(context.Context, mcplayer.CallInfo) (mcplayer.Ticket, error) { return nil, nil },
	}
}

func newLayer(t *testing.T, output mcplayer.Pipeline, result any) *mcplayer.Layer {
	t.Helper()
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "get"}, func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
		return result, nil
	})
	layer, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: allow{output}})
	if err != nil {
		t.Fatal(err)
	}
	return layer
}

func TestResultOfALayer(t *testing.T) {
	p := build(t, "substitute", options{"aliases": options{"111": "prod"}, "keys": options{"acct": "account"}})
	layer := newLayer(t, p, map[string]any{"acct": "111", "n": json.Number("12345678901234567890")})
	res, err := layer.CallTool(t.Context(), "get", nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"account":"prod","n":12345678901234567890}`; string(res.Structured) != want {
		t.Errorf("structured is %s", res.Structured)
	}
	text, _ := jsondoc.AppendIndent(nil, res.Structured, -1)
	if got := res.Content[0].(*mcp.TextContent).Text; got != string(text) {
		t.Errorf("the text does not agree: %s", got)
	}
	for key, value := range res.Meta {
		if report, ok := value.(map[string]any); ok && strings.HasSuffix(key, "/transforms") && report["aliased"] == 1 && report["keys_renamed"] == 1 {
			return
		}
	}
	t.Errorf("no report in %v", res.Meta)
}

func TestPipelineIsSharedByCalls(t *testing.T) {
	p := everything(t)
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for j := range 50 {
				// Names that differ fill what the pipeline remembers, and empty it again.
				doc := `{"` + strings.Repeat("n", i+1) + strings.Repeat("x", j) + `":{"raw_data":1,"a":2}}`
				want := strings.Replace(doc, `"raw_data":1,`, "", 1)
				out, err := p.Begin(context.Background(), mcplayer.CallInfo{}).JSON([]byte(doc))
				if string(out) != want || err != nil {
					t.Errorf("%s became %s (%v)", doc, out, err)
				}
			}
		})
	}
	wait.Wait()
}

func TestTextBudget(t *testing.T) {
	p := build(t, "project", options{"max_chars": 1000})
	pass := p.Begin(t.Context(), mcplayer.CallInfo{})
	out, err := pass.Text(strings.Repeat("größer ", 1000))
	if n := len([]rune(out)); err != nil || n > 1000 || n < 800 || !strings.HasSuffix(out, " chars]") {
		t.Errorf("%d code points, %q (%v)", n, out[max(0, len(out)-30):], err)
	}
}
