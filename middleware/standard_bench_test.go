package middleware_test

import (
	"encoding/json"
	"testing"

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
// policy standard, beside a typed tool of the SDK that returns the same.
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
	forgetting := &middleware.CacheOptions{Size: 1}
	b.Run("stack, miss", func(b *testing.B) { benchmark(b, standardLayer(b, -1, fileStack(b, forgetting)...)) })
	b.Run("stack and timeout, miss", func(b *testing.B) { benchmark(b, standardLayer(b, 0, fileStack(b, forgetting)...)) })
	b.Run("stack, hit", func(b *testing.B) { benchmark(b, standardLayer(b, 0, fileStack(b, &middleware.CacheOptions{})...)) })
}
