package mcplayer

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

// call is one call from its arrival to its answer. It is also the context of
// its own steps.
type call struct {
	context.Context
	layer *Layer
	info  CallInfo // as looked up

	prim      *primitive
	requested string // what the client called it
	access    *Access
	fault     *Error // why the arguments were no JSON object
	tc        ToolContext
	chain     *chain      // that the call runs through
	used      atomic.Bool // tc belongs to a handler already
	life      lifetime
	logged    atomic.Pointer[Error] // the handler's last, if it has a cause
	made      madeDoc
	answered  atomic.Bool // the client answered a question of the call
	expired   atomic.Bool // a handler ran out of time

	client   *client   // noClient for an in-process call that listens to nothing
	exchange *exchange // nil: an in-process call

	over    atomic.Bool
	telling sync.RWMutex // read-locked by who tells the client something
}

// CallTool calls the tool of that exposed name in-process, with everything that
// a call through a transport passes: policy, middleware, validation, timeout,
// pipelines.
//
// Args are the arguments: nil for none; a jsontext.Value, json.RawMessage or
// []byte holds JSON; anything else is encoded as encoding/json does. JSON is not
// copied: it must not change while the call, or a handler that outlives it, runs.
//
// Without [As] a call made inside a handler inherits the caller; any other runs as
// the principal of [WithPrincipal], else as [Local]. The tools of a server's owner
// are unknown in-process. A failure is a result with IsError set, whose Cause
// tells more; "cloudg/error_data" in its Meta is raw JSON here and a decoded value
// at a client. CallTool returns an error only for a tool that is unknown to the
// caller ([ErrNotFound]), for an error of the protocol itself that a handler
// returned (a *jsonrpc.Error of the SDK becomes an [*Error] with its code), for
// arguments that cannot be encoded, and for a call that ctx ended.
func (l *Layer) CallTool(ctx context.Context, name string, args any, opts ...CallOption) (*result.ToolResult, error) {
	doc, err := argumentBytes(args)
	if err != nil {
		return nil, err
	}
	return l.newLocalCall(ctx, opts).callTool(name, doc)
}

// ReadResource reads a resource in-process, like [Layer.CallTool] in everything
// but this: every failure is an error, an [*Error] unless ctx ended the call, and
// there is no timeout.
func (l *Layer) ReadResource(ctx context.Context, uri string, opts ...CallOption) (*result.Resource, error) {
	return l.newLocalCall(ctx, opts).readResource(uri)
}

// GetPrompt renders the prompt of that exposed name in-process. Failures are
// those of [Layer.ReadResource].
func (l *Layer) GetPrompt(ctx context.Context, name string, args map[string]string, opts ...CallOption) (*result.Prompt, error) {
	return l.newLocalCall(ctx, opts).getPrompt(name, args)
}

// Complete proposes values for an argument in-process. What is unknown, hidden or
// fails gives an empty result; only a refusal is an error.
func (l *Layer) Complete(ctx context.Context, ref CompletionRef, in CompletionInput, opts ...CallOption) (*result.Completion, error) {
	return l.newLocalCall(ctx, opts).complete(ref, in)
}

// callTool is the order of a tool call. Its innermost part is terminal.
func (c *call) callTool(name string, args jsontext.Value) (res *result.ToolResult, err error) {
	if !c.enter() {
		return c.errorResult(closing()), nil
	}
	defer c.leave()
	defer c.answerPanic(&res, &err)
	if err := c.identify(); err != nil {
		return c.errorResult(err), nil
	}
	if err := c.lookup(KindTool, KindTool, name); err != nil {
		return nil, err
	}
	c.takeArguments(args)
	got, err := c.run() // the middleware, then terminal
	return c.answerTool(got, err)
}

// readResource is the order of reading a resource.
func (c *call) readResource(uri string) (res *result.Resource, err error) {
	if !c.enter() {
		return nil, c.protocolError(closing())
	}
	defer c.leave()
	defer c.failPanic(&err)
	if err := c.begin(KindResource, KindResource, uri); err != nil {
		return nil, err
	}
	got, err := c.run()
	return answer[*result.Resource](c, got, err)
}

