package policy

import "sync"

// cache remembers answers that can be worked out again. It holds at most twice its
// size: when the younger half is full, the older one is forgotten.
//
// It is safe for concurrent use.
type cache[K comparable, V any] struct {
	size int

	mu         sync.RWMutex
	young, old map[K]V
}

func newCache[K comparable, V any](size int) *cache[K, V] {
	return &cache[K, V]{size: size, young: map[K]V{}}
}

func (c *cache[K, V]) get(key K) (V, bool) {
	c.mu.RLock()
	v, ok := c.young[key]
	if ok {
		c.mu.RUnlock()
		return v, true
	}
	v, ok = c.old[key]
	c.mu.RUnlock()
	if ok {
		c.put(key, v)
	}
	return v, ok
}

// put remembers an answer and returns the one that is remembered: that of whoever
// came first.
func (c *cache[K, V]) put(key K, v V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.young[key]; ok {
		return known
	}
	if known, ok := c.old[key]; ok {
		v = known
	}
	if len(c.young) >= c.size {
		c.young, c.old = make(map[K]V, c.size), c.young
	}
	c.young[key] = v
	return v
}

// len returns how many answers are held.
func (c *cache[K, V]) len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.young) + len(c.old)
}
