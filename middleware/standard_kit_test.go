package middleware_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// assetsIn and assetsOut are what a usual tool takes and returns.
type assetsIn struct {
	Region string   `json:"region"`
	Limit  int      `json:"limit,omitzero"`
	Tags   []string `json:"tags,omitzero"`
}

type assetsOut struct {
	Assets []asset `json:"assets"`
	Total  int     `json:"total"`
}

type asset struct {
	CPU         int      `json:"cpu"` // sorted, as the SDK sends them
	Description string   `json:"description"`
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Address     string   `json:"private_ip"`
	Running     bool     `json:"running"`
	Tags        []string `json:"tags"`
}

// fourAssets are 1 KB of JSON, in which the policy standard finds nothing to change.
func fourAssets() assetsOut {
	out := assetsOut{Total: 4}
	for i := range out.Total {
		out.Assets = append(out.Assets, asset{
			ID: fmt.Sprintf("i-0b59c1e%d", i), Name: fmt.Sprintf("billing-prod-%d", i), Address: fmt.Sprintf("10.20.30.%d", i), CPU: 8 * (i + 1), Running: true,
			Description: "keeps the ledger of the billing service and its reports for the finance team of the north",
			Tags:        []string{"env=prod", "owner=ada@corp.example"},
		})
	}
	return out
}

// standardLayer has the tool "get" with a result of 1 KB under the policy standard.
func standardLayer(tb testing.TB, timeout time.Duration, mws ...mcplayer.Middleware) *mcplayer.Layer {
	tb.Helper()
	out := fourAssets()
	return flowLayer(tb, policy.MustLoad("standard"), mws, func(r *mcplayer.Registry) {
		hints := mcplayer.Annotations{ReadOnly: new(true), Idempotent: new(true)}
		mcplayer.AddTool(r, mcplayer.Tool{Name: "get", Annotations: hints, Capabilities: mcplayer.ReadState, Timeout: timeout},
			func(context.Context, *toolCtx, assetsIn) (assetsOut, error) { return out, nil })
	})
}

// fileStack is audit to a file, metrics, concurrency limit and a cache.
func fileStack(tb testing.TB, cache *middleware.CacheOptions) []mcplayer.Middleware {
	tb.Helper()
	return stack(tb, middleware.StackOptions{
		Audit: &middleware.AuditOptions{Path: filepath.Join(tb.TempDir(), "audit.jsonl")}, Concurrency: &middleware.ConcurrencyOptions{},
		Cache: cache, OmitMetricsResource: true,
	}).Middleware
}

// sdkTyped returns calls of the same tool as a typed one of the SDK with nothing
// around it: from the decoded request to the result, without transport.
func sdkTyped(tb testing.TB) func() *mcp.CallToolResult {
	tb.Helper()
	out, server := fourAssets(), newServer()
	mcp.AddTool(server, &mcp.Tool{Name: "get"}, func(context.Context, *mcp.CallToolRequest, assetsIn) (*mcp.CallToolResult, assetsOut, error) {
		return nil, out, nil
	})
	handle, session := dispatcher(tb, server)
	args := json.RawMessage(regionArguments)
	return func() *mcp.CallToolResult {
		res, err := handle(tb.Context(), "tools/call", &mcp.CallToolRequest{Session: session, Params: &mcp.CallToolParamsRaw{Name: "get", Arguments: args}})
		if err != nil || res.(*mcp.CallToolResult).IsError {
			tb.Fatal(res, err)
		}
		return res.(*mcp.CallToolResult)
	}
}

// dispatcher captures the receiving handler of a server.
func dispatcher(tb testing.TB, server *mcp.Server) (handle mcp.MethodHandler, session *mcp.ServerSession) {
	tb.Helper()
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		handle = next
		return next
	})
	inner, outer := mcp.NewInMemoryTransports()
	session, err := server.Connect(context.Background(), inner, nil)
	if err != nil {
		tb.Fatal(err)
	}
	conn, err := outer.Connect(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = conn.Close()
		_ = session.Close()
	})
	return handle, session
}
