package policy

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/go-json-experiment/json/jsontext"
)

// DefaultAuditSize is how many entries the trail keeps unless the document says
// something else, and how many of calls for what is not there.
const DefaultAuditSize = 1000

// Counters tell how many calls there were. A call counts in one of the first five.
type Counters struct {
	Allowed     uint64 `json:"allowed"`
	Denied      uint64 `json:"denied"`
	RateLimited uint64 `json:"rate_limited"`
	Rejected    uint64 `json:"rejected"` // no longer among the allowed
	Hidden      uint64 `json:"hidden"`   // not found: hidden from the caller, or unknown
	Reveal      uint64 `json:"reveal"`   // of the allowed, those of primitives with the capability
}

// Entries returns what the trail holds, oldest first. The document's audit_size bounds
// it; calls for what is not there are kept apart, so that they push out nothing else.
func (p *Policy) Entries(f EntryFilter) []Entry { return p.trail.entries(&f) }

// Counters returns the counts since the policy was made. Reloading keeps them.
func (p *Policy) Counters() Counters {
	p.trail.mu.Lock()
	defer p.trail.mu.Unlock()
	return p.trail.counters
}

// trail is the policy's own record of calls.
type trail struct {
	logger *slog.Logger
	hasher *hasher

	mu       sync.Mutex // guards what follows, and the records
	number   uint64
	decided  ring
	absent   ring // what is not there
	counters Counters
}

func newTrail(logger *slog.Logger, key []byte) *trail {
	return &trail{logger: logger, hasher: newHasher(key)}
}

func (t *trail) resize(size int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.decided.resize(size)
	t.absent.resize(size)
}

// allow records a call that was let through. With audit, and of those that reveal,
// the arguments are recorded, and the call is logged.
func (t *trail) allow(ctx context.Context, now time.Time, info *mcplayer.CallInfo, audit, reveal bool) mcplayer.Ticket {
	r := newRecord(now, info, OutcomeAllowed, "")
	tk := &ticket{trail: t, record: r, arguments: info.Arguments, reveals: reveal}
	if audit || reveal {
		r.arguments = tk.hash()
	}
	t.mu.Lock()
	t.counters.Allowed++
	if reveal {
		t.counters.Reveal++
	}
	t.add(&t.decided, r)
	t.mu.Unlock()
	switch {
	case reveal:
		t.log(ctx, slog.LevelWarn, r)
	case audit:
		t.log(ctx, slog.LevelInfo, r)
	}
	return tk
}

// refuse records a call that was denied or came too often.
func (t *trail) refuse(ctx context.Context, now time.Time, info *mcplayer.CallInfo, outcome Outcome, reason string) {
	r := newRecord(now, info, outcome, reason)
	r.arguments = t.hasher.hash(info.Arguments)
	t.mu.Lock()
	if outcome == OutcomeDenied {
		t.counters.Denied++
	} else {
		t.counters.RateLimited++
	}
	t.add(&t.decided, r)
	t.mu.Unlock()
	t.log(ctx, slog.LevelInfo, r)
}

// missing records a call for what is not there, or not for the caller.
func (t *trail) missing(ctx context.Context, info *mcplayer.CallInfo) {
	reason := "hidden"
	if info.Spec == nil {
		reason = "unknown"
	}
	r := newRecord(time.Now(), info, OutcomeNotFound, reason)
	t.mu.Lock()
	t.counters.Hidden++
	t.add(&t.absent, r)
	t.mu.Unlock()
	t.log(ctx, slog.LevelInfo, r)
}

// add puts a record into a ring. The lock is held.
func (t *trail) add(to *ring, r *record) {
	t.number++
	r.number = t.number
	to.add(r)
}

func newRecord(now time.Time, info *mcplayer.CallInfo, outcome Outcome, reason string) *record {
	r := &record{at: now, outcome: outcome, kind: info.Kind, name: keptName(info), who: info.Principal, reason: reason}
	if r.who == nil {
		r.who = mcplayer.Anonymous()
	}
	return r
}

func (t *trail) entries(f *EntryFilter) []Entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := append(t.decided.inOrder(), t.absent.inOrder()...)
	all = slices.DeleteFunc(all, func(r *record) bool { return !f.admits(r) })
	slices.SortFunc(all, func(a, b *record) int { return cmp.Compare(a.number, b.number) })
	if f.Limit > 0 {
		all = all[max(0, len(all)-f.Limit):]
	}
	entries := make([]Entry, len(all))
	for i, r := range all {
		entries[i] = r.entry()
	}
	return entries
}

// log writes a record that no longer changes, or of which the caller holds a copy.
func (t *trail) log(ctx context.Context, level slog.Level, r *record) {
	if !t.logger.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("logger", "cloudg.mcp.policy"),
		slog.String("decision", string(r.outcome)),
		slog.String("kind", r.kind.String()),
		slog.String("name", r.name),
		slog.String("principal", r.who.ID()),
		slog.Any("roles", r.who.Roles()),
	}
	if r.arguments != nil {
		attrs = append(attrs, slog.Any("arguments", hashesOf(r.arguments)))
	}
	if r.reason != "" {
		attrs = append(attrs, slog.String("reason", r.reason))
	}
	t.logger.LogAttrs(ctx, level, "policy decision", attrs...)
}

// ticket is the record of an allowed call, while the call lasts.
type ticket struct {
	trail     *trail
	record    *record
	arguments jsontext.Value
	reveals   bool
	once      sync.Once
	sums      []argument // of the arguments, once they were hashed
}

func (k *ticket) hash() []argument {
	k.once.Do(func() { k.sums = k.trail.hasher.hash(k.arguments) })
	return k.sums
}

// Reject implements [mcplayer.Ticket]: the entry is changed in place. Of a call that
// was refused the arguments are always recorded.
func (k *ticket) Reject(reason string) {
	if copied, first := k.reject(reason); first {
		k.trail.log(context.Background(), slog.LevelInfo, &copied)
	}
}

func (k *ticket) reject(reason string) (rejected record, first bool) {
	sums := k.hash()
	k.trail.mu.Lock()
	defer k.trail.mu.Unlock()
	r := k.record
	if r.outcome == OutcomeRejected {
		return *r, false
	}
	r.outcome, r.reason, r.arguments = OutcomeRejected, reason, sums
	k.trail.counters.Allowed--
	k.trail.counters.Rejected++
	if k.reveals {
		k.trail.counters.Reveal--
	}
	return *r, true
}
