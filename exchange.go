package mcplayer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// exchange is one request to a server that the layer is mounted on.
type exchange struct {
	mount *mount
	call  *call
	req   mcp.Request // *mcp.CallToolRequest and so on
	meta  mcp.Meta    // the request's
	// binding is what a wrapper of the layer knows of the request, nil without one.
	binding *binding

	mu     sync.Mutex
	wire   mcp.Result // what the SDK's handling gave last
	ticket Ticket     // of the check that let the call pass last
}

// keepTicket remembers the policy's record, for a refusal of answers that come later.
func (x *exchange) keepTicket(ticket Ticket) {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ticket = ticket
}

func (x *exchange) lastTicket() Ticket {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.ticket
}

// callTool answers a tools/call request.
func (m *mount) callTool(ctx context.Context, req *mcp.CallToolRequest) (mcp.Result, error) {
	c := m.newCall(ctx, req, req.Params.Meta)
	c.client.responses, c.client.state = req.Params.InputResponses, req.Params.RequestState
	answer, err := c.callTool(req.Params.Name, jsontext.Value(req.Params.Arguments))
	if err != nil {
		return nil, c.wireError(err)
	}
	if c.asksInVain(answer) {
		answer = c.errorResult(c.cannotAsk())
	}
	c.exchange.noteDenial(answer.Cause)
	return m.templates.toolWire(answer, lastWire[*mcp.CallToolResult](c.exchange), c.exchange.isModern()), nil
}

// readResource answers a resources/read request.
func (m *mount) readResource(ctx context.Context, req *mcp.ReadResourceRequest) (mcp.Result, error) {
	c := m.newCall(ctx, req, req.Params.Meta)
	c.client.responses, c.client.state = req.Params.InputResponses, req.Params.RequestState
	answer, err := c.readResource(req.Params.URI)
	if err != nil {
		return nil, c.wireError(err)
	}
	if c.asksInVain(answer) {
		return nil, c.protocolError(c.cannotAsk()).wire()
	}
	return m.templates.resourceWire(answer, lastWire[*mcp.ReadResourceResult](c.exchange), c.exchange.isModern()), nil
}

// getPrompt answers a prompts/get request.
func (m *mount) getPrompt(ctx context.Context, req *mcp.GetPromptRequest) (mcp.Result, error) {
	c := m.newCall(ctx, req, req.Params.Meta)
	c.client.responses, c.client.state = req.Params.InputResponses, req.Params.RequestState
	answer, err := c.getPrompt(req.Params.Name, req.Params.Arguments)
	if err != nil {
		return nil, c.wireError(err)
	}
	if c.asksInVain(answer) {
		return nil, c.protocolError(c.cannotAsk()).wire()
	}
	return m.templates.promptWire(answer, lastWire[*mcp.GetPromptResult](c.exchange), c.exchange.isModern()), nil
}

// complete answers a completion/complete request. What it lacks is refused as the
// SDK does.
func (m *mount) complete(ctx context.Context, req *mcp.CompleteRequest) (mcp.Result, error) {
	p := req.Params
	switch {
	case p.Ref == nil:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "missing required 'ref' field"}
	case p.Argument.Name == "":
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "missing required 'argument.name' field"}
	}
	c := m.newCall(ctx, req, p.Meta)
	ref := CompletionRef{Kind: KindPrompt, Name: p.Ref.Name}
	if p.Ref.Type == "ref/resource" {
		ref = CompletionRef{Kind: KindResourceTemplate, Name: p.Ref.URI}
	}
	in := CompletionInput{Argument: p.Argument.Name, Value: p.Argument.Value}
	if p.Context != nil {
		in.Context = p.Context.Arguments
	}
	answer, err := c.complete(ref, in)
	if err != nil {
		return nil, c.wireError(err)
	}
	return answer.ToWire(), nil
}

// asksInVain reports whether an older client would get a request for input that
// its protocol does not have: somebody asked outside the SDK's handling, which asks
// such a client in its own way, or a second time.
func (c *call) asksInVain(answer result.Result) bool {
	return answer.NeedsInput() && !c.exchange.isModern()
}

func (c *call) cannotAsk() *failure {
	text := fmt.Sprintf("%s %s needs input in a way that this client's protocol does not have", c.info.Kind.title(), c.info.Name)
	return &failure{code: CodeHandlerError, message: text, cause: errors.New("asked for input in vain")}
}

// newCall begins the call of a request.
func (m *mount) newCall(ctx context.Context, req mcp.Request, meta mcp.Meta) *call {
	l := m.layer
	c := l.newCall(ctx)
	c.exchange = &exchange{mount: m, call: c, req: req, meta: meta}
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

// wireError makes exactly a *jsonrpc.Error, the one type whose code and data the
// SDK sends; a cancellation passes as it is.
func (c *call) wireError(err error) error {
	if e, ok := err.(*Error); ok { //nolint:errorlint // one inside has passed no pipeline
		c.exchange.noteDenial(e)
		return e.wire()
	}
	if c.cancelled(err) {
		return c.gone(err)
	}
	return c.protocolError(err).wire()
}

func (x *exchange) isModern() bool { return x != nil && isModern(x.meta) }

// find returns the layer's primitive of that exposed name, else what is made of
// the host's.
func (x *exchange) find(kind Kind, exposed string) target {
	if kind == KindResource {
		return x.mount.findResource(x.call, x.req, exposed)
	}
	if found := x.mount.find(kind, exposed); found.prim != nil {
		return found
	}
	return x.mount.findHost(x.call, x.req, kind, exposed)
}

// forward hands a request on to what stands inside the layer.
func (x *exchange) forward(ctx context.Context, req mcp.Request) (mcp.Result, error) {
	res, err := x.mount.next(ctx, methodOf(req), req)
	if err != nil {
		return nil, err // res may be a typed nil
	}
	return res, nil
}

func methodOf(req mcp.Request) string {
	switch req.(type) {
	case *mcp.CallToolRequest:
		return "tools/call"
	case *mcp.ReadResourceRequest:
		return "resources/read"
	case *mcp.GetPromptRequest:
		return "prompts/get"
	}
	return "completion/complete"
}

func (x *exchange) keepWire(wire mcp.Result) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.wire = wire
}

// lastWire returns what the SDK's handling gave last, nil if it had no part.
func lastWire[W mcp.Result](x *exchange) W {
	x.mu.Lock()
	defer x.mu.Unlock()
	wire, _ := x.wire.(W)
	return wire
}

// noteDenial tells an HTTP wrapper that the policy refused the call.
func (x *exchange) noteDenial(cause error) {
	if x.binding != nil && x.binding.denied != nil && errors.Is(cause, ErrAccessDenied) {
		x.binding.denied()
	}
}

// toolRequest is a tool call's request with these arguments and without the
// layer's private header.
func (x *exchange) toolRequest(args jsontext.Value) *mcp.CallToolRequest {
	r := x.req.(*mcp.CallToolRequest)
	params := *r.Params
	params.Arguments = json.RawMessage(args)
	params.InputResponses, params.RequestState = x.call.client.input()
	return &mcp.CallToolRequest{Session: r.Session, Params: &params, Extra: withoutBinding(r.Extra)}
}
