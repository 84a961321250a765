package policy

import (
	"context"
	"time"
)

// Store keeps the token buckets of rate limits. The default, [NewMemoryStore], keeps
// them in the process: behind a load balancer each replica then allows the full rate.
// A store that replicas share makes them count together.
//
// Implementations must be safe for concurrent use.
type Store interface {
	// Take takes a token from each of the buckets or, if one has none, from none of
	// them: the buckets of a call are one operation. A bucket starts full and refills
	// evenly. Now is the time of the call. The buckets are those of different limits;
	// Take must not keep the slice.
	//
	// A call is refused if Take fails.
	Take(ctx context.Context, now time.Time, buckets []Bucket) (Taken, error)
}

// Bucket names a token bucket and tells how it fills.
type Bucket struct {
	Limit     string  // which limit; the same in every process with the same document
	Principal string  // whose; empty if the limit does not tell principals apart
	Primitive string  // for which, as "tool:NAME"; empty if it does not tell them apart
	Rate      float64 // tokens that come back in a second
	Burst     float64 // tokens of a full bucket, at least 1
}

// Taken is what became of a call's tokens.
type Taken struct {
	OK bool
	// Empty is the index of the bucket that had none; of several, the one that takes
	// longest to get one.
	Empty int
	// RetryAfter is when all would have a token again.
	RetryAfter time.Duration
}
