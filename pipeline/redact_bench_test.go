package pipeline_test

import (
	"testing"

	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/pipeline"
)

func BenchmarkRedact(b *testing.B) {
	standard := build(b, "redact", standardRedact())
	for _, l := range large {
		doc := l.make()
		b.Run(l.name+"/standard", func(b *testing.B) { benchmark(b, standard, doc) })
	}
	doc := corpus.Assets(50_000, 1)
	b.Run("assets/hash", func(b *testing.B) { benchmark(b, build(b, "redact", strictRedact()), doc) })
	small := corpus.Assets(1, 1)
	b.Run("1KB/standard", func(b *testing.B) { benchmark(b, standard, small) })
	b.Run("1KB/all standard steps", func(b *testing.B) { benchmark(b, standardSteps(b), small) })
	whole, err := pipeline.NewBuilder(nil).Build([]pipeline.Spec{
		{Type: "sanitize"}, {Type: "redact", Options: standardRedact()}, {Type: "project", Options: standardShape(0)}, {Type: "annotate"},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("assets/all standard steps without budget", func(b *testing.B) { benchmark(b, whole, doc) })
	b.Run("assets/all standard steps", func(b *testing.B) { benchmark(b, standardSteps(b), doc) })
	vault := &namesInMemory{}
	b.Run("10KB/pseudonyms", func(b *testing.B) { benchmark(b, buildWith(b, vault, "redact", strictRedact()), corpus.Assets(13, 1)) })
}
