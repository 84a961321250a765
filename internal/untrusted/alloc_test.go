package untrusted_test

import (
	"testing"

	"github.com/cloudg/mcplayer/internal/untrusted"
)

func TestAllocations(t *testing.T) {
	d := detector(t, nil)
	dst := make([]byte, 0, 128<<10)
	for name, s := range prose {
		text := []byte(s)
		cases := map[string]func(){
			"StripBytes":      func() { untrusted.StripBytes(dst, text) },
			"Suspicious":      func() { d.Suspicious(s) },
			"SuspiciousBytes": func() { d.SuspiciousBytes(text) },
			"Needs":           func() { d.Needs(s) },
			"Scan":            func() { untrusted.Scan(text) },
			"Cut":             func() { untrusted.Cut(s, len(s)) },
			"Unfence":         func() { untrusted.Unfence(s) },
		}
		if name != "hidden" {
			cases["Strip"] = func() { untrusted.Strip(s) }
		}
		for what, f := range cases {
			if n := testing.AllocsPerRun(3, f); n != 0 {
				t.Errorf("%s of %s: %v allocations", what, name, n)
			}
		}
	}
	for what, f := range map[string]func(){
		"Suspicious of an attack": func() { d.Suspicious(example) },
		"Fence of a fence":        func() { untrusted.Fence("⟦untrusted⟧ a ⟦/untrusted⟧") },
	} {
		if n := testing.AllocsPerRun(3, f); n != 0 {
			t.Errorf("%s: %v allocations", what, n)
		}
	}
}
