package mcplayer_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type greetIn struct {
	Name string `json:"name"`
}

type greetOut struct {
	Greeting string `json:"greeting"`
}

func greet(_ context.Context, _ *mcplayer.ToolContext, in greetIn) (greetOut, error) {
	return greetOut{"hello " + in.Name}, nil
}

func newServer() *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
}

// connect runs server over the SDK's in-memory transport and returns a client.
func connect(t testing.TB, l *mcplayer.Layer, server *mcp.Server, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	inner, outer := mcp.NewInMemoryTransports()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = l.Run(ctx, server, inner)
	}()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, opts).Connect(ctx, outer, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		cancel()
		<-done
	})
	return session
}

func TestMountedTool(t *testing.T) {
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "greet"}, greet)
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "who"}, func(_ context.Context, tc *mcplayer.ToolContext, _ struct{}) (string, error) {
		return tc.Principal().ID() + " " + string(tc.Request().Transport), nil
	})
	l, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open()})
	if err != nil {
		t.Fatal(err)
	}
	server := newServer()
	mcp.AddTool(server, &mcp.Tool{Name: "host"}, func(_ context.Context, _ *mcp.CallToolRequest, in greetIn) (*mcp.CallToolResult, greetOut, error) {
		if in.Name == "" {
			return nil, greetOut{}, errors.New("nobody")
		}
		return nil, greetOut{"host greets " + in.Name}, nil
	})
	if err := l.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	if err := l.Mount(server, nil); err == nil || err.Error() != "mcplayer: the server has a layer already" {
		t.Errorf("second Mount: %v", err)
	}
	session := connect(t, l, server, nil)
	t.Log(session.InitializeResult().ProtocolVersion)
	for _, call := range []*mcp.CallToolParams{
		{Name: "greet", Arguments: map[string]any{"name": "Ada"}},
		{Name: "host", Arguments: map[string]any{"name": "Ada"}},
		{Name: "host", Arguments: map[string]any{"nam": "Ada"}},
		{Name: "host", Arguments: map[string]any{"name": ""}},
		{Name: "who"},
	} {
		res, err := session.CallTool(t.Context(), call)
		if err != nil {
			t.Fatal(err)
		}
		data, _ := res.MarshalJSON()
		t.Logf("%s", data)
	}
	_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "nope"})
	t.Log(err)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		t.Log(tool.Name, tool.Meta, tool.OutputSchema)
	}
	_ = result.Text
}
