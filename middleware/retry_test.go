package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var errReset error = &net.OpError{Op: "read", Err: &os.SyscallError{Syscall: "read", Err: syscall.ECONNRESET}}

func newRetry(t testing.TB, opts *middleware.RetryOptions) *middleware.Retry {
	t.Helper()
	r, err := middleware.NewRetry(opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// failingFirst is a handler that fails n times.
type failingFirst struct {
	n, runs int
	err     error
}

func (f *failingFirst) handle(context.Context, *toolCtx, raw) (any, error) {
	if f.runs++; f.runs <= f.n {
		return nil, f.err
	}
	return result.Text("ok"), nil
}

func TestRetryOptions(t *testing.T) {
	tests := []struct {
		name string
		opts middleware.RetryOptions
		want []string
	}{
		{"retries", middleware.RetryOptions{Retries: -1}, []string{"Retries is -1; it must be positive, or 0 for 2"}},
		{"jitter", middleware.RetryOptions{Jitter: 1.5}, []string{"Jitter is 1.5; it must be from 0 to 1"}},
		{"cap below the first wait", middleware.RetryOptions{MaxBackoff: time.Millisecond}, []string{"MaxBackoff is 1ms", "Backoff of 500ms"}},
		{"window without a budget", middleware.RetryOptions{BudgetWindow: time.Second}, []string{"BudgetWindow is 1s but Budget is 0"}},
		{"all at once", middleware.RetryOptions{Retries: -2, Jitter: -1, Budget: 2, BudgetWindow: -1}, []string{"Retries", "Jitter", "Budget is 2; it must be from 0, for none, to 1", "BudgetWindow is -1ns; it must be positive, or 0 for 10s"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := middleware.NewRetry(&tt.opts)
			if err == nil || r != nil {
				t.Fatal("accepted")
			}
			for _, part := range append(tt.want, "retry: ") {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not in %q", part, err)
				}
			}
		})
	}
}

func TestRetryWaits(t *testing.T) {
	tests := []struct {
		name  string
		opts  *middleware.RetryOptions
		fails int
		runs  int
		waits time.Duration
		want  string
	}{
		{"no failure", nil, 0, 1, 0, `{"_meta":{"cloudg/duration_ms":0},"content":[{"type":"text","text":"ok"}]}`},
		{"one", nil, 1, 2, 500 * time.Millisecond, `{"_meta":{"cloudg/duration_ms":0,"cloudg/retries":1},"content":[{"type":"text","text":"ok"}]}`},
		{"two", nil, 2, 3, 1500 * time.Millisecond, `{"_meta":{"cloudg/duration_ms":0,"cloudg/retries":2},"content":[{"type":"text","text":"ok"}]}`},
		{"too many", nil, 3, 3, 1500 * time.Millisecond, `{"_meta":{"cloudg/error_code":"handler_error","cloudg/retries":2},"content":[{"type":"text","text":"OpError: read: read: connection reset by peer"}],"isError":true}`},
		{"own", &middleware.RetryOptions{Retries: 4, Backoff: time.Second}, 9, 5, 15 * time.Second, ""},
		{"no wait", &middleware.RetryOptions{Retries: 4, Backoff: -1}, 9, 5, 0, ""},
		{"cap", &middleware.RetryOptions{Retries: 4, Backoff: time.Second, MaxBackoff: 3 * time.Second}, 9, 5, 9 * time.Second, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &failingFirst{n: tt.fails, err: errReset}
				l := flowLayer(t, policy.Open(), around(newRetry(t, tt.opts).Handle), reading("get", f.handle))
				start := time.Now()
				got := wired(t, l, alice, "get", "{}")
				equal(t, time.Since(start), tt.waits)
				equal(t, f.runs, tt.runs)
				if tt.want != "" {
					equal(t, got, tt.want)
				}
			})
		})
	}
}

func TestRetryJitter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRetry(t, &middleware.RetryOptions{Retries: 1, Backoff: time.Second, Jitter: 0.25})
		l := flowLayer(t, policy.Open(), around(r.Handle), reading("get", (&failingFirst{n: 1 << 30, err: errReset}).handle))
		seen := map[time.Duration]bool{}
		for range 50 {
			start := time.Now()
			ask(t, l, alice, "get", "")
			d := time.Since(start)
			if seen[d] = true; d < 750*time.Millisecond || d > time.Second {
				t.Errorf("waited %v", d)
			}
		}
		if len(seen) < 40 {
			t.Errorf("%d different waits", len(seen))
		}
		equal(t, r.Stats(), middleware.RetryStats{Retries: 50, Exhausted: 50})
	})
}

