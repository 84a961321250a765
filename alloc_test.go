//go:build !race

// The race detector allocates on its own.

package mcplayer_test

import (
	"testing"

	"github.com/cloudg/mcplayer"
)

func allocsPerCall(t *testing.T, l *mcplayer.Layer) float64 {
	t.Helper()
	var args any = rawArgs
	return testing.AllocsPerRun(1000, func() {
		if _, err := l.CallTool(t.Context(), "echo", args); err != nil {
			t.Fatal(err)
		}
	})
}

func TestRawCallAllocatesAtMost8Times(t *testing.T) {
	if got := allocsPerCall(t, rawLayer(t, -1)); got > 8 {
		t.Errorf("a raw call allocates %v times, want at most 8", got)
	}
}

func TestMiddlewareAllocatesNothing(t *testing.T) {
	bare := allocsPerCall(t, rawLayer(t, -1))
	wrapped := allocsPerCall(t, rawLayer(t, -1, eight...))
	if wrapped != bare {
		t.Errorf("eight middlewares allocate %v times, want 0", wrapped-bare)
	}
}
