package bench_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/pipeline/detect"
)

// patterns are detectors as a list of regular expressions: 28 of them.
var patterns = []string{
	`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`,
	`\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
	`[a-z][a-z0-9+.-]*://[^\s/:@]*:([^\s/@]+)@`,
	`(?i)(?:password|pwd|accountkey|sharedaccesskey|sharedsecret|clientsecret)=([^;\s"']+)`,
	`(?i)aws.{0,20}secret.{0,20}[^A-Za-z0-9/+]([A-Za-z0-9/+]{40})\b`,
	`(?i)\b(?:password|secret|client_secret|api_key|access_token|token|bearer|private_key|passphrase)["']?\s*[:=]\s*["']?([^\s"',;]{6,})`,
	`(?i)\b(?:bearer|basic)\s+([\w.~+/=-]{16,})`,
	`\bgh[pousr]_[0-9A-Za-z]{36,}`,
	`\bxox[abeprs]-[0-9A-Za-z-]{10,}`,
	`\bAIza[\w-]{35}`,
	`\b[rs]k_(?:live|test)_[0-9A-Za-z]{16,}`,
	`[?&]sig=([\w%+/=-]{20,})`,
	`\b[A-Za-z0-9+/]{86}==`,
	`\b[A-Za-z0-9+/_-]{32,}\b`,
	`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`,
	`\bcloudg://(?:assets|datasets)/[^\s"/]+`,
	`\b(?:AIDA|AROA|AGPA|ANPA|AIPA)[0-9A-Z]{16,}\b`,
	`\barn:aws[\w-]*:[\w-]*:[\w-]*:\d{0,12}:[^\s"',]+`,
	`(?i)/subscriptions/[0-9a-f-]{36}(?:/[^\s"',]+)?`,
	`\bprojects/[a-z][a-z0-9-]{4,28}(?:/[\w.-]+)*`,
	`\b\d{12}\b`,
	`\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`,
	`\b[\w.%+-]+@[\w.-]+\.[A-Za-z]{2,}\b`,
	`(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}`,
	`\b(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?\b`,
	`\b(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}\b`,
	`\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|internal|local|lan|corp)\b`,
	`\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?`,
}

// naive decodes a document into a tree and runs each pattern over each string.
type naive []*regexp.Regexp

func newNaive() (all naive) {
	for _, p := range patterns {
		all = append(all, regexp.MustCompile(p))
	}
	return all
}

func (n naive) redact(doc []byte) ([]byte, error) {
	var tree any
	if err := json.Unmarshal(doc, &tree); err != nil {
		return nil, err
	}
	return json.Marshal(n.value(tree))
}

func (n naive) value(v any) any {
	switch v := v.(type) {
	case string:
		for _, re := range n {
			v = re.ReplaceAllString(v, "[REDACTED]")
		}
		return v
	case []any:
		for i := range v {
			v[i] = n.value(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = n.value(v[k])
		}
	}
	return v
}

func TestNaiveIsAListOf28(t *testing.T) {
	if len(patterns) != 28 {
		t.Errorf("%d patterns", len(patterns))
	}
	got, err := newNaive().redact([]byte(`{"a":["10.0.0.1","b"],"c":1}`))
	if err != nil || string(got) != `{"a":["[REDACTED]","b"],"c":1}` {
		t.Errorf("%s, %v", got, err)
	}
}

// BenchmarkNaive takes seconds for the 36 MB.
func BenchmarkNaive(b *testing.B) {
	n := newNaive()
	for _, size := range documents {
		b.Run(size.name, func(b *testing.B) {
			doc := corpus.Assets(size.assets, 1)
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if _, err := n.redact(doc); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

var documents = []struct {
	name   string
	assets int
}{{"4MB", 5500}, {"36MB", 50_000}}

// BenchmarkScannerOnStrings runs the scanner over each string value of a document.
func BenchmarkScannerOnStrings(b *testing.B) {
	s := newScanner(b)
	for _, size := range documents {
		b.Run(size.name, func(b *testing.B) {
			var tree any
			if err := json.Unmarshal(corpus.Assets(size.assets, 1), &tree); err != nil {
				b.Fatal(err)
			}
			texts, bytes := stringsOf(nil, tree), 0
			for _, text := range texts {
				bytes += len(text)
			}
			var found []detect.Finding
			b.SetBytes(int64(bytes))
			b.ReportAllocs()
			for b.Loop() {
				for _, text := range texts {
					found = s.Append(found[:0], text)
				}
			}
		})
	}
}

func stringsOf(texts [][]byte, v any) [][]byte {
	switch v := v.(type) {
	case string:
		return append(texts, []byte(v))
	case []any:
		for _, item := range v {
			texts = stringsOf(texts, item)
		}
	case map[string]any:
		for _, item := range v {
			texts = stringsOf(texts, item)
		}
	}
	return texts
}
