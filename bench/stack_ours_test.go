package bench_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// findLayer has the tool without a timeout, which the others have none of either. Its
// policy allows everything: policies are compared elsewhere.
func findLayer(tb testing.TB, mws []mcplayer.Middleware) *mcplayer.Layer {
	tb.Helper()
	reg := mcplayer.NewRegistry()
	hints := mcplayer.Annotations{ReadOnly: new(true), Idempotent: new(true)}
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "find", Annotations: hints, Timeout: -1},
		func(_ context.Context, _ *mcplayer.ToolContext, args jsontext.Value) (*result.ToolResult, error) {
			text, failed := find(args)
			res := result.Text(text)
			res.IsError = failed
			return res, nil
		})
	return must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open(), Middleware: mws, Logger: slog.New(slog.DiscardHandler)}))
}

func ourChain(o stackOptions) *middleware.Chain {
	if o.bare {
		return must(middleware.Stack(middleware.StackOptions{OmitMetricsResource: true}))
	}
	return must(middleware.Stack(middleware.StackOptions{
		Audit:       &middleware.AuditOptions{Writer: o.audit, Salt: []byte(auditSalt)},
		Concurrency: &middleware.ConcurrencyOptions{}, Cache: &middleware.CacheOptions{Size: o.cached}, OmitMetricsResource: true,
	}))
}

// newOurs mounts a layer on a server of the SDK.
func newOurs(tb testing.TB, o stackOptions) *site {
	tb.Helper()
	s, layer := newInProcess(tb, o)
	server := mcp.NewServer(&mcp.Implementation{Name: "site", Version: "1"}, nil)
	if err := layer.Mount(server, nil); err != nil {
		tb.Fatal(err)
	}
	s.call = dispatch(tb, server)
	return s
}

// newInProcess calls a layer without a server.
func newInProcess(tb testing.TB, o stackOptions) (*site, *mcplayer.Layer) {
	tb.Helper()
	chain := ourChain(o)
	mws := chain.Middleware
	if o.bare {
		mws = nil
	}
	layer, ctx := findLayer(tb, mws), tb.Context()
	if err := chain.Attach(layer); err != nil {
		tb.Fatal(err)
	}
	s := &site{
		call: func(args json.RawMessage) (string, bool) {
			res, err := layer.CallTool(ctx, "find", args)
			if err != nil {
				tb.Fatal(err)
			}
			return res.Content[0].(*mcp.TextContent).Text, res.IsError
		},
		counts: func() siteCounts {
			c := chain.Metrics.Snapshot().ByPrimitive["tool:find"]
			return siteCounts{c.Calls, c.Errors, c.CacheHits}
		},
		close: func() { _ = layer.Close(context.Background()) },
	}
	tb.Cleanup(s.close)
	return s, layer
}
