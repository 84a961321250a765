package pipeline

import (
	"sync"

	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// memo is what a pipeline remembers of the names of members that it met: results
// of one tool have the same names again and again. It holds names and what the
// options say about them, no values, and is replaced when it is full.
type memo struct {
	keys  jsondoc.Keys
	mu    sync.RWMutex
	facts map[int]any // by step
}

// memory returns the memo to use.
func (p *Pipeline) memory() *memo {
	m := p.memo.Load()
	for m == nil || m.keys.Full() {
		fresh := &memo{facts: map[int]any{}}
		if p.memo.CompareAndSwap(m, fresh) {
			return fresh
		}
		m = p.memo.Load()
	}
	return m
}

// remembered returns what the step that begins keeps by the numbers of names,
// shared by passes; the first one makes it.
func (p *Pass) remembered(build func() any) any {
	m := p.memo
	m.mu.RLock()
	facts := m.facts[p.place]
	m.mu.RUnlock()
	if facts != nil {
		return facts
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.facts[p.place] == nil {
		m.facts[p.place] = build()
	}
	return m.facts[p.place]
}
