package policy

import (
	"fmt"
	"math"
	"time"

	"github.com/cloudg/mcplayer"
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
		fmt.Sprintf("Rate limit exceeded for %s '%s' (%s); retry in %.1fs", info.Kind, info.Name, l.text, roundUp(wait, 10)),
		map[string]any{"retry_after": roundUp(wait, 100), "limit": l.text, "scope": l.scope})
}

// roundUp returns seconds, rounded up to a part: whoever waits that long has waited
// long enough.
func roundUp(d time.Duration, parts float64) float64 {
	return math.Ceil(d.Seconds()*parts-1e-6) / parts
}

// unchecked is the answer to a call whose limits cannot be looked at: it is refused,
// since nobody knows whether it is one too many.
func unchecked(info *mcplayer.CallInfo, cause error) error {
	e := mcplayer.RateLimited(fmt.Sprintf("Rate limit for %s '%s' cannot be checked", info.Kind, info.Name), nil)
	e.Err = cause
	return e
}
