package middleware_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
)

// soak is a whole stack under the calls of many goroutines.
type soak struct {
	layer *mcplayer.Layer
	chain *middleware.Chain
	log   lines

	calls, ok atomic.Int64
	deaf      atomic.Int64 // handlers that run and do not listen
}

var soakTools = append(slices.Repeat([]string{"who"}, 30), "nested", "flaky", "flaky", "slow", "deaf", "write", "panic", "refuse")

func newSoak(t testing.TB) *soak {
	s := &soak{}
	s.chain = stack(t, middleware.StackOptions{
		Audit:       &middleware.AuditOptions{Writer: &s.log, Logger: slog.New(slog.DiscardHandler)},
		Concurrency: &middleware.ConcurrencyOptions{Limit: 32, PerPrincipal: 20, QueueTimeout: 250 * time.Millisecond},
		Cache:       &middleware.CacheOptions{Size: 32, TTL: 20 * time.Millisecond, Share: true, MaxBytes: 3000},
		Retry:       &middleware.RetryOptions{Backoff: time.Millisecond, Jitter: 1, Budget: 0.2},
		Breaker:     &middleware.BreakerOptions{MinCalls: 50, Window: time.Second, OpenFor: 20 * time.Millisecond},
	})
	const brief = 3 * time.Millisecond
	s.layer = flowLayer(t, policy.Open(), s.chain.Middleware,
		reading("who", func(_ context.Context, tc *toolCtx, args raw) (any, error) {
			time.Sleep(time.Duration(rand.IntN(1000)) * time.Microsecond)
			return result.Text(tc.Principal().ID() + string(args)), nil
		}),
		reading("nested", func(ctx context.Context, _ *toolCtx, args raw) (any, error) {
			res, err := s.call(ctx, "who", args)
			if err != nil || res.IsError {
				return nil, errUpstream
			}
			return res, nil
		}),
		reading("flaky", func(_ context.Context, tc *toolCtx, args raw) (any, error) {
			if rand.IntN(3) == 0 {
				return nil, errReset
			}
			return result.Text(tc.Principal().ID() + string(args)), nil
		}),
		readingWithin("slow", brief, func(ctx context.Context, _ *toolCtx, _ raw) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}),
		readingWithin("deaf", brief, func(_ context.Context, tc *toolCtx, args raw) (any, error) {
			s.deaf.Add(1)
			defer s.deaf.Add(-1)
			time.Sleep(time.Duration(rand.IntN(6)) * time.Millisecond)
			return result.Text(tc.Principal().ID() + string(args)), nil
		}),
		writing("write", func(_ context.Context, tc *toolCtx, args raw) (any, error) {
			return result.Text(tc.Principal().ID() + string(args)), nil
		}),
		writing("panic", func(context.Context, *toolCtx, raw) (any, error) { panic("boom") }),
		reading("refuse", func(context.Context, *toolCtx, raw) (any, error) { return nil, mcplayer.AccessDenied("no", nil) }))
	attach(t, s.chain, s.layer)
	return s
}

// call makes a call and counts it and its success.
func (s *soak) call(ctx context.Context, name string, args raw, opts ...mcplayer.CallOption) (*result.ToolResult, error) {
	s.calls.Add(1)
	res, err := s.layer.CallTool(ctx, name, args, opts...)
	if err == nil && !res.IsError {
		s.ok.Add(1)
	}
	return res, err
}

// step makes one call of some kind; what it answers must be the caller's own.
func (s *soak) step(t *testing.T) {
	who := [...]*mcplayer.Principal{alice, bob, carol}[rand.IntN(3)]
	name := soakTools[rand.IntN(len(soakTools))]
	args := raw(fmt.Sprintf(`{"n":%d}`, rand.IntN(20)))
	ctx := t.Context()
	if rand.IntN(4) == 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(rand.IntN(3000))*time.Microsecond)
		defer cancel()
	}
	res, err := s.call(ctx, name, args, mcplayer.As(who))
	if err == nil && !res.IsError && firstText(res) != who.ID()+string(args) {
		t.Errorf("%s of %s for %s got %q", name, args, who.ID(), firstText(res))
	}
}

// run lets goroutines make calls while more says so, and checks that all adds up.
func (s *soak) run(t *testing.T, before int, more func(done int) bool) {
	var wg sync.WaitGroup
	for range 200 {
		wg.Go(func() {
			for n := 0; more(n); n++ {
				s.step(t)
			}
		})
	}
	wg.Wait()
	if err := s.layer.Close(context.Background()); err != nil && s.chain.Audit.Stats().Lost == 0 { // lost lines are told, and counted below
		t.Error(err)
	}
	s.checkIdle(t)
	s.checkCounts(t)
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines are left, %d before:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
	}
}

// checkIdle checks that nothing runs, waits or is held.
func (s *soak) checkIdle(t *testing.T) {
	stats := s.chain.Concurrency.Stats()
	if stats.InFlight != 0 || stats.Waiting != 0 || stats.Late != 0 {
		t.Errorf("not idle: %+v", stats)
	}
	if n := s.chain.Metrics.InFlight(); n != 0 {
		t.Errorf("%d in flight in the metrics", n)
	}
	if s.layer.Abandoned() != 0 || s.deaf.Load() != 0 {
		t.Errorf("%d handlers abandoned, %d run", s.layer.Abandoned(), s.deaf.Load())
	}
}

// checkCounts checks that audit, metrics and callers have seen the same.
func (s *soak) checkCounts(t *testing.T) {
	calls, audit := s.calls.Load(), s.chain.Audit.Stats()
	if audit.Written+audit.Lost != calls || int64(s.log.count()) != audit.Written {
		t.Errorf("%d calls, %d lines, audit %+v", calls, s.log.count(), audit)
	}
	m := s.chain.Metrics.Snapshot()
	if m.Calls != calls || m.Calls-m.Errors-m.Rejected != s.ok.Load() {
		t.Errorf("%d calls, %d of them well; metrics %d, %d, %d", calls, s.ok.Load(), m.Calls, m.Errors, m.Rejected)
	}
	var sum, hits int64
	for key, p := range m.ByPrimitive {
		sum, hits = sum+p.Calls, hits+p.CacheHits
		if name, found := strings.CutPrefix(key, "tool:"); !found || name == "" {
			t.Errorf("key %s", key)
		}
	}
	cache := s.chain.Cache.Stats()
	if sum != calls || hits > int64(cache.Hits) || hits == 0 {
		t.Errorf("%d calls in all, %d hits, cache %+v", sum, hits, cache)
	}
	t.Logf("%d calls, %d well, %+v, %+v, %+v, %+v", calls, s.ok.Load(), cache, s.chain.Concurrency.Stats(), s.chain.Retry.Stats(), s.chain.Breaker.Stats())
}

// TestStackUnderLoad is the short form of the soak test.
func TestStackUnderLoad(t *testing.T) {
	before := runtime.NumGoroutine()
	newSoak(t).run(t, before, func(done int) bool { return done < 25 })
}
