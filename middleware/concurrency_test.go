package middleware_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
)

func newLimit(t testing.TB, opts *middleware.ConcurrencyOptions) *middleware.Concurrency {
	t.Helper()
	c, err := middleware.NewConcurrency(opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// gated is a handler that tells when it runs and ends when it is let.
type gated struct {
	events
	open chan struct{}
}

func newGated() *gated { return &gated{open: make(chan struct{})} }

func (g *gated) handle(_ context.Context, tc *toolCtx, args raw) (any, error) {
	g.add(tc.Principal().ID() + string(args))
	<-g.open
	return result.Text("done"), nil
}

const busy = "Server busy: too many concurrent MCP calls"

func TestConcurrencyOptions(t *testing.T) {
	tests := []struct {
		name string
		opts middleware.ConcurrencyOptions
		want []string
	}{
		{"per principal above the limit", middleware.ConcurrencyOptions{Limit: 2, PerPrincipal: 3}, []string{"PerPrincipal is 3 and Limit 2"}},
		{"per principal above the default", middleware.ConcurrencyOptions{PerPrincipal: 9}, []string{"PerPrincipal is 9 and Limit 8"}},
		{"nothing limited", middleware.ConcurrencyOptions{Limit: -1}, []string{"Limit is -1", "PerPrincipal is 0"}},
		{"no kinds", middleware.ConcurrencyOptions{Kinds: []mcplayer.Kind{}}, []string{"Kinds is empty"}},
		{
			"all at once",
			middleware.ConcurrencyOptions{Limit: 1, PerPrincipal: 2, Kinds: []mcplayer.Kind{mcplayer.KindResourceTemplate, 77}},
			[]string{"PerPrincipal is 2", "Kinds holds resource_template", "Kinds holds Kind(77)", "allowed are tool, resource, prompt and completion"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := middleware.NewConcurrency(&tt.opts)
			if err == nil || c != nil {
				t.Fatal("accepted")
			}
			for _, part := range append(tt.want, "concurrency limit: ") {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not in %q", part, err)
				}
			}
		})
	}
	stats := newLimit(t, nil).Stats()
	equal(t, stats, middleware.ConcurrencyStats{Limit: 8})
	stats = newLimit(t, &middleware.ConcurrencyOptions{Limit: -1, PerPrincipal: 2}).Stats()
	equal(t, stats, middleware.ConcurrencyStats{PerPrincipal: 2})
}

func TestConcurrencyRefusesWhoWaitsTooLong(t *testing.T) {
	tests := []struct {
		name    string
		timeout time.Duration
		waits   time.Duration
		want    string
	}{
		{"default", 0, 30 * time.Second, busy},
		{"own", 3 * time.Second, 3 * time.Second, busy},
		{"none", -1, time.Hour, "done"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				limit := newLimit(t, &middleware.ConcurrencyOptions{Limit: 1, QueueTimeout: tt.timeout})
				g := newGated()
				l := flowLayer(t, policy.Open(), around(limit.Handle), annotated("work", mcplayer.Annotations{}, -1, g.handle))
				go ask(t, l, alice, "work", "")
				synctest.Wait()
				go func() {
					time.Sleep(time.Hour)
					close(g.open)
				}()
				start := time.Now()
				equal(t, ask(t, l, bob, "work", ""), tt.want)
				equal(t, time.Since(start), tt.waits)
				time.Sleep(time.Hour)
				stats := limit.Stats()
				equal(t, [3]int{stats.InFlight, stats.Waiting, stats.Late}, [3]int{})
			})
		})
	}
}

func TestConcurrencyRefusalOnTheWire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := newLimit(t, &middleware.ConcurrencyOptions{Limit: 1, Queue: -1})
		g := newGated()
		l := flowLayer(t, policy.Open(), around(limit.Handle), writing("work", g.handle))
		go ask(t, l, alice, "work", "")
		synctest.Wait()
		start := time.Now()
		equal(t, wired(t, l, alice, "work", "{}"),
			`{"_meta":{"cloudg/error_code":-31029},"content":[{"type":"text","text":"Server busy: too many concurrent MCP calls"}],"isError":true}`)
		equal(t, time.Since(start), time.Duration(0))
		equal(t, limit.Stats(), middleware.ConcurrencyStats{Limit: 1, InFlight: 1, Refused: 1})
		close(g.open)
	})
}

