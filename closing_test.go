package mcplayer_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// After Close the session may be closed at once: the last answer is written by
// then.
func TestCloseWaitsForTheLastAnswer(t *testing.T) {
	for range 20 {
		entered, goOn := make(chan struct{}), make(chan struct{})
		reg := mcplayer.NewRegistry()
		mcplayer.AddTool(reg, mcplayer.Tool{Name: "slow"}, func(context.Context, *mcplayer.ToolContext, struct{}) (string, error) {
			close(entered)
			<-goOn
			return "done", nil
		})
		l := newLab(t, mcplayer.Options{Registry: reg})
		server := mounted(t, l, nil)
		inner, outer := mcp.NewInMemoryTransports()
		session, err := server.Connect(t.Context(), l.WrapTransport(inner), nil)
		if err != nil {
			t.Fatal(err)
		}
		p := newPeer(t, outer, modern, nil)
		type answer struct {
			res *mcp.CallToolResult
			err error
		}
		answers := make(chan answer, 1)
		go func() {
			res, err := p.CallTool(t.Context(), &mcp.CallToolParams{Name: "slow"})
			answers <- answer{res, err}
		}()
		<-entered
		go close(goOn)
		if err := l.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		go session.Close() // waits for the client
		if got := <-answers; got.err != nil || got.res.IsError {
			t.Fatalf("the last answer was lost: %v, %v", got.res, got.err)
		}
		_ = p.Close()
	}
}

func TestCloseInsideACall(t *testing.T) {
	var l *lab
	l = newLab(t, mcplayer.Options{}, tool("stop", func(ctx context.Context, _ *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		return "closed", l.Close(ctx)
	}))
	got := l.wire(t, "stop", nil)
	if !strings.Contains(got, "Close: called inside a call of this layer") {
		t.Errorf("got %s", got)
	}
	if again := l.wire(t, "stop", nil); again != got {
		t.Errorf("the layer is closed: %s", again)
	}
}

func TestClosersOfAnImpatientCloseGetAMoment(t *testing.T) {
	l := newLab(t, mcplayer.Options{})
	var got error
	l.OnClose(func(ctx context.Context) error {
		got = ctx.Err()
		return nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Close(ctx); err != nil || got != nil {
		t.Errorf("Close: %v; the closer's context: %v", err, got)
	}
}
