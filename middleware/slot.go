package middleware

import (
	"context"
	"sync/atomic"

	"github.com/cloudg/mcplayer"
)

// slot is one call's place among those that run, shared by the calls made inside it.
// It is the context of what runs in it.
type slot struct {
	context.Context
	owner     *Concurrency
	principal string
	calls     atomic.Int64 // that are in it; at 0 it is given back for good
}

// slotKey finds a Concurrency's own slot in a context.
type slotKey struct{ owner *Concurrency }

func (c *Concurrency) slotOf(ctx context.Context) *slot {
	s, _ := ctx.Value(slotKey{c}).(*slot)
	return s
}

// Value makes the slot visible to calls made inside it.
func (s *slot) Value(key any) any {
	if key == any(slotKey{s.owner}) {
		return s
	}
	return s.Context.Value(key)
}

// join lets a call into the slot of a call around it. It reports false if that one
// has ended: whoever still uses its context waits like everybody else.
func (s *slot) join() bool {
	for {
		n := s.calls.Load()
		if n == 0 {
			return false
		}
		if s.calls.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// leave ends a call in the slot: now, or when its handlers have ended. Handlers that
// go on are counted until then.
func (s *slot) leave(info mcplayer.CallInfo) {
	s.owner.late.Add(1)
	if !s.owner.releaseOnTimeout {
		info.AfterHandlers(s.endLate)
		return
	}
	s.end()
	info.AfterHandlers(s.owner.endLate)
}

func (c *Concurrency) endLate() { c.late.Add(-1) }

func (s *slot) endLate() {
	s.owner.endLate()
	s.end()
}

func (s *slot) end() {
	if s.calls.Add(-1) == 0 {
		s.owner.release(s.principal)
	}
}
