//lint:file-ignore SA1019 the suite calls what 2026-07-28 deprecates

package main

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cloudg/mcplayer/conformance/everything"
)

// none is the input of a tool without arguments.
type none struct{}

// addTools adds the tools that need nothing from the client but the call.
func addTools(server *mcp.Server) {
	for _, t := range everything.FixedTools() {
		mcp.AddTool(server, tool(t.Info), fixed(t.Content))
	}
	mcp.AddTool(server, tool(everything.Failing), fail)
	mcp.AddTool(server, tool(everything.Logging), logWork)
	mcp.AddTool(server, tool(everything.QuietLog), logOnce)
	mcp.AddTool(server, tool(everything.Progress), reportWork)
	mcp.AddTool(server, tool(everything.Reconnects), reconnect)
	mcp.AddTool(server, toolWith(everything.Schema, everything.SchemaInput), reach)
	mcp.AddTool(server, toolWith(everything.Header, everything.HeaderInput), place)
}

func tool(i everything.Info) *mcp.Tool {
	return &mcp.Tool{Name: i.Name, Description: i.Description}
}

func toolWith(i everything.Info, input json.RawMessage) *mcp.Tool {
	return &mcp.Tool{Name: i.Name, Description: i.Description, InputSchema: input}
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: everything.Text(s)}
}

func fixed(content func() []mcp.Content) mcp.ToolHandlerFor[none, any] {
	return func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: content()}, nil, nil
	}
}

func fail(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
	return nil, nil, everything.ErrOnPurpose
}

func logWork(ctx context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
	return text(everything.LogWork(ctx, logTo(ctx, req.Session))), nil, nil
}

func logOnce(ctx context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
	return text(everything.LogOnce(logTo(ctx, req.Session))), nil, nil
}

// logTo returns a function that sends messages at level info. A message that
// cannot be sent is lost; the suite counts those that arrive.
func logTo(ctx context.Context, session *mcp.ServerSession) func(string) {
	return func(message string) {
		session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: message})
	}
}

func reportWork(ctx context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
	return text(everything.ReportWork(ctx, reportTo(ctx, req))), nil, nil
}

// reportTo returns a function that sends progress to a client that asked for it.
func reportTo(ctx context.Context, req *mcp.CallToolRequest) func(done, total float64, message string) {
	token := req.Params.GetProgressToken()
	return func(done, total float64, message string) {
		if token == nil {
			return
		}
		req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: done, Total: total, Message: message,
		})
	}
}

func reconnect(ctx context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
	return text(everything.Reconnect(ctx, closeStream(req.Extra))), nil, nil
}

// closeStream returns nil where there is no stream to close.
func closeStream(extra *mcp.RequestExtra) func() {
	if extra == nil || extra.CloseSSEStream == nil {
		return nil
	}
	return func() {
		extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: everything.RetryAfter})
	}
}

func reach(_ context.Context, _ *mcp.CallToolRequest, in everything.Contact) (*mcp.CallToolResult, any, error) {
	return text(everything.Reach(in)), nil, nil
}

func place(_ context.Context, _ *mcp.CallToolRequest, in everything.Placement) (*mcp.CallToolResult, any, error) {
	return text(everything.Place(in)), nil, nil
}
