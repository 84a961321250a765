package mcplayer_test

import (
	"context"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A layer serves no server that it does not protect.
func TestRunWithoutMount(t *testing.T) {
	layer := must(mcplayer.New(&mcplayer.Options{Policy: policy.Open(), Logger: silent}))
	inner, _ := mcp.NewInMemoryTransports()
	err := layer.Run(t.Context(), serverOf(nil), inner)
	same(t, err.Error(), "mcplayer: Run: the layer is not mounted on this server; call Mount first and look at its error")
}

// In-process, the principal of the context counts after As and the call around.
func TestPrincipalOfTheContextInProcess(t *testing.T) {
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "who"}, func(_ context.Context, tc *mcplayer.ToolContext, _ struct{}) (string, error) {
		return tc.Principal().ID(), nil
	})
	l := newLab(t, mcplayer.Options{Registry: reg})
	ctx := mcplayer.WithPrincipal(t.Context(), mcplayer.NewPrincipal("ada"))
	for _, tt := range []struct {
		ctx  context.Context
		opts []mcplayer.CallOption
		want string
	}{
		{t.Context(), nil, "local"},
		{ctx, nil, "ada"},
		{ctx, []mcplayer.CallOption{mcplayer.As(mcplayer.NewPrincipal("ben"))}, "ben"},
	} {
		res, err := l.CallTool(tt.ctx, "who", nil, tt.opts...)
		if err != nil {
			t.Fatal(err)
		}
		same(t, string(res.Structured), `{"result":"`+tt.want+`"}`)
	}
}
