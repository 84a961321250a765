package middleware

import (
	"cmp"
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
)

// The defaults of [ConcurrencyOptions].
const (
	DefaultConcurrency  = 8
	DefaultQueue        = 1024
	DefaultQueueTimeout = 30 * time.Second
)

// ConcurrencyOptions configure a [Concurrency]. The zero value of every field is its
// default.
type ConcurrencyOptions struct {
	// Limit is how many calls may run at the same time: 0 means
	// [DefaultConcurrency], a negative value no limit for all callers together.
	Limit int
	// PerPrincipal is how many of them may belong to one principal id. 0 and a
	// negative value mean no limit of that sort.
	PerPrincipal int
	// QueueTimeout is how long a call waits for its turn: 0 means
	// [DefaultQueueTimeout], a negative value as long as its caller does.
	QueueTimeout time.Duration
	// Queue is how many calls may wait: 0 means [DefaultQueue], a negative value
	// none. A call beyond it is refused at once.
	Queue int
	// Kinds are the kinds of calls that count; nil means tools. Completions count
	// too where resources do.
	Kinds []mcplayer.Kind
	// ReleaseOnTimeout ends a call's hold on its slot when the call is answered. As a
	// rule the slot is held until the handler has really ended, so that handlers
	// that ignore their timeout cannot pile up. Attempts of a [Retry] inside share one.
	ReleaseOnTimeout bool
}

// Concurrency bounds how many calls run at the same time. Calls beyond the bound
// wait: principals take turns, and the calls of one principal keep their order. A
// call that waits too long, or finds the queue full, is refused with -31029.
//
// A call made inside another one of the same Concurrency runs in the slot of that
// call, so that a tool that calls a tool does not wait for itself; the slot is free
// when both have ended.
//
// It is safe for concurrent use.
type Concurrency struct {
	queueTimeout     time.Duration
	kinds            [mcplayer.KindCompletion + 1]bool
	releaseOnTimeout bool

	late    atomic.Int64
	refused atomic.Uint64

	mu     sync.Mutex // guards what follows
	turns  turnstile
	closed bool
}

// ConcurrencyStats is a snapshot of a [Concurrency].
type ConcurrencyStats struct {
	// Limit is the one in force, 0 if there is none; so is PerPrincipal.
	Limit, PerPrincipal int
	// InFlight counts the slots that are taken, Waiting the calls in the queue.
	InFlight, Waiting int
	// Late counts the calls that have been answered while a handler of theirs goes
	// on.
	Late int
	// Refused counts the calls that waited too long or found the queue full.
	Refused uint64
}

// NewConcurrency returns a limit of the options; nil means the defaults. Every
// mistake in them is in the one error.
func NewConcurrency(opts *ConcurrencyOptions) (*Concurrency, error) {
	if opts == nil {
		opts = &ConcurrencyOptions{}
	}
	c := &Concurrency{
		queueTimeout:     cmp.Or(opts.QueueTimeout, DefaultQueueTimeout),
		releaseOnTimeout: opts.ReleaseOnTimeout,
		turns:            newTurnstile(max(0, cmp.Or(opts.Queue, DefaultQueue))),
	}
	c.turns.limit = bound(cmp.Or(opts.Limit, DefaultConcurrency))
	c.turns.perPrincipal = bound(cmp.Or(opts.PerPrincipal, -1))
	if err := c.configure(opts); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Concurrency) configure(opts *ConcurrencyOptions) error {
	var bad mistakes
	if opts.PerPrincipal > 0 && opts.PerPrincipal > c.turns.limit {
		bad.add("PerPrincipal is %d and Limit %d; one caller cannot have more than all together: it must be at most Limit", opts.PerPrincipal, c.turns.limit)
	}
	if opts.Limit < 0 && opts.PerPrincipal <= 0 {
		bad.add("Limit is %d, which is none, and PerPrincipal is %d: nothing would be limited; one of them must be positive", opts.Limit, opts.PerPrincipal)
	}
	if opts.Kinds != nil && len(opts.Kinds) == 0 {
		bad.add("Kinds is empty: nothing would be limited; nil means tools")
	}
	for _, kind := range opts.Kinds {
		if kind < mcplayer.KindTool || kind > mcplayer.KindCompletion || kind == mcplayer.KindResourceTemplate {
			bad.add("Kinds holds %v; allowed are tool, resource, prompt and completion", kind)
			continue
		}
		c.kinds[kind] = true
	}
	if opts.Kinds == nil {
		c.kinds[mcplayer.KindTool] = true
	}
	if c.kinds[mcplayer.KindResource] {
		c.kinds[mcplayer.KindCompletion] = true
	}
	return bad.of("concurrency limit")
}

