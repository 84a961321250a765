package bench_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	hexadecimal "encoding/hex"
	"encoding/json"
	"sync"
	"time"
)

// handmade is what a server without the library has around its tools: an audit line,
// counters, a limit and a cache, for results of type R. It does what is compared and
// no more: there is no fairness, no principal in the key, no change of a tool that
// empties the cache, no copy of a cached result, nothing that survives a panic, and
// a slow log holds up every call.
type handmade[R any] struct {
	failed func(R) bool
	slots  chan struct{}
	salt   []byte

	logging sync.Mutex // guards log
	log     *json.Encoder

	counting sync.Mutex // guards counts
	counts   map[string]*toolCounts

	caching sync.Mutex // guards cached
	cached  map[string]cachedResult[R]
	size    int
}

type toolCounts struct {
	calls, errors, hits int64
	total, longest      time.Duration
	last                [256]time.Duration
}

type cachedResult[R any] struct {
	result  R
	expires time.Time
}

// auditLine has the members of ours that need no principal and no session.
type auditLine struct {
	ArgumentHashes map[string]string `json:"argument_hashes,omitempty"`
	DurationMS     float64           `json:"duration_ms"`
	Event          string            `json:"event"`
	Kind           string            `json:"kind"`
	Name           string            `json:"name"`
	Outcome        string            `json:"outcome"`
	Time           string            `json:"ts"`
}

func newHandmade[R any](o stackOptions, failed func(R) bool) *handmade[R] {
	return &handmade[R]{
		failed: failed, slots: make(chan struct{}, 8), salt: []byte(auditSalt), log: json.NewEncoder(o.audit),
		counts: map[string]*toolCounts{}, cached: map[string]cachedResult[R]{}, size: o.cached,
	}
}

// call is all of it around one call of a tool.
func (h *handmade[R]) call(ctx context.Context, tool string, args map[string]any, next func() (R, error)) (res R, err error) {
	began, hit := time.Now(), false
	select {
	case h.slots <- struct{}{}:
		res, hit, err = h.remember(tool, args, next)
		<-h.slots
	case <-ctx.Done():
		err = ctx.Err()
	}
	took := time.Since(began)
	failed := err != nil || h.failed(res)
	h.count(tool, took, failed, hit)
	return res, h.audit(tool, args, took, failed, err)
}

// remember answers from the cache, or makes the call and keeps its result.
func (h *handmade[R]) remember(tool string, args map[string]any, next func() (R, error)) (res R, hit bool, err error) {
	doc, err := json.Marshal(args) // sorted
	if err != nil {
		return res, false, err
	}
	key, now := tool+" "+string(doc), time.Now()
	h.caching.Lock()
	kept, hit := h.cached[key]
	h.caching.Unlock()
	if hit && now.Before(kept.expires) {
		return kept.result, true, nil
	}
	if res, err = next(); err == nil && !h.failed(res) {
		h.keep(key, cachedResult[R]{res, now.Add(time.Minute)})
	}
	return res, false, err
}

// keep makes room by dropping any other.
func (h *handmade[R]) keep(key string, r cachedResult[R]) {
	h.caching.Lock()
	defer h.caching.Unlock()
	for old := range h.cached {
		if len(h.cached) < h.size {
			break
		}
		delete(h.cached, old)
	}
	h.cached[key] = r
}

func (h *handmade[R]) count(tool string, took time.Duration, failed, hit bool) {
	h.counting.Lock()
	defer h.counting.Unlock()
	c := h.counts[tool]
	if c == nil {
		c = &toolCounts{}
		h.counts[tool] = c
	}
	c.last[c.calls%int64(len(c.last))] = took
	c.calls++
	c.total, c.longest = c.total+took, max(c.longest, took)
	if failed {
		c.errors++
	}
	if hit {
		c.hits++
	}
}

// audit writes the line and returns err.
func (h *handmade[R]) audit(tool string, args map[string]any, took time.Duration, failed bool, err error) error {
	line := auditLine{
		Event: "mcp.call", Kind: "tool", Name: tool, Outcome: "ok", ArgumentHashes: h.hashes(args),
		DurationMS: float64(took.Microseconds()/10) / 100, Time: time.Now().UTC().Format("2006-01-02T15:04:05.000-07:00"),
	}
	switch {
	case err != nil:
		line.Outcome = "exception"
	case failed:
		line.Outcome = "error"
	}
	h.logging.Lock()
	defer h.logging.Unlock()
	_ = h.log.Encode(line)
	return err
}

func (h *handmade[R]) hashes(args map[string]any) map[string]string {
	hashes := make(map[string]string, len(args))
	mac := hmac.New(sha256.New, h.salt)
	for name, value := range args {
		doc, err := json.Marshal(value)
		if err != nil {
			continue
		}
		mac.Reset()
		_, _ = mac.Write(doc)
		hashes[name] = hexadecimal.EncodeToString(mac.Sum(nil))[:16]
	}
	return hashes
}

func (h *handmade[R]) countsOf(tool string) siteCounts {
	h.counting.Lock()
	defer h.counting.Unlock()
	c := h.counts[tool]
	return siteCounts{c.calls, c.errors, c.hits}
}
