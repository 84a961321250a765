package policy_test

import (
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/internal/testkit"
	"github.com/cloudg/mcplayer/pipeline/vault"
	"github.com/cloudg/mcplayer/policy"
)

// BenchmarkStrict leads 36 MB of assets through strict without its size budget, as it
// is, and a small one.
func BenchmarkStrict(b *testing.B) {
	doc := corpus.Assets(50_000, 1)
	for _, bb := range []struct {
		name, source string
		doc          []byte
		fresh        bool // a vault of its own for each round
	}{
		{"assets/standard", `{"name": "unlimited", "extends": "standard", "transform_options": {"project": {"max_chars": 1000000000}}}`, doc, false}, // to compare with
		{"assets/new", unlimited, doc, true},
		{"assets/known", unlimited, doc, false},
		{"assets/budget", "strict", doc, false},
		{"10KB/known", "strict", corpus.Assets(13, 1), false},
		{"1KB/known", "strict", corpus.Assets(1, 1), false},
	} {
		b.Run(bb.name, func(b *testing.B) {
			out := strictOutput(b, bb.source)
			transform(b, out, bb.doc)
			b.SetBytes(int64(len(bb.doc)))
			b.ReportAllocs()
			var cpu time.Duration
			for b.Loop() {
				if bb.fresh {
					b.StopTimer()
					out = strictOutput(b, bb.source)
					b.StartTimer()
				}
				start := testkit.CPUTime()
				transform(b, out, bb.doc)
				cpu += testkit.CPUTime() - start
			}
			b.ReportMetric(float64(cpu.Nanoseconds())/float64(b.N), "cpu-ns/op")
		})
	}
}

// strictOutput returns the output pipeline of an ordinary tool over an empty vault.
func strictOutput(b *testing.B, source string) mcplayer.Pipeline {
	b.Helper()
	v, err := vault.New(&vault.Options{Key: []byte(vaultKey)})
	if err != nil {
		b.Fatal(err)
	}
	return put(b, loaded(b, source), &policy.Options{Vault: v}).Bind(toolSpec("a"), anyone).Output
}

func transform(b *testing.B, p mcplayer.Pipeline, doc []byte) {
	b.Helper()
	if _, err := p.Begin(b.Context(), mcplayer.CallInfo{Principal: anyone, Spec: toolSpec("a")}).JSON(doc); err != nil {
		b.Fatal(err)
	}
}
