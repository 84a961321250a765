package middleware_test

import (
	"context"
	"fmt"
	"io"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
)

// The recommended order of middleware, with a guard that sees hits of the cache too.
func ExampleStack() {
	reg := mcplayer.NewRegistry()
	readOnly := mcplayer.Annotations{ReadOnly: new(true), Idempotent: new(true)}
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "get_time", Annotations: readOnly},
		func(context.Context, *mcplayer.ToolContext, struct{}) (*result.ToolResult, error) {
			return result.Text("noon"), nil
		})

	chain, err := middleware.Stack(middleware.StackOptions{
		Audit:       &middleware.AuditOptions{Writer: io.Discard},
		Concurrency: &middleware.ConcurrencyOptions{Limit: 16, PerPrincipal: 4},
		Guards: []mcplayer.Middleware{func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
			if info.Principal.HasRole("contractor") {
				return nil, mcplayer.AccessDenied("Contractors call no tools", nil)
			}
			return next(ctx, info)
		}},
		Cache:   &middleware.CacheOptions{},
		Retry:   &middleware.RetryOptions{Budget: 0.2},
		Breaker: &middleware.BreakerOptions{},
	})
	if err != nil {
		panic(err)
	}
	layer, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open(), Middleware: chain.Middleware})
	if err != nil {
		panic(err)
	}
	if err := chain.Attach(layer); err != nil {
		panic(err)
	}
	defer layer.Close(context.Background())

	for _, who := range []*mcplayer.Principal{mcplayer.NewPrincipal("ann"), mcplayer.NewPrincipal("ann"), mcplayer.NewPrincipal("ben", "contractor")} {
		res, err := layer.CallTool(context.Background(), "get_time", nil, mcplayer.As(who))
		if err != nil {
			panic(err)
		}
		fmt.Println(who.ID(), res.IsError, res.Meta["cloudg/cache"])
	}
	// Output:
	// ann false <nil>
	// ann false hit
	// ben true <nil>
}
