package mcplayer

import (
	"cmp"
	"context"
	"errors"
	"maps"

	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// callHost runs a tool of the host's: the rest of the server is its handler.
func callHost(ctx context.Context, tc *ToolContext, in any) (any, error) {
	x := tc.call.exchange
	res, err := askHost[*mcp.CallToolResult](ctx, tc, x.toolRequest(*in.(*jsontext.Value)))
	if wire, ok := res.(*mcp.CallToolResult); ok && x.call.layer.hideErrors && wire.GetError() != nil {
		return nil, wire.GetError() // the SDK made a result of the handler's error
	}
	return res, err
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
		chosen, err := x.mount.choose(ctx, r, params.URI)
		if err != nil || chosen.prim != prim {
			return nil, cmp.Or(err, error(notFound(KindResource, x.call.requested)))
		}
		if err := x.call.admitsURI(chosen.name); err != nil {
			reject(x.lastTicket(), err)
			return nil, err
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