func TestConcurrencyQueueIsBounded(t *testing.T) {
	tests := []struct {
		name        string
		queue, want int
	}{{"default", 0, 1024}, {"own", 3, 3}, {"none", -1, 0}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				limit := newLimit(t, &middleware.ConcurrencyOptions{Limit: 1, Queue: tt.queue})
				g := newGated()
				l := flowLayer(t, policy.Open(), around(limit.Handle), writing("work", g.handle))
				for i := range tt.want + 1 {
					go ask(t, l, mcplayer.NewPrincipal(fmt.Sprint("p", i)), "work", "")
				}
				synctest.Wait()
				equal(t, limit.Stats().Waiting, tt.want)
				equal(t, ask(t, l, carol, "work", ""), busy)
				close(g.open)
				synctest.Wait()
				equal(t, limit.Stats(), middleware.ConcurrencyStats{Limit: 1, Refused: 1})
			})
		})
	}
}

// One caller's flood does not keep others waiting, and nobody overtakes within one.
func TestConcurrencyIsFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := newLimit(t, &middleware.ConcurrencyOptions{Limit: 1})
		g := newGated()
		l := flowLayer(t, policy.Open(), around(limit.Handle), writing("work", g.handle))
		for i, p := range []*mcplayer.Principal{alice, alice, alice, alice, bob, bob, carol} {
			go ask(t, l, p, "work", fmt.Sprintf(`{"n":%d}`, i))
			synctest.Wait()
		}
		close(g.open)
		synctest.Wait()
		equal(t, g.String(), `alice{"n":0} alice{"n":1} bob{"n":4} carol{"n":6} alice{"n":2} bob{"n":5} alice{"n":3}`)
	})
}

func TestConcurrencyPerPrincipal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := newLimit(t, &middleware.ConcurrencyOptions{Limit: 3, PerPrincipal: 2})
		g := newGated()
		l := flowLayer(t, policy.Open(), around(limit.Handle), writing("work", g.handle))
		for range 3 {
			go ask(t, l, alice, "work", "")
		}
		synctest.Wait()
		equal(t, limit.Stats(), middleware.ConcurrencyStats{Limit: 3, PerPrincipal: 2, InFlight: 2, Waiting: 1})
		go ask(t, l, bob, "work", "") // passes alice, who has as many as one may have
		synctest.Wait()
		equal(t, g.String(), "alice{} alice{} bob{}")
		limit.SetPerPrincipal(3)
		limit.SetLimit(4)
		synctest.Wait()
		equal(t, g.String(), "alice{} alice{} bob{} alice{}")
		limit.SetPerPrincipal(0)
		equal(t, limit.Stats().PerPrincipal, 0)
		close(g.open)
	})
}

func TestConcurrencyLimitChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := newLimit(t, &middleware.ConcurrencyOptions{Limit: 1})
		g := newGated()
		l := flowLayer(t, policy.Open(), around(limit.Handle), writing("work", g.handle))
		for range 4 {
			go ask(t, l, alice, "work", "")
		}
		synctest.Wait()
		equal(t, limit.InFlight(), 1)
		limit.SetLimit(3)
		synctest.Wait()
		equal(t, limit.InFlight(), 3)
		limit.SetLimit(2) // who runs keeps the slot
		equal(t, limit.InFlight(), 3)
		g.open <- struct{}{}
		synctest.Wait()
		equal(t, limit.Stats(), middleware.ConcurrencyStats{Limit: 2, InFlight: 2, Waiting: 1})
		limit.SetLimit(-1)
		synctest.Wait()
		equal(t, limit.Stats(), middleware.ConcurrencyStats{InFlight: 3})
		limit.SetLimit(0)
		equal(t, limit.Stats().Limit, 8)
		close(g.open)
	})
}

func TestConcurrencyCallerGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := newLimit(t, &middleware.ConcurrencyOptions{Limit: 1})
		g := newGated()
		l := flowLayer(t, policy.Open(), around(limit.Handle), writing("work", g.handle))
		go ask(t, l, alice, "work", "")
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		equal(t, askIn(ctx, l, bob, "work", ""), "context deadline exceeded")
		equal(t, time.Since(start), time.Second)
		equal(t, limit.Stats(), middleware.ConcurrencyStats{Limit: 1, InFlight: 1})
		close(g.open)
		synctest.Wait()
		equal(t, g.String(), "alice{}")
		equal(t, limit.InFlight(), 0)
	})
}

