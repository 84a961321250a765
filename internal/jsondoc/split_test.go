package jsondoc_test

import (
	"bytes"
	"errors"
	"hash/fnv"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// scramble edits values by what they are and where they stand, and counts them.
type scramble struct {
	seed, drops uint64
	seen, forks int
}

func (s *scramble) Wants() jsondoc.Kind { return jsondoc.Any }

func (s *scramble) Do(v *jsondoc.Value) error {
	s.seen++
	h := fnv.New64a()
	_, _ = h.Write(v.AppendPointer(nil))
	switch n := h.Sum64() ^ s.seed; {
	case s.drops > 0 && v.Depth() == 2 && n%100 < s.drops:
		v.Drop()
	case v.Depth() > 2 && n%7 == 0:
		v.SetTextString("é")
	case v.Depth() > 2 && n%7 == 1:
		v.Rename([]byte("name"))
	case v.Depth() > 2 && n%7 == 2:
		v.Drop()
	}
	if v.Kind() == jsondoc.Number && string(v.Raw()) == "666" {
		panic("the number")
	}
	return nil
}

func (s *scramble) Fork() jsondoc.Step { s.forks++; return &scramble{seed: s.seed, drops: s.drops} }

func (s *scramble) Join(fork jsondoc.Step) { s.seen += fork.(*scramble).seen }

func TestSplitChangesNothing(t *testing.T) {
	doc := corpus.Assets(1800, 1)
	for _, drops := range []uint64{0, 30, 100} {
		for seed := range uint64(2) {
			var want []byte
			var seen, size int
			for _, workers := range []int{1, 2, 5} {
				s := &scramble{seed: seed, drops: drops}
				r := jsondoc.Run{Workers: workers}
				r.SetSteps(s)
				d, err := jsondoc.Open(doc)
				if err != nil {
					t.Fatal(err)
				}
				out, n, err := d.Apply(&r)
				d.Close()
				if err != nil {
					t.Fatal(err)
				}
				if want := 4*workers - 1; s.forks != want && workers > 1 || workers == 1 && s.forks > 0 {
					t.Errorf("%d workers, %d forks", workers, s.forks)
				}
				if workers == 1 {
					want, seen, size = out, s.seen, n
					checkOutput(t, out, n)
				} else if !bytes.Equal(out, want) || s.seen != seen || n != size {
					t.Errorf("drops %d, seed %d, %d workers: %d bytes, %d values, size %d; one worker: %d, %d, %d",
						drops, seed, workers, len(out), s.seen, n, len(want), seen, size)
				}
			}
		}
	}
}

func TestSplitUnchangedIsTheSameSlice(t *testing.T) {
	doc := corpus.Assets(5000, 1)
	r := jsondoc.Run{Workers: 4}
	r.SetSteps(&none{})
	d, err := jsondoc.Open(doc)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	out, size, err := d.Apply(&r)
	if err != nil || &out[0] != &doc[0] || size != d.Size() {
		t.Errorf("not the same, size %d: %v", size, err)
	}
}

// none is a step that does nothing.
type none struct{}

func (*none) Wants() jsondoc.Kind       { return jsondoc.Any }
func (*none) Do(*jsondoc.Value) error   { return nil }
func (n *none) Fork() jsondoc.Step      { return &none{} }
func (*none) Join(fork jsondoc.Step)    {}
func documentOf(elements string) []byte { return []byte(`[` + elements + `]`) }

func TestSplitPanics(t *testing.T) {
	many := strings.Repeat(`{"a":"`+strings.Repeat("x", 100)+`"},`, 20_000)
	for _, doc := range [][]byte{documentOf(many + `[[666]]`), documentOf(`[[666]],` + strings.TrimSuffix(many, ","))} {
		r := jsondoc.Run{Workers: 2}
		r.SetSteps(&none{}, &scramble{seed: 1})
		d, err := jsondoc.Open(doc)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = d.Apply(&r)
		d.Close()
		var s *jsondoc.StepError
		if !errors.As(err, &s) || s.Step != 1 || !strings.Contains(err.Error(), "the number") {
			t.Errorf("got %v", err)
		}
	}
}
