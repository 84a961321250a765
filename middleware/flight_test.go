package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func sharing() *middleware.Cache { return middleware.NewCache(&middleware.CacheOptions{Share: true}) }

// slow is a handler that takes a second, counts, and tells why it ended early.
type slow struct {
	counting
	ended events
}

func (s *slow) handle(ctx context.Context, tc *toolCtx, args raw) (any, error) {
	select {
	case <-time.After(time.Second):
		return s.counting.handle(ctx, tc, args)
	case <-ctx.Done():
		s.ended.add(ctx.Err().Error())
		return nil, ctx.Err()
	}
}

// called is an answer on its way.
type called struct {
	res *result.ToolResult
	err error
}

func calling(ctx context.Context, l *mcplayer.Layer, p *mcplayer.Principal, name string) <-chan called {
	ch := make(chan called, 1)
	go func() {
		res, err := l.CallTool(ctx, name, nil, mcplayer.As(p))
		ch <- called{res, err}
	}()
	synctest.Wait()
	return ch
}

func TestShareOneExecution(t *testing.T) {
	for _, share := range []bool{true, false} {
		t.Run(fmt.Sprint(share), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cache := middleware.NewCache(&middleware.CacheOptions{Share: share})
				pol := &ledgerPolicy{}
				var s slow
				l := flowLayer(t, pol, around(cache.Handle), reading("get", s.handle))
				var answers []<-chan called
				for range 3 {
					answers = append(answers, calling(t.Context(), l, alice, "get"))
				}
				other := calling(t.Context(), l, bob, "get")
				for i, ch := range answers {
					got := <-ch
					marked := got.res.Meta["cloudg/cache"] == "hit"
					if marked != (share && i > 0) || firstText(got.res) == "" || got.res.Meta["cloudg/duration_ms"] != int64(1000) {
						t.Errorf("%d: %v %v", i, got.res.Meta, firstText(got.res))
					}
				}
				if got := <-other; got.res.Meta["cloudg/cache"] != nil {
					t.Error("another principal's result")
				}
				want := map[bool]middleware.CacheStats{
					true:  {Size: 2, Hits: 2, Misses: 2, TTL: time.Minute},
					false: {Size: 2, Misses: 4, TTL: time.Minute},
				}[share]
				equal(t, cache.Stats(), want)
				equal(t, s.runs.Load(), int64(want.Misses))
				if len(pol.asked.list) != 4 {
					t.Errorf("the policy was asked for %s", &pol.asked)
				}
				synctest.Wait()
				if err := l.Close(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Whoever goes, the others get their result; when the last one has gone the execution
// ends.
func TestShareNoCancellation(t *testing.T) {
	tests := []struct {
		name  string
		gone  []int // callers that go
		ended string
	}{
		{"the first goes", []int{0}, ""},
		{"a follower goes", []int{1}, ""},
		{"all but one go", []int{0, 2}, ""},
		{"all go", []int{0, 1, 2}, "context canceled"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cache := sharing()
				limit := newLimit(t, nil)
				var s slow
				l := flowLayer(t, policy.Open(), around(limit.Handle, cache.Handle), reading("get", s.handle))
				gone := map[int]bool{}
				var answers []<-chan called
				var cancels []context.CancelFunc
				for range 3 {
					ctx, cancel := context.WithCancel(t.Context())
					cancels = append(cancels, cancel)
					answers = append(answers, calling(ctx, l, alice, "get"))
				}
				time.Sleep(time.Second / 2)
				for _, i := range tt.gone {
					gone[i] = true
					cancels[i]()
				}
				synctest.Wait()
				for i, ch := range answers {
					got := <-ch
					switch {
					case gone[i] && !errors.Is(got.err, context.Canceled):
						t.Errorf("%d has gone and got %v", i, got.err)
					case !gone[i] && (got.err != nil || firstText(got.res) != "n=1"):
						t.Errorf("%d got %v, %v", i, got.res, got.err)
					}
				}
				synctest.Wait()
				equal(t, &s.ended, tt.ended)
				equal(t, limit.InFlight(), 0)
				want := 1
				if tt.ended != "" {
					want = 0
				}
				equal(t, cache.Stats().Size, want)
				if tt.ended != "" {
					equal(t, ask(t, l, alice, "get", ""), "n=1") // nothing is left to join
				}
				if err := l.Close(t.Context()); err != nil {
					t.Error(err)
				}
				for _, cancel := range cancels {
					cancel()
				}
			})
		})
	}
}

// A caller who has gone keeps the slot as long as the execution that it began goes on.
func TestShareHoldsTheSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := sharing()
		limit := newLimit(t, nil)
		var s slow
		l := flowLayer(t, policy.Open(), around(limit.Handle, cache.Handle), reading("get", s.handle))
		ctx, cancel := context.WithCancel(t.Context())
		first := calling(ctx, l, alice, "get")
		second := calling(t.Context(), l, alice, "get")
		cancel()
		<-first
		synctest.Wait()
		equal(t, limit.Stats(), middleware.ConcurrencyStats{Limit: 8, InFlight: 2, Late: 1})
		equal(t, firstText((<-second).res), "n=1")
		synctest.Wait()
		equal(t, limit.InFlight(), 0)
	})
}

