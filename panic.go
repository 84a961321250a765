package mcplayer

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/cloudg/mcplayer/result"
)

// panicError is a recovered panic. Its value and stack are in the log under the
// same id.
type panicError struct {
	id    string
	value any
}

func (e *panicError) Error() string { return "panic (error_id " + e.id + "): " + fmt.Sprint(e.value) }

func (e *panicError) data() any { return map[string]any{"error_id": e.id} }

// panicked logs a recovered panic with its stack and returns it as an error.
func (c *call) panicked(value any) *panicError { return c.layer.panicked(value, c.attr()) }

func (l *Layer) panicked(value any, where slog.Attr) *panicError {
	p := &panicError{id: newErrorID(), value: value}
	l.logger.Error("panic", where, slog.String("error_id", p.id),
		slog.Any("value", value), slog.String("stack", string(debug.Stack())))
	return p
}

// newErrorID returns what a client is told of a panic, 16 hexadecimal digits.
func newErrorID() string {
	var id [8]byte
	rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}

func (c *call) panicFailure(p *panicError) *failure {
	text := "Internal error"
	if c.info.Kind == KindTool {
		text += " in tool " + c.info.Name
	}
	return &failure{code: CodeHandlerError, message: text, data: p.data(), cause: p}
}

// survive, deferred, turns a panic into an error.
func (c *call) survive(err *error) {
	if v := recover(); v != nil {
		*err = c.panicked(v)
	}
}

// logPanic, deferred, ends a panic with a line in the log.
func (c *call) logPanic() {
	if v := recover(); v != nil {
		c.panicked(v)
	}
}

// answerPanic answers where a panic comes through that no step survived: a
// method of an error or of a result's metadata.
func (c *call) answerPanic(res **result.ToolResult, err *error) {
	if v := recover(); v != nil {
		*res, *err = c.errorResult(c.panicked(v)), nil
	}
}

// failPanic is answerPanic for the kinds whose failures are errors.
func (c *call) failPanic(err *error) {
	if v := recover(); v != nil {
		*err = c.protocolError(c.panicked(v))
	}
}
