package glob_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/glob"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		pattern, name string
		want          bool
	}{
		{"get_asset", "get_asset", true},
		{"get_asset", "get_assets", false},
		{"get_asset", "Get_asset", false},
		{"get_*", "get_asset", true},
		{"get_*", "get_", true},
		{"get_*", "forget_me", false},
		{"*", "", true},
		{"*", "cloudg://a/b", true},
		{"cloudg://*/summary", "cloudg://datasets/x/y/summary", true},
		{"cloudg://*/summary", "cloudg://summary", false},
		{"*_asset*", "get_assets", true},
		{"a*b*c", "aXbYbZc", true},
		{"a*b*c", "aXbYbZ", false},
		{"?x", "éx", true},
		{"?x", "x", false},
		{"[abc]1", "b1", true},
		{"[abc]1", "d1", false},
		{"[!abc]1", "d1", true},
		{"[!abc]1", "a1", false},
		{"[a-c]?", "bz", true},
		{"[a-]", "-", true},
		{"a**b", "ab", true},
		{"*a", strings.Repeat("a", 50) + "b", false},
		{"é*", "éa", true},
	}
	for _, tt := range tests {
		p, err := glob.Compile(tt.pattern)
		if err != nil {
			t.Errorf("Compile(%q): %v", tt.pattern, err)
			continue
		}
		if got := p.Match(tt.name); got != tt.want {
			t.Errorf("%q matches %q: %t, want %t", tt.pattern, tt.name, got, tt.want)
		}
	}
}

func TestBadPatterns(t *testing.T) {
	tests := []struct{ pattern, want string }{
		{"", `pattern "" is empty`},
		{"a[", `pattern "a[": the bracket at "[" is not closed`},
		{"a[]", `pattern "a[]": the brackets "[]" are empty`},
		{"[!]", `pattern "[!]": the brackets "[!]" are empty`},
		{"[z-a]", `pattern "[z-a]": the range z-a runs backwards`},
	}
	for _, tt := range tests {
		if _, err := glob.Compile(tt.pattern); err == nil || err.Error() != tt.want {
			t.Errorf("Compile(%q): %v, want %s", tt.pattern, err, tt.want)
		}
	}
	_, err := glob.CompileList([]string{"ok", "[", "!"})
	if want := `pattern "[": the bracket at "[" is not closed; pattern "" is empty`; err == nil || err.Error() != want {
		t.Errorf("CompileList: %v, want %s", err, want)
	}
}

func TestList(t *testing.T) {
	tests := []struct {
		name     string
		patterns []string
		match    []string
		miss     []string
	}{
		{"one", []string{"get_*"}, []string{"get_a"}, []string{"set_a"}},
		{"exclusion wins", []string{"get_*", "!get_secret"}, []string{"get_a"}, []string{"get_secret"}},
		{"order does not matter", []string{"!get_secret", "get_*"}, []string{"get_a"}, []string{"get_secret"}},
		{"exclusions alone", []string{"!x"}, nil, []string{"x", "y"}},
		{"empty", nil, nil, []string{"x", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, err := glob.CompileList(tt.patterns)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range tt.match {
				if !l.Match(name) {
					t.Errorf("%q does not match", name)
				}
			}
			for _, name := range tt.miss {
				if l.Match(name) {
					t.Errorf("%q matches", name)
				}
			}
		})
	}
	var none *glob.List
	if none.Match("x") {
		t.Error("a nil list matches")
	}
}
