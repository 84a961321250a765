package mcplayer_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A handler that speaks over the session itself, as handlers of the SDK do, passes
// the pipelines of its call; what goes through the ToolContext passes them once.
func TestWhatHandlersSayOverTheSession(t *testing.T) {
	reg := mcplayer.NewRegistry()
	mcplayer.AddSDKTool(reg, mcplayer.Tool{Name: "sdk"}, func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: req.Params.GetProgressToken(), Progress: 1, Message: "a secret",
		})
	})
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "own"}, func(ctx context.Context, tc *mcplayer.ToolContext, _ struct{}) (any, error) {
		tc.Progress(2, 0, "another secret")
		return nil, tc.Session().NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: "p", Progress: 3, Message: "secret too"})
	})
	mcplayer.AddPrompt(reg, mcplayer.Prompt{Name: "prompt"}, func(ctx context.Context, tc *mcplayer.ToolContext, _ map[string]string) (any, error) {
		return "x", tc.Session().NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: "p", Progress: 4, Message: "secret again"})
	})
	l := newLab(t, mcplayer.Options{Registry: reg})
	l.pol.output = censor{}
	server := mounted(t, l, nil)

	var heard journal
	arrived := make(chan struct{}, 8)
	p := dial(t, l.Layer, server, modern, nil, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			heard.add(r.Params.Message)
			arrived <- struct{}{}
		},
	})
	for _, name := range []string{"sdk", "own"} {
		params := &mcp.CallToolParams{Name: name}
		params.SetProgressToken("p")
		if res, err := p.CallTool(t.Context(), params); err != nil || res.IsError {
			t.Fatal(name, res, err)
		}
	}
	if _, err := p.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "prompt"}); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		<-arrived
	}
	same(t, heard.String(), "a [gone] another [gone] [gone] too [gone] again")
}

// All of a log message passes, not its data alone.
func TestLogMessagesOverTheSession(t *testing.T) {
	reg := mcplayer.NewRegistry()
	mcplayer.AddSDKTool(reg, mcplayer.Tool{Name: "sdk"}, func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, req.Session.Log(ctx, &mcp.LoggingMessageParams{
			Level: "error", Logger: "secret.go", Data: map[string]string{"k": "secret"}, Meta: mcp.Meta{"note": "secret"},
		})
	})
	l := newLab(t, mcplayer.Options{Registry: reg})
	l.pol.output = censor{}
	heard := make(chan *mcp.LoggingMessageParams, 1)
	p := dial(t, l.Layer, mounted(t, l, nil), legacy, nil, &mcp.ClientOptions{
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) { heard <- r.Params },
	})
	if err := p.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "debug"}); err != nil {
		t.Fatal(err)
	}
	if res, err := p.CallTool(t.Context(), &mcp.CallToolParams{Name: "sdk"}); err != nil || res.IsError {
		t.Fatal(res, err)
	}
	got := <-heard
	same(t, fmt.Sprint(got.Logger, got.Data, got.Meta), "[gone].gomap[k:[gone]] map[note:[gone]]")
}
