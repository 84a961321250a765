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

func TestMountedOthers(t *testing.T) {
	reg := mcplayer.NewRegistry()
	mcplayer.AddResource(reg, mcplayer.Resource{URI: "cloudg://metrics"}, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
		return map[string]int{"calls": 1}, nil
	})
	mcplayer.AddResourceTemplate(reg, mcplayer.ResourceTemplate{URITemplate: "cloudg://assets/{+ref}", Complete: map[string]mcplayer.CompletionFunc{
		"ref": func(_ context.Context, _ *mcplayer.ToolContext, in mcplayer.CompletionInput) ([]string, error) {
			return []string{in.Value + "1", in.Value + "2"}, nil
		},
	}}, func(_ context.Context, _ *mcplayer.ToolContext, vars map[string]string) (any, error) {
		return "asset " + vars["ref"], nil
	})
	mcplayer.AddPrompt(reg, mcplayer.Prompt{Name: "review", Arguments: []mcplayer.PromptArgument{{Name: "repo", Required: true}}}, func(_ context.Context, _ *mcplayer.ToolContext, args map[string]string) (any, error) {
		return "Review " + args["repo"], nil
	})
	l, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open()})
	if err != nil {
		t.Fatal(err)
	}
	server := newServer()
	server.AddResource(&mcp.Resource{URI: "host:x", Name: "x"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{Text: "host"}}}, nil
	})
	if err := l.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	session := connect(t, l, server, nil)
	for _, uri := range []string{"cloudg://metrics", "cloudg://assets/a%2Fb", "host:x", "cloudg://nope\u0007", "cloudg://assets/../x"} {
		res, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Logf("%v", err)
			continue
		}
		data, _ := res.MarshalJSON()
		t.Logf("%s", data)
	}
	res, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "review", Arguments: map[string]string{"repo": "r", "x": "y"}})
	if err != nil {
		t.Fatal(err)
	}
	data, _ := res.MarshalJSON()
	t.Logf("%s", data)
	_, err = session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "review"})
	t.Log(err)
	comp, err := session.Complete(t.Context(), &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/resource", URI: "cloudg://assets/{+ref}"}, Argument: mcp.CompleteParamsArgument{Name: "ref", Value: "z"}})
	t.Logf("%+v %v", comp, err)
	lr, err := session.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range lr.Resources {
		t.Logf("%+v", r)
	}
	lp, _ := session.ListPrompts(t.Context(), nil)
	t.Log(len(lp.Prompts), lp.Prompts[0].Name)
}
