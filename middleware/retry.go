package middleware

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
)

// The defaults of [RetryOptions].
const (
	DefaultRetries      = 2
	DefaultBackoff      = 500 * time.Millisecond
	DefaultBudgetWindow = 10 * time.Second
)

// RetryOptions configure a [Retry]. The zero value of every field is its default.
type RetryOptions struct {
	// Retries is how many times a call is made again: 0 means [DefaultRetries]; a
	// negative value is an error.
	Retries int
	// Backoff is the wait before the first repetition, doubled before each further
	// one: 0 means [DefaultBackoff], a negative value no wait.
	Backoff time.Duration
	// MaxBackoff caps a wait. 0 and a negative value mean no cap.
	MaxBackoff time.Duration
	// Jitter, from 0 to 1, is how much of each wait is left to chance: with 0.2 a wait
	// of 1 s becomes one of 0.8 to 1 s.
	Jitter float64
	// RetryOn chooses the errors that are worth a repetition; nil means [Transient].
	// It is asked about the error of a call or the private cause of its result, but
	// never about refusals, bad input and cancellations.
	RetryOn func(error) bool
	// Codes are worth a repetition whatever the error is; nil means
	// [mcplayer.CodeTimeout] and an empty list none.
	Codes []mcplayer.Code
	// Budget, from 0 to 1, bounds the repetitions in proportion to the calls of the
	// last BudgetWindow: with 0.2 at most 20 % extra, so that they do not bury a
	// server that fails for everybody. 0 means no such bound. The bound is strict: in
	// the example it takes 5 calls to make the first repetition possible.
	Budget float64
	// BudgetWindow is the time that Budget looks back: 0 means [DefaultBudgetWindow];
	// a negative value is an error.
	BudgetWindow time.Duration
}

// Retry makes calls of tools again that failed for a reason that may pass. Only tools
// that [CacheableTool] accepts are repeated: the failure of another may come after its
// effect. A result says in its metadata, under "cloudg/retries", how many repetitions
// it took.
//
// Each attempt gets the arguments as they came and passes everything inside again,
// the policy's check with its rate limits and record too. An attempt that timed out
// may still be running beside the next. A Retry is safe for concurrent use.
type Retry struct {
	retries             int
	backoff, maxBackoff time.Duration
	jitter              float64
	retryOn             func(error) bool
	codes               []mcplayer.Code

	retried, exhausted, unaffordable atomic.Uint64

	budget float64
	mu     sync.Mutex // guards spent
	spent  window     // good: calls, bad: repetitions
}

// RetryStats is a snapshot of a [Retry].
type RetryStats struct {
	// Retries counts the repetitions, Exhausted the calls that failed after the last
	// one, OverBudget those that were not repeated for want of a budget.
	Retries, Exhausted, OverBudget uint64
}

// NewRetry returns a retry of the options; nil means the defaults. Every mistake in
// them is in the one error.
func NewRetry(opts *RetryOptions) (*Retry, error) {
	if opts == nil {
		opts = &RetryOptions{}
	}
	if err := opts.check(); err != nil {
		return nil, err
	}
	r := &Retry{
		retries:    cmp.Or(opts.Retries, DefaultRetries),
		backoff:    max(0, cmp.Or(opts.Backoff, DefaultBackoff)),
		maxBackoff: opts.MaxBackoff,
		jitter:     opts.Jitter,
		retryOn:    opts.RetryOn,
		codes:      slices.Clone(opts.Codes),
		budget:     opts.Budget,
		spent:      newWindow(cmp.Or(opts.BudgetWindow, DefaultBudgetWindow), time.Now()),
	}
	if r.retryOn == nil {
		r.retryOn = Transient
	}
	if opts.Codes == nil {
		r.codes = []mcplayer.Code{mcplayer.CodeTimeout}
	}
	return r, nil
}

