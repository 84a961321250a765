package middleware_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

// regionArguments is what the calls that are measured send.
var regionArguments = raw(`{"region":"eu-west-1","limit":20,"tags":["a","b"]}`)

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
	var args any = regionArguments
	return func() {
		n++
		if res, err := l.CallTool(t.Context(), "get", args, opts[n%len(opts)]...); err != nil || res.IsError {
			t.Fatal(res, err)
		}
	}
}

// forgetful keeps one result, and callers who take turns with two calls never find
// theirs.
func forgetful() *middleware.Cache { return middleware.NewCache(&middleware.CacheOptions{Size: 1}) }

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

// fullStack is audit, metrics, concurrency limit and a cache.
func fullStack(t testing.TB, cache *middleware.CacheOptions) []mcplayer.Middleware {
	chain := stack(t, middleware.StackOptions{
		Audit: &middleware.AuditOptions{Writer: io.Discard}, Concurrency: &middleware.ConcurrencyOptions{}, Cache: cache, OmitMetricsResource: true,
	})
	return chain.Middleware
}

// BenchmarkStack is the work of the whole stack for a call with three arguments.
func BenchmarkStack(b *testing.B) {
	miss := flowLayer(b, policy.Open(), fullStack(b, &middleware.CacheOptions{Size: 1}), quick)
	b.Run("miss", func(b *testing.B) { benchmark(b, miss) })
	hit := flowLayer(b, policy.Open(), fullStack(b, &middleware.CacheOptions{}), quick)
	b.Run("hit", func(b *testing.B) { benchmark(b, hit) })
	oneKB := flowLayer(b, policy.Open(), fullStack(b, &middleware.CacheOptions{Size: 1}), large)
	b.Run("miss, 1 KB", func(b *testing.B) { benchmark(b, oneKB) })
}

func BenchmarkCacheHit1KB(b *testing.B) {
	benchmark(b, flowLayer(b, policy.Open(), around(middleware.NewCache(nil).Handle), large))
}
