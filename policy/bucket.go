package policy

import (
	"crypto/sha256"
	"math"
	"strings"
	"time"
)

// bucketKey is a bucket's name.
type bucketKey struct{ limit, principal, primitive string }

// longName is how long a name may be; of a longer one its hash is kept.
const longName = 128

func keyOf(b *Bucket) bucketKey {
	key := bucketKey{b.Limit, b.Principal, b.Primitive}
	if len(key.principal) > longName {
		sum := sha256.Sum256([]byte(key.principal))
		key.principal = "\x00sha256:" + string(sum[:])
	}
	return key
}

// bucket is a token bucket. Its times are counted from the first call of the store.
type bucket struct {
	key         bucketKey
	rate, burst float64
	tokens      float64 // at the time of at
	at          time.Duration
	known       time.Duration // when it is full again, as the heap knows
}

func newBucket(key bucketKey, at time.Duration, named *Bucket) *bucket {
	key.principal = strings.Clone(key.principal) // it may be a part of something long
	return &bucket{key: key, rate: named.Rate, burst: named.Burst, tokens: named.Burst, at: at, known: at}
}

// roundOff is what sums of fractions of tokens may be short of a whole one.
const roundOff = 1e-9

// holds returns the tokens at a time. A clock that goes back adds none.
func (b *bucket) holds(at time.Duration) float64 {
	return min(b.burst, b.tokens+max(0, at-b.at).Seconds()*b.rate)
}

// wait returns how long it takes until the bucket has a token; 0 if it has one.
func (b *bucket) wait(at time.Duration) time.Duration {
	missing := 1 - b.holds(at)
	if missing <= roundOff {
		return 0
	}
	return max(1, duration(missing/b.rate)) + max(0, b.at-at)
}

func (b *bucket) take(at time.Duration) {
	b.tokens = b.holds(at) - 1
	b.at = max(b.at, at)
}

// full returns when the bucket is full again.
func (b *bucket) full() time.Duration { return b.at + duration((b.burst-b.tokens)/b.rate) }

// duration rounds seconds up to nanoseconds. What does not fit is for ever.
func duration(seconds float64) time.Duration {
	const noise = 1e-3 // of a division, in nanoseconds
	ns := math.Ceil(seconds*float64(time.Second) - noise)
	return time.Duration(min(ns, math.MaxInt64/4))
}

// bucketHeap has the bucket on top that is full first (container/heap).
type bucketHeap []*bucket

func (h bucketHeap) Len() int           { return len(h) }
func (h bucketHeap) Less(i, j int) bool { return h[i].known < h[j].known }
func (h bucketHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements [heap.Interface].
func (h *bucketHeap) Push(b any) { *h = append(*h, b.(*bucket)) }

// Pop implements [heap.Interface].
func (h *bucketHeap) Pop() any {
	last := len(*h) - 1
	b := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return b
}
