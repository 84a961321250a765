package mcplayer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// exchange is one request to a server that the layer is mounted on.
type exchange struct {
	mount *mount
	call  *call
	tool  *mcp.CallToolRequest
	// exposed is the primitive's name on this server.
	exposed string
	// binding is what a wrapper of the layer knows of the request, nil without one.
	binding *binding

	mu   sync.Mutex
	wire *mcp.CallToolResult // what the SDK's handling gave last
}

const methodCallTool = "tools/call"

// callTool answers a tools/call request.
func (m *mount) callTool(ctx context.Context, req *mcp.CallToolRequest) (res mcp.Result, err error) {
	c := m.newCall(ctx, req, req.Params.Meta)
	defer c.surviveRequest(&res, &err)
	c.exchange.tool = req
	c.client.responses, c.client.state = req.Params.InputResponses, req.Params.RequestState
	answer, err := c.callTool(req.Params.Name, jsontext.Value(req.Params.Arguments))
	if err != nil {
		return nil, c.wireError(err)
	}
	c.exchange.noteDenial(answer.Cause)
	modern := isModern(req.Params.Meta)
	if answer.NeedsInput() && !modern {
		answer = c.errorResult(c.cannotAsk())
	}
	return m.templates.toolWire(answer, c.exchange.lastWire(), modern), nil
}

// cannotAsk is the answer to an older client when somebody asks for input outside
// the SDK's handling, which asks it in its own way, or a second time.
func (c *call) cannotAsk() *failure {
	text := fmt.Sprintf("%s %s needs input in a way that this client's protocol does not have", c.info.Kind.title(), c.info.Name)
	return &failure{code: CodeHandlerError, message: text, cause: errors.New("asked for input in vain")}
}

// newCall begins the call of a request.
func (m *mount) newCall(ctx context.Context, req mcp.Request, meta mcp.Meta) *call {
	l := m.layer
	c := l.newCall(ctx)
	c.exchange = &exchange{mount: m, call: c}
	session, _ := req.GetSession().(*mcp.ServerSession)
	c.client = &client{
		session: session,
		request: sync.OnceValue(func() *RequestInfo { return l.requestInfo(ctx, req) }),
	}
	if b := l.bindingOf(req.GetExtra()); b != nil {
		c.client.requestID = b.requestID
		c.exchange.binding = b
	}
	c.connect(session, meta)
	return c
}

// surviveRequest answers a request whose handling panicked outside every step
// that survives by itself.
func (c *call) surviveRequest(res *mcp.Result, err *error) {
	if v := recover(); v != nil {
		c.panicked(v)
		*res, *err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "Internal error"}
	}
}

// wireError makes exactly a *jsonrpc.Error, the one type whose code and data the
// SDK sends; a cancellation passes as it is.
func (c *call) wireError(err error) error {
	if wire, ok := err.(*jsonrpc.Error); ok || c.cancelled(err) {
		if ok {
			return wire
		}
		return err
	}
	return c.protocolError(err)
}

// find returns the layer's primitive of that exposed name, else what is made of
// the host's.
func (x *exchange) find(kind Kind, exposed string) *primitive {
	x.exposed = exposed
	if p := x.mount.find(exposed); p != nil {
		return p
	}
	return x.mount.findHostTool(x.call, x.tool, exposed)
}

// pending is what a layer's tool needs inside the SDK's handling of its call. An
// older client's answer to a request for input makes the SDK run it twice.
type pending struct {
	call  *call
	info  CallInfo
	args  jsontext.Value
	draft draft
	err   error
	ran   bool
}

type pendingKey struct{}

// perform runs a tool of the layer's inside the SDK's handling of the request.
func (x *exchange) perform(ctx context.Context, info CallInfo, args jsontext.Value) (draft, error) {
	p := &pending{call: x.call, info: info, args: args}
	wire, err := x.forward(context.WithValue(ctx, pendingKey{}, p), args)
	switch {
	case p.err != nil:
		return draft{}, p.err
	case !p.ran && ctx.Err() == nil:
		return draft{}, x.displaced(err)
	case err != nil:
		return draft{}, x.call.handlerError(ctx, err)
	case !p.ran:
		return draft{}, ctx.Err()
	}
	x.keepWire(wire)
	return p.draft, nil
}

