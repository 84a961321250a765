package policy_test

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cloudg/mcplayer/policy"
)

// shop is a store with its own clock.
type shop struct {
	*policy.MemoryStore
	t   testing.TB
	now time.Time
}

func newShop(t testing.TB, buckets int) *shop {
	t.Helper()
	store, err := policy.NewMemoryStore(&policy.MemoryStoreOptions{MaxBuckets: buckets})
	if err != nil {
		t.Fatal(err)
	}
	return &shop{store, t, time.Date(2026, 10, 8, 12, 0, 0, 0, time.UTC)}
}

// take takes from buckets and tells what came.
func (s *shop) take(buckets ...policy.Bucket) string {
	s.t.Helper()
	got, err := s.Take(s.t.Context(), s.now, buckets)
	switch {
	case err != nil:
		return err.Error()
	case got.OK:
		return "ok"
	}
	return fmt.Sprintf("%d: %s", got.Empty, got.RetryAfter)
}

// drain counts the tokens that a bucket still has.
func (s *shop) drain(b policy.Bucket) (n int) {
	s.t.Helper()
	for s.take(b) == "ok" {
		n++
	}
	return n
}

func perMinute(limit, who string, rate, burst float64) policy.Bucket {
	return policy.Bucket{Limit: limit, Principal: who, Rate: rate / 60, Burst: burst}
}

func TestBucketStartsFullAndRefillsEvenly(t *testing.T) {
	s := newShop(t, 0)
	b := perMinute("l", "p", 2, 2)
	for _, step := range []struct {
		after time.Duration
		want  string
	}{
		{0, "ok"},
		{0, "ok"},
		{0, "0: 30s"},
		{10 * time.Millisecond, "0: 29.99s"},
		{29*time.Second + 989*time.Millisecond, "0: 1ms"},
		{time.Millisecond, "ok"},
		{0, "0: 30s"},
		{time.Hour, "ok"},
		{0, "ok"},
		{0, "0: 30s"},
		{-time.Hour, "0: 1h0m30s"},
	} {
		s.now = s.now.Add(step.after)
		if got := s.take(b); got != step.want {
			t.Fatalf("after %s: %s, want %s", step.after, got, step.want)
		}
	}
}

// Sums of parts of tokens come to whole ones.
func TestPartsOfTokensAddUp(t *testing.T) {
	for _, rate := range []float64{3, 7, 10, 30, 240, 1000} {
		s := newShop(t, 0)
		b := policy.Bucket{Limit: "l", Rate: rate, Burst: rate}
		if got := s.drain(b); got != int(rate) {
			t.Fatalf("%v/s: starts with %d", rate, got)
		}
		for range 10 {
			s.now = s.now.Add(100 * time.Millisecond)
			s.take(b, perMinute("empty", "", 1e-9, 1)) // once ok, then refused: looks, and takes nothing
		}
		if got, want := s.drain(b), int(rate)-1; got != want {
			t.Errorf("%v/s: %d after a second, want %d", rate, got, want)
		}
	}
}

func TestARefusedCallCostsNothing(t *testing.T) {
	s := newShop(t, 0)
	full, small, slow := perMinute("full", "", 60, 5), perMinute("small", "", 60, 1), perMinute("slow", "", 1, 1)
	for _, step := range []struct {
		want    string
		buckets []policy.Bucket
	}{
		{"ok", []policy.Bucket{full, small}},
		{"1: 1s", []policy.Bucket{full, small}},
		{"0: 1s", []policy.Bucket{small, full}},
		{"ok", []policy.Bucket{slow}},
		{"2: 1m0s", []policy.Bucket{full, small, slow}},
		{"0: 1m0s", []policy.Bucket{slow, full, small}},
	} {
		if got := s.take(step.buckets...); got != step.want {
			t.Fatalf("%v: %s, want %s", step.buckets, got, step.want)
		}
	}
	if got := s.drain(full); got != 4 {
		t.Errorf("the full bucket has %d tokens, want 4", got)
	}
}

