package mcplayer

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ErrNoSession is returned where a handler asks a client that cannot be asked:
// the call is in-process, or the protocol has no requests from the server. On
// protocol 2026-07-28 a handler returns [result.AskInput] instead.
var ErrNoSession = errors.New("the client cannot be asked during this call")

// Elicit asks the person at the client. The question passes through the output
// pipeline, the answer through the input pipeline. It works on sessions of
// protocols before 2026-07-28; elsewhere the error is [ErrNoSession].
func (tc *ToolContext) Elicit(ctx context.Context, params *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	return ask(ctx, tc, params, (*mcp.ServerSession).Elicit)
}

// CreateMessage asks the client's model. The question passes through the output
// pipeline, the answer through the input pipeline. It works where
// [ToolContext.Elicit] does, for clients that offer sampling.
func (tc *ToolContext) CreateMessage(ctx context.Context, params *mcp.CreateMessageParams) (*mcp.CreateMessageResult, error) {
	return ask(ctx, tc, params, (*mcp.ServerSession).CreateMessage)
}

// ask leads a question to the client and its answer back.
func ask[Q mcp.InputRequest, A mcp.InputResponse](
	ctx context.Context, tc *ToolContext, params Q, send func(*mcp.ServerSession, context.Context, Q) (A, error),
) (A, error) {
	var none A
	session, err := tc.askable()
	if err != nil {
		return none, err
	}
	asked, err := tc.call.askInput(mcp.InputRequestMap{"": params})
	if err != nil {
		return none, err
	}
	answer, err := send(session, unspoken{ctx}, asked[""].(Q))
	if err != nil {
		return none, err
	}
	if err := tc.call.takeResponse(ctx, tc.call.info, answer); err != nil {
		return none, err
	}
	return answer, nil
}

// Roots asks the client for its roots, which pass through the input pipeline. It works where [ToolContext.Elicit] does.
func (tc *ToolContext) Roots(ctx context.Context) ([]*mcp.Root, error) {
	session, err := tc.askable()
	if err != nil {
		return nil, err
	}
	res, err := session.ListRoots(unspoken{ctx}, nil)
	if err != nil {
		return nil, err
	}
	if err := tc.call.takeResponse(ctx, tc.call.info, res); err != nil {
		return nil, err
	}
	return res.Roots, nil
}

func (tc *ToolContext) askable() (*mcp.ServerSession, error) {
	session := tc.Session()
	if session == nil || tc.ended() || tc.call.exchange.isModern() {
		return nil, ErrNoSession
	}
	return session, nil
}
