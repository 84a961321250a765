package policy

import (
	"context"
	"time"

	"github.com/cloudg/mcplayer"
)

// check decides a call: access, then rate limits, then the record of it. It reads
// the clock once.
func (b *bound) check(ctx context.Context, info mcplayer.CallInfo) (mcplayer.Ticket, error) {
	if info.Principal == nil {
		info.Principal = mcplayer.Anonymous()
	}
	now := time.Now()
	if d := b.decide(&info); !d.Allowed {
		b.rev.trail.refuse(ctx, now, &info, OutcomeDenied, d.Reason)
		return nil, b.rev.refusal(&info, d.Reason)
	}
	if reason, err := b.takeTokens(ctx, now, &info); err != nil {
		b.rev.trail.refuse(ctx, now, &info, OutcomeRateLimited, reason)
		return nil, err
	}
	return b.rev.trail.allow(ctx, now, &info, b.rev.audit, b.reveals()), nil
}

// reveals reports whether the primitive undoes protection.
func (b *bound) reveals() bool { return b.plan.has.Has(mcplayer.Reveal) }

// takeTokens takes a token from each bucket of the call, or tells why there is none.
func (b *bound) takeTokens(ctx context.Context, now time.Time, info *mcplayer.CallInfo) (reason string, err error) {
	limits, primitive := b.limits, b.plan.key
	if info.Kind == mcplayer.KindCompletion {
		limits, primitive = b.completions, b.plan.completionKey
	}
	if len(limits) == 0 {
		return "", nil
	}
	buckets := b.rev.bucketLists.Get().(*[]Bucket)
	defer b.rev.bucketLists.Put(buckets)
	*buckets = (*buckets)[:0]
	for _, l := range limits {
		*buckets = append(*buckets, l.bucket(info, primitive))
	}
	taken, err := b.rev.store.Take(ctx, now, *buckets)
	switch {
	case err != nil:
		return "the store of rate limits failed", unchecked(info, err)
	case taken.OK:
		return "", nil
	case taken.Empty < 0 || taken.Empty >= len(limits):
		taken.Empty = 0
	}
	l := limits[taken.Empty]
	return "rate limit " + l.text, tooOften(info, l, taken.RetryAfter)
}
