package mcplayer_test

import (
	"context"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/go-json-experiment/json/jsontext"
)

func rawLayer(t testing.TB, timeout time.Duration, middleware ...mcplayer.Middleware) *mcplayer.Layer {
	t.Helper()
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "echo"}, rawEcho)
	l, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open(), Timeout: timeout, Middleware: middleware})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

var eight = []mcplayer.Middleware{passOn, passOn, passOn, passOn, passOn, passOn, passOn, passOn}

var rawArgs = jsontext.Value(`{"id":"a-1","limit":5,"deep":true}`)

func BenchmarkCallRaw(b *testing.B) { benchmarkCall(b, rawLayer(b, -1)) }

func BenchmarkCallOnion8(b *testing.B) { benchmarkCall(b, rawLayer(b, -1, eight...)) }

func BenchmarkCallTimeout(b *testing.B) { benchmarkCall(b, rawLayer(b, 0)) }

func benchmarkCall(b *testing.B, l *mcplayer.Layer) {
	ctx := b.Context()
	var args any = rawArgs
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.CallTool(ctx, "echo", args); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCalibrator is what a timeout costs at least: a goroutine, a timer and
// a channel.
func BenchmarkCalibrator(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		answer := make(chan struct{}, 1)
		ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
		go func() { answer <- struct{}{} }()
		select {
		case <-answer:
		case <-ctx.Done():
		}
		cancel()
	}
}
