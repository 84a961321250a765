package middleware_test

import (
	"context"
	"io"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/result"
)

const threeArguments = `{"query":"status = open","limit":25,"fields":["name","owner"]}`

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

func BenchmarkObserving(b *testing.B) {
	info, chain := toolInfo(threeArguments), next(&result.ToolResult{Meta: result.Meta{"cloudg/duration_ms": 1}}, nil)
	run := func(name string, handle func(context.Context, mcplayer.CallInfo, mcplayer.Next) (result.Result, error)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = handle(b.Context(), info, chain)
			}
		})
	}
	for _, opts := range []struct {
		name string
		middleware.AuditOptions
	}{
		{"audit to nowhere", middleware.AuditOptions{Writer: io.Discard}},
		{"audit to a file", middleware.AuditOptions{Path: filepath.Join(b.TempDir(), "a")}},
		{"audit to a chained file", middleware.AuditOptions{Path: filepath.Join(b.TempDir(), "b"), ChainKey: []byte(chainKey)}},
	} {
		opts.Logger = silent()
		audit, err := middleware.NewAudit(&opts.AuditOptions)
		if err != nil {
			b.Fatal(err)
		}
		run(opts.name, audit.Handle)
		_ = audit.Close(context.Background())
	}
	run("metrics", newMetrics(b, nil).Handle)
	b.Run("calibrator: goroutine, timer and channel", func(b *testing.B) {
		for b.Loop() {
			done, timer := make(chan struct{}), time.NewTimer(time.Minute)
			go func() { close(done) }()
			select {
			case <-done:
			case <-timer.C:
			}
			timer.Stop()
		}
	})
}
