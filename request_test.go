package mcplayer_test

import (
	"context"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestClientCapabilities(t *testing.T) {
	for _, version := range []string{legacy, modern} {
		t.Run(version, func(t *testing.T) {
			var caps *mcp.ClientCapabilities
			l := newLab(t, mcplayer.Options{}, tool("look", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
				caps = tc.Request().ClientCapabilities()
				return nil, nil
			}))
			session := dial(t, l.Layer, mounted(t, l, nil), version, nil, &mcp.ClientOptions{
				ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return nil, nil },
			})
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "look"}); err != nil {
				t.Fatal(err)
			}
			if caps == nil || caps.Elicitation == nil || caps.Sampling != nil {
				t.Errorf("capabilities %+v, want elicitation and no sampling", caps)
			}
		})
	}
	for _, r := range []*mcplayer.RequestInfo{nil, {}} {
		if caps := r.ClientCapabilities(); caps != nil {
			t.Errorf("capabilities of no request: %+v", caps)
		}
	}
}
