package middleware_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func newBreaker(t testing.TB, opts *middleware.BreakerOptions) *middleware.Breaker {
	t.Helper()
	b, err := middleware.NewBreaker(opts)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// switchable is a handler that a test tells what to do.
type switchable struct {
	mu   sync.Mutex
	do   handler
	runs int
}

func (s *switchable) set(h handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.do = h
}

func (s *switchable) handle(ctx context.Context, tc *toolCtx, args raw) (any, error) {
	s.mu.Lock()
	s.runs++
	do := s.do
	s.mu.Unlock()
	return do(ctx, tc, args)
}

func fails(context.Context, *toolCtx, raw) (any, error) { return nil, errUpstream }

const keptAway = "The tool 'get' has been failing and is not called for now; retry in "

func TestBreakerOptions(t *testing.T) {
	b, err := middleware.NewBreaker(&middleware.BreakerOptions{FailureRatio: 1.1, MinCalls: -1, Window: -1, OpenFor: -1})
	if err == nil || b != nil {
		t.Fatal("accepted")
	}
	for _, part := range []string{
		"circuit breaker: ", "FailureRatio is 1.1; it must be above 0 and at most 1, or 0 for 0.5", "MinCalls is -1; it must be positive, or 0 for 10",
		"Window is -1ns; it must be positive, or 0 for 30s", "OpenFor is -1ns; it must be positive, or 0 for 30s",
	} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in %q", part, err)
		}
	}
	if _, err := middleware.NewBreaker(&middleware.BreakerOptions{FailureRatio: math.NaN()}); err == nil {
		t.Error("a ratio that is no number")
	}
}

// tripped builds a layer whose breaker has just opened for the tool "get".
func tripped(t *testing.T, s *switchable) (*mcplayer.Layer, *middleware.Breaker) {
	t.Helper()
	b := newBreaker(t, &middleware.BreakerOptions{MinCalls: 2})
	s.set(fails)
	l := flowLayer(t, policy.Open(), around(b.Handle), readingWithin("get", 5*time.Second, s.handle), reading("other", saying("ok")))
	ask(t, l, alice, "get", "")
	ask(t, l, bob, "get", "")
	return l, b
}

func TestBreakerOnTheWire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s switchable
		l, b := tripped(t, &s)
		time.Sleep(12345678 * time.Microsecond)
		equal(t, wired(t, l, carol, "get", "{}"),
			`{"_meta":{"cloudg/error_code":-31029,"cloudg/error_data":{"retry_after":17.66}},"content":[{"type":"text","text":"The tool 'get' has been failing and is not called for now; retry in 17.7s"}],"isError":true}`)
		equal(t, s.runs, 2)
		equal(t, ask(t, l, carol, "other", ""), "ok") // each primitive has its own
		equal(t, b.Stats(), middleware.BreakerStats{Open: 1, Watched: 2, Refused: 1})
	})
}

func TestBreakerOpens(t *testing.T) {
	tests := []struct {
		name  string
		opts  middleware.BreakerOptions
		calls string // f fails, o is answered, w is a wait of 4 s
		want  int    // how many calls the handler saw
	}{
		{"default minimum", middleware.BreakerOptions{}, "ffffffffffff", 10},
		{"default ratio", middleware.BreakerOptions{}, "ooooofffffff", 10},
		{"below the ratio", middleware.BreakerOptions{}, "oooooofffff", 11},
		{"own", middleware.BreakerOptions{FailureRatio: 1, MinCalls: 3}, "offffo", 6},
		{"own, all fail", middleware.BreakerOptions{FailureRatio: 1, MinCalls: 3}, "ffff", 3},
		{"spread over more than the window", middleware.BreakerOptions{MinCalls: 3, Window: 10 * time.Second}, "fwwwfwwwfwwwf", 4},
		{"spread over the window", middleware.BreakerOptions{MinCalls: 3, Window: 10 * time.Second}, "fwfwff", 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var s switchable
				l := flowLayer(t, policy.Open(), around(newBreaker(t, &tt.opts).Handle), reading("get", s.handle))
				for _, c := range tt.calls {
					switch c {
					case 'f':
						s.set(fails)
					case 'o':
						s.set(saying("ok"))
					case 'w':
						time.Sleep(4 * time.Second)
						continue
					}
					ask(t, l, alice, "get", "")
				}
				equal(t, s.runs, tt.want)
			})
		})
	}
}

