package mcplayer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
)

// failure is why a handler gave no result, when the reason is not an [*Error]:
// the terminal turns it into an error result.
type failure struct {
	code    Code
	message string
	data    any
	cause   error
}

func (f *failure) Error() string { return f.message }

func (f *failure) Unwrap() error { return f.cause }

// handlerError sorts why a handler gave no result.
func (c *call) handlerError(ctx context.Context, err error) error {
	if errors.Is(err, errTimedOut) {
		return c.timedOut()
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if ctx.Err() != nil && isContextError(err) {
		return err // the caller has gone
	}
	if p, ok := errors.AsType[*panicError](err); ok {
		return c.panicFailure(p)
	}
	if e := layerError(err); e != nil {
		if e.Err != nil {
			c.logged.Store(e)
			c.logger().Warn("handler refused", c.attr(), errorAttr(e))
		}
		return err
	}
	c.logger().Warn("handler failed", c.attr(), errorAttr(err))
	return &failure{code: CodeHandlerError, message: c.publicText(err), cause: err}
}

// publicText is what the client reads of an error that nobody wrote for it.
func (c *call) publicText(err error) string {
	if _, hidden := errors.AsType[*privateError](err); hidden || c.layer.hideErrors {
		return fmt.Sprintf("%s %s failed", c.info.Kind.title(), c.info.Name)
	}
	return plainText(err)
}

func (c *call) timedOut() *failure {
	c.expired.Store(true)
	c.logger().Warn("handler timed out", c.attr(), slog.Duration("timeout", c.timeout()))
	text := fmt.Sprintf("Tool %s timed out", c.info.Name)
	return &failure{
		code: CodeTimeout, message: text,
		cause: &Error{Code: CodeTimeout, Type: typeTimeout, Message: text, Err: context.DeadlineExceeded},
	}
}

// failureOf sorts an error: what code, what text, what data.
func (c *call) failureOf(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if p, ok := errors.AsType[*panicError](err); ok {
		return c.panicFailure(p)
	}
	if e := layerError(err); e != nil {
		return &failure{code: CodeOf(err), message: e.Message, data: e.Data, cause: err}
	}
	return &failure{code: CodeHandlerError, message: c.publicText(err), cause: err}
}

// withhold returns what the client is told of a failure of the output pipeline.
func (c *call) withhold(err error) *failure {
	c.logger().Error("result withheld", c.attr(), errorAttr(err))
	return &failure{code: CodeHandlerError, message: withheldText, cause: err}
}

const withheldText = "Result withheld: the output pipeline failed"
