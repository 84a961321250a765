package corpus_test

import (
	"bytes"
	"testing"

	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/go-json-experiment/json/jsontext"
)

func TestDocuments(t *testing.T) {
	const size = 3_600_000
	for name, doc := range map[string]func(seed uint64) []byte{
		"assets": func(seed uint64) []byte { return corpus.Assets(5000, seed) },
		"prose":  func(seed uint64) []byte { return corpus.Prose(size, seed) },
		"hints":  func(seed uint64) []byte { return corpus.Hints(size, seed) },
	} {
		t.Run(name, func(t *testing.T) {
			a := doc(1)
			if !jsontext.Value(a).IsValid() {
				t.Error("not valid JSON")
			}
			if n := len(a); n < size-size/20 || n > size+size/20 {
				t.Errorf("has %d bytes, want about %d", n, size)
			}
			if !bytes.Equal(a, doc(1)) {
				t.Error("the same seed gives another document")
			}
			if bytes.Equal(a, doc(2)) {
				t.Error("another seed gives the same document")
			}
		})
	}
}
