//go:build !race

package middleware_test

import (
	"testing"
	"time"
)

// TestStandardAllocations bounds a call with a result of 1 KB under the policy
// standard, with nothing around it.
func TestStandardAllocations(t *testing.T) {
	const most = 30
	for name, timeout := range map[string]time.Duration{"with the default timeout": 0, "without a timeout": -1} {
		got := testing.AllocsPerRun(200, caller(t, standardLayer(t, timeout)))
		t.Logf("%s: %v", name, got)
		if got > most {
			t.Errorf("%s: %v allocations, more than %v", name, got, most)
		}
	}
}