// A slot is held until the handler has really ended, unless that is not wanted.
func TestConcurrencyHoldsTheSlot(t *testing.T) {
	tests := []struct {
		name    string
		release bool
		want    middleware.ConcurrencyStats
		second  string
	}{
		{"held", false, middleware.ConcurrencyStats{Limit: 1, InFlight: 1, Late: 1}, busy},
		{"released", true, middleware.ConcurrencyStats{Limit: 1, Late: 1}, "Tool work timed out"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				limit := newLimit(t, &middleware.ConcurrencyOptions{Limit: 1, QueueTimeout: 5 * time.Second, ReleaseOnTimeout: tt.release})
				g := newGated()
				l := flowLayer(t, policy.Open(), around(limit.Handle), annotated("work", mcplayer.Annotations{}, time.Second, g.handle))
				equal(t, ask(t, l, alice, "work", ""), "Tool work timed out")
				equal(t, limit.Stats(), tt.want)
				equal(t, ask(t, l, alice, "work", ""), tt.second)
				close(g.open)
				synctest.Wait()
				stats := limit.Stats()
				equal(t, [3]int{stats.InFlight, stats.Waiting, stats.Late}, [3]int{})
				equal(t, l.Abandoned(), 0)
			})
		})
	}
}

func TestConcurrencyEndsWithPanicsAndFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := newLimit(t, &middleware.ConcurrencyOptions{Limit: 1})
		explode := func(_ context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
			if info.Name == "inner" {
				panic("boom")
			}
			return next(t.Context(), info)
		}
		l := flowLayer(t, policy.Open(), around(limit.Handle, explode),
			writing("inner", saying("never")),
			writing("panic", func(context.Context, *toolCtx, raw) (any, error) { panic("boom") }),
			writing("exit", func(context.Context, *toolCtx, raw) (any, error) { return nil, fmt.Errorf("no") }))
		for _, name := range []string{"inner", "panic", "exit", "inner"} {
			ask(t, l, alice, name, "")
			synctest.Wait()
			equal(t, limit.Stats(), middleware.ConcurrencyStats{Limit: 1})
		}
	})
}

// A tool that calls a tool does not wait for itself; the slot is free when both have
// ended.
func TestConcurrencyNestedCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := newLimit(t, &middleware.ConcurrencyOptions{Limit: 1, QueueTimeout: time.Minute})
		var l *mcplayer.Layer
		late := make(chan context.Context, 1)
		l = flowLayer(t, policy.Open(), around(limit.Handle),
			writing("outer", func(ctx context.Context, _ *toolCtx, _ raw) (any, error) {
				late <- ctx
				return result.Text("outer " + askIn(ctx, l, alice, "middle", "")), nil
			}),
			writing("middle", func(ctx context.Context, _ *toolCtx, _ raw) (any, error) {
				return result.Text("middle " + askIn(ctx, l, alice, "slow", "")), nil
			}),
			annotated("slow", mcplayer.Annotations{}, time.Second, func(context.Context, *toolCtx, raw) (any, error) {
				time.Sleep(10 * time.Second)
				return nil, nil
			}))
		start := time.Now()
		equal(t, ask(t, l, alice, "outer", ""), "outer middle Tool slow timed out")
		equal(t, time.Since(start), time.Second)
		synctest.Wait()
		stats := limit.Stats()
		equal(t, [2]int{stats.InFlight, stats.Late}, [2]int{1, 1}) // slow goes on
		time.Sleep(9 * time.Second)
		synctest.Wait()
		equal(t, limit.Stats(), middleware.ConcurrencyStats{Limit: 1})

		// Whoever uses the context of a call that has ended takes a slot.
		ctx := context.WithoutCancel(<-late)
		go askIn(ctx, l, alice, "slow", "")
		synctest.Wait()
		equal(t, limit.InFlight(), 1)
		time.Sleep(time.Minute)
	})
}

func TestConcurrencyKinds(t *testing.T) {
	tests := []struct {
		name  string
		kinds []mcplayer.Kind
		want  string
	}{
		{"default", nil, "tool"},
		{"resources", []mcplayer.Kind{mcplayer.KindResource}, "resource completion"},
		{"prompts", []mcplayer.Kind{mcplayer.KindPrompt}, "prompt"},
		{"completions", []mcplayer.Kind{mcplayer.KindCompletion}, "completion"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			limit := newLimit(t, &middleware.ConcurrencyOptions{Kinds: tt.kinds})
			var counted events
			peek := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
				if limit.InFlight() == 1 {
					counted.add(info.Kind.String())
				}
				return next(ctx, info)
			}
			l := flowLayer(t, policy.Open(), around(limit.Handle, peek), everyKind)
			callEveryKind(t, l)
			equal(t, &counted, tt.want)
		})
	}
}