// getPrompt is the order of rendering a prompt.
func (c *call) getPrompt(name string, args map[string]string) (res *result.Prompt, err error) {
	if !c.enter() {
		return nil, c.protocolError(closing())
	}
	defer c.leave()
	defer c.failPanic(&err)
	if err := c.begin(KindPrompt, KindPrompt, name); err != nil {
		return nil, err
	}
	c.takeArguments(stringArguments(args))
	got, err := c.run()
	return answer[*result.Prompt](c, got, err)
}

// complete is the order of a completion.
func (c *call) complete(ref CompletionRef, in CompletionInput) (res *result.Completion, err error) {
	if !c.enter() {
		return nil, c.protocolError(closing())
	}
	defer c.leave()
	defer c.failPanic(&err)
	err = c.begin(KindCompletion, ref.Kind, ref.Name)
	if errors.Is(err, ErrNotFound) || err == nil && !c.prim.completes(in.Argument) {
		return &result.Completion{Values: []string{}}, nil
	}
	if err != nil {
		return nil, err
	}
	c.takeArguments(completionArguments(in))
	got, err := c.run()
	return c.answerCompletion(got, err)
}

// findable is the order of a question whether the caller could read a resource.
func (c *call) findable(uri string) (err error) {
	if !c.enter() {
		return c.protocolError(closing())
	}
	defer c.leave()
	defer c.failPanic(&err)
	return c.begin(KindResource, KindResource, uri)
}

// run runs the middleware and the last step, as they stand now.
func (c *call) run() (result.Result, error) {
	c.chain = c.layer.chain.Load()
	return c.chain.run(c, c.info)
}

// begin runs the steps before the chain of a call whose failures are errors of
// the protocol.
func (c *call) begin(kind, primitive Kind, exposed string) error {
	if err := c.identify(); err != nil {
		return c.protocolError(err)
	}
	return c.lookup(kind, primitive, exposed)
}

func (l *Layer) newCall(ctx context.Context) *call {
	c := &call{Context: ctx, layer: l, client: noClient}
	c.life.gate = l.gate
	c.tc.call = c
	return c
}

// newLocalCall begins an in-process call.
func (l *Layer) newLocalCall(ctx context.Context, opts []CallOption) *call {
	c := l.newCall(ctx)
	for i := range opts {
		opts[i].apply(c)
	}
	c.inherit()
	return c
}

// inherit gives an in-process call without a principal that of the call around
// it, of whichever layer, else the context's, else the local one.
func (c *call) inherit() {
	if c.info.Principal != nil {
		return
	}
	if outer := callFrom(c.Context); outer != nil {
		c.info.Principal = outer.info.Principal
		return
	}
	if c.info.Principal = principalFrom(c.Context); c.info.Principal == nil {
		c.info.Principal = Local()
	}
}

// enter lets the call in unless the layer is closing. A call inside a running
// call of the same layer, also by way of another layer, is part of that one.
func (c *call) enter() bool {
	return c.layer.gate.enter(c.layer.isInside(c.Context))
}

// isInside reports whether ctx is that of a running call of the layer, also by way
// of another layer.
func (l *Layer) isInside(ctx context.Context) bool {
	for outer := callFrom(ctx); outer != nil; outer = callFrom(outer.Context) {
		if outer.layer == l && !outer.over.Load() {
			return true
		}
	}
	return false
}

func (c *call) leave() {
	c.over.Store(true)
	c.hush()
	c.layer.gate.leave()
}

// identify asks who the caller is, where that is not known yet.
func (c *call) identify() *Error {
	if c.info.Principal != nil {
		return nil
	}
	p, err := c.layer.identify(c.Context, c.client.request())
	if err != nil {
		c.logger().Warn("identity not established", errorAttr(err))
		return identityFailed(err)
	}
	c.info.Principal = p
	return nil
}

