package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/conformance/everything"
	"github.com/cloudg/mcplayer/result"
)

// addReports adds the tools that say something while they work.
func addReports(reg *mcplayer.Registry) {
	mcplayer.AddTool(reg, tool(everything.Logging), logWork)
	mcplayer.AddTool(reg, tool(everything.QuietLog), logOnce)
	mcplayer.AddTool(reg, tool(everything.Progress), reportWork)
	mcplayer.AddSDKTool(reg, tool(everything.Reconnects), reconnect)
}

func logWork(ctx context.Context, tc *mcplayer.ToolContext, _ none) (*result.ToolResult, error) {
	return result.Text(everything.LogWork(ctx, logTo(tc))), nil
}

func logOnce(_ context.Context, tc *mcplayer.ToolContext, _ none) (*result.ToolResult, error) {
	return result.Text(everything.LogOnce(logTo(tc))), nil
}

func logTo(tc *mcplayer.ToolContext) func(string) {
	return func(message string) { tc.Log("info", message) }
}

func reportWork(ctx context.Context, tc *mcplayer.ToolContext, _ none) (*result.ToolResult, error) {
	return result.Text(everything.ReportWork(ctx, tc.Progress)), nil
}

// reconnect is written for the SDK: closing a stream is a matter of its HTTP
// transport.
func reconnect(ctx context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
	return &mcp.CallToolResult{
		Content: everything.Text(everything.Reconnect(ctx, closeStream(req.Extra))),
	}, nil, nil
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
