package jsondoc

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// splitFrom is the size in bytes from which on the work on a container is shared.
const splitFrom = 1 << 20

// maxWorkers bounds how many goroutines share a container.
const maxWorkers = 8

func (r *Run) workers() int {
	if r.Workers > 0 {
		return min(r.Workers, maxWorkers)
	}
	return min(runtime.GOMAXPROCS(0), maxWorkers)
}

// group is a row of neighbours in a container that one goroutine works on.
type group struct {
	contents
	doc        *Document
	begin, end int
	err        error
}

// groupsEach is how many groups there are for each goroutine, so that one that falls
// behind leaves work to the others.
const groupsEach = 4

// shares returns in how many groups a container is divided. Those who look keep what they
// found apart until the end, so that more of them would have more to go through.
func (w *walker) shares() int {
	if w.look {
		return w.run.workers()
	}
	return groupsEach * w.run.workers()
}

// groups returns the groups behind the first one that the container is to be
// worked on in; nil if it is not to be shared.
func (w *walker) groups(n uint32, v *Value) []group {
	nd := &w.x.nodes[n]
	if !w.split || nd.end-nd.start < splitFrom || v.limit >= 0 || v.revisit || !w.forkable() {
		return nil
	}
	stop := w.x.after(n)
	share := int(nd.end-nd.start) / w.shares()
	var groups []group
	at := int(nd.start) + share
	pos := 0
	for child := n + 1; child < stop; child = w.x.after(child) {
		if begin := w.x.begin(child); begin >= at && child > n+1 {
			groups = append(groups, group{begin: begin, contents: contents{node: n, first: child, pos: pos, limit: -1, last: -1}})
			at = begin + share
		}
		pos++
	}
	if !balanced(groups, int(nd.start), int(nd.end), share) {
		return nil // one child holds nearly all: its own children may be shared
	}
	w.split = false
	return groups
}

// balanced reports whether no group has much more than its share.
func balanced(groups []group, from, to, share int) bool {
	for i := range groups {
		if groups[i].begin-from > share+share/4 {
			return false
		}
		from = groups[i].begin
	}
	return len(groups) > 0 && to-from <= share+share/4
}

func (w *walker) forkable() bool {
	for i := range w.steps {
		if _, ok := w.steps[i].step.(Forker); !ok {
			return false
		}
	}
	return true
}

// runWith is run, with groups of the children worked on by others.
func (c *contents) runWith(groups []group) error {
	if len(groups) == 0 {
		return c.run()
	}
	for i := range groups {
		g := &groups[i]
		g.stop = c.past
		if i+1 < len(groups) {
			g.stop = groups[i+1].first
		}
		g.past = g.stop
		g.end = c.w.x.lastEnd(g.first, g.stop)
		g.fork(c.w)
	}
	end := c.w.divide(groups)
	c.stop = groups[0].first
	err := c.runBeside(groups)
	left := 0
	for i := range groups {
		left += len(groups[i].w.out)
	}
	for i := range groups {
		if g := &groups[i]; err == nil {
			n := len(g.w.out) // join takes it
			err = c.join(g, left)
			left -= n
		}
		groups[i].doc.Close()
	}
	c.w.reach(end, len(c.w.x.doc)-c.last)
	return err
}

// divide gives the groups plots of their own, and returns where that of w ended.
func (w *walker) divide(groups []group) (end int) {
	if w.plot == nil {
		return 0
	}
	end = w.plot.to
	if w.on {
		w.out = w.plot.limitTo(w.out, groups[0].begin)
	}
	w.plot.to = groups[0].begin
	for i := range groups {
		to := end
		if i+1 < len(groups) {
			to = groups[i+1].begin
		}
		groups[i].w.plot = &plot{land: w.plot.land, from: groups[i].begin, to: to}
	}
	return end
}

// runBeside is run, with others at work on the groups, and takes part in that. It waits
// for the others: even after a panic, or they would go on reading what serves another
// document by then.
func (c *contents) runBeside(groups []group) error {
	var taken atomic.Int32
	work := func() {
		for n := int(taken.Add(1)); n <= len(groups); n = int(taken.Add(1)) {
			groups[n-1].work()
		}
	}
	var others sync.WaitGroup
	for range min(len(groups), c.w.run.workers()-1) {
		others.Go(work)
	}
	defer others.Wait()
	err := c.run()
	if err == nil {
		work()
	}
	return err
}

// lastEnd returns where the last of some neighbours ends.
func (x *Index) lastEnd(first, stop uint32) int {
	last := first
	for child := first; child < stop; child = x.after(child) {
		last = child
	}
	return int(x.nodes[last].end)
}

// fork gives the group a walker of its own, with steps of its own.
func (g *group) fork(w *walker) {
	g.doc = newDocument()
	in := &g.doc.w
	if w.run.Keys == nil {
		w.run.Keys = &Keys{}
	}
	run := &Run{Keys: w.run.Keys}
	in.start(w.x, run)
	for _, e := range w.steps {
		run.steps = append(run.steps, entry{step: e.step.(Forker).Fork(), wants: e.wants, place: e.place})
	}
	in.steps, in.look = run.steps, w.look
	in.frames = append(in.frames, w.frames...)
	in.copied = g.begin
	g.w = in
}

// work works on the group; a panic is its error.
func (g *group) work() {
	defer g.w.run.recover(&g.err)
	if g.err = g.run(); g.err == nil && g.w.edits > 0 && g.kept > 0 {
		g.w.flush(g.end)
	}
}

// join takes over what came out of a group, as if it were one child; left is how much came
// out of it and those behind it.
func (c *contents) join(g *group, left int) error {
	if g.err != nil {
		return g.err
	}
	w, in := c.w, g.w
	for i := range w.steps {
		w.steps[i].step.(Forker).Join(in.steps[i].step)
	}
	if g.kept == 0 {
		c.drop(g.begin, g.end, g.stop)
		return nil
	}
	if in.edits > 0 {
		w.reach(g.begin, g.end-g.begin)
		w.cut(g.begin, g.end)
		if in.on {
			w.reach(in.plot.to, left)
		}
		w.out = append(w.out, in.out...)
		in.out = nil
		w.edits += in.edits
	}
	w.size += in.size
	if c.kept > 0 {
		w.size++ // the comma between
	}
	c.kept += g.kept
	c.last = g.end
	return nil
}
