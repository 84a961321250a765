package middleware

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
)

// The defaults of [CacheOptions].
const (
	DefaultCacheTTL  = 60 * time.Second
	DefaultCacheSize = 256
)

// CacheOptions configure a [Cache]. The zero value of every field is its default.
type CacheOptions struct {
	// TTL is how long a result is served: 0 means [DefaultCacheTTL], a negative value
	// until something else removes it.
	TTL time.Duration
	// Size is how many results are kept: 0 means [DefaultCacheSize], a negative value
	// none.
	Size int
	// MaxBytes bounds the size of all results together, counted as the JSON that
	// clients get and the key. 0 and a negative value mean no bound of that sort.
	MaxBytes int64
	// Cacheable, if set, replaces [CacheableTool] and Resources: it chooses the calls
	// that are answered from the cache. A call that it chooses counts as one that
	// changes nothing. It is never asked about completions.
	Cacheable func(info mcplayer.CallInfo) bool
	// Resources caches resources too.
	Resources bool
	// Share lets equal calls that are made at the same time share one execution. It
	// goes on as long as any of its callers waits, whoever began it. Each caller
	// passes its own policy check once the result is there; one whose execution gave
	// nothing to share (an error, a request for input) makes the call by itself.
	// Progress and log messages reach only the caller that began.
	Share bool
}

// Cache answers calls with the results of earlier ones by the same principal. A hit
// passes the policy's check like any call; it is a deep copy, with "cloudg/cache" set
// to "hit" in its metadata and a duration of its own.
//
// What counts as equal: layer, primitive, name, arguments as canonical JSON (RFC 8785),
// principal id, roles, attributes and version of the policy; for callers that have no
// id of their own the session too. Errors, requests for input, results of calls that a
// client answered a question for, and results of calls with a timeout behind them are
// never kept.
//
// A call of a tool that is not read-only empties the cache, whatever came of it; so
// does every change that an attached layer tells of. What began before that and ends
// later is not kept.
//
// A hit skips everything that stands inside the cache: what may refuse a call belongs
// outside. A Cache is safe for concurrent use.
type Cache struct {
	ttl       time.Duration
	maxBytes  int64
	cacheable func(mcplayer.CallInfo) bool
	resources bool
	share     bool
	buffers   sync.Pool // of *[]byte

	mu           sync.Mutex // guards what follows
	kept         *store
	flights      map[cacheKey]*flight
	generation   uint64 // moves on when the cache is emptied
	hits, misses uint64
}

// CacheStats is a snapshot of a [Cache].
type CacheStats struct {
	Size         int   // results
	Bytes        int64 // 0 without [CacheOptions.MaxBytes]
	Hits, Misses uint64
	TTL          time.Duration // negative: none
}

// Check returns an error that tells what contradicts in the options; nil options are the
// defaults. [Stack] calls it.
func (o *CacheOptions) Check() error {
	if o == nil {
		return nil
	}
	var bad mistakes
	if o.Cacheable != nil && o.Resources {
		bad.add("Resources and Cacheable are both set: Cacheable alone chooses what is cached; let it choose resources")
	}
	if o.Size < 0 && !o.Share {
		bad.add("Size is %d, which keeps nothing, and Share is off: the cache would do nothing; leave the cache out or set one of them", o.Size)
	}
	return bad.of("cache")
}

// NewCache returns an empty cache of the options; nil means the defaults. Every value of
// an option means something, so there is no error; where options contradict, which
// [CacheOptions.Check] tells, Resources counts for nothing beside Cacheable, and a cache
// of no size that shares nothing lets every call by.
func NewCache(opts *CacheOptions) *Cache {
	if opts == nil {
		opts = &CacheOptions{}
	}
	return &Cache{
		ttl:       cmp.Or(opts.TTL, DefaultCacheTTL),
		maxBytes:  opts.MaxBytes,
		cacheable: opts.Cacheable,
		resources: opts.Resources,
		share:     opts.Share,
		kept:      newStore(cmp.Or(opts.Size, DefaultCacheSize), opts.MaxBytes),
		flights:   map[cacheKey]*flight{},
	}
}

