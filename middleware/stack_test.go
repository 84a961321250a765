package middleware_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/testkit"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
)

// lines counts what an audit writes.
type lines struct{ testkit.Logbook }

func (l *lines) count() int { return len(l.Lines()) }

func (l *lines) outcomes(t *testing.T) string {
	var all []string
	for _, line := range l.Lines() {
		var record struct{ Name, Outcome string }
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatal(err)
		}
		all = append(all, record.Name+" "+record.Outcome)
	}
	return strings.Join(all, ", ")
}

func stack(t testing.TB, opts middleware.StackOptions) *middleware.Chain {
	t.Helper()
	chain, err := middleware.Stack(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { chain.Close(context.Background()) })
	return chain
}

func attach(t testing.TB, chain *middleware.Chain, l *mcplayer.Layer) {
	t.Helper()
	if err := chain.Attach(l); err != nil {
		t.Fatal(err)
	}
}

func TestStackContradictions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	shared := newLimit(t, nil)
	audit, err := middleware.NewAudit(&middleware.AuditOptions{Writer: &lines{}})
	if err != nil {
		t.Fatal(err)
	}
	defer audit.Close(t.Context())
	tests := []struct {
		name string
		opts middleware.StackOptions
		want []string
	}{
		{"two audits", middleware.StackOptions{Audit: &middleware.AuditOptions{Path: path}, SharedAudit: audit}, []string{"Audit and SharedAudit are both set"}},
		{"two limits", middleware.StackOptions{Concurrency: &middleware.ConcurrencyOptions{}, SharedConcurrency: shared}, []string{"Concurrency and SharedConcurrency are both set"}},
		{"a resource that is left out", middleware.StackOptions{OmitMetricsResource: true, MetricsURI: "x://m"}, []string{`OmitMetricsResource is set and MetricsURI is "x://m"`}},
		{"two choices of what is cached", middleware.StackOptions{Cache: &middleware.CacheOptions{Resources: true, Cacheable: func(mcplayer.CallInfo) bool { return true }}}, []string{"cache: Resources and Cacheable are both set"}},
		{"a cache that does nothing", middleware.StackOptions{Cache: &middleware.CacheOptions{Size: -1}}, []string{"cache: Size is -1", "Share is off"}},
		{"one call opens a circuit", middleware.StackOptions{Retry: &middleware.RetryOptions{}, Breaker: &middleware.BreakerOptions{MinCalls: 3}}, []string{"Retry.Retries makes 3 attempts and Breaker.MinCalls is 3"}},
		{"one call opens a circuit by default", middleware.StackOptions{Retry: &middleware.RetryOptions{Retries: 9}, Breaker: &middleware.BreakerOptions{}}, []string{"Retry.Retries makes 10 attempts and Breaker.MinCalls is 10"}},
		{
			"the mistakes of all parts",
			middleware.StackOptions{
				Audit: &middleware.AuditOptions{Path: path, Queue: -1}, Metrics: &middleware.MetricsOptions{URIs: -1},
				Concurrency: &middleware.ConcurrencyOptions{Limit: 1, PerPrincipal: 2}, Retry: &middleware.RetryOptions{Retries: -1}, Breaker: &middleware.BreakerOptions{Window: -1},
				Cache: &middleware.CacheOptions{Size: -1},
			},
			[]string{"audit: Queue", "metrics: URIs", "concurrency limit: PerPrincipal", "retry: Retries", "circuit breaker: Window", "cache: Size"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			chain, err := middleware.Stack(tt.opts)
			if err == nil || chain != nil {
				t.Fatal("accepted")
			}
			for _, part := range tt.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not in %q", part, err)
				}
			}
			if _, err := os.Stat(path); err == nil {
				t.Error("the audit was opened for nothing")
			}
		})
	}
	if _, err := middleware.Stack(middleware.StackOptions{Audit: &middleware.AuditOptions{Path: t.TempDir()}}); err == nil {
		t.Error("a directory as the audit's file")
	}
}

