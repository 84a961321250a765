package mcplayer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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

	mu   sync.Mutex
	wire mcp.Result // what the SDK's handling gave last
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
	if e, ok := errors.AsType[*Error](err); ok {
		c.exchange.noteDenial(e)
		return e.wire()
	}
	if c.cancelled(err) {
		return err
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

// pending is work of the layer's inside the SDK's handling of a request. An older
// client's answer to a request for input makes the SDK run it twice.
type pending struct {
	call *call
	work func(context.Context) (result.Input, error)
	err  error
	ran  bool
}

type pendingKey struct{}

var errAround = errors.New("mcplayer: reached around the layer")

// inside runs work inside the SDK's handling of the request.
func (x *exchange) inside(ctx context.Context, args jsontext.Value, work func(context.Context) (result.Input, error)) error {
	p := &pending{call: x.call, work: work}
	wire, err := x.forward(context.WithValue(ctx, pendingKey{}, p), x.stand(args))
	switch {
	case p.err != nil:
		return p.err
	case !p.ran && ctx.Err() == nil:
		return x.displaced(err)
	case err != nil:
		return x.call.handlerError(ctx, err)
	case !p.ran:
		return ctx.Err()
	}
	x.keepWire(wire)
	return nil
}

// displaced is why a handler of the layer's did not run although the server
// answered: it went meanwhile, or the server's owner put something in its place.
func (x *exchange) displaced(err error) error {
	c := x.call
	if x.mount.find(c.prim.spec.Kind, c.requested).prim != nil {
		c.logger().Error("the server's owner displaced or removed what stands for the layer", c.attr(), errorAttr(err))
	}
	text := fmt.Sprintf("%s %s is not available", c.info.Kind.title(), c.info.Name)
	return &failure{code: CodeHandlerError, message: text, cause: errors.New("the handler was not reached")}
}

// run does the work and keeps its result for the layer. What it returns is for the
// SDK, which sets on its stand-in what only it can set.
func (p *pending) run(ctx context.Context, responses mcp.InputResponseMap, state string) result.Input {
	p.ran = true
	if p.err = p.call.takeResponses(ctx, p.call.info, responses, state); p.err != nil {
		return result.Input{}
	}
	var asks result.Input
	asks, p.err = p.work(ctx)
	return asks
}

// handleTool is what stands on the server for a tool of the layer's. It runs only
// inside a call that came through the layer.
func handleTool(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	p, ok := ctx.Value(pendingKey{}).(*pending)
	if !ok || p.call.info.Kind != KindTool {
		return nil, errAround
	}
	asks := p.run(ctx, req.Params.InputResponses, req.Params.RequestState)
	return (&result.ToolResult{Input: asks}).ToWire(), nil
}

// handleResource stands on the server for all resources of the layer's.
func handleResource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	p, ok := ctx.Value(pendingKey{}).(*pending)
	if !ok || p.call.info.Kind != KindResource {
		return nil, errAround
	}
	asks := p.run(ctx, req.Params.InputResponses, req.Params.RequestState)
	// For older clients the SDK takes a request for input without contents for a
	// mistake.
	return (&result.Resource{Contents: []*mcp.ResourceContents{}, Input: asks}).ToWire(), nil
}

// handlePrompt stands on the server for all prompts of the layer's.
func handlePrompt(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	p, ok := ctx.Value(pendingKey{}).(*pending)
	if !ok || p.call.info.Kind != KindPrompt {
		return nil, errAround
	}
	asks := p.run(ctx, req.Params.InputResponses, req.Params.RequestState)
	return (&result.Prompt{Input: asks}).ToWire(), nil
}