// lookup finds the primitive and what holds for the caller. Unknown and hidden
// look the same to the caller; both are recorded by the policy.
func (c *call) lookup(kind, primitive Kind, exposed string) error {
	c.info.Kind = kind
	c.info.Context = &c.tc
	c.info.Started = time.Now()
	c.info.call = c
	c.info.Name = exposed
	c.requested = exposed
	found := c.find(primitive, exposed)
	if found.prim == nil {
		return c.notFound(exposed)
	}
	c.prim = found.prim
	c.info.Name, c.info.Spec = found.name, c.prim.spec
	var shown bool
	if c.access, shown = c.bind(); !shown {
		return c.notFound(exposed)
	}
	if kind == KindResource {
		c.takeArguments(stringArguments(found.vars))
	}
	return nil
}

// find returns what clients know by that name, nothing if there is none.
func (c *call) find(kind Kind, exposed string) target {
	if c.exchange != nil {
		return c.exchange.find(kind, exposed)
	}
	return c.layer.catalog.Load().find(kind, c.layer.prefix, exposed)
}

// nothing is the access of a policy that says nothing.
var nothing = &Access{}

// bind asks the policy what holds, and whether the caller may learn of what was
// found. A policy that says nothing or panics grants nothing.
func (c *call) bind() (access *Access, shown bool) {
	access = nothing
	defer c.logPanic()
	if a := c.layer.policy.Bind(c.prim.spec, c.info.Principal); a != nil {
		access = a
	}
	return access, access.shows(c.info.Kind, c.info.Name)
}

// notFound is the answer for what is unknown to the caller. It passes no
// pipeline: it repeats what the client sent.
func (c *call) notFound(exposed string) error {
	if c.access == nil {
		c.access = nothing
	}
	c.recordNotFound()
	c.access = nothing // what is hidden must not show by its pipeline
	return notFound(c.info.Kind, exposed)
}

func (c *call) recordNotFound() {
	defer c.logPanic()
	c.layer.policy.NotFound(c, c.info)
}

// takeArguments checks that the arguments are one JSON object. What is not is
// refused by the terminal, so that middleware outside it sees the call.
func (c *call) takeArguments(args jsontext.Value) {
	doc, fault := c.layer.checkArguments(args)
	c.info.Arguments, c.fault = doc, fault
}

// verify refuses a call that a middleware turned into another one.
func (c *call) verify(info CallInfo) error {
	switch {
	case c == nil:
		return errors.New("mcplayer: CallInfo was not made by a layer")
	case c.over.Load() && !c.life.busy(): // a hold keeps a call going
		return errors.New("mcplayer: the call is over")
	}
	was := &c.info
	if info.Kind != was.Kind || info.Name != was.Name || info.Spec != was.Spec || info.Principal != was.Principal {
		return errors.New("mcplayer: a middleware changed the kind, name, spec or principal of a call")
	}
	return nil
}

// authorize is the policy's check: access, rate limits, the policy's record.
func (c *call) authorize(ctx context.Context, info CallInfo) (Ticket, error) {
	if !c.access.Visible || c.access.Check == nil {
		return nil, denied(info)
	}
	return c.access.Check(ctx, info)
}

// cancelled reports whether err says that the caller has gone.
func (c *call) cancelled(err error) bool {
	return c.Context.Err() != nil && isContextError(err)
}

// gone is what a caller is told who has gone: nothing of the error, since the SDK
// sends it all the same.
func (c *call) gone(err error) error {
	c.logger().Debug("the caller has gone", c.attr(), errorAttr(err))
	return c.Context.Err()
}

func isContextError(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

func (c *call) logger() *slog.Logger { return c.layer.logger }

// attr names the call in log lines.
func (c *call) attr() slog.Attr {
	return slog.Group("call", slog.String("kind", c.info.Kind.String()), slog.String("name", c.info.Name))
}
