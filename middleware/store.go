package middleware

import (
	"encoding/json"
	"math"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// store keeps results up to a number and a size; the least recently used goes first.
// It is not safe for concurrent use.
type store struct {
	lru      *simplelru.LRU[cacheKey, entry] // nil keeps nothing
	bytes    int64
	maxBytes int64 // 0 or less: no bound
}

type entry struct {
	res     result.Result
	size    int64
	expires time.Time // zero: never
}

func newStore(size int, maxBytes int64) *store {
	s := &store{maxBytes: maxBytes}
	if size > 0 {
		// The error is that of a size which is not positive.
		s.lru, _ = simplelru.NewLRU(size, func(_ cacheKey, e entry) { s.bytes -= e.size })
	}
	return s
}

// get returns what is kept, nil if it is not there or expired.
func (s *store) get(key cacheKey, now time.Time) result.Result {
	if s.lru == nil {
		return nil
	}
	e, ok := s.lru.Get(key)
	if !ok {
		return nil
	}
	if !e.expires.IsZero() && !now.Before(e.expires) {
		s.lru.Remove(key)
		return nil
	}
	return e.res
}

// add keeps an entry in place of one of the same key. What is larger than the whole
// store is left out.
func (s *store) add(key cacheKey, e entry) {
	if s.lru == nil {
		return
	}
	if s.maxBytes <= 0 {
		s.lru.Add(key, e)
		return
	}
	s.lru.Remove(key) // Add would not tell of the size of what it replaces
	if e.size > s.maxBytes {
		return
	}
	s.bytes += e.size
	s.lru.Add(key, e)
	for s.bytes > s.maxBytes {
		s.lru.RemoveOldest()
	}
}

func (s *store) clear() {
	if s.len() > 0 {
		s.lru.Purge()
	}
}

func (s *store) len() int {
	if s.lru == nil {
		return 0
	}
	return s.lru.Len()
}

// snapshot returns a deep copy of a result without what belongs to the call that
// made it.
func snapshot(info mcplayer.CallInfo, res result.Result) result.Result {
	own := [...]string{info.MetaKey("duration_ms"), info.MetaKey("retries"), info.MetaKey("cache")}
	if tool, ok := res.(*result.ToolResult); ok && len(tool.Meta) == 1 && tool.Meta[own[0]] != nil {
		bare := *tool // most results have no metadata besides: there is none to copy
		bare.Meta = nil
		return bare.Clone()
	}
	c := res.Clone()
	for _, key := range own {
		delete(c.MetaMap(), key)
	}
	return c
}

// sizeOf returns the length of the JSON that a client gets. What cannot be encoded is
// as large as can be.
func sizeOf(res result.Result) int64 {
	var wire any
	switch r := res.(type) {
	case *result.ToolResult:
		wire = r.ToWire()
	case *result.Resource:
		wire = r.ToWire()
	case *result.Prompt:
		wire = r.ToWire()
	}
	doc, err := json.Marshal(wire)
	if err != nil {
		return math.MaxInt32
	}
	return int64(len(doc))
}
