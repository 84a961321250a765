package bench_test

import (
	"context"
	"encoding/json"
	"io"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const auditSalt = "the salt of the hashes of arguments"

// stackOptions configure the same work for each site.
type stackOptions struct {
	bare   bool      // nothing around the tool
	audit  io.Writer // gets the audit lines
	cached int       // results that are kept
}

// site is a server with one tool, find, and the work around it.
type site struct {
	// call calls the tool in-process; a failed result is told as such.
	call func(args json.RawMessage) (text string, failed bool)
	// counts tells what was counted, once all calls are over; close comes first where
	// lines are written later.
	counts func() siteCounts
	close  func()
}

type siteCounts struct{ calls, errors, hits int64 }

// findIn are the arguments of the tool.
type findIn struct {
	Query string   `json:"query"`
	Limit int      `json:"limit"`
	Kinds []string `json:"kinds"`
}

var findSchema = json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"},
	"kinds":{"type":"array","items":{"type":"string"}}},"required":["query"]}`)

// find is the work of the tool. It fails for one query.
func find(args []byte) (text string, failed bool) {
	var in findIn
	if err := json.Unmarshal(args, &in); err != nil {
		return err.Error(), true
	}
	if in.Query == "nothing" {
		return "nothing found", true
	}
	return "found " + in.Query, false
}

// dispatch captures the receiving handler of a server of the SDK, with everything that
// stands around it, and returns calls of the tool: from the decoded request to the
// result, without transport.
func dispatch(tb testing.TB, server *mcp.Server) func(args json.RawMessage) (text string, failed bool) {
	tb.Helper()
	var handle mcp.MethodHandler
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		handle = next
		return next
	})
	inner, outer := mcp.NewInMemoryTransports()
	session := must(server.Connect(context.Background(), inner, nil))
	tb.Cleanup(func() {
		if conn, err := outer.Connect(context.Background()); err == nil {
			_ = conn.Close()
		}
		_ = session.Close()
	})
	ctx := tb.Context()
	return func(args json.RawMessage) (string, bool) {
		res, err := handle(ctx, "tools/call", &mcp.CallToolRequest{Session: session, Params: &mcp.CallToolParamsRaw{Name: "find", Arguments: args}})
		if err != nil {
			tb.Fatal(err)
		}
		got := res.(*mcp.CallToolResult)
		return got.Content[0].(*mcp.TextContent).Text, got.IsError
	}
}