// TestStackOrder tells the order by who sees what: a refused call, a first one that
// fails once, a hit, and one that finds no slot.
func TestStackOrder(t *testing.T) {
	var log lines
	var seen events
	see := func(name string) mcplayer.Middleware {
		return func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
			if info.Kind != mcplayer.KindTool {
				return next(ctx, info)
			}
			seen.add(name)
			if name == "guard" && info.Principal == bob {
				return nil, mcplayer.AccessDenied("not bob", nil)
			}
			return next(ctx, info)
		}
	}
	chain := stack(t, middleware.StackOptions{
		Audit: &middleware.AuditOptions{Writer: &log}, Concurrency: &middleware.ConcurrencyOptions{Limit: 1, Queue: -1},
		Guards: []mcplayer.Middleware{nil, see("guard")}, Cache: &middleware.CacheOptions{}, Retry: &middleware.RetryOptions{Backoff: -1},
		Breaker: &middleware.BreakerOptions{}, Decorators: []mcplayer.Middleware{see("decorator"), nil},
	})
	f := &failingFirst{n: 1, err: errReset}
	g := newGated()
	l := flowLayer(t, policy.Open(), chain.Middleware, reading("get", f.handle), writing("hold", g.handle))
	attach(t, chain, l)
	equal(t, ask(t, l, bob, "get", ""), "not bob")
	equal(t, wired(t, l, alice, "get", "{}"), `{"_meta":{"cloudg/duration_ms":0,"cloudg/retries":1},"content":[{"type":"text","text":"ok"}]}`)
	equal(t, wired(t, l, alice, "get", "{}"), `{"_meta":{"cloudg/cache":"hit","cloudg/duration_ms":0},"content":[{"type":"text","text":"ok"}]}`)
	equal(t, &seen, "guard guard decorator decorator guard")
	held := make(chan string, 1)
	go func() { held <- ask(t, l, alice, "hold", "") }()
	for chain.Concurrency.InFlight() == 0 || g.String() == "" {
		runtime.Gosched()
	}
	equal(t, ask(t, l, alice, "get", ""), busy)
	close(g.open)
	<-held
	equal(t, chain.Breaker.Stats().Watched, 2)
	res, err := l.ReadResource(t.Context(), middleware.MetricsURI, mcplayer.As(alice))
	if err != nil {
		t.Fatal(err)
	}
	var shown middleware.MetricsSnapshot
	if err := json.Unmarshal([]byte(res.Contents[0].Text), &shown); err != nil {
		t.Fatal(err)
	}
	get := shown.ByPrimitive["tool:get"]
	equal(t, [5]int64{get.Calls, get.Errors, get.Rejected, get.CacheHits, get.Retries}, [5]int64{4, 0, 2, 1, 1})
	if err := l.Close(t.Context()); err != nil {
		t.Error(err)
	}
	equal(t, log.outcomes(t), "get denied, get ok, get ok, get rate_limited, hold ok, cloudg://metrics ok")
}

func TestStackOfNothing(t *testing.T) {
	chain := stack(t, middleware.StackOptions{MetricsURI: "x://m"})
	equal(t, len(chain.Middleware), 1)
	if chain.Audit != nil || chain.Concurrency != nil || chain.Cache != nil || chain.Retry != nil || chain.Breaker != nil {
		t.Error("more than was asked for")
	}
	l := flowLayer(t, policy.Open(), chain.Middleware)
	attach(t, chain, l)
	if _, err := l.ReadResource(t.Context(), "x://m"); err != nil {
		t.Error(err)
	}
	if err := chain.Attach(l); err == nil {
		t.Error("attached twice")
	}
	without := stack(t, middleware.StackOptions{OmitMetricsResource: true})
	l = flowLayer(t, policy.Open(), without.Middleware)
	attach(t, without, l)
	if _, err := l.ReadResource(t.Context(), middleware.MetricsURI); err == nil {
		t.Error("a resource that was left out")
	}
}

// What a chain owns closes with the layer, what it shares does not; changes empty its
// cache.
func TestStackCloses(t *testing.T) {
	var log lines
	limit := newLimit(t, nil)
	audit, err := middleware.NewAudit(&middleware.AuditOptions{Writer: &log})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		chain := stack(t, middleware.StackOptions{SharedAudit: audit, SharedConcurrency: limit, Cache: &middleware.CacheOptions{}})
		var c counting
		l := flowLayer(t, policy.Open(), chain.Middleware, reading("get", c.handle))
		attach(t, chain, l)
		equal(t, ask(t, l, alice, "get", ""), "n=1")
		l.NotifyChange(mcplayer.KindTool, "")
		equal(t, ask(t, l, alice, "get", ""), "n=2")
		if err := l.Close(t.Context()); err != nil {
			t.Error(i, err)
		}
	}
	if err := audit.Close(t.Context()); err != nil {
		t.Error(err)
	}
	equal(t, log.count(), 4)

	var own lines
	chain := stack(t, middleware.StackOptions{Audit: &middleware.AuditOptions{Writer: &own}, Concurrency: &middleware.ConcurrencyOptions{}})
	l := flowLayer(t, policy.Open(), chain.Middleware, reading("get", saying("x")))
	attach(t, chain, l)
	ask(t, l, alice, "get", "")
	if err := l.Close(t.Context()); err != nil {
		t.Error(err)
	}
	equal(t, own.count(), 1)
	_, err = chain.Concurrency.Handle(t.Context(), mcplayer.CallInfo{Kind: mcplayer.KindTool}, nil)
	equal(t, fmt.Sprint(err), busy)
}
