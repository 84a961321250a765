package mcplayer_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// readLayer has a resource and 20 templates.
func readLayer(t testing.TB) *mcplayer.Layer {
	t.Helper()
	reg := mcplayer.NewRegistry()
	handler := func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return "x", nil }
	mcplayer.AddResource(reg, mcplayer.Resource{URI: "cloudg://exact"}, handler)
	for i := range 20 {
		mcplayer.AddResourceTemplate(reg, mcplayer.ResourceTemplate{URITemplate: fmt.Sprintf("cloudg://kind%d/{name}/part/{+rest}", i)}, handler)
	}
	l, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open()})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func BenchmarkReadExact(b *testing.B)   { benchmarkRead(b, "cloudg://exact") }
func BenchmarkReadThrough(b *testing.B) { benchmarkRead(b, "cloudg://kind19/prod%20x/part/a/b") }
func BenchmarkReadUnknown(b *testing.B) { benchmarkRead(b, "cloudg://kind20/x/part/a") }

func benchmarkRead(b *testing.B, uri string) {
	l, ctx := readLayer(b), b.Context()
	b.ReportAllocs()
	for b.Loop() {
		_, _ = l.ReadResource(ctx, uri)
	}
}
