package middleware_test

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
)

// One call is recorded and counted; the record is verified with a head that was kept.
func Example() {
	ctx := context.Background()
	key := []byte("a key of 16 bytes or more")
	var lines bytes.Buffer
	audit, err := middleware.NewAudit(&middleware.AuditOptions{Writer: &lines, ChainKey: key})
	if err != nil {
		panic(err)
	}
	metrics, err := middleware.NewMetrics(nil)
	if err != nil {
		panic(err)
	}
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "greet"}, func(context.Context, *mcplayer.ToolContext, struct{}) (string, error) {
		return "hello", nil
	})
	metrics.Register(reg, "", false)
	layer, err := mcplayer.New(&mcplayer.Options{
		Registry: reg, Policy: policy.Open(), Middleware: []mcplayer.Middleware{audit.Handle, metrics.Handle},
	})
	if err != nil {
		panic(err)
	}
	layer.OnClose(audit.Close)
	if _, err := layer.CallTool(ctx, "greet", nil); err != nil {
		panic(err)
	}
	if err := layer.Close(ctx); err != nil {
		panic(err)
	}
	fmt.Println("calls:", metrics.Snapshot().ByPrimitive["tool:greet"].Calls)

	chain, err := middleware.VerifyAudit(bytes.NewReader(lines.Bytes()), key, audit.Head())
	fmt.Println("lines:", chain.Lines, err)
	forged := bytes.Replace(lines.Bytes(), []byte("greet"), []byte("leave"), 1)
	_, err = middleware.VerifyAudit(bytes.NewReader(forged), key, audit.Head())
	fmt.Println(err)
	// Output:
	// calls: 1
	// lines: 2 <nil>
	// line 2: it was changed, added or moved, or a line before it was removed
}

// A guard for tools alone.
func ExampleWhen() {
	office := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		if info.Principal.HasRole("contractor") && info.Started.UTC().Hour() >= 18 {
			return nil, mcplayer.AccessDenied("Contractors can call tools between 08:00 and 18:00", nil)
		}
		return next(ctx, info)
	}
	guard := middleware.When(func(c mcplayer.CallInfo) bool { return c.Kind == mcplayer.KindTool }, office)
	_, err := guard(context.Background(), mcplayer.CallInfo{
		Kind: mcplayer.KindTool, Principal: mcplayer.NewPrincipal("bob", "contractor"), Started: time.Date(2026, 10, 8, 20, 0, 0, 0, time.UTC),
	}, nil)
	fmt.Println(err)
	// Output: Contractors can call tools between 08:00 and 18:00
}
