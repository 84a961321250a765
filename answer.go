package mcplayer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// answerTool makes the caller's answer of what the chain returned.
func (c *call) answerTool(res result.Result, err error) (*result.ToolResult, error) {
	if err != nil {
		switch {
		case c.cancelled(err):
			return nil, c.gone(err)
		case isProtocolError(err):
			return nil, c.protocolError(err)
		}
		c.logCause(err)
		return c.errorResult(err), nil
	}
	answer, ok := res.(*result.ToolResult)
	if !ok || answer == nil {
		return c.errorResult(c.spoiled(errors.New("a middleware returned no tool result"))), nil
	}
	if err := c.checkAnswer(answer); err != nil {
		return c.errorResult(c.spoiled(err)), nil
	}
	return answer, nil
}

// spoiled logs what a middleware made of a result.
func (c *call) spoiled(err error) error {
	c.logger().Error("a middleware spoilt the result", c.attr(), errorAttr(err))
	return err
}

// checkAnswer makes sure that the SDK can encode what middleware made of the
// result. What the last step made was checked there.
func (c *call) checkAnswer(answer *result.ToolResult) error {
	if len(c.chain.middleware) == 0 {
		return nil
	}
	if doc := answer.Structured; doc != nil && !c.made.holds(doc) {
		if err := result.CheckJSON(doc); err != nil {
			return fmt.Errorf("structured value: %w", err)
		}
	}
	return checkBesides(answer)
}

// madeDoc is the structured value that the last step made, known to be JSON.
type madeDoc struct {
	mu  sync.Mutex
	doc jsontext.Value
}

func (m *madeDoc) set(doc jsontext.Value) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.doc = doc
}

// holds reports whether doc is that value, untouched.
func (m *madeDoc) holds(doc jsontext.Value) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(doc) > 0 && sameBytes(doc, m.doc)
}

// logCause logs of an error what the client does not read, unless the log has it
// from the handler's step.
func (c *call) logCause(err error) {
	if _, logged := errors.AsType[*panicError](err); logged {
		return
	}
	if _, logged := errors.AsType[*failure](err); logged {
		return
	}
	if e := layerError(err); e == nil || e.Err != nil && c.logged.Load() != e {
		c.logger().Warn("call failed", c.attr(), errorAttr(err))
	}
}

// answer makes the caller's answer of a kind whose failures are protocol errors.
func answer[R interface {
	comparable
	result.Result
}](c *call, res result.Result, err error) (R, error) {
	var none R
	if err != nil {
		if c.cancelled(err) {
			return none, c.gone(err)
		}
		c.logCause(err)
		return none, c.protocolError(err)
	}
	answer, ok := res.(R)
	if !ok || answer == none {
		return none, c.protocolError(c.spoiled(errors.New("a middleware returned no result of the kind of the call")))
	}
	if err := checkSendable(res); err != nil {
		return none, c.protocolError(err)
	}
	return answer, nil
}

// checkSendable makes sure that the SDK can encode what middleware made of a
// result that is no tool's.
func checkSendable(res result.Result) error {
	var err error
	switch r := res.(type) {
	case *result.Resource:
		err = cmp.Or(result.CheckContents(r.Contents), result.CheckRequests(r.Requests))
	case *result.Prompt:
		err = cmp.Or(result.CheckMessages(r.Messages), result.CheckRequests(r.Requests))
	}
	return cmp.Or(err, result.CheckMeta(res.MetaMap()))
}

// answerCompletion is empty for every failure that is not a refusal.
func (c *call) answerCompletion(res result.Result, err error) (*result.Completion, error) {
	if err == nil || c.cancelled(err) || layerError(err) != nil {
		return answer[*result.Completion](c, res, err)
	}
	c.logger().Debug("completion failed", c.attr(), errorAttr(err))
	return &result.Completion{Values: []string{}}, nil
}

// errorResult makes the client's answer of a failed tool call. What a client may
// read of it passes through the output pipeline.
func (c *call) errorResult(err error) *result.ToolResult {
	f, report := c.publish(err)
	res := &result.ToolResult{IsError: true, Cause: f.cause, Meta: result.Meta{}}
	res.Content = []mcp.Content{&mcp.TextContent{Text: f.message}}
	res.Meta[c.layer.meta.errorCode] = f.code.value()
	if f.data != nil {
		res.Meta[c.layer.meta.errorData] = f.data
	}
	if len(report) > 0 {
		res.Meta[c.layer.meta.transforms] = map[string]any(report)
	}
	return res
}

// isProtocolError reports whether a handler answered with an error of the
// protocol itself, such as a missing client capability: it stays one. As in the
// SDK, only the exact type says so: a wrapped one may come from somewhere else,
// from the client even.
func isProtocolError(err error) bool {
	_, ok := err.(*jsonrpc.Error) //nolint:errorlint // see above
	return ok
}

// protocolError makes the error of the protocol for a failure. Its message and
// data have passed through the output pipeline; Err is the cause.
func (c *call) protocolError(err error) *Error {
	f, _ := c.publish(err)
	return &Error{Code: Code(f.code.number()), Type: TypeOf(err), Message: f.message, Data: f.data, Err: err}
}

// publish sorts a failure and leads what a client may read of it through the
// output pipeline.
func (c *call) publish(err error) (failure, Report) {
	f := *c.failureOf(err)
	e := c.beginExit(c.info)
	f.message, f.data = e.text(f.message), c.publicData(e, f.data)
	report := e.report()
	if !e.changed() {
		report = nil
	}
	if err := e.end(); err != nil {
		c.logger().Error("error withheld", c.attr(), errorAttr(err))
		return failure{code: CodeHandlerError, message: withheldText, cause: f.cause}, nil
	}
	return f, report
}

// publicData leads the data of an error through e. Data that cannot be encoded is
// left out: the message says what happened without it.
func (c *call) publicData(e *exit, data any) any {
	if data == nil {
		return nil
	}
	doc, err := encode(data, nil)
	if err != nil {
		c.logger().Error("data of an error left out", c.attr(), errorAttr(err))
		return nil
	}
	if doc = e.json(doc); doc == nil {
		return nil
	}
	return json.RawMessage(doc)
}

// wire makes the SDK's form of e, the one type whose code and data it sends.
func (e *Error) wire() *jsonrpc.Error {
	wire := &jsonrpc.Error{Code: e.Code.number(), Message: e.Message}
	if e.Data != nil {
		data, err := json.Marshal(e.Data)
		if err == nil {
			wire.Data = data
		}
	}
	return wire
}
