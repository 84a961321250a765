//go:build soak

package policy_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/cloudg/mcplayer/policy"
)

// A million callers, of whom each comes once with two limits, stay within 64 MiB, and
// one that is exhausted stays so. The clock goes on by ten minutes meanwhile, so that
// buckets fill again and make room.
func TestSoakAMillionPrincipals(t *testing.T) {
	const principals = 1_000_000
	s := newShop(t, 0)
	exhausted := perMinute("slow", "exhausted", 1.0/60, 2) // one in an hour
	if got := s.drain(exhausted); got != 2 {
		t.Fatalf("%d tokens, want 2", got)
	}
	before := heap()
	admitted := 0
	for i := range principals {
		who := fmt.Sprint("principal ", i)
		s.now = s.now.Add(600 * time.Microsecond)
		if s.take(perMinute("fast", who, 60, 60), perMinute("slow", who, 60, 1)) == "ok" {
			admitted++
		}
		if i%10_000 == 0 && s.take(exhausted) == "ok" {
			t.Fatalf("after %d others the exhausted one is served", i)
		}
	}
	if got := s.Len(); got > policy.DefaultMaxBuckets+2 {
		t.Errorf("%d buckets", got)
	}
	grown := heap() - before
	if t.Logf("%d buckets, %d MiB", s.Len(), grown>>20); grown > 64<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	if admitted != principals {
		t.Errorf("%d of %d admitted, though buckets fill again in a second", admitted, principals)
	}
}

// While nobody's bucket is full again, those who come new share one.
func TestSoakAMillionPrincipalsAtOnce(t *testing.T) {
	const principals = 1_000_000
	s := newShop(t, 0)
	exhausted := perMinute("l", "exhausted", 1, 2)
	s.drain(exhausted)
	before := heap()
	admitted := 0
	for i := range principals {
		if s.take(perMinute("l", fmt.Sprint("principal ", i), 1, 2)) == "ok" {
			admitted++
		}
	}
	if want := policy.DefaultMaxBuckets - 1 + 2; admitted != want {
		t.Errorf("%d admitted, want %d: one each, and two of the shared bucket", admitted, want)
	}
	if s.take(exhausted) == "ok" {
		t.Error("the exhausted one is served")
	}
	grown := heap() - before
	if t.Logf("%d buckets, %d MiB", s.Len(), grown>>20); grown > 64<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
