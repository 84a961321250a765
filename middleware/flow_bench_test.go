package middleware_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

// threeArguments is what the calls that are measured send.
var threeArguments = raw(`{"region":"eu-west-1","limit":20,"tags":["a","b"]}`)

// quick registers a read-only tool that answers at once.
func quick(r *mcplayer.Registry) {
	readingWithin("get", -1, func(context.Context, *toolCtx, raw) (any, error) { return result.Text("ok"), nil })(r)
}

// large registers a read-only tool with a structured result of 1 KB.
func large(r *mcplayer.Registry) {
	doc := jsontext.Value(`{"text":"` + strings.Repeat("lorem ipsum ", 83) + `"}`)
	readingWithin("get", -1, func(context.Context, *toolCtx, raw) (any, error) { return doc, nil })(r)
}

// caller makes one call, as two principals by turns if told so.
func caller(t testing.TB, l *mcplayer.Layer, who ...*mcplayer.Principal) func() {
	opts := [][]mcplayer.CallOption{}
	for _, p := range append(who, alice) {
		opts = append(opts, []mcplayer.CallOption{mcplayer.As(p)})
	}
	n := 0
	return func() {
		n++
		if res, err := l.CallTool(t.Context(), "get", threeArguments, opts[n%len(opts)]...); err != nil || res.IsError {
			t.Fatal(res, err)
		}
	}
}

// forgetful keeps one result, and callers who take turns with two calls never find
// theirs.
func forgetful() *middleware.Cache { return middleware.NewCache(&middleware.CacheOptions{Size: 1}) }

// TestFlowAllocations bounds what the middleware adds to a call with three arguments.
func TestFlowAllocations(t *testing.T) {
	limit, retry, breaker := newLimit(t, nil), newRetry(t, nil), newBreaker(t, nil)
	tests := []struct {
		name string
		mws  []mcplayer.Middleware
		max  float64 // more than without
	}{
		{"concurrency", around(limit.Handle), 3},
		{"cache miss", around(forgetful().Handle), 6},
		{"concurrency and cache miss", around(limit.Handle, forgetful().Handle), 9},
		{"cache hit", around(middleware.NewCache(nil).Handle), 0},
		{"retry", around(retry.Handle), 0},
		{"breaker", around(breaker.Handle), 0},
	}
	bare := testing.AllocsPerRun(200, caller(t, flowLayer(t, policy.Open(), nil, quick)))
	for _, tt := range tests {
		got := testing.AllocsPerRun(200, caller(t, flowLayer(t, policy.Open(), tt.mws, quick), bob)) - bare
		t.Logf("%s: %v", tt.name, got)
		if got > tt.max {
			t.Errorf("%s: %v allocations, more than %v", tt.name, got, tt.max)
		}
	}
}

func benchmark(b *testing.B, l *mcplayer.Layer) {
	call := caller(b, l, bob)
	call()
	call()
	b.ReportAllocs()
	for b.Loop() {
		call()
	}
}

func BenchmarkFlow(b *testing.B) {
	bare := flowLayer(b, policy.Open(), nil, quick)
	b.Run("bare", func(b *testing.B) { benchmark(b, bare) })
	for _, bb := range []struct {
		name string
		mws  []mcplayer.Middleware
	}{
		{"concurrency", around(newLimit(b, nil).Handle)},
		{"cache miss", around(forgetful().Handle)},
		{"concurrency and cache miss", around(newLimit(b, nil).Handle, forgetful().Handle)},
		{"cache hit", around(middleware.NewCache(nil).Handle)},
		{"cache hit with sharing", around(middleware.NewCache(&middleware.CacheOptions{Share: true}).Handle)},
		{"retry", around(newRetry(b, nil).Handle)},
		{"retry with a budget", around(newRetry(b, &middleware.RetryOptions{Budget: 0.2}).Handle)},
		{"breaker", around(newBreaker(b, nil).Handle)},
	} {
		l := flowLayer(b, policy.Open(), bb.mws, quick)
		b.Run(bb.name, func(b *testing.B) { benchmark(b, l) })
	}
}

func BenchmarkCacheHit1KB(b *testing.B) {
	benchmark(b, flowLayer(b, policy.Open(), around(middleware.NewCache(nil).Handle), large))
}