// displaced is why a tool of the layer's did not run although the server answered:
// it went meanwhile, or the server's owner put another in its place.
func (x *exchange) displaced(err error) error {
	if x.mount.find(x.exposed) == nil {
		return x.call.unavailable()
	}
	x.call.logger().Error("the server's owner displaced or removed the layer's tool", x.call.attr(), errorAttr(err))
	return x.call.unavailable()
}

func (c *call) unavailable() *failure {
	text := fmt.Sprintf("%s %s is not available", c.info.Kind.title(), c.info.Name)
	return &failure{code: CodeHandlerError, message: text, cause: errors.New("the handler was not reached")}
}

// handler is what stands on the server for a tool of the layer's. It runs only
// inside a call of that name that came through the layer.
func (m *mount) handler(exposed string) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		p, ok := ctx.Value(pendingKey{}).(*pending)
		if !ok || p.call.exchange.mount != m || p.call.exchange.exposed != exposed {
			return nil, fmt.Errorf("mcplayer: tool %q was reached around the layer", req.Params.Name)
		}
		return p.run(ctx, req), nil
	}
}

// run does the tool's work and keeps the result for the layer. The SDK gets a
// stand-in, on which it sets what only it can set.
func (p *pending) run(ctx context.Context, req *mcp.CallToolRequest) *mcp.CallToolResult {
	p.ran = true
	if p.err = p.call.takeResponses(ctx, p.info, req.Params.InputResponses, req.Params.RequestState); p.err == nil {
		p.draft, p.err = p.call.execute(ctx, p.info, p.args)
	}
	if p.err != nil || !p.draft.res.NeedsInput() {
		return &mcp.CallToolResult{Content: []mcp.Content{}}
	}
	return p.draft.res.ToWire()
}

// forward hands the request on to what stands inside the layer, with these
// arguments.
func (x *exchange) forward(ctx context.Context, args jsontext.Value) (*mcp.CallToolResult, error) {
	res, err := x.mount.next(ctx, methodCallTool, x.sdkRequest(args))
	if err != nil {
		return nil, err // res may be a typed nil
	}
	wire, ok := res.(*mcp.CallToolResult)
	switch {
	case !ok:
		return nil, fmt.Errorf("the server answered tools/call with %T", res)
	case wire == nil:
		return nil, errors.New("the tool gave no result")
	}
	return wire, nil
}

// sdkRequest is the request with these arguments and without the layer's private
// header.
func (x *exchange) sdkRequest(args jsontext.Value) *mcp.CallToolRequest {
	params := *x.tool.Params
	params.Arguments = json.RawMessage(args)
	params.InputResponses, params.RequestState = x.call.client.input()
	return &mcp.CallToolRequest{Session: x.tool.Session, Params: &params, Extra: withoutBinding(x.tool.Extra)}
}

// meta is the request's metadata.
func (x *exchange) meta() mcp.Meta {
	if x == nil || x.tool == nil {
		return nil
	}
	return x.tool.Params.Meta
}

func (x *exchange) keepWire(wire *mcp.CallToolResult) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.wire = wire
}

func (x *exchange) lastWire() *mcp.CallToolResult {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.wire
}

// callHost runs a tool of the host's: the rest of the server is its handler.
func callHost(ctx context.Context, tc *ToolContext, in any) (any, error) {
	x := tc.call.exchange
	if err := tc.call.takeResponses(ctx, tc.call.info, x.tool.Params.InputResponses, x.tool.Params.RequestState); err != nil {
		return nil, err
	}
	wire, err := x.forward(context.WithValue(ctx, hostCallKey{}, tc), *in.(*jsontext.Value))
	if err != nil {
		return nil, err
	}
	x.keepWire(wire)
	return wire, nil
}

// noteDenial tells an HTTP wrapper that the policy refused the call.
func (x *exchange) noteDenial(cause error) {
	if x.binding != nil && x.binding.denied != nil && errors.Is(cause, ErrAccessDenied) {
		x.binding.denied()
	}
}
