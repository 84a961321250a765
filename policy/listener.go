package policy

import (
	"cmp"
	"slices"
	"sync"

	"github.com/cloudg/mcplayer"
)

// OnChange makes Reload call f for each kind of primitive of which a caller may now
// see another list, until stop is called. A layer that has the policy does this by
// itself until it is closed.
func (p *Policy) OnChange(f func(mcplayer.Kind)) (stop func()) { return p.listeners.add(f) }

// listeners are those who want to know of changes.
type listeners struct {
	mu  sync.Mutex
	all []*func(mcplayer.Kind)
}

func (l *listeners) add(f func(mcplayer.Kind)) (remove func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(slices.Clip(l.all), &f)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.all = slices.DeleteFunc(slices.Clone(l.all), func(g *func(mcplayer.Kind)) bool { return g == &f })
	}
}

// tell calls the listeners without the lock: they may add and remove.
func (l *listeners) tell(kind mcplayer.Kind) {
	l.mu.Lock()
	all := l.all
	l.mu.Unlock()
	for _, f := range all {
		(*f)(kind)
	}
}

func compareSpecs(a, b *mcplayer.Spec) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
}
