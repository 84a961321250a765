package middleware

import "time"

// circuit is the breaker of one primitive. It is not safe for concurrent use.
type circuit struct {
	counts window
	open   bool
	until  time.Time // an open one lets nobody through before
	probe  uint64    // number of the call that tries again, 0 if there is none
	last   uint64    // number of the last such call
	epoch  uint64    // moves on when the circuit opens or closes
}

// pass is a call that a circuit let through.
type pass struct {
	circuit *circuit
	epoch   uint64
	probe   uint64 // 0: it tries nothing, the circuit was closed
}

// verdict is what a call says of its handler.
type verdict uint8

const (
	neither verdict = iota
	answered
	failed
)

// ask lets a call through, or tells how long to stay away. A probe that takes longer
// than a circuit stays open is given up, so that one that hangs does not close off
// the primitive for ever.
func (c *circuit) ask(now time.Time, openFor time.Duration) (pass, time.Duration) {
	if !c.open {
		return pass{circuit: c, epoch: c.epoch}, 0
	}
	if now.Before(c.until) {
		return pass{}, c.until.Sub(now)
	}
	c.last++
	c.probe = c.last
	c.until = now.Add(openFor)
	return pass{circuit: c, epoch: c.epoch, probe: c.probe}, 0
}

// tell counts what came of a call. What began before the circuit last opened or closed
// says nothing of the time since.
func (c *circuit) tell(now time.Time, p pass, came verdict, b *Breaker) {
	switch {
	case p.epoch != c.epoch:
	case p.probe == 0:
		c.count(now, came, b)
	case p.probe != c.probe: // given up
	case came == answered:
		*c = circuit{counts: newWindow(b.window, now), last: c.last, epoch: c.epoch + 1}
	case came == failed:
		c.trip(now, b.openFor)
	default:
		c.probe, c.until = 0, now // the next call tries
	}
}

// count takes an outcome into the window of a closed circuit, and opens it.
func (c *circuit) count(now time.Time, came verdict, b *Breaker) {
	switch came {
	case answered:
		c.counts.add(now, 1, 0)
	case failed:
		c.counts.add(now, 0, 1)
		good, bad := c.counts.sum(now)
		if total := good + bad; total >= b.minCalls && float64(bad) >= b.ratio*float64(total) {
			c.trip(now, b.openFor)
		}
	}
}

func (c *circuit) trip(now time.Time, openFor time.Duration) {
	c.open, c.until, c.probe = true, now.Add(openFor), 0
	c.epoch++
}

// isIdle reports whether a circuit holds nothing.
func (c *circuit) isIdle(now time.Time) bool {
	good, bad := c.counts.sum(now)
	return !c.open && good+bad == 0
}
