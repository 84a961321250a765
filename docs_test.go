package mcplayer_test

import (
	"os"
	"regexp"
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
