package middleware_test

import (
	"context"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/result"
)

const threeArguments = `{"query":"status = open","limit":25,"fields":["name","owner"]}`

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
