package policy

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// DefaultMaxBuckets is how many buckets a [MemoryStore] keeps.
const DefaultMaxBuckets = 100_000

// MemoryStoreOptions configure a [MemoryStore]; nil means the defaults.
type MemoryStoreOptions struct {
	// MaxBuckets bounds the buckets. 0 means [DefaultMaxBuckets]; a negative value is an
	// error.
	MaxBuckets int
}

// MemoryStore keeps buckets in the process. It is bounded: a bucket that is full
// again makes room for another; while none is, all who come new to a limit share
// one bucket of it. So a bucket in use is never reset.
//
// It is safe for concurrent use and needs no closing.
type MemoryStore struct {
	max int

	mu       sync.Mutex // guards what follows
	start    time.Time  // of the first call: times are counted from there
	buckets  map[bucketKey]*bucket
	byFull   bucketHeap
	overflow map[string]*bucket // by limit
}

// NewMemoryStore returns an empty store.
func NewMemoryStore(o *MemoryStoreOptions) (*MemoryStore, error) {
	s := &MemoryStore{max: DefaultMaxBuckets, buckets: map[bucketKey]*bucket{}, overflow: map[string]*bucket{}}
	if o == nil || o.MaxBuckets == 0 {
		return s, nil
	}
	if o.MaxBuckets < 0 {
		return nil, fmt.Errorf("policy: MemoryStoreOptions.MaxBuckets is %d; it must be positive, or 0 for %d", o.MaxBuckets, DefaultMaxBuckets)
	}
	s.max = o.MaxBuckets
	return s, nil
}

// Take implements [Store]. Its only error is that of a bucket that can never hold a
// token.
func (s *MemoryStore) Take(_ context.Context, now time.Time, buckets []Bucket) (Taken, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.start.IsZero() {
		s.start = now
	}
	at := now.Sub(s.start)
	var few [8]*bucket
	found := few[:0]
	taken := Taken{OK: true}
	for i := range buckets {
		if !(buckets[i].Rate > 0) || !(buckets[i].Burst >= 1) {
			return Taken{}, errors.New("policy: a bucket needs a positive rate and a burst of 1 or more")
		}
		b := s.bucket(at, &buckets[i], found)
		if wait := b.wait(at); wait > taken.RetryAfter {
			taken = Taken{Empty: i, RetryAfter: wait}
		}
		found = append(found, b)
	}
	if taken.OK {
		for _, b := range found {
			b.take(at)
		}
	}
	return taken, nil
}

// Len returns how many buckets there are, shared ones included.
func (s *MemoryStore) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.buckets) + len(s.overflow)
}

// bucket returns the bucket of that name, a new and full one if there is none. Those
// that were found for the same call stay.
func (s *MemoryStore) bucket(at time.Duration, named *Bucket, found []*bucket) *bucket {
	key := keyOf(named)
	if b := s.buckets[key]; b != nil {
		return b
	}
	if len(s.buckets) >= s.max && !s.dropFull(at, found) {
		return s.shared(at, named)
	}
	b := newBucket(key, at, named)
	if o := s.overflow[named.Limit]; o != nil { // who shared it may come with this key
		b.tokens = min(b.tokens, o.holds(at))
	}
	b.known = b.full()
	s.buckets[b.key] = b
	heap.Push(&s.byFull, b)
	return b
}

// dropFull drops a bucket that is full again, if there is one. The heap may know an
// older time than the bucket's own, never a later one that matters: to keep it right
// would make each call dearer.
func (s *MemoryStore) dropFull(at time.Duration, found []*bucket) bool {
	for s.byFull[0].known <= at {
		b := s.byFull[0]
		full := b.full()
		if slices.Contains(found, b) {
			full = max(full, at+1)
		}
		if full > at {
			b.known = full
			heap.Fix(&s.byFull, 0)
			continue
		}
		heap.Pop(&s.byFull)
		delete(s.buckets, b.key)
		return true
	}
	return false
}

// maxShared is from how many shared buckets on those that are full are dropped: of
// documents that are no longer in force.
const maxShared = 64

// shared returns the bucket of all who find no room.
func (s *MemoryStore) shared(at time.Duration, named *Bucket) *bucket {
	if b := s.overflow[named.Limit]; b != nil {
		return b
	}
	if len(s.overflow) >= maxShared {
		maps.DeleteFunc(s.overflow, func(_ string, b *bucket) bool { return b.full() <= at })
	}
	b := newBucket(bucketKey{limit: named.Limit}, at, named)
	s.overflow[named.Limit] = b
	return b
}
