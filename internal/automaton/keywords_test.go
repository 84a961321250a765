package automaton_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/automaton"
	"github.com/cloudg/mcplayer/internal/corpus"
)

// all returns every word that k finds, as word@end, in the order of the ends.
func all(k *automaton.Keywords, words []string, text string) (found []string) {
	var state uint32
	for i := 0; ; {
		var ids []int
		if ids, i, state = k.Next([]byte(text), i, state); ids == nil {
			return found
		}
		for _, id := range ids {
			found = append(found, fmt.Sprintf("%s@%d", words[id], i))
		}
	}
}

// slow is all as a loop over the words.
func slow(words []string, text string) (found []string) {
	lower := func(s string) string { return string(lowered(s)) }
	text = lower(text)
	for end := 1; end <= len(text); end++ {
		for n := end; n > 0; n-- {
			for _, word := range words {
				if word != "" && len(word) == n && lower(word) == text[end-n:end] {
					found = append(found, fmt.Sprintf("%s@%d", word, end))
				}
			}
		}
	}
	return found
}

// lowered changes ASCII letters only.
func lowered(s string) []byte {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return b
}

func TestKeywords(t *testing.T) {
	for _, tt := range []struct {
		name, words, text, want string
	}{
		{"one", "glpat-", "a glpat-x", "glpat-@8"},
		{"at the start", "glpat-", "glpat-x", "glpat-@6"},
		{"at the end", "glpat-", "x glpat-", "glpat-@8"},
		{"cut off", "glpat-", "x glpat", ""},
		{"case of the text", "sk-ant", "SK-Ant", "sk-ant@6"},
		{"case of the word", "AKIA", "akia", "AKIA@4"},
		{"other bytes have no case", "a_b", "A\x7fb a_B", "a_b@7"},
		{"brackets are not braces", "[x]", "{x} [x]", "[x]@7"},
		{"beyond ASCII", "über", "Über über", "über@11"},
		{"no folding beyond ASCII", "ski", "s\u212ai", ""},
		{"one in another", "she|he|hers", "ushers", "she@4 he@4 hers@6"},
		{"end of another", "abcd|bc", "abce", "bc@3"},
		{"overlapping", "aba", "ababa", "aba@3 aba@5"},
		{"again after a miss", "abcabd", "abcabcabd", "abcabd@9"},
		{"one byte", "#", "a#b##", "#@2 #@4 #@5"},
		{"two bytes", "hf", "xhf ahF", "hf@3 hf@7"},
		{"two bytes at the end", "hf|abcde", "hf", "hf@2"},
		{"short and long", "a|abcdef", "abcdef", "a@1 abcdef@6"},
		{"twice the same", "tok|tok", "tok", "tok@3 tok@3"},
		{"empty text", "tok", "", ""},
		{"empty word", "|tok", "a tok", "tok@5"},
		{"zero bytes", "tok", "\x00tok\x00", "tok@4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			words := strings.Split(tt.words, "|")
			got := strings.Join(all(automaton.NewKeywords(words), words, tt.text), " ")
			if got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

func TestKeywordsOfNone(t *testing.T) {
	if found := all(automaton.NewKeywords(nil), nil, "text"); found != nil {
		t.Errorf("found %q", found)
	}
}

func TestKeywordsOfAllBytes(t *testing.T) {
	var words []string
	for c := range 256 {
		words = append(words, string([]byte{byte(c), 'x', byte(255 - c)}))
	}
	text := strings.Join(words, "")
	if got, want := all(automaton.NewKeywords(words), words, text), slow(words, text); !slices.Equal(got, want) {
		t.Errorf("found %d, want %d", len(got), len(want))
	}
}

func FuzzKeywords(f *testing.F) {
	f.Add("glpat-|sk-|sk-ant", "glPAT-sk-ant-sk")
	f.Add("a|ab|abc|bc|c", "aabcabbcabc")
	f.Add("aaaa|aab", "aaaaaabaaab")
	f.Fuzz(func(t *testing.T, list, text string) {
		if len(list) > 200 || len(text) > 200 {
			return
		}
		words := strings.Split(list, "|")
		if got, want := all(automaton.NewKeywords(words), words, text), slow(words, text); !slices.Equal(got, want) {
			t.Errorf("%q in %q: found %q, want %q", words, text, got, want)
		}
	})
}

func TestNextAllocatesNothing(t *testing.T) {
	k := automaton.NewKeywords([]string{"glpat-", "token"})
	text := []byte(strings.Repeat("a tok of a glpat-token ", 10))
	if n := testing.AllocsPerRun(100, func() {
		for i, state := 0, uint32(0); i < len(text); {
			_, i, state = k.Next(text, i, state)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkKeywords(b *testing.B) {
	words := strings.Fields(`glpat- gldt- glrt- npm_ pypi-ageichlwas sk-proj- sk-ant- hvs. hvb. sg. twilio dop_v1_ doo_v1_ dor_v1_ 8q~
		hf_ telegram discord shpat_ shpca_ sq0atp- key- dapi atatt3 lin_api_ glsa_ glc_ nrak- age-secret-key- dckr_pat_ .atlasv1.
		dp.pt. pul- pmak- fastly cloudflare`)
	k := automaton.NewKeywords(words)
	for name, text := range map[string][]byte{
		"assets": corpus.Assets(1400, 1), "prose": corpus.Prose(1<<20, 1), "hints": corpus.Hints(1<<20, 1),
		"starts": bytes.Repeat([]byte("glpat sk-pro hvs shpat dap lin_ "), 32<<10),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				for i, state := 0, uint32(0); i < len(text); {
					_, i, state = k.Next(text, i, state)
				}
			}
		})
	}
}
