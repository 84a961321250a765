package mcplayer

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// hostCallKey finds the ToolContext in the context of a host's handler.
type hostCallKey struct{}

// sending is the layer's middleware for what goes to clients: what a handler of
// the host's sends during its call, or the SDK on its behalf, passes the pipelines
// of the call, as its result does. A handler that goes on after its time is
// silent. Everything else passes as it is.
func (m *mount) sending(next mcp.MethodHandler) mcp.MethodHandler {
	m.send = next
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		tc, _ := ctx.Value(hostCallKey{}).(*ToolContext)
		session, ok := req.GetSession().(*mcp.ServerSession)
		if tc == nil || !ok || tc.call.exchange.mount != m {
			return next(ctx, method, req)
		}
		defer tc.call.survive(&err) // the SDK may ask on a goroutine of its own
		send := func(params mcp.Params) (mcp.Result, error) {
			return next(ctx, method, &mcp.ServerRequest[mcp.Params]{Session: session, Params: params})
		}
		switch p := req.GetParams().(type) {
		case *mcp.ProgressNotificationParams:
			tc.tell(func() { err = tc.sendProgress(p, send) })
			return nil, err
		case *mcp.LoggingMessageParams:
			tc.tell(func() { err = tc.sendLog(p, send) })
			return nil, err
		case mcp.InputRequest:
			return tc.sendQuestion(ctx, p, send)
		}
		return next(ctx, method, req)
	}
}

type sender func(mcp.Params) (mcp.Result, error)

func (tc *ToolContext) sendProgress(p *mcp.ProgressNotificationParams, send sender) error {
	if p == nil {
		return nil
	}
	out := *p
	e := tc.call.beginExit(tc.call.info)
	out.Message, out.Meta = e.text(p.Message), e.meta(p.Meta)
	if e.err != nil {
		out.Message, out.Meta = "", nil
	}
	_, err := send(&out)
	return err
}

func (tc *ToolContext) sendLog(p *mcp.LoggingMessageParams, send sender) error {
	if p == nil {
		return nil
	}
	data, err := tc.call.exitJSON(p.Data)
	if err != nil {
		tc.call.logger().Warn("log message of a handler left out", tc.call.attr(), errorAttr(err))
		return nil
	}
	out := *p
	out.Data = json.RawMessage(data)
	_, err = send(&out)
	return err
}

// sendQuestion asks the client something on the handler's behalf. The answer
// passes the input pipeline.
func (tc *ToolContext) sendQuestion(ctx context.Context, request mcp.InputRequest, send sender) (mcp.Result, error) {
	c := tc.call
	if tc.ended() {
		return nil, ErrNoSession
	}
	asked, err := c.askInput(mcp.InputRequestMap{"": request})
	if err != nil {
		return nil, &failure{code: CodeHandlerError, message: withheldText, cause: err}
	}
	res, err := send(asked[""].(mcp.Params))
	if err != nil {
		return nil, err // res may be a typed nil
	}
	if response, ok := res.(mcp.InputResponse); ok {
		if err := c.takeResponse(ctx, c.info, response); err != nil {
			return nil, err
		}
	}
	return res, nil
}
