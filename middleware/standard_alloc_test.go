//go:build !race

// The race detector allocates on its own.

package middleware_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
)

// TestStandardAllocations bounds a call with a result of 1 KB under the policy
// standard, alone and with the whole stack around it.
func TestStandardAllocations(t *testing.T) {
	tests := []struct {
		name    string
		timeout time.Duration
		mws     []mcplayer.Middleware
		most    float64
	}{
		{"with the default timeout", 0, nil, 28},
		{"without a timeout", -1, nil, 20},
		{"with timeout and stack", 0, fullStack(t, &middleware.CacheOptions{Size: 1}), 48},
	}
	for _, tt := range tests {
		call := caller(t, standardLayer(t, tt.timeout, tt.mws...), bob)
		got := testing.AllocsPerRun(200, func() {
			call()
			runtime.Gosched() // the audit's line is written, its buffer free again
		})
		t.Logf("%s: %v", tt.name, got)
		if got > tt.most {
			t.Errorf("%s: %v allocations, more than %v", tt.name, got, tt.most)
		}
	}
}
