package policy_test

import (
	"context"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/go-json-experiment/json/jsontext"
)

// TestNestedCall: a tool passes on what another tool of the layer answered. The client sees
// one name of it, and both lead back.
func TestNestedCall(t *testing.T) {
	p, err := policy.Load("strict", nil)
	if err != nil {
		t.Fatal(err)
	}
	reg := mcplayer.NewRegistry()
	var layer *mcplayer.Layer
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "inner", Capabilities: mcplayer.ReadState}, func(context.Context, *mcplayer.ToolContext, struct{}) (any, error) {
		return map[string]string{"host": "db.corp.internal"}, nil
	})
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "outer", Capabilities: mcplayer.ReadState}, func(ctx context.Context, _ *mcplayer.ToolContext, _ struct{}) (any, error) {
		res, err := layer.CallTool(ctx, "inner", nil)
		if err != nil {
			return nil, err
		}
		return res.Structured, nil
	})
	got := ""
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "use", Capabilities: mcplayer.ReadState}, func(_ context.Context, _ *mcplayer.ToolContext, in struct {
		Host string `json:"host"`
	},
	) (any, error) {
		got = in.Host
		return "ok", nil
	})
	layer = newLayer(t, reg, p)
	call := func(tool string, args any) string {
		res, err := layer.CallTool(t.Context(), tool, args, mcplayer.As(mcplayer.Local()))
		if err != nil {
			t.Fatal(tool, err)
		}
		if res.IsError {
			t.Errorf("%s: %v %v", tool, res.Structured, res.Meta)
		}
		return string(res.Structured)
	}
	first := call("inner", nil)
	call("use", jsontext.Value(first))
	if got != "db.corp.internal" {
		t.Errorf("before: %s was turned back to %q", first, got)
	}
	second := call("outer", nil)
	if second != first {
		t.Errorf("inner shows %s, outer %s", first, second)
	}
	call("use", jsontext.Value(second))
	if got != "db.corp.internal" {
		t.Errorf("%s was turned back to %q", second, got)
	}
	got = ""
	if call("use", jsontext.Value(first)); got != "db.corp.internal" {
		t.Errorf("then %s was turned back to %q", first, got)
	}
}
