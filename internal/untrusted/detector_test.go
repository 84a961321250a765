package untrusted_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/untrusted"
)

func detector(t testing.TB, o *untrusted.DetectorOptions) *untrusted.Detector {
	t.Helper()
	d, err := untrusted.NewDetector(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestAttacks(t *testing.T) {
	d := detector(t, nil)
	count := 0
	for want, texts := range attacks {
		count += len(texts)
		for _, s := range texts {
			if kind, ok := d.Suspicious(s); !ok || kind != want {
				t.Errorf("Suspicious(%q) = %q, %t; want %q", s, kind, ok, want)
			}
			if kind, ok := d.SuspiciousBytes([]byte(s)); !ok || kind != want {
				t.Errorf("SuspiciousBytes(%q) = %q, %t; want %q", s, kind, ok, want)
			}
			if kind, ok := d.Suspicious(untrusted.Fence(s)); want != "fence_mark" && (!ok || kind != want) {
				t.Errorf("Suspicious(Fence(%q)) = %q, %t; want %q", s, kind, ok, want)
			}
			if d.Needs(s)&untrusted.Hint == 0 {
				t.Errorf("Needs(%q) has no hint", s)
			}
		}
	}
	t.Logf("%d attacks", count)
}

func TestBenign(t *testing.T) {
	d := detector(t, nil)
	for _, s := range benign {
		for _, text := range []string{s, strings.ToUpper(s), "x " + s, s + ".", untrusted.Fence(s)} {
			// In capitals, two of them are tokens.
			token := strings.Contains(text, "[SYS]") || strings.Contains(text, "[INST]")
			if kind, ok := d.Suspicious(text); ok && !(kind == "chat_template" && token) {
				t.Errorf("Suspicious(%q) = %q; want nothing", text, kind)
			}
		}
	}
	all := strings.Join(benign, "\n\n")
	if kind, ok := d.Suspicious(strings.ReplaceAll(all, "\n# system\n", "")); ok {
		t.Errorf("together they are suspicious: %q", kind)
	}
	t.Logf("%d benign texts", len(benign))
}

func TestMinLength(t *testing.T) {
	for _, c := range []struct {
		min  int
		text string
		want bool
	}{
		{0, "</system>", false},
		{0, "</system>   ", true},
		{0, "</system>éé", false},
		{0, "</system>ééé", true},
		{1, "</system>", true},
		{9, "</system>", true},
		{10, "</system>", false},
		{100, example, false},
		{10, untrusted.Fence("</system>"), false},
		{9, untrusted.Fence("</system>"), true},
	} {
		d := detector(t, &untrusted.DetectorOptions{MinLength: c.min})
		if _, ok := d.Suspicious(c.text); ok != c.want {
			t.Errorf("min_length %d: Suspicious(%q) = %t; want %t", c.min, c.text, ok, c.want)
		}
	}
}

func TestExtraPatterns(t *testing.T) {
	d := detector(t, &untrusted.DetectorOptions{Patterns: []string{
		`(?i)open\s+sesame`, `\bXK-\d{4}\b`, `(?:alpha|beta) centauri`, `日本`, `(?i)a.?b`,
	}})
	for text, want := range map[string]string{
		"please open  SESAME now":        `(?i)open\s+sesame`,
		"please ореn ѕеѕаmе now":         `(?i)open\s+sesame`,
		"please o\u200bpen\u00a0sesame!": `(?i)open\s+sesame`,
		"the code is XK-1234.":           `\bXK-\d{4}\b`,
		"the code is xk-1234.":           "",
		"from alpha centauri":            `(?:alpha|beta) centauri`,
		"from gamma centauri":            "",
		"greetings from 日本, with love":   `日本`,
		"xx AxB yy zz ww vv":             `(?i)a.?b`,
	} {
		kind, ok := d.Suspicious(text)
		if want != "" {
			want = "extra_pattern:" + want
		}
		if kind != want || ok != (want != "") {
			t.Errorf("Suspicious(%q) = %q, %t; want %q", text, kind, ok, want)
		}
	}
}

func TestDetectorErrors(t *testing.T) {
	for want, o := range map[string]untrusted.DetectorOptions{
		"extra_patterns \"a(\": ":   {Patterns: []string{"fine", "a("}},
		"extra_patterns \"x*\": it": {Patterns: []string{"x*"}},
		"min_length -1 ":            {MinLength: -1},
		"extra_patterns: 101 ":      {Patterns: slices.Repeat([]string{"abc"}, 101)},
	} {
		if _, err := untrusted.NewDetector(&o); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("NewDetector(%+v): %v; want %q...", o, err, want)
		}
	}
}

// TestDisguises hides every attack in the same ways.
func TestDisguises(t *testing.T) {
	d := detector(t, nil)
	for name, disguise := range map[string]func(string) string{
		"zero width":     func(s string) string { return apart(s, "\u200b") },
		"word joiners":   func(s string) string { return apart(s, "\u2060\ufe0f") },
		"tags":           func(s string) string { return apart(s, tags("x")) },
		"capitals":       strings.ToUpper,
		"no-break space": func(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") },
		"wide spaces":    func(s string) string { return strings.ReplaceAll(s, " ", " \u3000") },
		"mathematical":   math,
		"Cyrillic":       strings.NewReplacer("a", "а", "e", "е", "o", "о", "p", "р", "c", "с", "y", "у", "x", "х", "i", "і", "s", "ѕ").Replace,
		"Greek":          strings.NewReplacer("o", "ο", "i", "ι", "v", "ν", "u", "υ", "a", "α").Replace,
		"accents":        strings.NewReplacer("o", "ö", "i", "í", "e", "ê", "u", "ů", "a", "å", "n", "ñ").Replace,
		"marks":          func(s string) string { return strings.ReplaceAll(s, "e", "e\u0335\u0301") },
		"in Markdown":    func(s string) string { return "- item\n- " + s + "\n- item" },
		"in HTML":        func(s string) string { return "<div><p>" + s + "</p></div>" },
		"in JSON":        func(s string) string { return `{"note": "` + s + `", "n": 1}` },
		"after prose":    func(s string) string { return strings.Repeat("All is well today. ", 30) + s },
	} {
		t.Run(name, func(t *testing.T) {
			missed := 0
			for kind, texts := range attacks {
				for _, s := range texts {
					// A heading needs its line, a tag its letters.
					if kind == "system_heading" && (strings.HasPrefix(name, "in ") || name == "after prose") ||
						strings.ContainsAny(s, "&") && name != "no-break space" {
						continue
					}
					if _, ok := d.Suspicious(disguise(s)); !ok {
						t.Logf("%s: %q", kind, s)
						missed++
					}
				}
			}
			if missed > 0 {
				t.Errorf("%d missed", missed)
			}
		})
	}
}