// Many at once get exactly what there is, and who is refused takes nothing elsewhere.
func TestManyAtOnceGetExactlyWhatThereIs(t *testing.T) {
	s := newShop(t, 0)
	scarce, plenty := perMinute("scarce", "", 1, 100), perMinute("plenty", "", 1, 1000)
	var admitted atomic.Int64
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for range 50 {
				if got, err := s.Take(t.Context(), s.now, []policy.Bucket{plenty, scarce}); err == nil && got.OK {
					admitted.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if got := admitted.Load(); got != 100 {
		t.Errorf("%d admitted, want 100", got)
	}
	if got := s.drain(plenty); got != 900 {
		t.Errorf("the other bucket has %d tokens, want 900", got)
	}
}

func TestBucketsAreApart(t *testing.T) {
	s := newShop(t, 0)
	for _, b := range []policy.Bucket{
		{Limit: "a"},
		{Limit: "b"},
		{Limit: "a", Principal: "p"},
		{Limit: "a", Primitive: "p"},
		{Limit: "a", Principal: "p", Primitive: "p"},
	} {
		b.Rate, b.Burst = 1, 1
		if got := s.drain(b); got != 1 {
			t.Errorf("%+v had %d tokens, want 1", b, got)
		}
	}
}

func TestFullMap(t *testing.T) {
	s := newShop(t, 3)
	of := func(who string) policy.Bucket { return perMinute("l", who, 1, 2) }
	s.drain(of("exhausted"))
	s.drain(of("busy"))
	s.take(of("half")) // full again in a minute, before the others
	if got := s.drain(of("late 1")); got != 2 {
		t.Errorf("the shared bucket had %d tokens, want 2", got)
	}
	if got := s.take(of("late 2")); got == "ok" {
		t.Error("who comes new got a bucket of its own in a full map")
	}
	if got := s.take(perMinute("other", "late 2", 1, 1)); got != "ok" {
		t.Errorf("another limit's shared bucket: %s", got)
	}
	s.now = s.now.Add(59 * time.Second)
	if got := s.take(of("late 3")); got == "ok" {
		t.Error("a bucket was dropped that was not full")
	}
	s.now = s.now.Add(2 * time.Second)
	if got := s.drain(of("late 3")); got != 1 {
		t.Errorf("who came when there was room had %d tokens, want the 1 that the shared bucket had", got)
	}
	if got := s.drain(of("exhausted")); got != 1 {
		t.Errorf("the exhausted one had %d tokens, want the 1 that came back", got)
	}
	if got := s.Len(); got > 3+2 {
		t.Errorf("%d buckets", got)
	}
}

// A bucket of the same call is not what makes room for another.
func TestACallDoesNotDropItsOwnBuckets(t *testing.T) {
	s := newShop(t, 1)
	own, other := perMinute("own", "", 1, 5), perMinute("other", "", 1, 5)
	s.take(own)
	s.now = s.now.Add(time.Hour) // full again
	if got := s.take(own, other); got != "ok" {
		t.Fatal(got)
	}
	if got := s.drain(own); got != 4 {
		t.Errorf("%d tokens, want 4", got)
	}
}

// Shared buckets of limits that are no longer in force do not pile up.
func TestSharedBucketsAreBounded(t *testing.T) {
	s := newShop(t, 1)
	s.take(perMinute("first", "", 1e-6, 1))
	for i := range 1000 {
		s.now = s.now.Add(time.Minute)
		s.take(perMinute(fmt.Sprint("limit ", i), "", 60, 1))
	}
	if got := s.Len(); got > 66 {
		t.Errorf("%d buckets", got)
	}
}

func TestBadBuckets(t *testing.T) {
	s := newShop(t, 0)
	good := perMinute("good", "", 1, 1)
	for _, bad := range []policy.Bucket{{Limit: "x", Burst: 1}, {Limit: "x", Rate: 1}, {Limit: "x", Rate: math.NaN(), Burst: 1}, {Limit: "x", Rate: 1, Burst: math.NaN()}} {
		if got, want := s.take(good, bad), "policy: a bucket needs a positive rate and a burst of 1 or more"; got != want {
			t.Errorf("%+v: %s", bad, got)
		}
	}
	if got := s.drain(good); got != 1 {
		t.Errorf("the good one has %d tokens, want 1", got)
	}
	if _, err := policy.NewMemoryStore(&policy.MemoryStoreOptions{MaxBuckets: -1}); err == nil {
		t.Error("no error")
	} else {
		same(t, err.Error(), "policy: MemoryStoreOptions.MaxBuckets is -1; it must be positive, or 0 for 100000")
	}
}

// TestOverflowIsNoWayOut: who was let through in the bucket of all who found no room
// waits as long in a bucket of their own. One a minute, none saved up.
func TestOverflowIsNoWayOut(t *testing.T) {
	s, err := policy.NewMemoryStore(&policy.MemoryStoreOptions{MaxBuckets: 1})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for _, step := range []struct {
		who   string
		after time.Duration
		ok    bool
	}{{"a", 0, true}, {"k", 30 * time.Second, true}, {"k", 59 * time.Second, false}, {"k", 61 * time.Second, false}, {"k", 89 * time.Second, false}, {"k", 90 * time.Second, true}} {
		taken, err := s.Take(t.Context(), start.Add(step.after), []policy.Bucket{{Limit: "1/minute", Principal: step.who, Rate: 1.0 / 60, Burst: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if taken.OK != step.ok {
			t.Errorf("%s at %v: %v", step.who, step.after, taken.OK)
		}
	}
}
