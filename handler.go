package mcplayer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/cloudg/mcplayer/result"
	"github.com/cloudg/mcplayer/validate"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// draft is what a handler gave, ready to be transformed.
type draft struct {
	res   *result.ToolResult
	plain bool // made of a plain value: its text follows from the structured value
	links []mcp.Content
	meta  map[string]any
	hints *mcp.Annotations // for the content blocks
}

// execute runs validation, the host's guard, the handler and the normalisation of
// its result. An [*Error] and a context error travel on; every
// other reason for having no result is a [*failure].
func (c *call) execute(ctx context.Context, info CallInfo, args jsontext.Value) (draft, error) {
	in, err := c.decode(args)
	if err != nil {
		return draft{}, c.handlerError(ctx, err)
	}
	if err := c.guard(ctx, info, in); err != nil {
		return draft{}, err
	}
	tc := c.attempt()
	tc.args = args
	defer tc.close()
	value, err := c.runHandler(ctx, job{tc, in})
	if err == nil {
		value, err = c.encodePlain(value)
	}
	if err != nil {
		return draft{}, c.handlerError(ctx, err)
	}
	d, err := c.normalise(value)
	if err == nil {
		err = d.collect(tc)
	}
	if err != nil {
		return draft{}, c.handlerError(ctx, fmt.Errorf("encode the result: %w", err))
	}
	return d, nil
}

// collect takes over what the handler left in its ToolContext.
func (d *draft) collect(tc *ToolContext) error {
	d.links, d.meta = tc.end()
	return errors.Join(result.CheckContent(d.links), result.CheckMeta(d.meta))
}

// job is what a handler works on.
type job struct {
	tc *ToolContext
	in any
}

// decode fills the handler's argument struct.
func (c *call) decode(args jsontext.Value) (in any, err error) {
	defer c.survive(&err)
	in, err = c.prim.tool.decode(args)
	if p, ok := errors.AsType[*validate.PanicError](err); ok {
		return nil, c.panicked(p.Value)
	}
	return in, err
}

// attempt returns the ToolContext for one run of the handler. The first run
// uses the call's own; a run that a middleware repeats gets a new one, so that
// an earlier handler that goes on cannot reach it.
func (c *call) attempt() *ToolContext {
	if c.used.CompareAndSwap(false, true) {
		return &c.tc
	}
	return &ToolContext{call: c}
}

// errGoexit is what becomes of a handler that ends its goroutine.
var errGoexit = errors.New("the handler ended its goroutine without answering")

// protect runs the handler and, where that runs code of the handler's too, encodes
// what it returns. A panic becomes an error.
func (c *call) protect(ctx context.Context, j job) (value any, err error) {
	defer c.survive(&err)
	value, err = c.prim.tool.invoke(j.tc.speaking(ctx), j.tc, j.in)
	if err != nil || isResult(value) || hasPlainType(value) {
		return value, err
	}
	return c.encodeValue(value)
}

// encodePlain encodes what protect did not. That is no work for the handler's
// goroutine: the shorter it lives, the less often another thread is woken for it.
func (c *call) encodePlain(value any) (out any, err error) {
	if isResult(value) {
		return value, nil
	}
	defer c.survive(&err)
	return c.encodeWith(plainOptions, value)
}

// encodeValue encodes what a handler returned.
func (c *call) encodeValue(value any) (any, error) { return c.encodeWith(encodeOptions, value) }

func (c *call) encodeWith(opts json.Options, value any) (any, error) {
	doc, err := encodeWith(opts, value, c.layer.omit)
	if err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	return &encoded{Structured: doc}, nil
}

// errTimedOut says that a handler did not end within its own timeout.
var errTimedOut = errors.New("handler timed out")

// runHandler runs a handler with the tool's timeout, on a goroutine of its own
// if there is one. It returns when the handler does, when time is up, when the
// caller goes or when the layer stops waiting.
func (c *call) runHandler(ctx context.Context, j job) (any, error) {
	timeout := c.timeout()
	c.life.begin()
	if timeout <= 0 {
		defer c.life.end()
		return c.protect(ctx, j)
	}
	inner, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	out := c.await(inner, j)
	ownDeadline := inner.Err() == context.DeadlineExceeded && ctx.Err() == nil
	if ownDeadline && errors.Is(out.cause(), context.DeadlineExceeded) {
		return nil, errTimedOut
	}
	return out.value, out.err
}

// await runs a handler on a goroutine of its own until it answers or nobody
// waits any longer.
func (c *call) await(ctx context.Context, j job) outcome {
	run := &handlerRun{answered: make(chan struct{}, 1)}
	go run.start(ctx, c, j)
	select {
	case <-run.answered:
		return run.out
	case <-ctx.Done():
	case <-c.layer.killed:
	}
	if !c.abandon(run) {
		<-run.answered
		return run.out
	}
	if ctx.Err() == nil {
		return outcome{err: closing()}
	}
	return outcome{err: ctx.Err()}
}

// abandon leaves a handler to itself. It reports false if the handler has
// answered after all.
func (c *call) abandon(run *handlerRun) bool {
	c.layer.abandoned.Add(1)
	if run.state.CompareAndSwap(running, abandoned) {
		return true
	}
	c.layer.abandoned.Add(-1)
	return false
}

// timeout returns how long the handler may run, 0 or less for no limit.
func (c *call) timeout() time.Duration {
	if own := c.prim.spec.Timeout; own != 0 {
		return own
	}
	return c.layer.timeout
}

// handlerRun is a handler on its own goroutine. Whoever moves its state away
// from running decides where the result goes: to the waiting call, or nowhere.
type handlerRun struct {
	state    atomic.Int32
	out      outcome       // to be read once answered
	answered chan struct{} // has room for one
}

type outcome struct {
	value any
	err   error
}

// cause returns why a handler failed, nil if it did not. The SDK has made a result
// of the error of a host's handler by then.
func (out outcome) cause() error {
	switch res := out.value.(type) {
	case *result.ToolResult:
		if res != nil && res.IsError {
			return res.Cause
		}
	case *mcp.CallToolResult:
		if res != nil && res.IsError {
			return res.GetError()
		}
	}
	return out.err
}

const (
	running int32 = iota
	finished
	abandoned
)

func (r *handlerRun) start(ctx context.Context, c *call, j job) {
	defer c.life.end()
	out := outcome{err: errGoexit}
	defer r.deliver(c, &out, time.Now())
	out.value, out.err = c.protect(ctx, j)
}

// deliver hands the outcome to the waiting call, if it still waits.
func (r *handlerRun) deliver(c *call, out *outcome, started time.Time) {
	if r.state.CompareAndSwap(running, finished) {
		r.out = *out
		r.answered <- struct{}{}
		return
	}
	c.layer.abandoned.Add(-1)
	c.logLate(out.err, time.Since(started))
}

func (c *call) logLate(err error, ran time.Duration) {
	c.logger().Warn("handler ended after its call", c.attr(), slog.Duration("ran", ran), errorAttr(err))
}

func errorAttr(err error) slog.Attr { return slog.Any("error", err) }
