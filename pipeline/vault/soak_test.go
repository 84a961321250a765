//go:build soak

package vault_test

import (
	"fmt"
	"hash/maphash"
	"testing"

	"github.com/cloudg/mcplayer/pipeline/vault"
)

// TestSoakCollisions issues 5 million names: the counter tells how many of the
// first derived were taken.
func TestSoakCollisions(t *testing.T) {
	const n = 5_000_000
	v := open(t, vault.Options{MaxEntries: n})
	seed := maphash.MakeSeed()
	first := make(map[uint64]struct{}, n)
	var want uint64
	var dst, value []byte
	for i := range n {
		value = fmt.Appendf(value[:0], "web-%d", i)
		hash := maphash.Bytes(seed, v.FirstName(value))
		if _, ok := first[hash]; ok {
			want++
		}
		out, ok := v.AppendPseudonym(dst[:0], "", "resource_name", value)
		if !ok {
			t.Fatalf("no name for %s", value)
		}
		first[maphash.Bytes(seed, out)] = struct{}{}
		dst = out
	}
	if len(first) != n || v.Stats().Entries != n {
		t.Errorf("%d distinct names of %d", len(first), n)
	}
	if got := v.Stats().Collisions; got != want || got == 0 {
		t.Errorf("%d collisions are counted, there were %d", got, want)
	}
}