// Handle is the middleware.
func (c *Cache) Handle(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
	if !c.covers(info) {
		return c.pass(ctx, info, next)
	}
	around := c.around(ctx)
	if around == insideWrite || info.TookInput() {
		return next(ctx, info)
	}
	key, ok := c.keyOf(info)
	if !ok {
		return next(ctx, info)
	}
	shared := c.share && around == nowhere
	found := c.find(key, shared)
	switch {
	case found.kept != nil:
		return c.serve(ctx, info, found.kept)
	case found.flight == nil:
		return c.run(ctx, info, next, key, found.generation)
	case found.leads:
		return c.lead(ctx, info, next, key, found.flight)
	}
	return c.follow(ctx, info, next, key, found.flight)
}

// covers reports whether calls like it are answered from the cache.
func (c *Cache) covers(info mcplayer.CallInfo) bool {
	switch {
	case info.Kind == mcplayer.KindCompletion:
		return false
	case c.cacheable != nil:
		return c.cacheable(info)
	case info.Kind == mcplayer.KindResource:
		return c.resources
	}
	return CacheableTool(info.Spec)
}

// pass lets a call by that the cache has no part in, but for what it may change.
func (c *Cache) pass(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
	if !changesThings(info) {
		return next(c.mark(ctx, insideCall), info)
	}
	defer info.AfterHandlers(c.Invalidate) // a handler that goes on may change more
	defer c.Invalidate()
	return next(context.WithValue(ctx, aroundKey{c}, insideWrite), info)
}

// run makes the call and keeps what came of it.
func (c *Cache) run(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next, key cacheKey, generation uint64) (result.Result, error) {
	res, err := next(c.mark(ctx, insideCall), info)
	if keepable(ctx, info, res, err) {
		c.keep(key, snapshot(info, res), generation)
	}
	return res, err
}

// keep stores a result unless the cache was emptied since the call began.
func (c *Cache) keep(key cacheKey, res result.Result, generation uint64) {
	e := c.newEntry(key, res, time.Now())
	c.mu.Lock()
	defer c.mu.Unlock()
	if generation == c.generation {
		c.kept.add(key, e)
	}
}

func (c *Cache) newEntry(key cacheKey, res result.Result, now time.Time) entry {
	e := entry{res: res}
	if c.ttl > 0 {
		e.expires = now.Add(c.ttl)
	}
	if c.maxBytes > 0 {
		e.size = sizeOf(res) + key.size()
	}
	return e
}

// serve answers with a copy of a result, after the policy's check. A failed one, which
// only calls made at the same time share, is left as the layer made it.
func (c *Cache) serve(ctx context.Context, info mcplayer.CallInfo, kept result.Result) (result.Result, error) {
	if err := info.Authorize(ctx); err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.hits++
	c.mu.Unlock()
	res := kept.Clone()
	if res.Failed() {
		return res, nil
	}
	meta := res.MetaMap()
	meta[info.MetaKey("cache")] = "hit"
	if info.Kind == mcplayer.KindTool {
		meta[info.MetaKey("duration_ms")] = time.Since(info.Started).Milliseconds()
	}
	return res, nil
}

// Invalidate empties the cache. What is being executed is not kept.
func (c *Cache) Invalidate() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.generation++
	c.kept.clear()
	clear(c.flights)
}

// Stats returns a snapshot. Expired results that nobody asked for again count.
func (c *Cache) Stats() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return CacheStats{Size: c.kept.len(), Bytes: c.kept.bytes, Hits: c.hits, Misses: c.misses, TTL: c.ttl}
}

// Attach empties the cache with every change that the layer tells of, until it
// closes.
func (c *Cache) Attach(layer *mcplayer.Layer) {
	stop := layer.OnChange(func(mcplayer.Change) { c.Invalidate() })
	layer.OnClose(func(context.Context) error {
		stop()
		c.Invalidate()
		return nil
	})
}
