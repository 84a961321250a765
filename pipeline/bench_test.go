package pipeline_test

import (
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/internal/testkit"
	"github.com/cloudg/mcplayer/pipeline"
)

// standardShape are the options of a projection like that of an ordinary policy.
func standardShape(budget int) options {
	o := options{"exclude": []any{"**.raw_data", "**._raw"}, "max_string": 20_000}
	if budget > 0 {
		o["max_chars"] = budget
	}
	return o
}

var large = []struct {
	name string
	make func() []byte
}{
	{"assets", func() []byte { return corpus.Assets(50_000, 1) }},
	{"prose", func() []byte { return corpus.Prose(36<<20, 1) }},
	{"hints", func() []byte { return corpus.Hints(36<<20, 1) }},
}

func benchmark(b *testing.B, p mcplayer.Pipeline, doc []byte) {
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	start := testkit.CPUTime()
	for b.Loop() {
		pass := p.Begin(b.Context(), mcplayer.CallInfo{})
		if _, err := pass.JSON(doc); err != nil {
			b.Fatal(err)
		}
		pass.Report()
		pass.(mcplayer.Releaser).Release()
	}
	b.ReportMetric(float64((testkit.CPUTime()-start).Nanoseconds())/float64(b.N), "cpu-ns/op")
}

func BenchmarkProject(b *testing.B) {
	whole, cut := build(b, "project", standardShape(0)), build(b, "project", standardShape(120_000))
	for _, l := range large {
		doc := l.make()
		b.Run(l.name+"/whole", func(b *testing.B) { benchmark(b, whole, doc) })
		b.Run(l.name+"/budget", func(b *testing.B) { benchmark(b, cut, doc) })
	}
	small := corpus.Assets(1, 1)
	b.Run("1KB/unchanged", func(b *testing.B) { benchmark(b, cut, small) })
	edit := build(b, "project", options{"exclude": "**.findings", "max_chars": 120_000})
	b.Run("1KB/edited", func(b *testing.B) { benchmark(b, edit, small) })
}

// BenchmarkShape is what an ordinary policy does besides redaction.
func BenchmarkShape(b *testing.B) {
	whole, cut := shape(b, 0), shape(b, 120_000)
	for _, l := range large {
		doc := l.make()
		b.Run(l.name+"/whole", func(b *testing.B) { benchmark(b, whole, doc) })
		b.Run(l.name+"/budget", func(b *testing.B) { benchmark(b, cut, doc) })
	}
	b.Run("1KB", func(b *testing.B) { benchmark(b, cut, corpus.Assets(1, 1)) })
}

// shape builds sanitize and project under the options of an ordinary policy.
func shape(tb testing.TB, budget int) mcplayer.Pipeline {
	tb.Helper()
	p, err := pipeline.NewBuilder(nil).Build([]pipeline.Spec{
		{Type: "sanitize"},
		{Type: "project", Options: standardShape(budget)},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return p
}
