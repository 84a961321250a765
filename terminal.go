package mcplayer

import (
	"context"
	"errors"

	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

// terminal is the innermost step of every chain: the policy's check, the input
// pipeline, the handler, the output pipeline.
func terminal(ctx context.Context, info CallInfo) (res result.Result, err error) {
	c := info.call
	if err := c.verify(info); err != nil {
		return nil, err
	}
	defer c.survive(&err)
	ctx = c.carry(ctx)
	ticket, err := c.authorize(ctx, info)
	if err != nil {
		return nil, private(err)
	}
	c.exchange.keepTicket(ticket)
	if c.fault != nil {
		return nil, c.fault
	}
	args, err := c.input(ctx, info, ticket)
	if err != nil {
		return nil, private(err)
	}
	switch info.Kind {
	case KindTool:
		return c.runTool(ctx, info, args)
	case KindResource:
		return c.runResource(ctx, info, args, ticket)
	case KindPrompt:
		return c.runPrompt(ctx, info, args)
	}
	return c.runCompletion(ctx, info, args, ticket)
}

// input runs the input pipeline over the arguments. A refusal is noted in the
// policy's record of the call.
func (c *call) input(ctx context.Context, info CallInfo, ticket Ticket) (jsontext.Value, error) {
	args, err := c.argumentsOf(info)
	if err != nil || c.access.Input == nil || info.Kind == KindCompletion {
		return args, err // a completion's parts are named by its argument
	}
	args, err = c.transformInput(ctx, info, args)
	reject(ticket, err)
	return args, err
}

// reject notes in the policy's record that the input pipeline refused the call.
func reject(ticket Ticket, err error) {
	if err != nil && ticket != nil {
		ticket.Reject(rejection(err))
	}
}

// beginInput starts the input pipeline for what a client sent.
func (c *call) beginInput(ctx context.Context, info CallInfo) (Pass, error) {
	if pass := c.access.Input.Begin(ctx, info); pass != nil {
		return pass, nil
	}
	return nil, errNoPass
}

func (c *call) transformInput(ctx context.Context, info CallInfo, args jsontext.Value) (out jsontext.Value, err error) {
	defer c.survive(&err)
	pass, err := c.beginInput(ctx, info)
	if err != nil {
		return nil, err
	}
	if out, err = pass.JSON(args); err == nil {
		release(pass)
	}
	return out, err
}

// rejection is what the policy's record says of a refusal: only texts that were
// written for clients.
func rejection(err error) string {
	if e := layerError(err); e != nil {
		return e.Message
	}
	return TypeOf(err)
}

// argumentsOf returns the arguments of a call, checked again where a middleware
// changed them.
func (c *call) argumentsOf(info CallInfo) (jsontext.Value, error) {
	if sameBytes(info.Arguments, c.info.Arguments) {
		return info.Arguments, nil
	}
	args, fault := c.layer.checkArguments(info.Arguments)
	if fault != nil {
		return nil, fault
	}
	return args, nil
}

// sameBytes reports whether a and b are the same memory.
func sameBytes(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// runTool runs a tool and makes its result ready for the client.
func (c *call) runTool(ctx context.Context, info CallInfo, args jsontext.Value) (result.Result, error) {
	d, err := c.perform(ctx, info, args) // validation, guard, handler
	if f, ok := errors.AsType[*failure](err); ok {
		return c.errorResult(f), nil
	}
	if err != nil {
		return nil, err
	}
	res, err := c.finish(ctx, info, d) // output pipeline, text, links, metadata
	if f, ok := errors.AsType[*failure](err); ok {
		return c.errorResult(f), nil
	}
	if err != nil {
		return c.withheld(err), nil
	}
	return res, nil
}

// perform is execute where it belongs, as inside is for the other kinds: a tool of
// the layer's that was called through a server runs inside the SDK's own handling.
func (c *call) perform(ctx context.Context, info CallInfo, args jsontext.Value) (draft, error) {
	if !c.runsInSDK() { // without the allocations of what follows
		return c.execute(ctx, info, args)
	}
	var d draft
	err := c.exchange.inside(ctx, args, func(ctx context.Context) (result.Input, error) {
		var err error
		if d, err = c.execute(ctx, info, args); err != nil {
			return result.Input{}, err
		}
		return d.res.Input, nil
	})
	return d, err
}

// runsInSDK reports whether a call's handler runs inside the SDK's own handling of
// the request, which speaks the protocol's rounds of input.
func (c *call) runsInSDK() bool { return c.exchange != nil && !c.prim.spec.Host }

// withheld answers in place of a result that the output pipeline could not
// transform.
func (c *call) withheld(err error) *result.ToolResult {
	return c.errorResult(c.withhold(err))
}

// guard asks the host's own rules about argument values.
func (c *call) guard(ctx context.Context, info CallInfo, args any) error {
	if c.layer.guard == nil {
		return nil
	}
	return c.layer.guard(ctx, info, args)
}
