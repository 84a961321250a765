package bench_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// newMCPGo is a server of mcp-go with tool middleware written by hand. Its way into a
// call in-process is the message of JSON-RPC, so that its times hold the decoding of
// the request, which those of the others do not.
func newMCPGo(tb testing.TB, o stackOptions) *site {
	tb.Helper()
	work := newHandmade(o, func(res *mcp.CallToolResult) bool { return res.IsError })
	srv := server.NewMCPServer("site", "1")
	if !o.bare {
		srv.Use(aroundTool(work))
	}
	srv.AddTool(mcp.NewToolWithRawSchema("find", "", findSchema), func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		text, failed := find(req.Params.RawArguments)
		res := mcp.NewToolResultText(text)
		res.IsError = failed
		return res, nil
	})
	return &site{call: handle(tb, srv), counts: func() siteCounts { return work.countsOf("find") }, close: func() {}}
}

func aroundTool(work *handmade[*mcp.CallToolResult]) server.ToolHandlerMiddleware {
	return func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return work.call(ctx, req.Params.Name, req.GetArguments(), func() (*mcp.CallToolResult, error) { return next(ctx, req) })
		}
	}
}

func handle(tb testing.TB, srv *server.MCPServer) func(args json.RawMessage) (text string, failed bool) {
	tb.Helper()
	ctx := tb.Context()
	return func(args json.RawMessage) (string, bool) {
		message := append(append([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find","arguments":`), args...), "}}"...)
		response, ok := srv.HandleMessage(ctx, message).(mcp.JSONRPCResponse)
		if !ok {
			tb.Fatal("an error")
		}
		res := response.Result.(*mcp.CallToolResult)
		return res.Content[0].(mcp.TextContent).Text, res.IsError
	}
}
