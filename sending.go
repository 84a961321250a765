package mcplayer

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// speakerKey finds the ToolContext in the context of a handler that runs during a
// request to a server.
type speakerKey struct{}

// speaking is the context of a handler: what it sends by itself, over the session,
// passes the pipelines of its call.
func (tc *ToolContext) speaking(ctx context.Context) context.Context {
	if tc.call.exchange == nil {
		return ctx
	}
	return context.WithValue(ctx, speakerKey{}, tc)
}

// unspoken is a handler's context for what has passed the pipelines already.
type unspoken struct{ context.Context }

func (c unspoken) Value(key any) any {
	if key == (speakerKey{}) {
		return nil
	}
	return c.Context.Value(key)
}

// sending is the layer's middleware for what goes to clients: what a handler sends
// over the session during its call, or the SDK on its behalf, passes the pipelines
// of the call, as its result does. A handler that goes on after its time is
// silent. Everything else passes as it is.
func (m *mount) sending(next mcp.MethodHandler) mcp.MethodHandler {
	m.send = next
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		tc, _ := ctx.Value(speakerKey{}).(*ToolContext)
		session, ok := req.GetSession().(*mcp.ServerSession)
		if tc == nil || !ok || tc.call.exchange.mount != m {
			return next(ctx, method, req)
		}
		switch p := req.GetParams().(type) {
		case *mcp.ProgressNotificationParams:
			tc.tell(func() {
				if params, ok := tc.hostProgress(p); ok {
					res, err = next(ctx, method, &mcp.ServerRequest[mcp.Params]{Session: session, Params: params})
				}
			})
			return res, err
		case *mcp.LoggingMessageParams:
			tc.tell(func() {
				if params, ok := tc.hostLog(p); ok {
					res, err = next(ctx, method, &mcp.ServerRequest[mcp.Params]{Session: session, Params: params})
				}
			})
			return res, err
		case mcp.InputRequest:
			return tc.hostQuestion(ctx, p, func(question mcp.Params) (mcp.Result, error) {
				return next(ctx, method, &mcp.ServerRequest[mcp.Params]{Session: session, Params: question})
			})
		}
		return next(ctx, method, req)
	}
}

// hostProgress transforms a progress notification; false drops it.
func (tc *ToolContext) hostProgress(p *mcp.ProgressNotificationParams) (*mcp.ProgressNotificationParams, bool) {
	if p == nil {
		return nil, false
	}
	e := tc.call.beginExit(tc.call.info)
	out := *p
	out.Message, out.Meta = e.text(p.Message), e.meta(p.Meta)
	if err := e.end(); err != nil {
		tc.call.logger().Warn("progress of a handler left out", tc.call.attr(), errorAttr(err))
		return nil, false
	}
	return &out, true
}

// hostLog transforms a log message; false drops it.
func (tc *ToolContext) hostLog(p *mcp.LoggingMessageParams) (*mcp.LoggingMessageParams, bool) {
	if p == nil {
		return nil, false
	}
	data, err := tc.call.exitJSON(p.Data)
	e := tc.call.beginExit(tc.call.info)
	out := *p
	out.Data, out.Logger, out.Meta = json.RawMessage(data), e.text(p.Logger), e.meta(p.Meta)
	if err := cmp.Or(err, e.end()); err != nil {
		tc.call.logger().Warn("log message of a handler left out", tc.call.attr(), errorAttr(err))
		return nil, false
	}
	return &out, true
}

// hostQuestion asks the client something on a handler's behalf.
func (tc *ToolContext) hostQuestion(ctx context.Context, request mcp.InputRequest, ask func(mcp.Params) (mcp.Result, error)) (res mcp.Result, err error) {
	defer tc.call.survive(&err) // the SDK asks on a goroutine of its own
	if tc.ended() {
		return nil, ErrNoSession
	}
	e := tc.call.beginExit(tc.call.info)
	question, ok := e.request(request).(mcp.Params)
	if err := e.end(); err != nil || !ok {
		return nil, tc.call.withhold(err)
	}
	res, err = ask(question)
	if err != nil {
		return nil, err // res may be a typed nil
	}
	if response, ok := res.(mcp.InputResponse); ok {
		err = tc.call.takeResponse(ctx, tc.call.info, response)
	}
	return res, err
}
