package jsondoc_test

import (
	"bytes"
	"testing"

	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// look is a step that is offered everything and reads texts and names.
type look struct{ values, bytes int }

func (l *look) Wants() jsondoc.Kind { return jsondoc.Any }

func (l *look) Do(v *jsondoc.Value) error {
	l.values++
	l.bytes += len(v.Text()) + v.KeyID()
	return nil
}

// change changes every 16th string.
type change struct{ n int }

func (c *change) Wants() jsondoc.Kind { return jsondoc.String }

func (c *change) Do(v *jsondoc.Value) error {
	if c.n++; c.n%16 == 0 {
		v.SetTextString("[REDACTED]")
	}
	return nil
}

func benchmarkPass(b *testing.B, doc []byte, step jsondoc.Step) {
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	stop := reportCPU(b, len(doc))
	for b.Loop() {
		var r jsondoc.Run
		r.SetSteps(step)
		d, err := jsondoc.Open(doc)
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := d.Apply(&r); err != nil {
			b.Fatal(err)
		}
		d.Close()
	}
	stop()
}

func BenchmarkPass(b *testing.B) {
	for _, d := range benchDocs {
		doc := d.make()
		b.Run(d.name+"/unchanged", func(b *testing.B) { benchmarkPass(b, doc, &look{}) })
		b.Run(d.name+"/edited", func(b *testing.B) { benchmarkPass(b, doc, &change{}) })
	}
	small := corpus.Assets(1, 1)
	b.Run("1KB/unchanged", func(b *testing.B) { benchmarkPass(b, small, &look{}) })
	b.Run("1KB/edited", func(b *testing.B) { benchmarkPass(b, small, &change{}) })
}

func TestUnchangedIsTheSameSlice(t *testing.T) {
	doc := corpus.Assets(10, 1)
	var r jsondoc.Run
	r.SetSteps(&look{})
	d, err := jsondoc.Open(doc)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	out, _, err := d.Apply(&r)
	if err != nil || !bytes.Equal(out, doc) || &out[0] != &doc[0] {
		t.Errorf("not the same: %v", err)
	}
}