type timeoutError struct{ timeout bool }

func (e timeoutError) Error() string   { return "i/o" }
func (e timeoutError) Timeout() bool   { return e.timeout }
func (e timeoutError) Temporary() bool { return true }

func TestRetryWhat(t *testing.T) {
	giving := func(res any, err error) handler {
		return func(context.Context, *toolCtx, raw) (any, error) { return res, err }
	}
	mine := &middleware.RetryOptions{RetryOn: func(error) bool { return true }}
	none := &middleware.RetryOptions{RetryOn: func(error) bool { return false }, Codes: []mcplayer.Code{}}
	tests := []struct {
		name string
		opts *middleware.RetryOptions
		h    handler
		want bool
	}{
		{"network time-out", nil, giving(nil, timeoutError{true}), true},
		{"other network error", nil, giving(nil, timeoutError{false}), false},
		{"wrapped time-out", nil, giving(nil, fmt.Errorf("get: %w", timeoutError{true})), true},
		{"refused", nil, giving(nil, syscall.ECONNREFUSED), true},
		{"reset", nil, giving(nil, errReset), true},
		{"broken pipe", nil, giving(nil, syscall.EPIPE), true},
		{"a deadline of the handler's own", nil, giving(nil, context.DeadlineExceeded), true},
		{"cancelled inside", mine, giving(nil, context.Canceled), false},
		{"plain", nil, giving(nil, errUpstream), false},
		{"plain, chosen", mine, giving(nil, errUpstream), true},
		{"a layer error with a cause", nil, giving(nil, &mcplayer.Error{Code: 1001, Message: "no", Err: errReset}), true},
		{"access denied", mine, giving(nil, mcplayer.AccessDenied("no", nil)), false},
		{"rate limited", mine, giving(nil, mcplayer.RateLimited("no", nil)), false},
		{"invalid arguments", mine, giving(nil, mcplayer.InvalidArguments("no", nil)), false},
		{"reference not found, with a cause", mine, giving(nil, &mcplayer.Error{Code: mcplayer.CodeInvalidParams, Message: "no", Err: errReset}), false},
		{"error result", mine, giving(result.Error("no"), nil), false},
		{"error result with a cause", nil, giving(&result.ToolResult{IsError: true, Cause: errReset}, nil), true},
		{"result with a cause that is no error", nil, giving(&result.ToolResult{Cause: errReset}, nil), false},
		{"request for input", mine, giving(result.AskInput(mcp.InputRequestMap{"a": &mcp.ElicitParams{Message: "?"}}, ""), nil), false},
		{"success", mine, giving(nil, nil), false},
		{"timeout", nil, func(ctx context.Context, _ *toolCtx, _ raw) (any, error) { <-ctx.Done(); return nil, ctx.Err() }, true},
		{"timeout, not chosen", none, func(ctx context.Context, _ *toolCtx, _ raw) (any, error) { <-ctx.Done(); return nil, ctx.Err() }, false},
		{"panic, chosen", mine, func(context.Context, *toolCtx, raw) (any, error) { panic("boom") }, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var runs atomic.Int64
				l := flowLayer(t, policy.Open(), around(newRetry(t, tt.opts).Handle), reading("get", func(ctx context.Context, tc *toolCtx, args raw) (any, error) {
					runs.Add(1)
					return tt.h(ctx, tc, args)
				}))
				ask(t, l, alice, "get", "")
				want := 1
				if tt.want {
					want = 3
				}
				equal(t, runs.Load(), want)
			})
		})
	}
}

