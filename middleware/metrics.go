package middleware

import (
	"context"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
)

// DefaultMetricsURIs is the default of [MetricsOptions].
const DefaultMetricsURIs = 1000

// MetricsOptions configure a [Metrics]. The zero value of every field is its default.
type MetricsOptions struct {
	// URIs is how many resources are counted each under its own URI; later ones
	// count under their template. 0 means [DefaultMetricsURIs].
	URIs int
}

// Metrics counts the calls of each primitive and how long they take, as seen from
// where it stands in the chain: behind a cache it does not see hits. It is safe for
// concurrent use; calls of different primitives share no lock.
type Metrics struct {
	table metricsTable
}

// Timing is another name of [Metrics].
type Timing = Metrics

// NewMetrics returns a Metrics that has counted nothing; nil options are the defaults.
func NewMetrics(opts *MetricsOptions) (*Metrics, error) {
	if opts == nil {
		opts = &MetricsOptions{}
	}
	var bad mistakes
	if opts.URIs < 0 {
		bad.add("URIs is %d; it must be positive, or 0 for %d", opts.URIs, DefaultMetricsURIs)
	}
	if err := bad.of("metrics"); err != nil {
		return nil, err
	}
	m := &Metrics{}
	m.table.maxURIs = opts.URIs
	if opts.URIs == 0 {
		m.table.maxURIs = DefaultMetricsURIs
	}
	m.Reset()
	return m, nil
}

// Handle is the middleware.
func (m *Metrics) Handle(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (res result.Result, err error) {
	begun := time.Now()
	p := m.table.of(info)
	p.begin(info.Spec)
	err = errUnwound
	defer func() { // also where a panic comes through
		p.inFlight.Add(-1)
		p.add(measure(ctx, info, res, err, begun))
	}()
	res, err = next(ctx, info)
	return res, err
}

// measurement is what one call adds.
type measurement struct {
	outcome outcome
	took    time.Duration
	ended   time.Time
	hit     bool
	retries int64
}

func measure(ctx context.Context, info mcplayer.CallInfo, res result.Result, err error, begun time.Time) measurement {
	now := time.Now()
	ms := measurement{outcome: outcomeOf(ctx, info.Kind, res, err), took: now.Sub(begun), ended: now}
	if meta := metaOf(res); meta != nil {
		ms.hit = meta[info.MetaKey("cache")] == "hit"
		ms.retries = count(meta[info.MetaKey("retries")])
	}
	return ms
}

func count(value any) int64 {
	switch n := value.(type) {
	case int:
		return int64(n)
	case int64:
		return n
	}
	return 0
}

// InFlight returns how many calls have begun and not ended.
func (m *Metrics) InFlight() int {
	n := int64(0)
	for _, p := range m.table.all() {
		n += p.inFlight.Load()
	}
	return int(n)
}

// Reset begins to count anew. Calls in flight go on and count where they began.
func (m *Metrics) Reset() { m.table.reset(time.Now()) }
