package mcplayer

import (
	"context"
	"fmt"

	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

// runResource runs a resource's handler and makes its contents ready for the
// client.
func (c *call) runResource(ctx context.Context, info CallInfo, args jsontext.Value, ticket Ticket) (result.Result, error) {
	vars, err := variables(args)
	if err != nil {
		return nil, err
	}
	if err := c.checkChanged(args, vars); err != nil {
		reject(ticket, err)
		return nil, err
	}
	if err := c.guard(ctx, info, vars); err != nil {
		return nil, err
	}
	return serve(ctx, c, args, func(ctx context.Context, tc *ToolContext) (any, error) {
		value, err := c.prim.read(ctx, tc, vars)
		if err != nil || isPiece(value) {
			return value, err
		}
		return c.encodeValue(value)
	}, (*call).contents)
}

// checkChanged asks again about variables that are no longer those of the client's
// URI: what they stand for must be of the template and not hidden or denied. For a host's
// template readHost does so.
func (c *call) checkChanged(args jsontext.Value, vars map[string]string) error {
	template := c.prim.spec.template
	if template == nil || c.prim.spec.Host || sameBytes(args, c.info.Arguments) {
		return nil
	}
	concrete, err := template.Canonical(vars)
	if err != nil {
		return InvalidArguments("Invalid arguments: "+err.Error(), nil)
	}
	return c.admitsURI(concrete)
}

// admitsURI asks the policy about a concrete URI that the client did not write.
func (c *call) admitsURI(concrete string) error {
	switch {
	case !c.access.shows(KindResource, concrete):
		return notFound(KindResource, c.requested)
	case c.access.Denies != nil:
		return c.access.Denies(c.info, concrete)
	}
	return nil
}

// runPrompt renders a prompt and makes its messages ready for the client.
func (c *call) runPrompt(ctx context.Context, info CallInfo, args jsontext.Value) (result.Result, error) {
	given, err := variables(args)
	if err != nil {
		return nil, err
	}
	declared, err := promptArguments(c.prim.spec, given)
	if err != nil {
		return nil, err
	}
	if err := c.guard(ctx, info, declared); err != nil {
		return nil, err
	}
	return serve(ctx, c, args, func(ctx context.Context, tc *ToolContext) (any, error) {
		return c.prim.render(ctx, tc, declared)
	}, (*call).messages)
}

// serve runs a handler that has no timeout where it belongs, and there makes a
// result of its value, since the SDK asks older clients itself.
func serve[R result.Result](
	ctx context.Context, c *call, args jsontext.Value,
	handler func(context.Context, *ToolContext) (any, error), shape func(c *call, value any) (R, error),
) (result.Result, error) {
	var res R
	err := c.inside(ctx, args, func(ctx context.Context) (result.Input, error) {
		value, err := c.attend(ctx, args, handler)
		if err == nil {
			res, err = shape(c, value)
		}
		if err != nil {
			return result.Input{}, c.handlerError(ctx, err)
		}
		return inputOf(res), nil
	})
	if err != nil {
		return nil, err
	}
	return res, nil
}

// inputOf returns what a resource or prompt asks the client for.
func inputOf(res result.Result) result.Input {
	switch r := res.(type) {
	case *result.Resource:
		return r.Input
	case *result.Prompt:
		return r.Input
	}
	return result.Input{}
}

// runCompletion proposes values. A failure of the handler proposes none.
func (c *call) runCompletion(ctx context.Context, info CallInfo, args jsontext.Value, ticket Ticket) (result.Result, error) {
	in, err := c.completionInput(ctx, info, args)
	if err != nil {
		reject(ticket, err)
		return nil, err
	}
	if err := c.guard(ctx, info, in); err != nil {
		return nil, err
	}
	value, err := c.attend(ctx, args, func(ctx context.Context, tc *ToolContext) (any, error) {
		return c.propose(ctx, tc, in)
	})
	if err != nil && ctx.Err() != nil && isContextError(err) {
		return nil, err
	}
	var res *result.Completion
	if err == nil {
		res, err = c.completed(in, value)
	}
	if err != nil {
		c.logger().Debug("completion failed", c.attr(), errorAttr(err))
		return &result.Completion{Values: []string{}}, nil
	}
	return res, nil
}

// propose asks whoever completes the argument.
func (c *call) propose(ctx context.Context, tc *ToolContext, in CompletionInput) (any, error) {
	if c.prim.spec.Host {
		return c.exchange.completeHost(ctx, in)
	}
	return c.prim.complete[in.Argument](ctx, tc, in)
}

// completed makes a completion of the proposals of a function, or of what a host
// answered.
func (c *call) completed(in CompletionInput, value any) (*result.Completion, error) {
	switch v := value.(type) {
	case []string:
		return c.proposals(in.Argument, c.unhidden(in, v), nil)
	case *result.Completion:
		shown := c.unhidden(in, v.Values)
		res, err := c.proposals(in.Argument, shown, v.Meta)
		if err == nil {
			res.Total, res.HasMore = max(res.Total, v.Total-(len(v.Values)-len(shown))), res.HasMore || v.HasMore
		}
		return res, err
	}
	return nil, fmt.Errorf("a completion gave %T", value)
}

// inside runs a handler where it belongs: one of the layer's, called through a
// server, inside the SDK's own handling of the request.
func (c *call) inside(ctx context.Context, args jsontext.Value, work func(context.Context) (result.Input, error)) error {
	if c.runsInSDK() {
		return c.exchange.inside(ctx, args, work)
	}
	_, err := work(ctx)
	return err
}

// attend runs one handler that has no timeout. A panic becomes an error.
func (c *call) attend(ctx context.Context, args jsontext.Value, handler func(context.Context, *ToolContext) (any, error)) (value any, err error) {
	tc := c.attempt()
	tc.args = args
	defer tc.end()
	c.life.begin()
	defer c.life.end()
	defer c.survive(&err)
	return handler(tc.speaking(ctx), tc)
}
