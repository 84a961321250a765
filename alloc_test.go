//go:build !race

// The race detector allocates on its own.

package mcplayer_test

import (
	"context"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func allocsPerCall(t *testing.T, l *mcplayer.Layer) float64 {
	t.Helper()
	var args any = rawArgs
	return testing.AllocsPerRun(1000, func() {
		if _, err := l.CallTool(t.Context(), "echo", args); err != nil {
			t.Fatal(err)
		}
	})
}

func TestRawCallAllocatesAtMost8Times(t *testing.T) {
	if got := allocsPerCall(t, rawLayer(t, -1)); got > 8 {
		t.Errorf("a raw call allocates %v times, want at most 8", got)
	}
}

func TestMiddlewareAllocatesNothing(t *testing.T) {
	bare := allocsPerCall(t, rawLayer(t, -1))
	wrapped := allocsPerCall(t, rawLayer(t, -1, eight...))
	if wrapped != bare {
		t.Errorf("eight middlewares allocate %v times, want 0", wrapped-bare)
	}
}

// authorizeTwice is what a cache adds to a hit that is none.
func authorizeTwice(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
	if err := info.Authorize(ctx); err != nil {
		return nil, err
	}
	return next(ctx, info)
}

func TestAuthorizeAllocatesNothing(t *testing.T) {
	bare := allocsPerCall(t, rawLayer(t, -1))
	if wrapped := allocsPerCall(t, rawLayer(t, -1, authorizeTwice)); wrapped != bare {
		t.Errorf("an additional check allocates %v times, want 0", wrapped-bare)
	}
}

// What a timeout adds must stay a small number: the goroutine, its channel, the
// timer and the context.
func TestTimeoutAllocatesLittle(t *testing.T) {
	bare := allocsPerCall(t, rawLayer(t, -1))
	if timed := allocsPerCall(t, rawLayer(t, 0)); timed-bare > 12 {
		t.Errorf("a timeout allocates %v times, want at most 12", timed-bare)
	} else {
		t.Logf("a raw call allocates %v times, with a timeout %v", bare, timed)
	}
}

func TestComparingRoleSetsAllocatesNothing(t *testing.T) {
	a, b := mcplayer.NewPrincipal("a", "x", "y"), mcplayer.NewPrincipal("b", "y", "x")
	keys := map[mcplayer.RoleSet]int{a.RoleSet(): 1}
	if n := testing.AllocsPerRun(100, func() {
		if a.RoleSet() != b.RoleSet() || keys[b.RoleSet()] != 1 || !a.HasRole("x") {
			t.Fatal("not the same set")
		}
	}); n != 0 {
		t.Errorf("allocates %v times", n)
	}
}

func TestResourceReadAllocates(t *testing.T) {
	l := readLayer(t)
	for uri, most := range map[string]float64{"cloudg://exact": 14, "cloudg://kind19/prod%20x/part/a/b": 46} {
		got := testing.AllocsPerRun(1000, func() {
			if _, err := l.ReadResource(t.Context(), uri); err != nil {
				t.Fatal(err)
			}
		})
		if got > most {
			t.Errorf("reading %s allocates %v times, want at most %v", uri, got, most)
		}
	}
}

// The layer's part in a call through a server allocates a stable number of times.
func TestMountedCallAllocates(t *testing.T) {
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "echo", Timeout: -1}, func(context.Context, *mcplayer.ToolContext, noArgs) (*result.ToolResult, error) {
		return result.Text("ok"), nil
	})
	layer := must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open(), Logger: silent}))
	server := serverOf(nil)
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	handle, session := dispatcher(t, server)
	req := &mcp.CallToolRequest{Session: session, Params: &mcp.CallToolParamsRaw{Name: "echo"}}
	got := testing.AllocsPerRun(500, func() {
		if _, err := handle(t.Context(), "tools/call", req); err != nil {
			t.Fatal(err)
		}
	})
	const most = 30
	if got > most {
		t.Errorf("a mounted call allocates %v times, want at most %v", got, most)
	}
}