// everyKind registers one primitive of each kind.
func everyKind(r *mcplayer.Registry) {
	reading("get", saying("got"))(r)
	mcplayer.AddResource(r, mcplayer.Resource{URI: "x://get"}, func(context.Context, *toolCtx, map[string]string) (any, error) { return "got", nil })
	mcplayer.AddPrompt(r, mcplayer.Prompt{Name: "get", Arguments: []mcplayer.PromptArgument{{
		Name:     "a",
		Complete: func(context.Context, *toolCtx, mcplayer.CompletionInput) ([]string, error) { return []string{"b"}, nil },
	}}}, func(context.Context, *toolCtx, map[string]string) (any, error) { return "got", nil })
}

func callEveryKind(t *testing.T, l *mcplayer.Layer) {
	t.Helper()
	ctx := t.Context()
	if _, err := l.CallTool(ctx, "get", nil, mcplayer.As(alice)); err != nil {
		t.Error(err)
	}
	if _, err := l.ReadResource(ctx, "x://get", mcplayer.As(alice)); err != nil {
		t.Error(err)
	}
	if _, err := l.GetPrompt(ctx, "get", nil, mcplayer.As(alice)); err != nil {
		t.Error(err)
	}
	ref := mcplayer.CompletionRef{Kind: mcplayer.KindPrompt, Name: "get"}
	if _, err := l.Complete(ctx, ref, mcplayer.CompletionInput{Argument: "a"}, mcplayer.As(alice)); err != nil {
		t.Error(err)
	}
}

// Closing the layer lets nobody wait in the queue of a server that is gone.
func TestConcurrencyCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := newLimit(t, &middleware.ConcurrencyOptions{Limit: 1, QueueTimeout: -1})
		g := newGated()
		l := flowLayer(t, policy.Open(), around(limit.Handle), writing("work", g.handle))
		limit.Attach(l)
		go ask(t, l, alice, "work", "")
		synctest.Wait()
		answer := make(chan string, 1)
		go func() { answer <- ask(t, l, bob, "work", "") }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := l.Close(ctx); err == nil {
			t.Error("Close tells of nothing that is left")
		}
		equal(t, <-answer, busy)
		close(g.open)
		synctest.Wait()
		equal(t, limit.Stats(), middleware.ConcurrencyStats{Limit: 1, Refused: 1})
	})
}

// A middleware may be tried without a layer.
func TestConcurrencyAlone(t *testing.T) {
	limit := newLimit(t, nil)
	for _, kind := range []mcplayer.Kind{0, mcplayer.KindTool, mcplayer.KindCompletion, 200} {
		res, err := limit.Handle(t.Context(), mcplayer.CallInfo{Kind: kind}, func(context.Context, mcplayer.CallInfo) (result.Result, error) {
			return result.Text("ok"), nil
		})
		if err != nil || res == nil {
			t.Errorf("%v: %v", kind, err)
		}
	}
	equal(t, limit.Stats(), middleware.ConcurrencyStats{Limit: 8})
}

// TestLimitAttemptsInOneSlot: a call that is repeated holds one slot, also while handlers of
// attempts that timed out go on.
func TestLimitAttemptsInOneSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := newLimit(t, &middleware.ConcurrencyOptions{Limit: 1})
		retry, err := middleware.NewRetry(&middleware.RetryOptions{Retries: 1})
		if err != nil {
			t.Fatal(err)
		}
		g := newGated()
		hints := mcplayer.Annotations{ReadOnly: new(true), Idempotent: new(true), OpenWorld: new(false)}
		l := flowLayer(t, policy.Open(), around(limit.Handle, retry.Handle), annotated("work", hints, time.Second, g.handle))
		equal(t, ask(t, l, alice, "work", ""), "Tool work timed out")
		equal(t, limit.Stats().InFlight, 1)
		equal(t, l.Abandoned(), 2)
		close(g.open)
		synctest.Wait()
		equal(t, limit.Stats().InFlight, 0)
	})
}