func TestRetryOnlySafeTools(t *testing.T) {
	tests := []struct {
		name string
		a    mcplayer.Annotations
		want int
	}{
		{"nothing said", mcplayer.Annotations{}, 1},
		{"read-only", mcplayer.Annotations{ReadOnly: new(true)}, 1},
		{"idempotent", mcplayer.Annotations{Idempotent: new(true)}, 1},
		{"both", mcplayer.Annotations{ReadOnly: new(true), Idempotent: new(true)}, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &failingFirst{n: 9, err: errReset}
				l := flowLayer(t, policy.Open(), around(newRetry(t, nil).Handle), annotated("t", tt.a, 0, f.handle))
				ask(t, l, alice, "t", "")
				equal(t, f.runs, tt.want)
			})
		})
	}
	f := &failingFirst{n: 9, err: errReset}
	l := flowLayer(t, policy.Open(), around(newRetry(t, nil).Handle), func(r *mcplayer.Registry) {
		mcplayer.AddResource(r, mcplayer.Resource{URI: "x://a"}, func(ctx context.Context, tc *toolCtx, _ map[string]string) (any, error) {
			return f.handle(ctx, tc, nil)
		})
	})
	if _, err := l.ReadResource(t.Context(), "x://a"); err == nil {
		t.Error("no error")
	}
	equal(t, f.runs, 1)
}

// The wait ends at once when the caller goes, and the caller's own deadline is no
// reason to try again.
func TestRetryCallerGoes(t *testing.T) {
	tests := []struct {
		name string
		h    handler
		runs int
	}{
		{"while it waits", func(context.Context, *toolCtx, raw) (any, error) { return nil, errReset }, 1},
		{"while the handler runs", func(ctx context.Context, _ *toolCtx, _ raw) (any, error) { <-ctx.Done(); return nil, ctx.Err() }, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var runs atomic.Int64
				l := flowLayer(t, policy.Open(), around(newRetry(t, &middleware.RetryOptions{Backoff: time.Hour}).Handle), reading("get", func(ctx context.Context, tc *toolCtx, args raw) (any, error) {
					runs.Add(1)
					return tt.h(ctx, tc, args)
				}))
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				start := time.Now()
				_, err := l.CallTool(ctx, "get", nil)
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v", err)
				}
				equal(t, time.Since(start), time.Second)
				equal(t, runs.Load(), tt.runs)
			})
		})
	}
}

// Each attempt passes everything inside again, with the arguments as they came.
func TestRetryEntersAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen events
		change := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
			seen.add(string(info.Arguments))
			info.Arguments = raw(`{"changed":true}`)
			return next(ctx, info)
		}
		pol := &ledgerPolicy{}
		f := &failingFirst{n: 2, err: errReset}
		l := flowLayer(t, pol, around(newRetry(t, nil).Handle, change), reading("get", f.handle))
		equal(t, ask(t, l, alice, "get", `{"a":1}`), "ok")
		equal(t, &seen, `{"a":1} {"a":1} {"a":1}`)
		equal(t, &pol.asked, "alice alice alice")
	})
}

// At most a share of the calls is made again, over a window that slides.
func TestRetryBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRetry(t, &middleware.RetryOptions{Backoff: -1, Budget: 0.2})
		f := &failingFirst{n: 1 << 30, err: errReset}
		l := flowLayer(t, policy.Open(), around(r.Handle), reading("get", f.handle))
		for range 4 {
			ask(t, l, alice, "get", "")
		}
		equal(t, f.runs, 4)
		ask(t, l, alice, "get", "")
		equal(t, f.runs, 6) // 5 calls, 1 repetition
		for range 95 {
			ask(t, l, alice, "get", "")
		}
		equal(t, f.runs, 120)
		equal(t, r.Stats().Retries, 20)
		time.Sleep(11 * time.Second) // the window is empty
		for range 10 {
			ask(t, l, alice, "get", "")
		}
		equal(t, f.runs, 120+12)
		time.Sleep(5 * time.Second) // the 10 calls still count
		for range 10 {
			ask(t, l, alice, "get", "")
		}
		equal(t, f.runs, 120+24)
	})
}

// A wait that would overflow is the longest there is.
func TestRetryLongWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRetry(t, &middleware.RetryOptions{Retries: 60, Backoff: time.Hour, MaxBackoff: 2 * time.Hour})
		f := &failingFirst{n: 1 << 30, err: errReset}
		l := flowLayer(t, policy.Open(), around(r.Handle), reading("get", f.handle))
		start := time.Now()
		ask(t, l, alice, "get", "")
		equal(t, time.Since(start), 119*time.Hour)
		equal(t, f.runs, 61)
	})
}
