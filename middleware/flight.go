package middleware

import (
	"context"
	"errors"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
)

// flight is one execution that equal calls share. The library singleflight has no
// place for what is different here: a caller that goes leaves the others their
// result, and the last one to go ends the execution.
type flight struct {
	done       chan struct{} // closed when what follows is set
	res        result.Result // as the call that began got it
	err        error
	panicked   any           // what the execution panicked with
	shared     result.Result // for the others, nil if there is nothing for them
	generation uint64        // of the cache when it began

	callers int // guarded by the cache: who waits
	cancel  context.CancelFunc
}

// found is what the cache has for a call.
type found struct {
	kept       result.Result
	flight     *flight
	leads      bool // the flight is new: the call has to begin it
	generation uint64
}

// find looks for a kept result, then, if the call may share, for a flight, which it
// joins or makes.
func (c *Cache) find(key cacheKey, shared bool) found {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if res := c.kept.get(key, now); res != nil {
		return found{kept: res}
	}
	if f := c.flights[key]; shared && f != nil {
		f.callers++
		return found{flight: f}
	}
	c.misses++
	if !shared {
		return found{generation: c.generation}
	}
	f := &flight{done: make(chan struct{}), err: errNoAnswer, generation: c.generation, callers: 1}
	c.flights[key] = f
	return found{flight: f, leads: true}
}

var errNoAnswer = errors.New("the shared execution ended without an answer")

// lead begins a flight and waits for it like everybody else.
func (c *Cache) lead(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next, key cacheKey, f *flight) (result.Result, error) {
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f.cancel = cancel
	release := info.Hold()
	go func() {
		defer release()
		defer cancel()
		defer c.land(key, f)
		defer func() { f.panicked = recover() }()
		c.execute(running, info, next, key, f)
	}()
	if err := c.await(ctx, key, f); err != nil {
		return nil, err
	}
	if f.panicked != nil {
		panic(f.panicked) // the layer survives it, but on its own goroutines only
	}
	return f.res, f.err
}

// execute makes the call of a flight.
func (c *Cache) execute(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next, key cacheKey, f *flight) {
	f.res, f.err = next(c.mark(ctx, insideCall), info)
	if shareable(info, f.res, f.err) {
		f.shared = snapshot(info, f.res)
	}
	if keepable(ctx, info, f.res, f.err) {
		c.keep(key, f.shared, f.generation)
	}
}

// land lets the callers have what came of a flight.
func (c *Cache) land(key cacheKey, f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(key, f)
	close(f.done)
}

// forget keeps others from joining a flight. After the cache was emptied there may be
// a newer one in its place.
func (c *Cache) forget(key cacheKey, f *flight) {
	if c.flights[key] == f {
		delete(c.flights, key)
	}
}

// follow waits for the result of a flight that another call began.
func (c *Cache) follow(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next, key cacheKey, f *flight) (result.Result, error) {
	if err := c.await(ctx, key, f); err != nil {
		return nil, err
	}
	if f.shared == nil {
		return c.run(ctx, info, next, key, c.miss())
	}
	return c.serve(ctx, info, f.shared)
}

// miss counts a call that has to be made after all.
func (c *Cache) miss() (generation uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.misses++
	return c.generation
}

// await waits until a flight has landed or the caller goes, whose error it returns.
func (c *Cache) await(ctx context.Context, key cacheKey, f *flight) error {
	select {
	case <-f.done:
		return nil
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.callers--; f.callers == 0 {
		c.forget(key, f)
		f.cancel()
	}
	return ctx.Err()
}

// around tells what a call is inside of, as far as a cache is concerned.
type around uint8

const (
	nowhere     around = iota
	insideCall         // it must not wait for a flight, which may wait for what it is inside of
	insideWrite        // what it reads is about to change
)

// aroundKey finds what a cache knows of the calls around one in its context.
type aroundKey struct{ cache *Cache }

func (c *Cache) around(ctx context.Context) around {
	a, _ := ctx.Value(aroundKey{c}).(around)
	return a
}

// mark tells calls inside where they are. Without shared executions nobody asks.
func (c *Cache) mark(ctx context.Context, a around) context.Context {
	if !c.share || c.around(ctx) != nowhere {
		return ctx
	}
	return context.WithValue(ctx, aroundKey{c}, a)
}
