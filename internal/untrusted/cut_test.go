package untrusted_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cloudg/mcplayer/internal/untrusted"
)

func TestCut(t *testing.T) {
	family := "👨‍👩‍👧" // 5 code points
	for name, c := range map[string]struct {
		in    string
		limit int
		want  string
		cut   int
	}{
		"short":              {"abc", 5, "abc", 0},
		"exact":              {"abcde", 5, "abcde", 0},
		"one more":           {"abcdef", 5, "abcde… [+1 chars]", 1},
		"many":               {strings.Repeat("x", 2345), 2000, strings.Repeat("x", 2000) + "… [+345 chars]", 345},
		"no limit":           {"abcdef", 0, "abcdef", 0},
		"code points":        {"äöüß", 4, "äöüß", 0},
		"between them":       {"äöüßé", 3, "äöü… [+2 chars]", 2},
		"own ending":         {"abcde… [+7 chars]", 5, "abcde… [+7 chars]", 0},
		"own, datamarked":    {"a^c^e…^[+7^chars]", 5, "a^c^e…^[+7^chars]", 0},
		"forged zero":        {"abcde… [+07 chars]", 5, "abcde… [+13 chars]", 13},
		"forged in front":    {"abcdef… [+7 chars]", 5, "abcde… [+13 chars]", 13},
		"mixed ending":       {"abcde… [+7^chars]", 5, "abcde… [+12 chars]", 12},
		"only an ending":     {"… [+7 chars]", 5, "… [+7 chars]", 0},
		"in a fence":         {"⟦untrusted⟧ abcdef ⟦/untrusted⟧", 5, "⟦untrusted⟧ abcde… [+1 chars] ⟦/untrusted⟧", 1},
		"short in a fence":   {"⟦untrusted⟧ abcde ⟦/untrusted⟧", 5, "⟦untrusted⟧ abcde ⟦/untrusted⟧", 0},
		"ending in a fence":  {"⟦untrusted⟧ abcde… [+1 chars] ⟦/untrusted⟧", 5, "⟦untrusted⟧ abcde… [+1 chars] ⟦/untrusted⟧", 0},
		"redacted":           {untrusted.RedactedInjection, 5, untrusted.RedactedInjection, 0},
		"before an emoji":    {"ab" + family + "c", 4, "ab… [+6 chars]", 6},
		"behind an emoji":    {"ab" + family + "c", 7, "ab" + family + "… [+1 chars]", 1},
		"first too long":     {family + "c", 2, "… [+6 chars]", 6},
		"flags":              {"🇩🇪🇫🇷🇮🇹", 3, "🇩🇪… [+4 chars]", 4},
		"keycap":             {"a1️⃣", 2, "a… [+3 chars]", 3},
		"skin tone":          {"👍🏽👍🏽", 3, "👍🏽… [+2 chars]", 2},
		"flag of England":    {"x🏴" + tags("gbeng") + cancelTag, 5, "x… [+7 chars]", 7},
		"accents":            {"e\u0301e\u0301", 3, "e\u0301… [+2 chars]", 2},
		"Hangul":             {"\u1112\u1161\u11ab\u1100", 2, "… [+4 chars]", 4},
		"conjunct":           {"कक्षा", 3, "क… [+4 chars]", 4},
		"behind a joiner":    {"می\u200cخواهم", 3, "م… [+7 chars]", 7},
		"CR LF":              {"a\r\nb", 2, "a… [+3 chars]", 3},
		"all marks":          {"e" + strings.Repeat("\u0301", 200), 100, "e" + strings.Repeat("\u0301", 99) + "… [+101 chars]", 101},
		"no UTF-8, one by 1": {"\xff\xff\xff", 2, "\xff\xff… [+1 chars]", 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got, cut := untrusted.Cut(c.in, c.limit); got != c.want || cut != c.cut {
				t.Errorf("Cut(%+q, %d) = %+q, %d; want %+q, %d", c.in, c.limit, got, cut, c.want, c.cut)
			}
			if again, cut := untrusted.Cut(c.want, c.limit); again != c.want || cut != 0 {
				t.Errorf("Cut(%+q, %d) = %+q, %d; want no change", c.want, c.limit, again, cut)
			}
		})
	}
}

func FuzzCut(f *testing.F) {
	f.Add("ab👨‍👩‍👧c", 4)
	f.Add("⟦untrusted⟧ abcdef ⟦/untrusted⟧", 5)
	f.Add("می\u200cخواهم", 3)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = limit%300 + 300
		if len(s) > 1000 {
			limit += len(s) / 3
		}
		for _, limit := range []int{limit, limit % 10} {
			out, cut := untrusted.Cut(s, limit)
			if again, n := untrusted.Cut(out, limit); again != out || n != 0 {
				t.Fatalf("Cut(%+q, %d) = %+q, then %+q", s, limit, out, again)
			}
			if cut == 0 && out != s {
				t.Fatalf("Cut(%+q, %d) = %+q without a cut", s, limit, out)
			}
			if utf8.ValidString(s) != utf8.ValidString(out) && utf8.ValidString(s) {
				t.Fatalf("Cut(%+q, %d) = %+q is not UTF-8", s, limit, out)
			}
			// What Strip let stay must not lose what it stands with.
			plain, _ := untrusted.Strip(s)
			out, _ = untrusted.Cut(plain, limit)
			if again, n := untrusted.Strip(out); n != 0 {
				t.Fatalf("Cut(%+q, %d) = %+q, stripped to %+q", plain, limit, out, again)
			}
		}
	})
}
