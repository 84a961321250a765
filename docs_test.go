package mcplayer_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var testName = regexp.MustCompile(`\bTest[A-Z]\w*`)

// TestLimitationsAreShown looks for the tests that LIMITATIONS.md names.
func TestLimitationsAreShown(t *testing.T) {
	doc, err := os.ReadFile("LIMITATIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	named := testName.FindAllString(string(doc), -1)
	if len(named) == 0 {
		t.Error("LIMITATIONS.md names no test")
	}
	tests := map[string]bool{}
	for _, p := range readModule(t) {
		for _, f := range p.files {
			for _, name := range f.funcs {
				tests[name] = f.test || tests[name]
			}
		}
	}
	for _, name := range named {
		if !tests[name] {
			t.Errorf("LIMITATIONS.md names %s, which no file has", name)
		}
	}
}

// TestReadmeSnippetIsTheExample looks for each line of the README's first snippet
// in the example that is run.
func TestReadmeSnippetIsTheExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```go\n")
	snippet, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("README.md has no snippet")
	}
	for line := range strings.Lines(snippet) {
		if !strings.Contains(string(example), line) {
			t.Errorf("the example has no line %q", line)
		}
	}
}
