package policy_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/cloudg/mcplayer/policy"
)

// A primitive that no layer has any more is forgotten: at once if nobody asked about it,
// with the document under which decisions are remembered otherwise.
func TestPrimitivesThatNobodyHoldsAreForgotten(t *testing.T) {
	p := put(t, &policy.Document{}, nil)
	kept := toolSpec("kept")
	if err := p.Admit(kept); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		spec := toolSpec(fmt.Sprint(i))
		if err := p.Admit(spec); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			p.Decide(spec, anyone)
		}
	}
	if got := admittedAfterGC(p, 51); got != 51 {
		t.Errorf("%d are known, want the 50 of which decisions are remembered and the one that is kept", got)
	}
	if err := p.Reload(&policy.Document{}); err != nil {
		t.Fatal(err)
	}
	if got := admittedAfterGC(p, 1); got != 1 {
		t.Errorf("%d are known after a reload, want the one that is kept", got)
	}
	runtime.KeepAlive(kept)
}

// admittedAfterGC collects garbage until a policy knows so many primitives, or it is
// of no use. Cleanups run on their own, a little later.
func admittedAfterGC(p *policy.Policy, want int) int {
	for range 1000 {
		runtime.GC()
		runtime.Gosched()
		if p.Admitted() <= want {
			break
		}
	}
	return p.Admitted()
}
