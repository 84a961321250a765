package mcplayer

import (
	"context"
	"errors"
	"fmt"

	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

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