// What the caller did wrong, and what the caller stopped, counts neither way.
func TestBreakerCounts(t *testing.T) {
	giving := func(res any, err error) handler {
		return func(context.Context, *toolCtx, raw) (any, error) { return res, err }
	}
	tests := []struct {
		name string
		h    handler
		want bool // it opens the circuit
	}{
		{"plain error", giving(nil, errUpstream), true},
		{"panic", func(context.Context, *toolCtx, raw) (any, error) { panic("boom") }, true},
		{"timeout", func(ctx context.Context, _ *toolCtx, _ raw) (any, error) { <-ctx.Done(); return nil, ctx.Err() }, true},
		{"cannot be encoded", giving(make(chan int), nil), true},
		{"an error of its own code", giving(nil, &mcplayer.Error{Code: 1001, Message: "no"}), true},
		{"error result with a cause", giving(&result.ToolResult{IsError: true, Cause: errReset}, nil), true},
		{"error result in its own words", giving(result.Error("no such thing"), nil), false},
		{"not found", giving(nil, mcplayer.ReferenceNotFound("no", nil)), false},
		{"bad input", giving(nil, mcplayer.InvalidArguments("no", nil)), false},
		{"denied", giving(nil, mcplayer.AccessDenied("no", nil)), false},
		{"limited", giving(nil, mcplayer.RateLimited("no", nil)), false},
		{"request for input", giving(result.AskInput(mcp.InputRequestMap{"a": &mcp.ElicitParams{Message: "?"}}, ""), nil), false},
		{"success", giving(nil, nil), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBreaker(t, &middleware.BreakerOptions{MinCalls: 3})
				l := flowLayer(t, policy.Open(), around(b.Handle), readingWithin("get", time.Second, tt.h))
				for range 5 {
					ask(t, l, alice, "get", "")
				}
				if open := b.Stats().Open == 1; open != tt.want {
					t.Errorf("open: %t", open)
				}
			})
		})
	}
	t.Run("a caller who goes", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := newBreaker(t, &middleware.BreakerOptions{MinCalls: 1})
			var s slow
			l := flowLayer(t, policy.Open(), around(b.Handle), reading("get", s.handle))
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			askIn(ctx, l, alice, "get", "")
			equal(t, b.Stats(), middleware.BreakerStats{Watched: 1})
		})
	})
	t.Run("other kinds", func(t *testing.T) {
		b := newBreaker(t, &middleware.BreakerOptions{MinCalls: 1})
		l := flowLayer(t, policy.Open(), around(b.Handle), func(r *mcplayer.Registry) {
			mcplayer.AddResourceTemplate(r, mcplayer.ResourceTemplate{URITemplate: "x://{a}"}, func(context.Context, *toolCtx, map[string]string) (any, error) { return nil, errUpstream })
		})
		_, _ = l.ReadResource(t.Context(), "x://1")
		_, err := l.ReadResource(t.Context(), "x://2") // one handler, one circuit
		if mcplayer.CodeOf(err) != mcplayer.CodeRateLimited {
			t.Errorf("got %v", err)
		}
	})
}

// Completions, which never fail, do not count for the prompt that they belong to.
func TestBreakerCompletions(t *testing.T) {
	b := newBreaker(t, &middleware.BreakerOptions{MinCalls: 2})
	l := flowLayer(t, policy.Open(), around(b.Handle), func(r *mcplayer.Registry) {
		mcplayer.AddPrompt(r, mcplayer.Prompt{Name: "p", Arguments: []mcplayer.PromptArgument{{
			Name:     "a",
			Complete: func(context.Context, *toolCtx, mcplayer.CompletionInput) ([]string, error) { return nil, errUpstream },
		}}}, func(context.Context, *toolCtx, map[string]string) (any, error) { return nil, errUpstream })
	})
	ref := mcplayer.CompletionRef{Kind: mcplayer.KindPrompt, Name: "p"}
	for range 10 {
		if _, err := l.Complete(t.Context(), ref, mcplayer.CompletionInput{Argument: "a"}); err != nil {
			t.Error(err)
		}
	}
	var err error
	for range 3 {
		_, err = l.GetPrompt(t.Context(), "p", nil)
	}
	equal(t, mcplayer.CodeOf(err), mcplayer.CodeRateLimited)
	equal(t, b.Stats(), middleware.BreakerStats{Open: 1, Watched: 2, Refused: 1})
}

