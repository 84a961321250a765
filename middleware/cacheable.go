package middleware

import (
	"context"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
)

// CacheableTool reports whether calls of a tool may be answered from a cache and
// repeated after a failure: it says that it is read-only and idempotent.
func CacheableTool(spec *mcplayer.Spec) bool {
	return spec != nil && spec.Kind == mcplayer.KindTool && spec.IsReadOnly() && spec.IsIdempotent()
}

// changesThings reports whether a call may change what other calls read.
func changesThings(info mcplayer.CallInfo) bool {
	return info.Kind == mcplayer.KindTool && (info.Spec == nil || !info.Spec.IsReadOnly())
}

// keepable reports whether the outcome of a call answers other calls like it, too.
// A failure describes one attempt, and what a client added to a call answers that
// client alone.
func keepable(ctx context.Context, info mcplayer.CallInfo, res result.Result, err error) bool {
	return shareable(info, res, err) && !res.Failed() && !info.TimedOut() && ctx.Err() == nil
}

// shareable reports whether the outcome of a call answers calls like it that were
// made at the same time: a failed result does, too.
func shareable(info mcplayer.CallInfo, res result.Result, err error) bool {
	return err == nil && answers(info.Kind, res) && !res.NeedsInput() && !info.TookInput()
}
