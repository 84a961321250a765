package mcplayer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// call is one call from its arrival to its answer. It is also the context of
// its own steps.
type call struct {
	context.Context
	layer *Layer
	info  CallInfo // as looked up

	prim   *primitive
	access *Access
	fault  *Error // why the arguments were no JSON object
	tc     ToolContext
	used   atomic.Bool // tc belongs to a handler already
	life   lifetime
	logged atomic.Pointer[Error] // the handler's last, if it has a cause
	made   madeDoc

	client *client // noClient for an in-process call that listens to nothing

	over    atomic.Bool
	telling sync.RWMutex // read-locked by who tells the client something
}

// client is what connects a call to whoever made it.
type client struct {
	request    *RequestInfo
	session    *mcp.ServerSession
	responses  mcp.InputResponseMap
	state      string
	onProgress func(Progress)
	progress   progressMark
	onLog      func(LogMessage)
}

// noClient stands in where a call has none. It is never written to.
var noClient = &client{}

// CallOption is a setting of one in-process call.
type CallOption struct {
	principal  *Principal
	request    *RequestInfo
	onProgress func(Progress)
	onLog      func(LogMessage)
}

// As makes the call on behalf of p.
func As(p *Principal) CallOption { return CallOption{principal: p} }

// WithRequest gives the call the facts of a request.
func WithRequest(r *RequestInfo) CallOption { return CallOption{request: r} }

// OnProgress hands the progress that a handler reports to f. F is called by one
// goroutine at a time and never after the call has returned: the call waits for
// it.
func OnProgress(f func(Progress)) CallOption { return CallOption{onProgress: f} }

// OnLog hands the messages that a handler logs to f, all levels. F may be called
// concurrently, but never after the call has returned: the call waits for it.
func OnLog(f func(LogMessage)) CallOption { return CallOption{onLog: f} }

// CallTool calls the tool of that exposed name in-process, with everything that
// a call through a transport passes: policy, middleware, validation, timeout,
// pipelines.
//
// Args are the arguments: nil for none; a jsontext.Value, json.RawMessage or
// []byte holds JSON; anything else is encoded as encoding/json does.
//
// Without [As] a call made inside a handler inherits the caller, any other runs
// as the [Local] principal. A failure is a result with IsError set, whose Cause
// tells more. CallTool returns an error only for a tool that is unknown to the
// caller ([ErrNotFound]) and for a call that ctx ended.
func (l *Layer) CallTool(ctx context.Context, name string, args any, opts ...CallOption) (*result.ToolResult, error) {
	c := l.newCall(ctx)
	for i := range opts {
		opts[i].apply(c)
	}
	c.inherit()
	doc, err := argumentBytes(args)
	if err != nil {
		return nil, err
	}
	return c.callTool(name, doc)
}

// callTool is the order of a tool call: steps 2 to 14 of its life.
func (c *call) callTool(name string, args jsontext.Value) (res *result.ToolResult, err error) {
	if !c.enter() {
		return c.errorResult(closing()), nil
	}
	defer c.leave()
	defer c.answerPanic(&res, &err)
	if err := c.identify(); err != nil { // 2
		return c.errorResult(err), nil
	}
	if err := c.lookup(KindTool, name); err != nil { // 4
		return nil, err
	}
	c.takeArguments(args)                              // 5
	answer, err := c.layer.chain.Load().run(c, c.info) // the middleware, then terminal: 6 to 13
	return c.answerTool(answer, err)                   // 14
}

// answerPanic answers where a panic comes through that no step survived: a
// method of an error or of a result's metadata.
func (c *call) answerPanic(res **result.ToolResult, err *error) {
	if v := recover(); v != nil {
		*res, *err = c.errorResult(c.panicked(v)), nil
	}
}

func (l *Layer) newCall(ctx context.Context) *call {
	c := &call{Context: ctx, layer: l, client: noClient}
	c.life.gate = l.gate
	c.tc.call = c
	return c
}

func (o *CallOption) apply(c *call) {
	if o.principal != nil {
		c.info.Principal = o.principal
		return
	}
	if c.client == noClient {
		c.client = &client{}
	}
	switch {
	case o.request != nil:
		c.client.request = o.request
	case o.onProgress != nil:
		c.client.onProgress = o.onProgress
	case o.onLog != nil:
		c.client.onLog = o.onLog
	}
}

// inherit gives an in-process call without a principal that of the call around
// it, of whichever layer, else the local one.
func (c *call) inherit() {
	if c.info.Principal != nil {
		return
	}
	c.info.Principal = Local()
	if outer := callFrom(c.Context); outer != nil {
		c.info.Principal = outer.info.Principal
	}
}

