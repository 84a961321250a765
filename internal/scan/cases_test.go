package scan_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/scan"
)

// A case is a text in which « and » stand around what one detector finds. A broken bar
// is left out: it keeps made-up credentials from looking like real ones.
var cases = collect(secretCases, tokenCases, identifierCases, networkCases, personCases)

func collect(parts ...map[string][]string) map[string][]string {
	all := map[string][]string{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}

// only returns an engine of one detector.
func only(name string) *scan.Engine {
	detectors := scan.Detectors()
	return scan.New(func(k scan.Kind, _ scan.Entity) bool { return detectors[k].Name == name })
}

func TestCases(t *testing.T) {
	for name, list := range cases {
		engine := only(name)
		for _, marked := range list {
			t.Run(name+"/"+marked, func(t *testing.T) {
				text, want := plainText(marked), strings.ReplaceAll(marked, "¦", "")
				if got := markFindings(text, engine.Append(nil, []byte(text))); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			})
		}
	}
}

// TestCasesSuffice keeps a dozen cases of either kind for each detector.
func TestCasesSuffice(t *testing.T) {
	for _, d := range scan.Detectors() {
		with := 0
		for _, marked := range cases[d.Name] {
			if strings.Contains(marked, "«") {
				with++
			}
		}
		if without := len(cases[d.Name]) - with; with < 12 || without < 12 {
			t.Errorf("%s: %d cases with findings, %d without; want 12 of each", d.Name, with, without)
		}
	}
}

// TestCasesTogether runs all detectors over all cases: what settles overlaps finds no
// two that overlap, and a secret is never lost to something else.
func TestCasesTogether(t *testing.T) {
	detectors := scan.Detectors()
	engine := everything()
	for name, list := range cases {
		for _, marked := range list {
			text := plainText(marked)
			found := engine.Append(nil, []byte(text))
			for i := 1; i < len(found); i++ {
				if found[i].Start < found[i-1].End {
					t.Errorf("%q: %v overlaps %v", text, found[i], found[i-1])
				}
			}
			for _, m := range only(name).Append(nil, []byte(text)) {
				if detectors[m.Kind].Category == "secret" && !covered(found, m) {
					t.Errorf("%q: nothing at the secret %q", text, text[m.Start:m.End])
				}
			}
		}
	}
}

func covered(found []scan.Match, m scan.Match) bool {
	for _, f := range found {
		if f.Secret && f.Start < m.End && m.Start < f.End {
			return true
		}
	}
	return false
}

func plainText(marked string) string {
	return strings.NewReplacer("«", "", "»", "", "¦", "").Replace(marked)
}

func markFindings(text string, found []scan.Match) string {
	var out strings.Builder
	from := 0
	for _, m := range found {
		out.WriteString(text[from:m.Start] + "«" + text[m.Start:m.End] + "»")
		from = m.End
	}
	return out.String() + text[from:]
}
