//go:build !race

// The race detector allocates on its own.

package policy_test

import "testing"

func TestDecisionFromCacheAllocatesNothing(t *testing.T) {
	p := put(t, busyDocument(false), nil)
	spec := toolSpec("get_asset")
	p.Bind(spec, analyst)
	if got := testing.AllocsPerRun(1000, func() { p.Decide(spec, analyst) }); got != 0 {
		t.Errorf("a decision allocates %v times, want 0", got)
	}
	if got := testing.AllocsPerRun(1000, func() { p.Bind(spec, analyst) }); got != 0 {
		t.Errorf("a binding allocates %v times, want 0", got)
	}
}

func TestCheckAllocatesAtMost4Times(t *testing.T) {
	p := put(t, busyDocument(true), nil)
	info := callOf(toolSpec("get_asset"), analyst, threeArguments)
	access := p.Bind(info.Spec, info.Principal)
	got := testing.AllocsPerRun(1000, func() {
		if _, err := access.Check(t.Context(), info); err != nil {
			t.Fatal(err)
		}
	})
	if got > 4 {
		t.Errorf("a check allocates %v times, want at most 4", got)
	}
}
