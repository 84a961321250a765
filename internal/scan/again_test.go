package scan_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/scan"
)

// What redaction puts in place of a finding.
var replacements = map[string]func(m scan.Match, value string) string{
	"redact": func(m scan.Match, _ string) string { return "[REDACTED:" + m.Entity.String() + "]" },
	"hash":   func(m scan.Match, _ string) string { return m.Entity.String() + ":0a1b2c3d4e5f" },
	"mask": func(_ scan.Match, value string) string {
		keep := 4
		if len(value) < 8 {
			keep = len(value) / 4
		}
		if len(value) <= 4 {
			keep = 0
		}
		return strings.Repeat("*", len(value)-keep) + value[len(value)-keep:]
	},
	"mask both ends": func(_ scan.Match, value string) string {
		if len(value) < 12 {
			return strings.Repeat("*", len(value))
		}
		return value[:4] + strings.Repeat("*", len(value)-8) + value[len(value)-4:]
	},
}

// TestNothingIsFoundAgain: what redaction leaves of secrets is clean.
func TestNothingIsFoundAgain(t *testing.T) {
	for name, replace := range replacements {
		for detector, list := range cases {
			for _, marked := range list {
				once := replaced(secretsOnly(), plainText(marked), replace)
				if twice := replaced(secretsOnly(), once, replace); twice != once {
					t.Errorf("%s, %s: %q becomes %q", name, detector, once, twice)
				}
			}
		}
	}
}

// TestPlaceholdersAreNotFound by any detector.
func TestPlaceholdersAreNotFound(t *testing.T) {
	for detector, list := range cases {
		for _, marked := range list {
			once := replaced(everything(), plainText(marked), replacements["redact"])
			for _, m := range everything().Append(nil, []byte(once)) {
				if strings.Contains(once[m.Start:m.End], "REDACTED") {
					t.Errorf("%s: %q in %q", detector, once[m.Start:m.End], once)
				}
			}
		}
	}
}

func replaced(engine *scan.Engine, text string, replace func(scan.Match, string) string) string {
	var out strings.Builder
	from := 0
	for _, m := range engine.Append(nil, []byte(text)) {
		out.WriteString(text[from:m.Start] + replace(m, text[m.Start:m.End]))
		from = m.End
	}
	return out.String() + text[from:]
}
