package mcplayer

import (
	"context"
	"time"

	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

// CallInfo describes one call on its way through the middleware. It is passed
// by value: a middleware may change Arguments for the steps inside it. The
// layer refuses a call whose Kind, Name, Spec or Principal is no longer the one
// that was looked up.
//
// A CallInfo that was not made by a layer, as in a test of a middleware alone, has
// no call behind it: its methods do nothing, and Authorize refuses.
type CallInfo struct {
	Kind Kind
	// Name is the primitive's name without the layer's prefix; of a resource the
	// concrete URI, of a completion the prompt's name or the template's text.
	Name string
	// Spec holds the static facts. It is shared and read only.
	Spec *Spec
	// Arguments is a JSON object, as received; absent and null arrive as {}. It
	// is nil when what was received is no such object: the layer then refuses
	// the call after its policy check.
	Arguments jsontext.Value
	Principal *Principal
	Context   *ToolContext
	// Started is when the call was looked up.
	Started time.Time

	call *call
}

// Next continues a call: the next middleware, or the layer's own last step.
type Next func(ctx context.Context, info CallInfo) (result.Result, error)

// Middleware stands around calls of every kind. It may refuse (return an error
// without calling next), change the arguments, call next more than once, or
// decorate the result, which is already transformed for the caller. A layer
// error it returns becomes the client's answer; a panic is survived.
//
// A handler's plain error, its panic, its timeout and a value that cannot be encoded
// arrive as a result whose Failed method says so (of a tool; of the other kinds as
// an error). Refusals (denials, rate limits, bad arguments, an [*Error] of a handler)
// arrive as an error.
//
// It runs before the policy check: a middleware that gives a result without calling
// next must call [CallInfo.Authorize] first. To refuse needs no such call.
type Middleware func(ctx context.Context, info CallInfo, next Next) (result.Result, error)

// Authorize runs the policy's check of the call: access, rate limits and the
// policy's own record. The layer's last step does so by itself; a middleware
// that answers in its place, like a cache, has to.
func (c CallInfo) Authorize(ctx context.Context) error {
	if err := c.call.verify(c); err != nil {
		return err
	}
	_, err := c.call.authorize(ctx, c)
	return err
}

// Hold says that work on the call goes on after the chain has returned. The
// work counts as a handler until release is called.
func (c CallInfo) Hold() (release func()) {
	if c.call == nil {
		return func() {}
	}
	return c.call.life.hold()
}

// AfterHandlers runs f once no handler and no [CallInfo.Hold] of this call is
// left: at once if none is running, else on the goroutine that ends the last.
func (c CallInfo) AfterHandlers(f func()) {
	if c.call == nil {
		f()
		return
	}
	if !c.call.life.busy() { // without the allocation of what follows
		c.call.finally(f)
		return
	}
	c.call.life.after(func() { c.call.finally(f) })
}

// finally runs what was put off to the end of the handlers.
func (c *call) finally(f func()) {
	defer c.logPanic()
	f()
}

// MetaKey returns the metadata key of that name with the layer's prefix, for
// example "cloudg/cache".
func (c CallInfo) MetaKey(name string) string {
	if c.call == nil {
		return MetaPrefix + name
	}
	return c.call.layer.meta.key(name)
}

// PolicyVersion returns the version of the policy that the call runs under. It
// belongs into the key of everything kept from a call.
func (c CallInfo) PolicyVersion() uint64 {
	if c.call == nil {
		return 0
	}
	return c.call.access.Version
}

// Layer returns the layer that the call is made through, nil if there is none. What
// is kept from the calls of several layers must not cross between them.
func (c CallInfo) Layer() *Layer {
	if c.call == nil {
		return nil
	}
	return c.call.layer
}

// TookInput reports whether what the client answered to a request for input, or the
// state of an earlier round, is part of the call so far. The result of such a call
// answers more than the arguments ask.
func (c CallInfo) TookInput() bool { return c.call != nil && c.call.tookInput() }

// TimedOut reports whether any handler of the call so far has run out of time. It may
// still be running.
func (c CallInfo) TimedOut() bool { return c.call != nil && c.call.expired.Load() }

// chain is the middleware around the last step, linked once.
type chain struct {
	middleware []Middleware
	run        Next
}

// newChain links the middleware, outermost first; nil ones are left out.
func newChain(middleware []Middleware) *chain {
	c := &chain{run: terminal}
	for _, mw := range middleware {
		if mw != nil {
			c.middleware = append(c.middleware, mw)
		}
	}
	for i := len(c.middleware) - 1; i >= 0; i-- {
		c.run = link(c.middleware[i], c.run)
	}
	return c
}

// link makes one step of the chain. A panic ends in the step it came from, so
// that the steps outside see an error: audit lines are written, slots given
// back.
func link(mw Middleware, next Next) Next {
	return func(ctx context.Context, info CallInfo) (res result.Result, err error) {
		defer func() {
			if v := recover(); v != nil {
				res, err = nil, info.call.panicked(v)
			}
		}()
		return mw(ctx, info, next)
	}
}