// Each caller passes a check of its own, when the result is there.
func TestShareAuthorizesEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var left atomic.Int64
		left.Store(2)
		pol := &ledgerPolicy{check: func(mcplayer.CallInfo) error {
			if left.Add(-1) < 0 {
				return mcplayer.RateLimited("enough", nil)
			}
			return nil
		}}
		var s slow
		l := flowLayer(t, pol, around(sharing().Handle), reading("get", s.handle))
		texts := map[string]int{}
		var answers []<-chan called
		for range 4 {
			answers = append(answers, calling(t.Context(), l, alice, "get"))
		}
		for _, ch := range answers {
			texts[firstText((<-ch).res)]++
		}
		equal(t, texts, map[string]int{"n=1": 2, "enough": 2})
		equal(t, &pol.asked, "alice alice alice alice")
	})
}

func TestShareWhat(t *testing.T) {
	tests := []struct {
		name string
		h    handler
		runs int64 // for two callers
		want string
		size int
	}{
		{"failed result", func(context.Context, *toolCtx, raw) (any, error) { return nil, errUpstream }, 1, "errorString: upstream 503", 0},
		{"panic", func(context.Context, *toolCtx, raw) (any, error) { panic("boom") }, 1, "Internal error in tool get", 0},
		{"refusal", func(context.Context, *toolCtx, raw) (any, error) { return nil, mcplayer.AccessDenied("no", nil) }, 2, "no", 0},
		{"request for input", func(context.Context, *toolCtx, raw) (any, error) {
			return result.AskInput(mcp.InputRequestMap{"a": &mcp.ElicitParams{Message: "?"}}, ""), nil
		}, 2, "", 0},
		{"goroutine ended", func(context.Context, *toolCtx, raw) (any, error) { runtime.Goexit(); return nil, nil }, 1, "errorString: the handler ended its goroutine without answering", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cache := sharing()
				var s counting
				l := flowLayer(t, policy.Open(), around(cache.Handle), reading("get", func(ctx context.Context, tc *toolCtx, args raw) (any, error) {
					s.runs.Add(1)
					time.Sleep(time.Second)
					return tt.h(ctx, tc, args)
				}))
				for _, ch := range []<-chan called{calling(t.Context(), l, alice, "get"), calling(t.Context(), l, alice, "get")} {
					got := <-ch
					if got.err != nil || firstText(got.res) != tt.want || got.res.Meta["cloudg/cache"] != nil {
						t.Errorf("got %v, %v", got.res, got.err)
					}
				}
				equal(t, s.runs.Load(), tt.runs)
				equal(t, cache.Stats().Size, tt.size)
			})
		})
	}
}

