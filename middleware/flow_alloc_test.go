//go:build !race

package middleware_test

import (
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
)

// TestFlowAllocations bounds what the middleware adds to a call with three arguments.
func TestFlowAllocations(t *testing.T) {
	limit, retry, breaker := newLimit(t, nil), newRetry(t, nil), newBreaker(t, nil)
	tests := []struct {
		name string
		mws  []mcplayer.Middleware
		max  float64 // more than without
	}{
		{"concurrency", around(limit.Handle), 2},
		{"cache miss", around(forgetful().Handle), 5},
		{"concurrency and cache miss", around(limit.Handle, forgetful().Handle), 7},
		{"cache hit", around(middleware.NewCache(nil).Handle), 0},
		{"retry", around(retry.Handle), 0},
		{"breaker", around(breaker.Handle), 0},
		{"audit, metrics, concurrency and cache miss", fullStack(t, &middleware.CacheOptions{Size: 1}), 20},
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
