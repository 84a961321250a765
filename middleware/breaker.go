package middleware

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/retryafter"
	"github.com/cloudg/mcplayer/result"
)

// The defaults of [BreakerOptions].
const (
	DefaultFailureRatio  = 0.5
	DefaultMinCalls      = 10
	DefaultBreakerWindow = 30 * time.Second
	DefaultOpenFor       = 30 * time.Second
)

// maxCircuits bounds how many primitives a breaker watches.
const maxCircuits = 4096

// BreakerOptions configure a [Breaker]. The zero value of every field is its default.
type BreakerOptions struct {
	// FailureRatio, above 0 and at most 1, is the share of failed calls that opens a
	// circuit: 0 means [DefaultFailureRatio].
	FailureRatio float64
	// MinCalls is how many calls the window must hold before their ratio counts: 0
	// means [DefaultMinCalls]; a negative value is an error.
	MinCalls int
	// Window is the time that the ratio looks back: 0 means [DefaultBreakerWindow]; a
	// negative value is an error.
	Window time.Duration
	// OpenFor is how long calls are refused before one of them tries again: 0 means
	// [DefaultOpenFor]; a negative value is an error.
	OpenFor time.Duration
}

// Breaker keeps calls away from a primitive whose handler fails. Each primitive has
// its own circuit. When the share of failures grows too large the circuit opens: calls
// are refused with -31029 and the seconds to wait under "retry_after". After that one
// call is let through, and its outcome closes the circuit or opens it again.
//
// A failure is what the handler did: a plain error, a panic, a timeout, a value that
// cannot be encoded. Refusals, bad input and cancellations count neither way; a failed
// result that the handler made in its own words, which often tells of bad input,
// counts as an answer. A Breaker is safe for concurrent use.
type Breaker struct {
	ratio           float64
	minCalls        int
	window, openFor time.Duration

	refused atomic.Uint64

	mu       sync.Mutex // guards what follows
	circuits map[circuitKey]*circuit
}

// circuitKey is what has a circuit of its own: a primitive, and apart from it its
// completions.
type circuitKey struct {
	spec *mcplayer.Spec
	kind mcplayer.Kind
}

// BreakerStats is a snapshot of a [Breaker].
type BreakerStats struct {
	// Open counts the circuits that are not closed, Watched all that are known.
	Open, Watched int
	// Refused counts the calls that an open circuit kept away.
	Refused uint64
}

// NewBreaker returns a breaker of the options; nil means the defaults. Every mistake in
// them is in the one error.
func NewBreaker(opts *BreakerOptions) (*Breaker, error) {
	if opts == nil {
		opts = &BreakerOptions{}
	}
	if err := opts.check(); err != nil {
		return nil, err
	}
	return &Breaker{
		ratio:    cmp.Or(opts.FailureRatio, DefaultFailureRatio),
		minCalls: cmp.Or(opts.MinCalls, DefaultMinCalls),
		window:   cmp.Or(opts.Window, DefaultBreakerWindow),
		openFor:  cmp.Or(opts.OpenFor, DefaultOpenFor),
		circuits: map[circuitKey]*circuit{},
	}, nil
}

func (o *BreakerOptions) check() error {
	var bad mistakes
	if !(o.FailureRatio >= 0 && o.FailureRatio <= 1) {
		bad.add("FailureRatio is %v; it must be above 0 and at most 1, or 0 for %v", o.FailureRatio, DefaultFailureRatio)
	}
	if o.MinCalls < 0 {
		bad.add("MinCalls is %d; it must be positive, or 0 for %d", o.MinCalls, DefaultMinCalls)
	}
	if o.Window < 0 {
		bad.add("Window is %v; it must be positive, or 0 for %v", o.Window, DefaultBreakerWindow)
	}
	if o.OpenFor < 0 {
		bad.add("OpenFor is %v; it must be positive, or 0 for %v", o.OpenFor, DefaultOpenFor)
	}
	return bad.of("circuit breaker")
}

// Handle is the middleware.
func (b *Breaker) Handle(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
	pass, wait := b.ask(circuitKey{info.Spec, info.Kind})
	if wait > 0 {
		b.refused.Add(1)
		return nil, unavailable(info, wait)
	}
	came := neither // also for what ends this goroutine
	defer func() { b.tell(pass, came) }()
	res, err := next(ctx, info)
	came = verdictOf(ctx, info, res, err)
	return res, err
}

// unavailable is the answer of an open circuit.
func unavailable(info mcplayer.CallInfo, wait time.Duration) error {
	return mcplayer.RateLimited(
		fmt.Sprintf("The %s '%s' has been failing and is not called for now; %s", info.Kind, info.Name, retryafter.Text(wait)),
		map[string]any{"retry_after": retryafter.Seconds(wait)})
}

// verdictOf sorts what came of a call.
func verdictOf(ctx context.Context, info mcplayer.CallInfo, res result.Result, err error) verdict {
	switch cause := causeOf(res, err); {
	case cause == nil && !answers(info.Kind, res):
		return failed // an error without a reason, or no answer at all
	case cause == nil:
		return answered
	case callerGone(ctx, cause), isRefusal(cause), isRefusedByHost(info, cause):
		return neither
	}
	return failed
}

// ask reports how long the caller of a primitive has to stay away, 0 if it may call.
func (b *Breaker) ask(key circuitKey) (pass, time.Duration) {
	now := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.circuits[key]
	if c == nil {
		if len(b.circuits) >= maxCircuits && !b.forget(now) {
			return pass{}, 0 // an open circuit is not given up for a newcomer
		}
		c = &circuit{counts: newWindow(b.window, now)}
		b.circuits[key] = c
	}
	return c.ask(now, b.openFor)
}

// tell counts what came of a call.
func (b *Breaker) tell(p pass, came verdict) {
	if p.circuit == nil {
		return
	}
	now := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	p.circuit.tell(now, p, came, b)
}

// forget makes room by forgetting the circuits that hold nothing. It reports whether
// there were any.
func (b *Breaker) forget(now time.Time) bool {
	before := len(b.circuits)
	for key, c := range b.circuits {
		if c.isIdle(now) {
			delete(b.circuits, key)
		}
	}
	return len(b.circuits) < before
}

// Stats returns a snapshot.
func (b *Breaker) Stats() BreakerStats {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := BreakerStats{Watched: len(b.circuits), Refused: b.refused.Load()}
	for _, c := range b.circuits {
		if c.open {
			s.Open++
		}
	}
	return s
}
