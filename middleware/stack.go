package middleware

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"

	"github.com/cloudg/mcplayer"
)

// StackOptions say what [Stack] builds. Of the zero value that is metrics alone.
type StackOptions struct {
	// Audit asks for an audit; it is opened by Stack and closed with the layer.
	Audit *AuditOptions
	// SharedAudit, in place of Audit, is one that others use too: it stays open.
	SharedAudit *Audit
	// Metrics configures the metrics, which are always there; nil means the defaults.
	Metrics *MetricsOptions
	// MetricsURI is where the resource of the metrics stands: empty means
	// [MetricsURI].
	MetricsURI string
	// OmitMetricsResource leaves the resource out.
	OmitMetricsResource bool
	// Concurrency asks for a concurrency limit.
	Concurrency *ConcurrencyOptions
	// SharedConcurrency, in place of Concurrency, is one that several layers share. It
	// stays open.
	SharedConcurrency *Concurrency
	// Guards are middleware that may refuse a call. They see every call, those that
	// the cache answers too. Nil entries are left out, here and in Decorators.
	Guards []mcplayer.Middleware
	// Cache asks for a cache.
	Cache *CacheOptions
	// Retry asks for repetitions. They stand inside the cache and around the breaker,
	// which counts each attempt.
	Retry *RetryOptions
	// Breaker asks for circuit breakers.
	Breaker *BreakerOptions
	// Decorators are middleware that change arguments or results. What they add is
	// cached; they do not see calls that the cache answers, and see each attempt of a
	// retry.
	Decorators []mcplayer.Middleware
}

// Chain is what [Stack] built, ready for a layer. Parts that were not asked for are
// nil.
type Chain struct {
	Audit       *Audit
	Metrics     *Metrics
	Concurrency *Concurrency
	Cache       *Cache
	Retry       *Retry
	Breaker     *Breaker
	// Middleware is for [mcplayer.Options], outermost first.
	Middleware []mcplayer.Middleware

	metricsURI string // empty: no resource
	close      []func(context.Context) error
	attached   atomic.Bool
}

// Stack builds the recommended order of middleware, outermost first: audit, metrics,
// concurrency limit, guards, cache, retry, breaker, decorators. Every mistake in the
// options, and what of them contradicts, is in the one error.
//
//	chain, err := middleware.Stack(middleware.StackOptions{Audit: &middleware.AuditOptions{Path: "audit.jsonl"}})
//	layer, err := mcplayer.New(&mcplayer.Options{Policy: p, Middleware: chain.Middleware})
//	err = chain.Attach(layer)
//
// A chain that is not attached to a layer has to be closed.
func Stack(opts StackOptions) (*Chain, error) {
	c := &Chain{Audit: opts.SharedAudit, Concurrency: opts.SharedConcurrency}
	if !opts.OmitMetricsResource {
		c.metricsURI = cmp.Or(opts.MetricsURI, MetricsURI)
	}
	bad := []error{opts.contradictions(), c.build(&opts)}
	if opts.Audit != nil {
		bad = append(bad, opts.Audit.check()) // before anything is opened
	}
	if err := errors.Join(bad...); err != nil {
		return nil, err
	}
	if err := c.openAudit(opts.Audit); err != nil {
		return nil, err
	}
	c.order(&opts)
	return c, nil
}

// build makes the parts that open nothing.
func (c *Chain) build(opts *StackOptions) error {
	var bad [5]error
	c.Metrics, bad[0] = NewMetrics(opts.Metrics)
	if opts.Concurrency != nil {
		if c.Concurrency, bad[1] = NewConcurrency(opts.Concurrency); bad[1] == nil {
			c.close = append(c.close, c.Concurrency.Close)
		}
	}
	if opts.Cache != nil {
		c.Cache, bad[4] = NewCache(opts.Cache), opts.Cache.Check()
	}
	if opts.Retry != nil {
		c.Retry, bad[2] = NewRetry(opts.Retry)
	}
	if opts.Breaker != nil {
		c.Breaker, bad[3] = NewBreaker(opts.Breaker)
	}
	return errors.Join(bad[:]...)
}

func (c *Chain) openAudit(opts *AuditOptions) (err error) {
	if opts == nil {
		return nil
	}
	if c.Audit, err = NewAudit(opts); err == nil {
		c.close = append(c.close, c.Audit.Close)
	}
	return err
}

// order puts the parts that are there into their order.
func (c *Chain) order(opts *StackOptions) {
	if c.Audit != nil {
		c.add(c.Audit.Handle)
	}
	c.add(c.Metrics.Handle)
	if c.Concurrency != nil {
		c.add(c.Concurrency.Handle)
	}
	c.add(opts.Guards...)
	if c.Cache != nil {
		c.add(c.Cache.Handle)
	}
	if c.Retry != nil {
		c.add(c.Retry.Handle)
	}
	if c.Breaker != nil {
		c.add(c.Breaker.Handle)
	}
	c.add(opts.Decorators...)
}

func (c *Chain) add(mws ...mcplayer.Middleware) {
	for _, mw := range mws {
		if mw != nil {
			c.Middleware = append(c.Middleware, mw)
		}
	}
}

// contradictions finds what cannot be meant together.
func (o *StackOptions) contradictions() error {
	var bad mistakes
	if o.Audit != nil && o.SharedAudit != nil {
		bad.add("Audit and SharedAudit are both set: a call is audited once; set one of them")
	}
	if o.Concurrency != nil && o.SharedConcurrency != nil {
		bad.add("Concurrency and SharedConcurrency are both set: a call takes one slot; set one of them")
	}
	if o.OmitMetricsResource && o.MetricsURI != "" {
		bad.add("OmitMetricsResource is set and MetricsURI is %q: a resource that is left out has no URI; set one of them", o.MetricsURI)
	}
	if o.Retry != nil && o.Breaker != nil {
		attempts := 1 + cmp.Or(o.Retry.Retries, DefaultRetries)
		if least := cmp.Or(o.Breaker.MinCalls, DefaultMinCalls); least > 0 && attempts >= least {
			bad.add("Retry.Retries makes %d attempts and Breaker.MinCalls is %d: a single call that fails would close off a tool for everybody; MinCalls must be above the attempts", attempts, least)
		}
	}
	return bad.of("stack")
}

// Attach connects the chain with the layer that has its middleware: changes empty the
// cache, the resource of the metrics is registered, and what the chain owns closes with
// the layer. A chain belongs to one layer. What is wrong with the resource, such as a
// URI that is taken, is told by [mcplayer.Registry.Err].
func (c *Chain) Attach(layer *mcplayer.Layer) error {
	if layer == nil {
		return errors.New("stack: Attach: the layer is nil")
	}
	if c.attached.Swap(true) {
		return errors.New("stack: Attach: the chain is attached already; build one for each layer")
	}
	layer.OnClose(c.Close)
	if c.Cache != nil {
		c.Cache.Attach(layer)
	}
	if c.metricsURI == "" {
		return nil
	}
	c.Metrics.Register(layer.Registry(), c.metricsURI, false)
	return nil
}

// Close closes what the chain owns, the audit last. The layer does so by itself once
// the chain is attached.
func (c *Chain) Close(ctx context.Context) error {
	var errs []error
	for _, f := range c.close {
		errs = append(errs, f(ctx))
	}
	return errors.Join(errs...)
}
