package detect_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/detect"
)

// plainly returns what each pattern finds where it runs over the whole text once one
// of the hints, if there are any, occurs.
func plainly(rules []detect.Rule, text string) (found []string) {
	for _, r := range rules {
		if len(r.Hints) > 0 && !slices.ContainsFunc(r.Hints, func(h string) bool { return strings.Contains(folded(text), folded(h)) }) {
			continue
		}
		pattern := r.Pattern
		if r.Flags != "" {
			pattern = "(?" + r.Flags + ")" + pattern
		}
		re := regexp.MustCompile(pattern)
		for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
			if start, end := m[2*r.Group], m[2*r.Group+1]; start < end {
				found = append(found, fmt.Sprintf("%s %d-%d", r.Name, start, end))
			}
		}
	}
	slices.Sort(found)
	return found
}

// folded changes ASCII letters only, in invalid UTF-8 too.
func folded(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

func checkPlain(t *testing.T, rules []detect.Rule, text string) {
	t.Helper()
	s, err := detect.NewRuleSet(rules, nil, 0)
	if err != nil {
		return
	}
	var got []string
	for _, f := range s.Append(nil, []byte(text)) {
		got = append(got, fmt.Sprintf("%s %d-%d", f.Detector.Name, f.Start, f.End))
	}
	slices.Sort(got)
	if want := plainly(rules, text); !slices.Equal(got, want) {
		t.Errorf("%+v in %q:\nfound %q\nwant  %q", rules, text, got, want)
	}
}

// FuzzRule compares one rule of any pattern with the pattern alone.
func FuzzRule(f *testing.F) {
	f.Add(`abc\d{1,3}`, "", "", "abc1 xabc22 abcabc333")
	f.Add(`\b[^a]{1,4}abc\b`, "i", "", "éééABC xabc\xff\xff\xffabc")
	f.Add(`(?:ab|cd)+ef.?$`, "m", "ef", "ababef\ncdef ")
	f.Add(`x{2,4}(?:key|tok){2}y*`, "s", "ok", "xxxkeytokyy xxtoktok")
	f.Add(`^.{0,3}abc|abd.{2}\B`, "s", "ab", "..abc abd..abd")
	f.Add(`(?:tok|\d)\w?`, "", "", "tok1 2")
	f.Fuzz(func(t *testing.T, pattern, flags, hint, text string) {
		if len(pattern) > 40 || len(text) > 200 || strings.ContainsAny(text, "\u212a\u017f\u0130") {
			return
		}
		r := detect.Rule{Name: "x", Pattern: pattern, Flags: flags}
		if hint != "" {
			r.Hints = []string{hint}
		}
		checkPlain(t, []detect.Rule{r}, text)
	})
}

// FuzzRules compares rules whose regions overlap with their patterns alone.
func FuzzRules(f *testing.F) {
	rules := []detect.Rule{
		{Name: "bounded", Pattern: `\bab-[a-c]{2,5}`},
		{Name: "around", Pattern: `[^b]{1,3}ab-(c+?)[^c]`, Group: 1, Flags: "i"},
		{Name: "lines", Pattern: `^ab|bc-$`, Flags: "m"},
		{Name: "hint", Pattern: `\bc{2}\b`, Hints: []string{"ab-"}},
		{Name: "everywhere", Pattern: `\d\d`},
		{Name: "text", Pattern: `\A.?abc|abc.?\z`, Flags: "s"},
		{Name: "repeated", Pattern: `(?:abc){2,3}`},
		{Name: "unbounded", Pattern: `b+ab-`},
	}
	f.Add("ab-abc ab-c xab-ccd\nab 11 abcabcabcabc-\nbbab- cc")
	f.Add("éab-cé\xffab-c")
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.ContainsAny(text, "\u212a\u017f\u0130") {
			checkPlain(t, rules, text)
		}
	})
}
