package middleware

import (
	"cmp"
	"context"
	"math"
	"time"

	"github.com/cloudg/mcplayer"
)

// MetricsSnapshot is what a [Metrics] has counted since it was made or reset. As JSON
// it is what the resource shows.
type MetricsSnapshot struct {
	UptimeSeconds float64 `json:"uptime_seconds"` // to one decimal
	Calls         int64   `json:"calls"`
	Errors        int64   `json:"errors"`
	Rejected      int64   `json:"rejected"`
	// InFlight counts calls that have not ended. The resource leaves its own out.
	InFlight int64 `json:"in_flight,omitempty"`
	// ByPrimitive has the kind and the name as keys: "tool:get_asset".
	ByPrimitive map[string]PrimitiveMetrics `json:"by_primitive"`
}

// PrimitiveMetrics are the counts of one primitive. Milliseconds have two decimals.
type PrimitiveMetrics struct {
	Calls int64 `json:"calls"`
	// Errors are error results and unexpected failures.
	Errors int64 `json:"errors"`
	// Rejected are denials, rate limits, other errors of the layer, cancellations.
	Rejected int64   `json:"rejected"`
	AvgMS    float64 `json:"avg_ms"`
	// P95MS is the 95th percentile of the last 256 calls, by nearest rank.
	P95MS float64 `json:"p95_ms"`
	MaxMS float64 `json:"max_ms"`
	// LastCall is when the last call ended, to the second: "2026-10-08T15:14:31+00:00".
	LastCall string `json:"last_call"`
	// CacheHits are the calls that a cache inside answered, Retries what a retry
	// inside repeated.
	CacheHits int64 `json:"cache_hits,omitempty"`
	Retries   int64 `json:"retries,omitempty"`
}

// Snapshot returns the counts of all primitives.
func (m *Metrics) Snapshot() MetricsSnapshot {
	return m.snapshot(func(metricsKey, *primitiveMetrics) bool { return true })
}

// snapshot returns the counts of the primitives that are shown, and their sums.
func (m *Metrics) snapshot(shown func(metricsKey, *primitiveMetrics) bool) MetricsSnapshot {
	state := m.table.current.Load()
	s := MetricsSnapshot{ByPrimitive: map[string]PrimitiveMetrics{}}
	s.UptimeSeconds = math.Round(time.Since(state.since).Seconds()*10) / 10
	for key, p := range state.primitives {
		if !shown(key, p) {
			continue
		}
		s.InFlight += p.inFlight.Load()
		one := p.summary()
		if one.Calls == 0 {
			continue
		}
		s.Calls += one.Calls
		s.Errors += one.Errors
		s.Rejected += one.Rejected
		s.ByPrimitive[key.String()] = one
	}
	return s
}

// MetricsURI is where the metrics resource stands as a rule.
const MetricsURI = "cloudg://metrics"

// Register adds a resource with the snapshot to a registry: of category "server" and
// sensitivity internal, under [MetricsURI] if uri is empty. Replace lets it take the
// place of a resource with that URI. For a layer that exists, r is its
// [mcplayer.Layer.Registry].
//
// A reader sees only primitives that the policy shows to him, in the sums too.
func (m *Metrics) Register(r *mcplayer.Registry, uri string, replace bool) {
	uri = cmp.Or(uri, MetricsURI)
	mcplayer.AddResource(r, mcplayer.Resource{
		URI:         uri,
		Name:        "metrics",
		Description: "Calls, errors and latency of each primitive",
		Category:    "server",
		Sensitivity: mcplayer.Internal,
		Replace:     replace,
	}, func(_ context.Context, tc *mcplayer.ToolContext, _ map[string]string) (any, error) {
		return m.shownTo(tc, uri), nil
	})
}

func (m *Metrics) shownTo(tc *mcplayer.ToolContext, uri string) MetricsSnapshot {
	own := int64(0)
	s := m.snapshot(func(key metricsKey, p *primitiveMetrics) bool {
		if !tc.Sees(key.kind, p.spec.Load(), key.name) {
			return false
		}
		if key == (metricsKey{mcplayer.KindResource, uri}) {
			own = min(1, p.inFlight.Load())
		}
		return true
	})
	s.InFlight -= own
	return s
}