// enter lets the call in unless the layer is closing. A call inside a running
// call of the same layer, also by way of another layer, is part of that one.
func (c *call) enter() bool {
	nested := false
	for outer := callFrom(c.Context); outer != nil && !nested; outer = callFrom(outer.Context) {
		nested = outer.layer == c.layer && !outer.over.Load()
	}
	return c.layer.gate.enter(nested)
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
	p, err := c.layer.resolve(c.Context, c.client.request)
	if err != nil {
		c.logger().Warn("identity not established", slog.Any("error", err))
		return identityFailed(err)
	}
	c.info.Principal = p
	return nil
}

// lookup finds the primitive and what holds for the caller. Unknown and hidden
// look the same to the caller; both are recorded by the policy.
func (c *call) lookup(kind Kind, exposed string) error {
	c.info.Kind = kind
	c.info.Context = &c.tc
	c.info.Started = time.Now()
	c.info.call = c
	name, ok := c.layer.stripPrefix(exposed)
	if ok {
		c.prim = c.layer.catalog.Load().tools[name]
	}
	if c.prim == nil {
		c.info.Name = exposed
		return c.notFound(exposed)
	}
	c.info.Name, c.info.Spec = name, c.prim.spec
	c.access = c.bind()
	if !c.access.Visible {
		return c.notFound(exposed)
	}
	return nil
}

// nothing is the access of a policy that says nothing.
var nothing = &Access{}

// bind asks the policy what holds. One that panics grants nothing.
func (c *call) bind() *Access {
	if a := c.askPolicy(); a != nil {
		return a
	}
	return nothing
}

func (c *call) askPolicy() *Access {
	defer c.logPanic()
	return c.layer.policy.Bind(c.prim.spec, c.info.Principal)
}

func (c *call) notFound(exposed string) error {
	if c.access == nil {
		c.access = nothing
	}
	c.recordNotFound()
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

// answerTool makes the caller's answer of what the chain returned.
func (c *call) answerTool(res result.Result, err error) (*result.ToolResult, error) {
	if err != nil {
		switch {
		case c.cancelled(err):
			return nil, err
		case isProtocolError(err):
			return nil, c.protocolError(err)
		}
		c.logCause(err)
		return c.errorResult(err), nil
	}
	answer, ok := res.(*result.ToolResult)
	if !ok || answer == nil {
		return c.errorResult(errors.New("a middleware returned no tool result")), nil
	}
	if err := c.checkAnswer(answer); err != nil {
		return c.errorResult(err), nil
	}
	return answer, nil
}

// logCause logs of an error what the client does not read, unless the log has it
// from the handler's step.
func (c *call) logCause(err error) {
	if _, logged := errors.AsType[*panicError](err); logged {
		return
	}
	if e := layerError(err); e == nil || e.Err != nil && c.logged.Load() != e {
		c.logger().Warn("call failed", c.attr(), errorAttr(err))
	}
}

// isProtocolError reports whether a handler answered with an error of the
// protocol itself, such as a missing client capability: it stays one.
func isProtocolError(err error) bool {
	if _, ours := errors.AsType[*Error](err); ours {
		return false
	}
	_, ok := errors.AsType[*jsonrpc.Error](err)
	return ok
}

// protocolError makes the JSON-RPC error of a failure. Its message and data pass
// through the output pipeline.
func (c *call) protocolError(err error) *jsonrpc.Error {
	f := c.failureOf(err)
	exit := c.beginExit(c.info)
	text, data := exit.text(f.message), exit.value(f.data)
	if exit.err != nil {
		c.logger().Error("error withheld", c.attr(), errorAttr(exit.err))
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: withheldText}
	}
	wire := &jsonrpc.Error{Code: f.code.number(), Message: text}
	if data != nil {
		wire.Data = data.(json.RawMessage)
	}
	return wire
}

// cancelled reports whether err says that the caller has gone.
func (c *call) cancelled(err error) bool {
	return c.Context.Err() != nil && isContextError(err)
}

func isContextError(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// checkAnswer makes sure that the SDK can encode what middleware made of the
// result: it would never answer otherwise.
func (c *call) checkAnswer(answer *result.ToolResult) error {
	if doc := answer.Structured; doc != nil && !c.made.holds(doc) {
		if err := result.CheckJSON(doc); err != nil {
			return fmt.Errorf("structured value: %w", err)
		}
	}
	if err := result.CheckContent(answer.Content); err != nil {
		return err
	}
	if err := result.CheckRequests(answer.Requests); err != nil {
		return err
	}
	return result.CheckMeta(answer.Meta)
}

// madeDoc is the structured value that the last step made, known to be JSON.
type madeDoc struct {
	mu  sync.Mutex
	doc jsontext.Value
}

func (m *madeDoc) set(doc jsontext.Value) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.doc = doc
}

// holds reports whether doc is that value, untouched.
func (m *madeDoc) holds(doc jsontext.Value) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(doc) > 0 && sameBytes(doc, m.doc)
}

func (c *call) logger() *slog.Logger { return c.layer.logger }

// attr names the call in log lines.
func (c *call) attr() slog.Attr {
	return slog.Group("call", slog.String("kind", c.info.Kind.String()), slog.String("name", c.info.Name))
}
