package bench_test

import (
	"bytes"
	"slices"
	"testing"

	gitleaks "github.com/zricethezav/gitleaks/v8/detect"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

func newGitleaks(tb testing.TB) *gitleaks.Detector {
	tb.Helper()
	d, err := gitleaks.NewDetectorDefaultConfig()
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func newScanner(tb testing.TB) *detect.Scanner {
	tb.Helper()
	s, err := detect.NewScanner(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func TestBothFindThePlanted(t *testing.T) {
	doc := planted(t, 200)
	var theirs, ours []string
	for _, f := range newGitleaks(t).DetectBytes(doc) {
		theirs = append(theirs, f.Secret)
	}
	for _, f := range newScanner(t).Append(nil, doc) {
		ours = append(ours, string(doc[f.Start:f.End]))
	}
	for _, secret := range secrets() {
		if !bytes.Contains(doc, []byte(secret)) {
			t.Errorf("%q is not planted", secret)
		}
		if !slices.Contains(theirs, secret) {
			t.Errorf("gitleaks does not find %q", secret)
		}
		if !slices.Contains(ours, secret) {
			t.Errorf("the scanner does not find %q", secret)
		}
	}
}

// sizes are in assets: 70 KB and 4 MB.
var sizes = []struct {
	name   string
	assets int
}{{"70KB", 100}, {"4MB", 5500}}

func BenchmarkGitleaks(b *testing.B) {
	d := newGitleaks(b)
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			doc, n := planted(b, size.assets), 0
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				n = len(d.DetectBytes(doc))
			}
			b.ReportMetric(float64(n), "findings")
		})
	}
}

func BenchmarkScanner(b *testing.B) {
	s := newScanner(b)
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			doc := planted(b, size.assets)
			var found []detect.Finding
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				found = s.Append(found[:0], doc)
			}
			b.ReportMetric(float64(len(found)), "findings")
		})
	}
}
