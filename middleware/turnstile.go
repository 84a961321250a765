package middleware

import "container/list"

// turnstile decides whose turn it is. Principals with waiting calls take turns; the
// calls of one principal keep their order. It is not safe for concurrent use.
//
// Nobody waits who could run: whoever waits does so because all slots are taken, or
// because the principal has as many as one may have. That is why a newcomer who finds
// a slot pushes in front of nobody.
type turnstile struct {
	limit        int // slots for all
	perPrincipal int // slots for one principal
	queue        int // calls that may wait

	used    int
	usedBy  map[string]int // of principals that have slots
	waiting int
	lines   map[string]*line // of principals with waiting calls
	ring    list.List        // of *line; the first is the next to move
}

// line holds the waiting calls of one principal.
type line struct {
	principal string
	waiters   list.List // of *waiter
	turn      *list.Element
}

// waiter is one waiting call. Admitted may be read once ready is closed or after
// giveUp.
type waiter struct {
	principal string
	ready     chan struct{}
	admitted  bool
	place     *list.Element // nil when it no longer waits
}

func newTurnstile(queue int) turnstile {
	return turnstile{queue: queue, usedBy: map[string]int{}, lines: map[string]*line{}}
}

// enter takes a slot if there is one for the principal.
func (t *turnstile) enter(principal string) bool {
	if t.used >= t.limit || t.usedBy[principal] >= t.perPrincipal {
		return false
	}
	t.used++
	t.usedBy[principal]++
	return true
}

// leave gives a slot back to those who wait.
func (t *turnstile) leave(principal string) {
	t.used--
	if t.usedBy[principal]--; t.usedBy[principal] == 0 {
		delete(t.usedBy, principal)
	}
	t.advance()
}

// wait puts a call at the end of its principal's line; nil if the queue is full.
func (t *turnstile) wait(principal string) *waiter {
	if t.waiting >= t.queue {
		return nil
	}
	l := t.lines[principal]
	if l == nil {
		l = &line{principal: principal}
		l.turn = t.ring.PushBack(l)
		t.lines[principal] = l
	}
	w := &waiter{principal: principal, ready: make(chan struct{})}
	w.place = l.waiters.PushBack(w)
	t.waiting++
	return w
}

// advance lets calls in as long as there are slots for any that wait.
func (t *turnstile) advance() {
	for t.used < t.limit {
		l := t.nextLine()
		if l == nil {
			return
		}
		w := l.waiters.Front().Value.(*waiter)
		t.ring.MoveToBack(l.turn)
		t.remove(w)
		t.enter(w.principal)
		w.admitted = true
		close(w.ready)
	}
}

// nextLine returns the line whose turn it is, passing over principals that have as
// many slots as one may have.
func (t *turnstile) nextLine() *line {
	for e := t.ring.Front(); e != nil; e = e.Next() {
		if l := e.Value.(*line); t.usedBy[l.principal] < t.perPrincipal {
			return l
		}
	}
	return nil
}

// giveUp takes a call out of its line, if it is still there.
func (t *turnstile) giveUp(w *waiter) {
	if w.place != nil {
		t.remove(w)
	}
}

func (t *turnstile) remove(w *waiter) {
	l := t.lines[w.principal]
	l.waiters.Remove(w.place)
	w.place = nil
	t.waiting--
	if l.waiters.Len() == 0 {
		t.ring.Remove(l.turn)
		delete(t.lines, w.principal)
	}
}

// clear sends everybody away who waits.
func (t *turnstile) clear() {
	for _, l := range t.lines {
		for l.waiters.Len() > 0 {
			w := l.waiters.Front().Value.(*waiter)
			t.remove(w)
			close(w.ready)
		}
	}
}
