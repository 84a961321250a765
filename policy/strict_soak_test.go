//go:build soak

package policy_test

import (
	"fmt"
	"testing"
)

func TestSoakStrictRoundTrip(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { strictRoundTrip(t, 50_000, 10+seed) })
	}
}

// TestSoakStrictLeaksNothing takes the document of 36 MB.
func TestSoakStrictLeaksNothing(t *testing.T) { strictLeaksNothing(t, 50_000) }
