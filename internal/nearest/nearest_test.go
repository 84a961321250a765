package nearest_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/nearest"
)

func TestName(t *testing.T) {
	known := []string{"deny_tools", "deny_prompts", "match"}
	for _, tt := range []struct{ name, given, want string }{
		{"the same", "match", "match"},
		{"another convention", "denyTools", "deny_tools"},
		{"hyphens", "deny-prompts", "deny_prompts"},
		{"a letter less", "deny_tool", "deny_tools"},
		{"swapped neighbours", "macth", "match"},
		{"too far", "denials", ""},
		{"nothing like it", "x", ""},
		{"too long", strings.Repeat("m", 65), ""},
		{"empty", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := nearest.Name(tt.given, known); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