// One call tries again after the time, and what came of it decides, however it ended.
func TestBreakerProbes(t *testing.T) {
	tests := []struct {
		name  string
		h     handler
		leave time.Duration // when the caller goes; 0: never
		open  int           // afterwards
		next  string        // what the next call gets
	}{
		{"success", saying("ok"), 0, 0, "ok"},
		{"failure", fails, 0, 1, keptAway + "30.0s"},
		{"panic", func(context.Context, *toolCtx, raw) (any, error) { panic("boom") }, 0, 1, keptAway + "30.0s"},
		{"timeout", func(ctx context.Context, _ *toolCtx, _ raw) (any, error) { <-ctx.Done(); return nil, ctx.Err() }, 0, 1, keptAway + "30.0s"},
		{"late handler", func(context.Context, *toolCtx, raw) (any, error) { time.Sleep(time.Hour); return nil, nil }, 0, 1, keptAway + "30.0s"},
		{"cancellation", func(ctx context.Context, _ *toolCtx, _ raw) (any, error) { <-ctx.Done(); return nil, ctx.Err() }, time.Second, 1, "ok"},
		{"refusal", func(context.Context, *toolCtx, raw) (any, error) { return nil, mcplayer.InvalidArguments("no", nil) }, 0, 1, "ok"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var s switchable
				l, b := tripped(t, &s)
				time.Sleep(30*time.Second - 1)
				equal(t, ask(t, l, alice, "get", ""), keptAway+"0.1s")
				time.Sleep(time.Nanosecond)
				s.set(tt.h)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if tt.leave > 0 {
					time.AfterFunc(tt.leave, cancel)
				}
				askIn(ctx, l, alice, "get", "")
				equal(t, b.Stats().Open, tt.open)
				s.set(saying("ok"))
				equal(t, ask(t, l, bob, "get", ""), tt.next)
				time.Sleep(2 * time.Hour)
				equal(t, ask(t, l, bob, "get", ""), "ok")
				equal(t, b.Stats().Open, 0)
			})
		})
	}
}

// While one call tries, the others stay away; a call that hangs is given up.
func TestBreakerOneProbeAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBreaker(t, &middleware.BreakerOptions{MinCalls: 2, OpenFor: 10 * time.Second})
		s := &switchable{do: fails}
		l := flowLayer(t, policy.Open(), around(b.Handle), readingWithin("get", -1, s.handle))
		ask(t, l, alice, "get", "")
		ask(t, l, alice, "get", "")
		time.Sleep(10 * time.Second)
		g := newGated()
		s.set(g.handle)
		hung := calling(t.Context(), l, alice, "get")
		time.Sleep(4 * time.Second)
		equal(t, ask(t, l, bob, "get", ""), keptAway+"6.0s")
		time.Sleep(6 * time.Second)
		s.set(fails)
		ask(t, l, bob, "get", "") // tries in its place
		equal(t, b.Stats().Open, 1)
		close(g.open)
		equal(t, firstText((<-hung).res), "done")
		equal(t, b.Stats().Open, 1) // too late to say anything
		equal(t, ask(t, l, bob, "get", ""), keptAway+"10.0s")
	})
}

// Calls that began before a circuit opened say nothing of the time since.
func TestBreakerStaleCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBreaker(t, &middleware.BreakerOptions{MinCalls: 2})
		s := &switchable{}
		l := flowLayer(t, policy.Open(), around(b.Handle), readingWithin("get", -1, s.handle))
		g := newGated()
		s.set(g.handle)
		var old []<-chan called
		for range 3 {
			old = append(old, calling(t.Context(), l, alice, "get"))
		}
		s.set(fails)
		ask(t, l, alice, "get", "")
		ask(t, l, alice, "get", "")
		close(g.open)
		for _, ch := range old {
			<-ch
		}
		equal(t, b.Stats().Open, 1)
		time.Sleep(30 * time.Second)
		s.set(saying("ok"))
		equal(t, ask(t, l, alice, "get", ""), "ok")
		s.set(fails)
		ask(t, l, alice, "get", "") // the failures of before are forgotten
		equal(t, b.Stats().Open, 0)
	})
}

// The table of circuits is bounded, and what is open stays open.
func TestBreakerIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBreaker(t, &middleware.BreakerOptions{MinCalls: 1, OpenFor: time.Hour})
		call := func(spec *mcplayer.Spec, err error) error {
			_, got := b.Handle(t.Context(), mcplayer.CallInfo{Kind: mcplayer.KindTool, Spec: spec}, func(context.Context, mcplayer.CallInfo) (result.Result, error) {
				return result.Text("ok"), err
			})
			return got
		}
		open := &mcplayer.Spec{}
		_ = call(open, errUpstream)
		for range 5000 {
			_ = call(&mcplayer.Spec{}, nil)
		}
		equal(t, b.Stats(), middleware.BreakerStats{Open: 1, Watched: 4096})
		time.Sleep(time.Minute) // the others hold nothing any more
		_ = call(&mcplayer.Spec{}, nil)
		equal(t, b.Stats(), middleware.BreakerStats{Open: 1, Watched: 2})
		if err := call(open, nil); mcplayer.CodeOf(err) != mcplayer.CodeRateLimited || !strings.Contains(fmt.Sprint(err.(*mcplayer.Error).Data), "retry_after:3540") {
			t.Errorf("got %v", err)
		}
	})
}
