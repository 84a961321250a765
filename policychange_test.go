package mcplayer_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/cloudg/mcplayer"
)

// reloadable is a policy that tells of changes, and counts who listens.
type reloadable struct {
	rules
	mu        sync.Mutex
	listeners []func(mcplayer.Kind)
	stopped   int
}

func (c *reloadable) OnChange(f func(mcplayer.Kind)) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listeners = append(c.listeners, f)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.stopped++
	}
}

func TestChangesOfThePolicyReachTheLayer(t *testing.T) {
	p := &reloadable{}
	layer, _ := layerOf(t, p, silent, "a")
	var heard []mcplayer.Kind
	layer.OnChange(func(c mcplayer.Change) { heard = append(heard, c.Kind) })
	if len(p.listeners) != 1 {
		t.Fatalf("%d listeners", len(p.listeners))
	}
	p.listeners[0](mcplayer.KindTool)
	p.listeners[0](mcplayer.KindPrompt)
	if want := []mcplayer.Kind{mcplayer.KindTool, mcplayer.KindPrompt}; !slices.Equal(heard, want) {
		t.Errorf("the layer told of %v, want %v", heard, want)
	}
	if err := layer.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if p.stopped != 1 {
		t.Errorf("the policy was left %d times, want 1", p.stopped)
	}
}

// A layer that could not be made listens to nothing.
func TestAFailedLayerDoesNotListen(t *testing.T) {
	p := &reloadable{}
	if _, err := mcplayer.New(&mcplayer.Options{Policy: p, Prefix: "not allowed"}); err == nil {
		t.Fatal("no error")
	}
	if len(p.listeners) != 0 {
		t.Errorf("%d listeners", len(p.listeners))
	}
}
