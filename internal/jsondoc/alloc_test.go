//go:build !race

// The race detector allocates on its own.

package jsondoc_test

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/internal/jsondoc"
)

func TestAllocations(t *testing.T) {
	for _, tt := range []struct {
		name  string
		step  jsondoc.Step
		limit float64
	}{
		{"unchanged", &look{}, 40}, // the names
		{"edited", &change{}, 2},
	} {
		var last float64
		for _, n := range []int{1, 100} {
			doc := corpus.Assets(n, 1)
			got := testing.AllocsPerRun(100, func() {
				var r jsondoc.Run
				r.SetSteps(tt.step)
				d, err := jsondoc.Open(doc)
				if err != nil {
					t.Fatal(err)
				}
				if _, _, err := d.Apply(&r); err != nil {
					t.Fatal(err)
				}
				d.Close()
			})
			t.Logf("%s, %d assets: %v allocations", tt.name, n, got)
			if n > 1 && got > last+2 {
				t.Errorf("%s: %v allocations for %d assets, %v for one", tt.name, got, n, last)
			}
			last = got
		}
	}
}

func TestMemoryIsAtMostThreeTimesTheInput(t *testing.T) {
	for _, tt := range []struct {
		name string
		doc  []byte
	}{
		{"assets", corpus.Assets(10_000, 1)},
		{"prose", corpus.Prose(8<<20, 1)},
		{"hints", corpus.Hints(8<<20, 1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			var r jsondoc.Run
			r.SetSteps(&change{})
			d, err := jsondoc.Open(tt.doc)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := d.Apply(&r); err != nil {
				t.Fatal(err)
			}
			d.Close()
			runtime.ReadMemStats(&after)
			used := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(tt.doc))
			if t.Logf("%.2f times the input", used); used > 3 {
				t.Errorf("allocates %.2f times the input", used)
			}
		})
	}
}

// TestLimitDenseDocuments shows that many small values need more memory than the
// text they are written in.
func TestLimitDenseDocuments(t *testing.T) {
	doc := append(bytes.Repeat([]byte("0,"), 1<<20), "0]"...)
	doc = append([]byte("["), doc...)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	d, err := jsondoc.Open(doc)
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	d.Close()
	if used := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(doc)); used < 3 || used > 20 {
		t.Errorf("the index takes %.1f times the input", used)
	}
}
