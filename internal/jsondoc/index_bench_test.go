package jsondoc_test

import (
	"testing"

	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/go-json-experiment/json/jsontext"
)

var benchDocs = []struct {
	name string
	make func() []byte
}{
	{"assets", func() []byte { return corpus.Assets(50_000, 1) }},
	{"prose", func() []byte { return corpus.Prose(36<<20, 1) }},
	{"hints", func() []byte { return corpus.Hints(36<<20, 1) }},
}

func BenchmarkIndex(b *testing.B) {
	for _, d := range benchDocs {
		doc := d.make()
		b.Run(d.name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			stop := reportCPU(b, len(doc))
			for b.Loop() {
				d, err := jsondoc.Open(doc)
				if err != nil {
					b.Fatal(err)
				}
				d.Close()
			}
			stop()
		})
	}
}

// BenchmarkFloor is what checking the documents costs without an index.
func BenchmarkFloor(b *testing.B) {
	for _, d := range benchDocs {
		doc := d.make()
		b.Run(d.name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			stop := reportCPU(b, len(doc))
			for b.Loop() {
				if !jsontext.Value(doc).IsValid(jsontext.AllowDuplicateNames(true)) {
					b.Fatal("not valid")
				}
			}
			stop()
		})
	}
}
