package scan_test

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/internal/scan"
	"github.com/cloudg/mcplayer/internal/testkit"
)

// documents returns the three documents that are measured.
func documents(bytes int) map[string][]byte {
	return map[string][]byte{
		"assets": corpus.Assets(bytes/720, 1),
		"prose":  corpus.Prose(bytes, 1),
		"hints":  corpus.Hints(bytes, 1),
	}
}

// stringsOf returns the strings of a document that are values, where they lie in it if they
// have no escapes, and how many bytes they have.
func stringsOf(tb testing.TB, doc []byte) (list [][]byte, size int) {
	tb.Helper()
	d := jsontext.NewDecoder(bytes.NewReader(doc), jsontext.AllowDuplicateNames(true))
	for {
		tok, err := d.ReadToken()
		if err != nil {
			return list, size
		}
		kind, n := d.StackIndex(d.StackDepth())
		if tok.Kind() == '"' && (kind != '{' || n%2 == 0) {
			s, end := []byte(tok.String()), int(d.InputOffset())-1
			if in := doc[max(0, end-len(s)):end]; bytes.Equal(in, s) {
				s = in
			}
			list = append(list, s)
			size += len(s)
		}
	}
}

func secretsOnly() *scan.Engine {
	detectors := scan.Detectors()
	return scan.New(func(k scan.Kind, _ scan.Entity) bool {
		return detectors[k].Category == "secret" || detectors[k].Category == "credential"
	})
}

func everything() *scan.Engine {
	return scan.New(func(scan.Kind, scan.Entity) bool { return true })
}

func BenchmarkAppend(b *testing.B) {
	engines := map[string]*scan.Engine{"secrets": secretsOnly(), "usual": scan.New(nil), "everything": everything()}
	for name, doc := range documents(36 << 20) {
		list, size := stringsOf(b, doc)
		for of, engine := range engines {
			b.Run(name+"/"+of, func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				dst := make([]scan.Match, 0, 64)
				n, began := 0, testkit.CPUTime()
				for b.Loop() {
					n = 0
					for _, s := range list {
						dst = engine.Append(dst[:0], s)
						n += len(dst)
					}
				}
				b.ReportMetric(float64(n), "findings")
				b.ReportMetric(float64(size)*float64(b.N)/(testkit.CPUTime()-began).Seconds()/1e6, "cpuMB/s")
			})
		}
	}
}
