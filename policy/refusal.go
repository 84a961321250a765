package policy

import (
	"fmt"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/retryafter"
)

// refusal is the answer to a call that the policy does not allow.
func (r *revision) refusal(info *mcplayer.CallInfo, reason string) error {
	return mcplayer.AccessDenied(
		fmt.Sprintf("Access to %s '%s' denied: %s", info.Kind, info.Name, reason),
		map[string]any{"policy": r.name, "reason": reason})
}

// tooOften is the answer to a call that a rate limit refuses.
func tooOften(info *mcplayer.CallInfo, l *limit, wait time.Duration) error {
	return mcplayer.RateLimited(
		fmt.Sprintf("Rate limit exceeded for %s '%s' (%s); %s", info.Kind, info.Name, l.text, retryafter.Text(wait)),
		map[string]any{"retry_after": retryafter.Seconds(wait), "limit": l.text, "scope": l.scope})
}

// unchecked is the answer to a call whose limits cannot be looked at: it is refused,
// since nobody knows whether it is one too many.
func unchecked(info *mcplayer.CallInfo, cause error) error {
	e := mcplayer.RateLimited(fmt.Sprintf("Rate limit for %s '%s' cannot be checked", info.Kind, info.Name), nil)
	e.Err = cause
	return e
}
