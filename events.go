package mcplayer

import (
	"log/slog"
	"slices"
	"sync"
)

// Change tells that something is no longer as clients know it.
type Change struct {
	Kind Kind
	// URI names the one resource whose content changed. It is empty when the
	// list of primitives of that kind changed.
	URI string
}

// events holds the listeners of a layer.
type events struct {
	mu        sync.Mutex
	listeners []*func(Change)
}

// OnChange calls f for every change until stop is called: additions to the registry
// and removals from it, and what [Layer.NotifyChange] tells.
// F runs on the goroutine of whoever made the change and must not block.
func (l *Layer) OnChange(f func(Change)) (stop func()) {
	l.events.mu.Lock()
	defer l.events.mu.Unlock()
	l.events.listeners = append(slices.Clip(l.events.listeners), &f)
	return func() {
		l.events.mu.Lock()
		defer l.events.mu.Unlock()
		l.events.listeners = slices.DeleteFunc(slices.Clone(l.events.listeners), func(g *func(Change)) bool { return g == &f })
	}
}

// NotifyChange tells listeners and clients of a change: of one resource's content
// if uri is set, else of the list of that kind. Whoever changes what a policy shows
// calls it for each kind.
func (l *Layer) NotifyChange(kind Kind, uri string) {
	l.events.mu.Lock()
	listeners := l.events.listeners
	l.events.mu.Unlock()
	for _, f := range listeners {
		l.tell(*f, Change{kind, uri})
	}
}

func (l *Layer) tell(f func(Change), change Change) {
	defer func() {
		if v := recover(); v != nil {
			_ = l.panicked(v, slog.String("in", "OnChange")) // logged
		}
	}()
	f(change)
}
