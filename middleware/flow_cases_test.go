package middleware_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tests named TestCase retell problems that people have met with servers of this
// kind.

// Calls that differ only in the order of members are one call.
func TestCaseCacheOrderOfMembers(t *testing.T) {
	var c counting
	l := flowLayer(t, policy.Open(), around(middleware.NewCache(nil).Handle), reading("search", c.handle))
	session := mounted(t, l, newServer())("", nil)
	equal(t, say(t, session, "search", `{"q":"tea","opts":{"lang":"en","page":1}}`), "n=1")
	equal(t, say(t, session, "search", `{"opts":{"page":1,"lang":"en"},"q":"tea"}`), "n=1")
	equal(t, say(t, session, "search", `{"q":[1,2]}`), "n=2")
	equal(t, say(t, session, "search", `{"q":[2,1]}`), "n=3")
	equal(t, c.runs.Load(), 3)
}

// A failure that passes is not replayed.
func TestCaseCacheTransientFailure(t *testing.T) {
	runs := 0
	l := flowLayer(t, policy.Open(), around(middleware.NewCache(&middleware.CacheOptions{TTL: time.Hour}).Handle), reading("fetch", func(context.Context, *toolCtx, raw) (any, error) {
		if runs++; runs == 1 {
			return result.Error("upstream 503"), nil
		}
		return result.Text("ok"), nil
	}))
	res, err := l.CallTool(t.Context(), "fetch", raw(`{"u":"x"}`))
	if err != nil || !res.IsError {
		t.Errorf("got %v, %v", res, err)
	}
	for range 2 {
		res, err := l.CallTool(t.Context(), "fetch", raw(`{"u":"x"}`))
		if err != nil || res.IsError || firstText(res) != "ok" {
			t.Errorf("got %v, %v", res, err)
		}
	}
	equal(t, runs, 2)
}

// A tool that did not say that it may be repeated is not, whatever the
// failure.
func TestCaseRetryOfSideEffects(t *testing.T) {
	f := &failingFirst{n: 9, err: errReset}
	r := newRetry(t, &middleware.RetryOptions{Retries: 3, Backoff: time.Millisecond})
	l := flowLayer(t, policy.Open(), around(r.Handle), writing("send_mail", f.handle))
	res, err := l.CallTool(t.Context(), "send_mail", raw(`{"to":"x"}`))
	if err != nil || !res.IsError || strings.Contains(firstText(res), "again") || strings.Contains(firstText(res), "retry") {
		t.Errorf("got %v, %v", res, err)
	}
	equal(t, f.runs, 1)
}

// A client's cancellation reaches the handler through everything around
// it.
func TestCaseCancellation(t *testing.T) {
	for _, share := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			limit := newLimit(t, &middleware.ConcurrencyOptions{Limit: 4})
			cache := middleware.NewCache(&middleware.CacheOptions{Share: share})
			released := make(chan error, 9)
			l := flowLayer(t, policy.Open(), around(limit.Handle, cache.Handle, newRetry(t, &middleware.RetryOptions{Retries: 3}).Handle),
				readingWithin("wait", 30*time.Second, func(ctx context.Context, _ *toolCtx, _ raw) (any, error) {
					select {
					case <-ctx.Done():
						released <- ctx.Err()
						return nil, ctx.Err()
					case <-time.After(10 * time.Second):
						return result.Text("late"), nil
					}
				}))
			connect := mounted(t, l, newServer())
			session := connect("", nil)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(100*time.Millisecond, cancel)
			start := time.Now()
			_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "wait", Arguments: json.RawMessage(`{}`)})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			if got := <-released; !errors.Is(got, context.Canceled) {
				t.Errorf("the handler was released with %v", got)
			}
			equal(t, time.Since(start), 100*time.Millisecond)
			synctest.Wait()
			equal(t, len(released), 0)
			equal(t, limit.InFlight(), 0)
			equal(t, cache.Stats().Size, 0)
			session.Close()
		})
	}
}
