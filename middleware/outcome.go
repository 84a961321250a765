package middleware

import (
	"context"
	"errors"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
)

// outcome is how a call ended, in the words of audit lines.
type outcome string

const (
	outcomeOK          outcome = "ok"
	outcomeError       outcome = "error" // an error result
	outcomeDenied      outcome = "denied"
	outcomeRateLimited outcome = "rate_limited"
	outcomeRejected    outcome = "rejected" // any other error of the layer
	outcomeCancelled   outcome = "cancelled"
	outcomeException   outcome = "exception"
)

// outcomeOf sorts what a chain returned for a call of a kind. Ctx is the context it ran
// with.
func outcomeOf(ctx context.Context, kind mcplayer.Kind, res result.Result, err error) outcome {
	switch {
	case err != nil:
		return outcomeOfError(ctx, err)
	case !answers(kind, res):
		return outcomeException
	case res.Failed():
		return outcomeError
	}
	return outcomeOK
}

func outcomeOfError(ctx context.Context, err error) outcome {
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		return outcomeCancelled
	}
	switch code := mcplayer.CodeOf(err); code {
	case mcplayer.CodeAccessDenied:
		return outcomeDenied
	case mcplayer.CodeRateLimited:
		return outcomeRateLimited
	case mcplayer.CodeHandlerError: // also that of an error nobody gave a code
		if e, ok := errors.AsType[*mcplayer.Error](err); !ok || e == nil {
			return outcomeException
		}
	}
	return outcomeRejected
}

// answers reports whether res is a result that a call of the kind can have. The layer
// makes an error of any other one.
func answers(kind mcplayer.Kind, res result.Result) bool {
	switch res.(type) {
	case *result.ToolResult:
		return kind == mcplayer.KindTool && !isMissing(res)
	case *result.Resource:
		return kind == mcplayer.KindResource && !isMissing(res)
	case *result.Prompt:
		return kind == mcplayer.KindPrompt && !isMissing(res)
	case *result.Completion:
		return kind == mcplayer.KindCompletion && !isMissing(res)
	}
	return false
}

// isMissing reports whether res is no result at all.
func isMissing(res result.Result) bool {
	switch r := res.(type) {
	case *result.ToolResult:
		return r == nil
	case *result.Resource:
		return r == nil
	case *result.Prompt:
		return r == nil
	case *result.Completion:
		return r == nil
	}
	return true
}

// metaOf returns a result's metadata for reading, without making any.
func metaOf(res result.Result) result.Meta {
	if isMissing(res) {
		return nil
	}
	switch r := res.(type) {
	case *result.ToolResult:
		return r.Meta
	case *result.Resource:
		return r.Meta
	case *result.Prompt:
		return r.Meta
	case *result.Completion:
		return r.Meta
	}
	return nil
}
