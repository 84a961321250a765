package middleware

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cloudg/mcplayer"
)

// metricsKey is what calls are counted under.
type metricsKey struct {
	kind mcplayer.Kind
	name string
}

func (k metricsKey) String() string { return k.kind.Key(k.name) }

// metricsTable finds the counters of a primitive without a lock: what is read is never
// changed, only replaced.
type metricsTable struct {
	maxURIs int
	current atomic.Pointer[metricsState]

	mu sync.Mutex // held to replace current
}

type metricsState struct {
	since      time.Time
	uris       int // resources that have a key of their own
	primitives map[metricsKey]*primitiveMetrics
}

func (t *metricsTable) reset(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.current.Store(&metricsState{since: now})
}

func (t *metricsTable) all() map[metricsKey]*primitiveMetrics { return t.current.Load().primitives }

// of returns the counters for a call.
func (t *metricsTable) of(info mcplayer.CallInfo) *primitiveMetrics {
	if p, _ := t.current.Load().find(info, t.maxURIs); p != nil {
		return p
	}
	return t.insert(info)
}

// find returns the counters for a call, nil if there are none, and their key: once
// there are enough URIs that callers chose, the template's text.
func (s *metricsState) find(info mcplayer.CallInfo, maxURIs int) (*primitiveMetrics, metricsKey) {
	key := metricsKey{info.Kind, info.Name}
	p := s.primitives[key]
	if p == nil && s.uris >= maxURIs && isThroughTemplate(info) {
		key.name = info.Spec.Name
		p = s.primitives[key]
	}
	return p, key
}

func isThroughTemplate(info mcplayer.CallInfo) bool {
	return info.Kind == mcplayer.KindResource && info.Spec != nil && info.Spec.Kind == mcplayer.KindResourceTemplate
}

// insert makes the counters for a call, unless another call just did.
func (t *metricsTable) insert(info mcplayer.CallInfo) *primitiveMetrics {
	t.mu.Lock()
	defer t.mu.Unlock()
	state := *t.current.Load()
	p, key := state.find(info, t.maxURIs)
	if p != nil {
		return p
	}
	if info.Kind == mcplayer.KindResource && key.name == info.Name {
		state.uris++
	}
	p = &primitiveMetrics{}
	state.primitives = maps.Clone(state.primitives)
	if state.primitives == nil {
		state.primitives = map[metricsKey]*primitiveMetrics{}
	}
	state.primitives[key] = p
	t.current.Store(&state)
	return p
}

// latencies is how many calls the percentile looks back.
const latencies = 256

// primitiveMetrics are the counters of one primitive.
type primitiveMetrics struct {
	spec     atomic.Pointer[mcplayer.Spec] // of the last call
	inFlight atomic.Int64

	mu                      sync.Mutex // guards what follows
	calls, errors, rejected int64
	hits, retries           int64
	total, longest          time.Duration
	last                    time.Time
	recent                  []time.Duration // the last ones, as a ring
}

// begin counts a call that begins.
func (p *primitiveMetrics) begin(spec *mcplayer.Spec) {
	if p.spec.Load() != spec {
		p.spec.Store(spec)
	}
	p.inFlight.Add(1)
}

func (p *primitiveMetrics) add(m measurement) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.recent) < latencies {
		p.recent = append(p.recent, m.took)
	} else {
		p.recent[p.calls%latencies] = m.took
	}
	p.calls++
	switch m.outcome {
	case outcomeOK:
	case outcomeError, outcomeException:
		p.errors++
	default:
		p.rejected++
	}
	if m.hit {
		p.hits++
	}
	p.retries += m.retries
	p.total += m.took
	p.longest = max(p.longest, m.took)
	p.last = m.ended
}

// summary returns what is known so far.
func (p *primitiveMetrics) summary() PrimitiveMetrics {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := PrimitiveMetrics{Calls: p.calls, Errors: p.errors, Rejected: p.rejected, CacheHits: p.hits, Retries: p.retries}
	if p.calls == 0 {
		return s
	}
	s.AvgMS = hundredths(milliseconds(p.total) / float64(p.calls))
	s.P95MS = hundredths(milliseconds(nearestRank(slices.Sorted(slices.Values(p.recent)), 95)))
	s.MaxMS = hundredths(milliseconds(p.longest))
	s.LastCall = p.last.UTC().Format("2006-01-02T15:04:05+00:00")
	return s
}

// nearestRank returns the percentile of sorted values: the smallest one that percent
// of them do not exceed.
func nearestRank(sorted []time.Duration, percent int) time.Duration {
	rank := (len(sorted)*percent + 99) / 100
	return sorted[rank-1]
}
