package middleware_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
)

// TestStandardBesideTheSDK makes sure that what is measured is the same: the layer
// returns the structured content of the SDK's typed tool, about 1 KB, unchanged.
func TestStandardBesideTheSDK(t *testing.T) {
	res, err := standardLayer(t, 0).CallTool(t.Context(), "get", regionArguments, mcplayer.As(alice))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := json.Marshal(sdkTyped(t)().StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, string(res.Structured), string(doc))
	if len(doc) < 960 || len(doc) > 1100 {
		t.Errorf("%d bytes", len(doc))
	}
}

// BenchmarkStandard is a call with three arguments and a result of 1 KB under the
// policy standard, beside a typed tool of the SDK that returns the same. What a timeout
// costs at least at that pace, where the other thread has fallen asleep since the last
// call, shows a call without one that is followed by a goroutine with a timer.
func BenchmarkStandard(b *testing.B) {
	b.Run("sdk typed", func(b *testing.B) {
		call := sdkTyped(b)
		b.ReportAllocs()
		for b.Loop() {
			call()
		}
	})
	b.Run("standard", func(b *testing.B) { benchmark(b, standardLayer(b, -1)) })
	b.Run("standard and timeout", func(b *testing.B) { benchmark(b, standardLayer(b, 0)) })
	b.Run("standard, then the calibrator", func(b *testing.B) {
		call := caller(b, standardLayer(b, -1), alice)
		for b.Loop() {
			call()
			calibrate(b)
		}
	})
	forgetting := &middleware.CacheOptions{Size: 1}
	b.Run("stack, miss", func(b *testing.B) { benchmark(b, standardLayer(b, -1, fileStack(b, forgetting)...)) })
	b.Run("stack and timeout, miss", func(b *testing.B) { benchmark(b, standardLayer(b, 0, fileStack(b, forgetting)...)) })
	b.Run("stack, hit", func(b *testing.B) { benchmark(b, standardLayer(b, 0, fileStack(b, &middleware.CacheOptions{})...)) })
}

// calibrate waits for a goroutine, with a timer and a channel.
func calibrate(b *testing.B) {
	answer := make(chan struct{}, 1)
	ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
	defer cancel()
	go func() { answer <- struct{}{} }()
	select {
	case <-answer:
	case <-ctx.Done():
	}
}
