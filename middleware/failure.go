package middleware

import (
	"context"
	"errors"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
)

// causeOf returns the error behind the outcome of a call: the one that was returned,
// or the private cause of a result. It is nil for a success, and for a failed result
// that a handler made in its own words.
func causeOf(res result.Result, err error) error {
	if err != nil {
		return err
	}
	if tool, ok := res.(*result.ToolResult); ok && tool != nil && tool.IsError {
		return tool.Cause
	}
	return nil
}

// isRefusal reports whether an error says that a call was not let in or asked for the
// wrong thing: nothing that a repetition mends, and nothing that is the handler's
// fault.
func isRefusal(err error) bool {
	switch mcplayer.CodeOf(err) {
	case mcplayer.CodeInvalidParams, mcplayer.CodeAccessDenied, mcplayer.CodeRateLimited:
		return true
	}
	return false
}

// isRefusedByHost reports whether the SDK refused the arguments of a call to a tool of
// the host's. Its error has no type; the text is that of its ToolHandlerFor.
func isRefusedByHost(info mcplayer.CallInfo, err error) bool {
	return info.Spec != nil && info.Spec.Host && strings.HasPrefix(err.Error(), `validating "arguments": `)
}

// callerGone reports whether a call ended because its caller went or ran out of time.
func callerGone(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, context.Canceled)
}