// stand is the request for what stands on the server for the layer's primitive.
func (x *exchange) stand(args jsontext.Value) mcp.Request {
	responses, state := x.call.client.input()
	switch r := x.req.(type) {
	case *mcp.ReadResourceRequest:
		return &mcp.ReadResourceRequest{Session: r.Session, Extra: withoutBinding(r.Extra), Params: &mcp.ReadResourceParams{
			Meta: r.Params.Meta, URI: standResource, InputResponses: responses, RequestState: state,
		}}
	case *mcp.GetPromptRequest:
		return &mcp.GetPromptRequest{Session: r.Session, Extra: withoutBinding(r.Extra), Params: &mcp.GetPromptParams{
			Meta: r.Params.Meta, Name: standPrompt, InputResponses: responses, RequestState: state,
		}}
	}
	return x.toolRequest(args)
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

// callHost runs a tool of the host's: the rest of the server is its handler.
func callHost(ctx context.Context, tc *ToolContext, in any) (any, error) {
	x := tc.call.exchange
	return askHost[*mcp.CallToolResult](ctx, tc, x.toolRequest(*in.(*jsontext.Value)))
}

// readHost reads a resource of the host's. The URI is the client's own, unless the
// input pipeline changed a variable in it.
func readHost(ctx context.Context, tc *ToolContext, vars map[string]string) (any, error) {
	x := tc.call.exchange
	r := x.req.(*mcp.ReadResourceRequest)
	params := *r.Params
	params.InputResponses, params.RequestState = x.call.client.input()
	received, err := variables(x.call.info.Arguments)
	if err != nil {
		return nil, err
	}
	switch prim := x.call.prim; {
	case prim.spec.Kind == KindResource:
		params.URI = prim.spec.Name // the client may spell it in another way
	case !maps.Equal(received, vars):
		if params.URI, err = prim.spec.Expand(vars); err != nil {
			return nil, err
		}
		if chosen, err := x.mount.choose(ctx, r, params.URI); err != nil || chosen.prim != prim {
			return nil, cmp.Or(err, error(notFound(KindResource, x.call.requested)))
		}
	}
	return askHost[*mcp.ReadResourceResult](ctx, tc, &mcp.ReadResourceRequest{Session: r.Session, Params: &params, Extra: withoutBinding(r.Extra)})
}

// renderHost renders a prompt of the host's.
func renderHost(ctx context.Context, tc *ToolContext, args map[string]string) (any, error) {
	x := tc.call.exchange
	r := x.req.(*mcp.GetPromptRequest)
	params := *r.Params
	params.Arguments = args
	params.InputResponses, params.RequestState = x.call.client.input()
	return askHost[*mcp.GetPromptResult](ctx, tc, &mcp.GetPromptRequest{Session: r.Session, Params: &params, Extra: withoutBinding(r.Extra)})
}

// completeHost asks the host's completion handler.
func (x *exchange) completeHost(ctx context.Context, in CompletionInput) (any, error) {
	r := x.req.(*mcp.CompleteRequest)
	params := *r.Params
	params.Argument.Value = in.Value
	if params.Context != nil {
		params.Context = &mcp.CompleteContext{Arguments: in.Context}
	}
	res, err := x.forward(ctx, &mcp.CompleteRequest{Session: r.Session, Params: &params, Extra: withoutBinding(r.Extra)})
	wire, ok := res.(*mcp.CompleteResult)
	if err != nil || !ok {
		return nil, noAnswer(err)
	}
	return result.CompletionFromWire(wire), nil
}

// askHost runs a handler of the host's, with the client's answers to a request for
// input led through the input pipeline.
func askHost[W interface {
	comparable
	mcp.Result
}](ctx context.Context, tc *ToolContext, req mcp.Request) (any, error) {
	x := tc.call.exchange
	responses, state := x.call.client.input()
	if err := x.call.takeResponses(ctx, x.call.info, responses, state); err != nil {
		return nil, err
	}
	res, err := x.forward(ctx, req)
	wire, ok := res.(W)
	var none W
	if err != nil || !ok || wire == none {
		return nil, noAnswer(err)
	}
	x.keepWire(wire)
	return wire, nil
}

// noAnswer is why a handler of the host's did not answer: err, or it gave nothing.
func noAnswer(err error) error {
	if err != nil {
		return err
	}
	return errors.New("the handler gave no result")
}

// noteDenial tells an HTTP wrapper that the policy refused the call.
func (x *exchange) noteDenial(cause error) {
	if x.binding != nil && x.binding.denied != nil && errors.Is(cause, ErrAccessDenied) {
		x.binding.denied()
	}
}