// bound returns the number to count up to: a negative one means no bound.
func bound(n int) int {
	if n < 0 {
		return math.MaxInt
	}
	return n
}

// Handle is the middleware. A slot is taken before anything inside it runs.
func (c *Concurrency) Handle(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
	if int(info.Kind) >= len(c.kinds) || !c.kinds[info.Kind] {
		return next(ctx, info)
	}
	if outer := c.slotOf(ctx); outer != nil && outer.join() {
		defer outer.leave(info)
		return next(ctx, info)
	}
	principal := principalID(info)
	if err := c.enter(ctx, principal); err != nil {
		return nil, err
	}
	s := &slot{Context: ctx, owner: c, principal: principal}
	s.calls.Store(1)
	defer s.leave(info)
	return next(s, info)
}

func principalID(info mcplayer.CallInfo) string {
	if info.Principal == nil {
		return ""
	}
	return info.Principal.ID()
}

// enter takes a slot for a call of the principal, waiting for its turn.
func (c *Concurrency) enter(ctx context.Context, principal string) error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return c.busy()
	}
	if c.turns.enter(principal) {
		c.mu.Unlock()
		return nil
	}
	w := c.turns.wait(principal)
	c.mu.Unlock()
	if w == nil {
		return c.busy()
	}
	return c.await(ctx, w)
}

// await waits until it is w's turn, its time is up or its caller goes.
func (c *Concurrency) await(ctx context.Context, w *waiter) error {
	var expired <-chan time.Time
	if c.queueTimeout > 0 {
		timer := time.NewTimer(c.queueTimeout)
		defer timer.Stop()
		expired = timer.C
	}
	select {
	case <-w.ready:
	case <-expired:
		c.giveUp(w)
	case <-ctx.Done():
		c.giveUp(w)
		if w.admitted {
			c.release(w.principal)
		}
		return ctx.Err()
	}
	if !w.admitted {
		return c.busy()
	}
	return nil
}

// giveUp takes w out of the queue, unless its turn has just come.
func (c *Concurrency) giveUp(w *waiter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turns.giveUp(w)
}

func (c *Concurrency) release(principal string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turns.leave(principal)
}

// busyText tells a model nothing that invites it to call again at once.
const busyText = "Server busy: too many concurrent MCP calls"

func (c *Concurrency) busy() error {
	c.refused.Add(1)
	return mcplayer.RateLimited(busyText, nil)
}

// SetLimit changes the limit for all callers together, as [ConcurrencyOptions.Limit]
// says it. Calls that run keep their slots; waiting ones move up at once.
func (c *Concurrency) SetLimit(limit int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turns.limit = bound(cmp.Or(limit, DefaultConcurrency))
	c.turns.advance()
}

// SetPerPrincipal changes the limit for one principal, as
// [ConcurrencyOptions.PerPrincipal] says it.
func (c *Concurrency) SetPerPrincipal(limit int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turns.perPrincipal = bound(cmp.Or(limit, -1))
	c.turns.advance()
}

// InFlight returns how many slots are taken.
func (c *Concurrency) InFlight() int { return c.Stats().InFlight }

// Stats returns a snapshot.
func (c *Concurrency) Stats() ConcurrencyStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return ConcurrencyStats{
		Limit:        bounded(c.turns.limit),
		PerPrincipal: bounded(c.turns.perPrincipal),
		InFlight:     c.turns.used,
		Waiting:      c.turns.waiting,
		Late:         int(c.late.Load()),
		Refused:      c.refused.Load(),
	}
}

// bounded undoes bound: no bound is shown as 0.
func bounded(n int) int {
	if n == math.MaxInt {
		return 0
	}
	return n
}

// Attach makes the layer close c when it closes.
func (c *Concurrency) Attach(layer *mcplayer.Layer) { layer.OnClose(c.Close) }

// Close refuses the calls that wait and all later ones. Running calls keep their
// slots until they end. It never fails.
func (c *Concurrency) Close(context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.turns.clear()
	return nil
}
