package middleware

import (
	"context"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
)

// When returns mw for the calls that match, and nothing for the others. A nil match
// matches every call; a nil mw gives nil, which a layer leaves out. Match must be safe
// for concurrent use.
func When(match func(mcplayer.CallInfo) bool, mw mcplayer.Middleware) mcplayer.Middleware {
	if match == nil || mw == nil {
		return mw
	}
	return func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		if !match(info) {
			return next(ctx, info)
		}
		return mw(ctx, info, next)
	}
}
