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
	})
	if t.Logf("%v allocations", got); got > 8 {
		t.Errorf("%v allocations", got)
	}
}
