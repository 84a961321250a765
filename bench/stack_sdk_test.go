package bench_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newSDK is a server of the SDK with receiving middleware written by hand. Its tool is
// a raw one, the fastest that the SDK has: a typed one validates what the others do not.
func newSDK(tb testing.TB, o stackOptions) *site {
	tb.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "site", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "find", InputSchema: findSchema}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		text, failed := find(req.Params.Arguments)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: failed}, nil
	})
	work := newHandmade(o, func(res mcp.Result) bool { return res.(*mcp.CallToolResult).IsError })
	if !o.bare {
		server.AddReceivingMiddleware(around(work))
	}
	return &site{call: dispatch(tb, server), counts: func() siteCounts { return work.countsOf("find") }, close: func() {}}
}

// around does the work for calls of tools.
func around(work *handmade[mcp.Result]) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			call, ok := req.(*mcp.CallToolRequest)
			if !ok {
				return next(ctx, method, req)
			}
			var args map[string]any
			if err := json.Unmarshal(call.Params.Arguments, &args); err != nil {
				return nil, err
			}
			return work.call(ctx, call.Params.Name, args, func() (mcp.Result, error) { return next(ctx, method, req) })
		}
	}
}
