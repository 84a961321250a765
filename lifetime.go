package mcplayer

import (
	"context"
	"sync"
	"sync/atomic"
)

// lifetime counts the handlers and holds of one call. Each of them is also
// counted inside the layer's gate.
type lifetime struct {
	gate    *gate
	mu      sync.Mutex
	running int
	waiting []func() // run when running falls to 0
}

func (l *lifetime) begin() {
	l.gate.inside.Add(1)
	l.mu.Lock()
	l.running++
	l.mu.Unlock()
}

func (l *lifetime) end() {
	l.mu.Lock()
	l.running--
	var ready []func()
	if l.running == 0 {
		ready, l.waiting = l.waiting, nil
	}
	l.mu.Unlock()
	for _, f := range ready {
		f()
	}
	l.gate.leave()
}

// busy reports whether any handler or hold is left.
func (l *lifetime) busy() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.running > 0
}

func (l *lifetime) hold() (release func()) {
	l.begin()
	return sync.OnceFunc(l.end)
}

func (l *lifetime) after(f func()) {
	l.mu.Lock()
	if l.running > 0 {
		l.waiting = append(l.waiting, f)
		l.mu.Unlock()
		return
	}
	l.mu.Unlock()
	f()
}

// gate lets calls in until it is shut, and tells when the last one has left.
type gate struct {
	inside atomic.Int64
	shut   atomic.Bool
	empty  chan struct{} // gets a value when the last one leaves a shut gate
}

func newGate() *gate { return &gate{empty: make(chan struct{}, 1)} }

// enter reports whether the gate is open. Who is inside already may always
// enter again: shut holds for newcomers.
func (g *gate) enter(nested bool) bool {
	g.inside.Add(1)
	if g.shut.Load() && !nested {
		g.leave()
		return false
	}
	return true
}

func (g *gate) leave() {
	if g.inside.Add(-1) == 0 && g.shut.Load() {
		select {
		case g.empty <- struct{}{}:
		default:
		}
	}
}

// close shuts the gate and waits until nobody is inside or ctx ends.
func (g *gate) close(ctx context.Context) error {
	g.shut.Store(true)
	for g.inside.Load() > 0 {
		select {
		case <-g.empty:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
