package scan_test

import (
	"testing"

	"github.com/cloudg/mcplayer/internal/scan"
)

func TestScrub(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing", "call of ada@example.com at 10.0.0.1", "call of ada@example.com at 10.0.0.1"},
		{"empty", "", ""},
		{"a short word", "get_Asset_2", "get_Asset_2"},
		{"a secret", "password=hunter22 x", "password=[REDACTED:secret_value] x"},
		{"a credential", "AK" + "IAQ3EGRTYU7IOPASD2.", "[REDACTED:aws_access_key_id]."},
		{"two", "https://u:p4ss@h/ Bearer abcdef1234567890", "https://u:[REDACTED:password]@h/ Bearer [REDACTED:authorization_header]"},
		{"percent-encoding", "db://x/password%3Dhunter22", "[REDACTED:secret_value]"},
		{"invisible characters", "pass\u200bword=hunter22", "[REDACTED:secret_value]"},
		{"encoded twice", "db://x/password%253Dhunter22", "[REDACTED:secret_value]"},
		{"both", "db://x/pass%E2%80%8Bword%3dhunter22", "[REDACTED:secret_value]"},
		{"harmless percent-encoding", "db://x/a%20b%3Dc%zz%", "db://x/a%20b%3Dc%zz%"},
		{"its own output", "password=[REDACTED:secret_value] x", "password=[REDACTED:secret_value] x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := scan.Scrub(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestScrubTwice: what Scrub leaves is clean.
func TestScrubTwice(t *testing.T) {
	for name, list := range cases {
		for _, marked := range list {
			once := scan.Scrub(plainText(marked))
			if twice := scan.Scrub(once); twice != once {
				t.Errorf("%s: %q becomes %q", name, once, twice)
			}
		}
	}
}

// TestShortWordsHoldNoSecret: the parts of all cases that Scrub does not look at, and
// words of their first bytes.
func TestShortWordsHoldNoSecret(t *testing.T) {
	detectors := scan.Detectors()
	engine := scan.New(func(k scan.Kind, _ scan.Entity) bool { return k.IsSecret() || detectors[k].Category == "credential" })
	words := 0
	for name, list := range cases {
		for _, marked := range list {
			text := plainText(marked)
			for i := range len(text) {
				for end := i + 1; end <= len(text) && scan.IsShortWord(text[i:end]); end++ {
					words++
					if found := engine.Append(nil, []byte(text[i:end])); len(found) > 0 {
						t.Errorf("%s: %q holds %v", name, text[i:end], found)
					}
				}
			}
		}
	}
	if words < 1000 {
		t.Errorf("only %d words were looked at", words)
	}
}
