//go:build !race

// The race detector allocates on its own.

package pipeline_test

import (
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/corpus"
)

func TestOneKilobyteAllocatesAtMost8Times(t *testing.T) {
	p := build(t, "project", options{"exclude": "**.findings", "max_chars": 120_000})
	small := corpus.Assets(1, 1)
	got := testing.AllocsPerRun(100, func() {
		pass := p.Begin(t.Context(), mcplayer.CallInfo{})
		if _, err := pass.JSON(small); err != nil {
			t.Fatal(err)
		}
		pass.(mcplayer.Releaser).Release()
	})
	if t.Logf("%v allocations", got); got > 8 {
		t.Errorf("%v allocations", got)
	}
}

func TestRedactionAllocatesNothing(t *testing.T) {
	p := build(t, "redact", standardRedact())
	doc := append(corpus.Assets(1, 1), '\n')
	for range 2 {
		got := testing.AllocsPerRun(100, func() {
			pass := p.Begin(t.Context(), mcplayer.CallInfo{})
			if _, err := pass.JSON(doc); err != nil {
				t.Fatal(err)
			}
			pass.(mcplayer.Releaser).Release()
		})
		if t.Logf("%v allocations for %d bytes", got, len(doc)); got > 0 {
			t.Errorf("%v allocations for %d bytes", got, len(doc))
		}
		doc = corpus.Assets(100, 1) // with more values there are no more
	}
}

func TestStandardStepsAllocateNothing(t *testing.T) {
	p := standardSteps(t)
	small := corpus.Assets(1, 1)
	got := testing.AllocsPerRun(100, func() {
		pass := p.Begin(t.Context(), mcplayer.CallInfo{})
		if _, err := pass.JSON(small); err != nil {
			t.Fatal(err)
		}
		pass.(mcplayer.Releaser).Release()
	})
	if t.Logf("%v allocations", got); got > 0 {
		t.Errorf("%v allocations", got)
	}
}