// What a middleware inside does wrong ends in the call, not in the process.
func TestShareSurvives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := func(context.Context, mcplayer.CallInfo, mcplayer.Next) (result.Result, error) {
			time.Sleep(time.Second)
			return (*result.ToolResult)(nil), nil
		}
		l := flowLayer(t, policy.Open(), around(sharing().Handle, broken), reading("get", saying("never")))
		for _, ch := range []<-chan called{calling(t.Context(), l, alice, "get"), calling(t.Context(), l, alice, "get")} {
			if got := <-ch; got.err != nil || !got.res.IsError {
				t.Errorf("got %v, %v", got.res, got.err)
			}
		}
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	// A panic that nothing inside survived comes out where the call was made.
	info := mcplayer.CallInfo{
		Kind: mcplayer.KindTool, Principal: alice, Arguments: raw("{}"),
		Spec: &mcplayer.Spec{Kind: mcplayer.KindTool, Annotations: mcplayer.Annotations{ReadOnly: new(true), Idempotent: new(true)}},
	}
	func() {
		defer func() { equal(t, recover(), "boom") }()
		_, _ = sharing().Handle(t.Context(), info, func(context.Context, mcplayer.CallInfo) (result.Result, error) { panic("boom") })
		t.Error("no panic")
	}()
	synctest.Test(t, func(t *testing.T) {
		exit := func(context.Context, mcplayer.CallInfo, mcplayer.Next) (result.Result, error) {
			runtime.Goexit()
			return nil, nil
		}
		l := flowLayer(t, policy.Open(), around(sharing().Handle, exit), reading("get", saying("never")))
		if got := ask(t, l, alice, "get", ""); got != "errorString: the shared execution ended without an answer" {
			t.Errorf("got %s", got)
		}
	})
}

// After a write nobody joins an execution that began before it, and nothing of it is
// kept.
func TestShareAfterAWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := sharing()
		var s slow
		l := flowLayer(t, policy.Open(), around(cache.Handle), reading("get", s.handle), writing("set", saying("done")))
		before := calling(t.Context(), l, alice, "get")
		time.Sleep(time.Second / 2)
		ask(t, l, bob, "set", "")
		after := calling(t.Context(), l, alice, "get")
		equal(t, firstText((<-before).res), "n=1")
		equal(t, cache.Stats().Size, 0)
		equal(t, firstText((<-after).res), "n=2")
		equal(t, ask(t, l, alice, "get", ""), "n=2")
	})
}

// A tool that calls itself, or tools that call each other, do not wait for each
// other's executions.
func TestShareNestedCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l *mcplayer.Layer
		var depth counting
		nest := func(name string) handler {
			return func(ctx context.Context, _ *toolCtx, _ raw) (any, error) {
				time.Sleep(time.Second)
				if depth.runs.Add(1) > 4 {
					return result.Text("end"), nil
				}
				return result.Text(askIn(ctx, l, alice, name, "")), nil
			}
		}
		l = flowLayer(t, policy.Open(), around(sharing().Handle), reading("a", nest("b")), reading("b", nest("a")))
		a, b := calling(t.Context(), l, alice, "a"), calling(t.Context(), l, alice, "b")
		equal(t, firstText((<-a).res), "end")
		equal(t, firstText((<-b).res), "end")
	})
}

// Progress of a shared execution reaches the caller that began it and nobody who has
// gone.
func TestShareProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told events
		l := flowLayer(t, policy.Open(), around(sharing().Handle), reading("get", func(_ context.Context, tc *toolCtx, _ raw) (any, error) {
			for i := range 4 {
				time.Sleep(time.Second)
				tc.Progress(float64(i), 4, "")
			}
			return result.Text("done"), nil
		}))
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		go func() {
			_, _ = l.CallTool(ctx, "get", nil, mcplayer.As(alice), mcplayer.OnProgress(func(p mcplayer.Progress) { told.add(fmt.Sprint("first ", p.Done)) }))
		}()
		synctest.Wait()
		res, err := l.CallTool(t.Context(), "get", nil, mcplayer.As(alice), mcplayer.OnProgress(func(p mcplayer.Progress) { told.add("second") }))
		if err != nil || firstText(res) != "done" {
			t.Errorf("got %v, %v", res, err)
		}
		equal(t, &told, "first 0 first 1")
	})
}