func (o *RetryOptions) check() error {
	var bad mistakes
	if o.Retries < 0 {
		bad.add("Retries is %d; it must be positive, or 0 for %d", o.Retries, DefaultRetries)
	}
	if !(o.Jitter >= 0 && o.Jitter <= 1) {
		bad.add("Jitter is %v; it must be from 0 to 1", o.Jitter)
	}
	if !(o.Budget >= 0 && o.Budget <= 1) {
		bad.add("Budget is %v; it must be from 0, for none, to 1", o.Budget)
	}
	if o.BudgetWindow < 0 {
		bad.add("BudgetWindow is %v; it must be positive, or 0 for %v", o.BudgetWindow, DefaultBudgetWindow)
	}
	if o.BudgetWindow > 0 && o.Budget == 0 {
		bad.add("BudgetWindow is %v but Budget is 0, which is none: set both or neither", o.BudgetWindow)
	}
	if backoff := cmp.Or(o.Backoff, DefaultBackoff); o.MaxBackoff > 0 && o.MaxBackoff < backoff {
		bad.add("MaxBackoff is %v, less than the first wait, a Backoff of %v: it must be at least that", o.MaxBackoff, backoff)
	}
	return bad.of("retry")
}

// Transient reports whether an error is of the sort that passes: a time-out of the
// network, a connection refused or reset, a broken pipe, a deadline.
func Transient(err error) bool {
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return true
	}
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) ||
		errors.Is(err, syscall.EPIPE) || errors.Is(err, context.DeadlineExceeded)
}

// Handle is the middleware.
func (r *Retry) Handle(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
	if !CacheableTool(info.Spec) || info.Kind != mcplayer.KindTool {
		return next(ctx, info)
	}
	r.count()
	for n := 0; ; n++ {
		res, err := next(ctx, info)
		if !r.wants(ctx, info, res, err) {
			return told(info, res, n), err
		}
		if n == r.retries {
			r.exhausted.Add(1)
			return told(info, res, n), err
		}
		if !r.afford() {
			return told(info, res, n), err
		}
		if err := pause(ctx, r.wait(n)); err != nil {
			return nil, err
		}
		r.retried.Add(1)
	}
}

// wants reports whether a repetition may mend what came of a call.
func (r *Retry) wants(ctx context.Context, info mcplayer.CallInfo, res result.Result, err error) bool {
	cause := causeOf(res, err)
	if cause == nil || verdictOf(ctx, info, res, err) != failed || err == nil && res.NeedsInput() {
		return false
	}
	return slices.Contains(r.codes, mcplayer.CodeOf(cause)) || r.retryOn(cause)
}

// told sets how many repetitions a result took.
func told(info mcplayer.CallInfo, res result.Result, n int) result.Result {
	if n > 0 && !isMissing(res) {
		res.MetaMap()[info.MetaKey("retries")] = n
	}
	return res
}

// wait returns how long to wait after attempt n, counted from 0.
func (r *Retry) wait(n int) time.Duration {
	d := r.backoff << min(n, 32)
	if r.backoff > 0 && d>>min(n, 32) != r.backoff { // too far
		d = 1<<63 - 1
	}
	if r.maxBackoff > 0 {
		d = min(d, r.maxBackoff)
	}
	if r.jitter > 0 {
		d -= time.Duration(rand.Float64() * r.jitter * float64(d)) //nolint:gosec // chance, not secrecy
	}
	return d
}

// pause waits; the error is the caller's who went.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// count takes a call into the budget.
func (r *Retry) count() {
	if r.budget > 0 {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.spent.add(time.Now(), 1, 0)
	}
}

// afford takes a repetition out of the budget, if it is in there.
func (r *Retry) afford() bool {
	if r.budget == 0 {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if calls, repeated := r.spent.sum(now); float64(repeated+1) > r.budget*float64(calls) {
		r.unaffordable.Add(1)
		return false
	}
	r.spent.add(now, 0, 1)
	return true
}

// Stats returns a snapshot.
func (r *Retry) Stats() RetryStats {
	return RetryStats{Retries: r.retried.Load(), Exhausted: r.exhausted.Load(), OverBudget: r.unaffordable.Load()}
}
