//go:build !race

// The race detector allocates on its own.

package middleware_test

import (
	"context"
	"io"
	"runtime"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/result"
)

// TestObservingAllocates is what a call with three arguments pays for its line and its
// counts.
func TestObservingAllocates(t *testing.T) {
	tests := []struct {
		name string
		opts middleware.AuditOptions
		want float64
	}{
		{"plain", middleware.AuditOptions{}, 4},
		{"chained", middleware.AuditOptions{ChainKey: []byte(chainKey)}, 4},
		{"without hashes", middleware.AuditOptions{OmitHashes: true}, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.opts.Writer = io.Discard
			audit, metrics := newAudit(t, tt.opts), newMetrics(t, nil)
			res := &result.ToolResult{Meta: result.Meta{"cloudg/duration_ms": 1}}
			chain := next(res, nil)
			counted := func(ctx context.Context, info mcplayer.CallInfo) (result.Result, error) {
				return metrics.Handle(ctx, info, chain)
			}
			info := toolInfo(threeArguments)
			ctx := t.Context()
			got := testing.AllocsPerRun(500, func() {
				_, _ = audit.Handle(ctx, info, counted)
				runtime.Gosched() // the line is written, its buffer free again
			})
			if got > tt.want {
				t.Errorf("%v allocations, more than %v", got, tt.want)
			}
		})
	}
}
