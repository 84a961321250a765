package detect_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/pipeline/detect"
)

func BenchmarkVendorRules(b *testing.B) {
	s := vendorSet(b)
	for name, doc := range map[string][]byte{
		"assets": corpus.Assets(1400, 1), "prose": corpus.Prose(1<<20, 1), "hints": corpus.Hints(1<<20, 1),
		"candidates": []byte(strings.Repeat("hf_hub glpat-x key-value sk-learn npm_config ", 20<<10)),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				if found := s.Append(nil, doc); found != nil {
					b.Fatal(found)
				}
			}
		})
	}
}

// BenchmarkVendorRulesOnShort looks at a string as it is most frequent in a document.
func BenchmarkVendorRulesOnShort(b *testing.B) {
	s, text := vendorSet(b), []byte("arn:aws:s3:::logs-2024-archive")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.Append(nil, text)
	}
}

func BenchmarkNewRuleSet(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		vendorSet(b)
	}
}

// BenchmarkPlainPatterns runs the patterns of the vendor rules one after another.
func BenchmarkPlainPatterns(b *testing.B) {
	doc := corpus.Assets(140, 1)
	var patterns []*regexp.Regexp
	for _, r := range detect.VendorRules() {
		patterns = append(patterns, regexp.MustCompile(r.Pattern))
	}
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		for _, re := range patterns {
			if re.Match(doc) {
				b.Fatal(re)
			}
		}
	}
}
