package middleware

import "time"

// windowParts is how finely a window slides.
const windowParts = 10

// window counts good and bad outcomes over the time that has just passed. It is not
// safe for concurrent use.
type window struct {
	part  time.Duration
	start time.Time
	parts [windowParts]struct {
		number    int64
		good, bad int
	}
}

func newWindow(length time.Duration, now time.Time) window {
	return window{part: max(length/windowParts, 1), start: now}
}

// add counts outcomes at a time.
func (w *window) add(now time.Time, good, bad int) {
	n := w.number(now)
	p := &w.parts[n%windowParts]
	if p.number != n {
		p.number, p.good, p.bad = n, 0, 0
	}
	p.good += good
	p.bad += bad
}

// sum returns the counts of the window that ends now.
func (w *window) sum(now time.Time) (good, bad int) {
	n := w.number(now)
	for _, p := range w.parts {
		if n-p.number < windowParts {
			good, bad = good+p.good, bad+p.bad
		}
	}
	return good, bad
}

// number counts the parts since the start. The monotonic clock does not go back, and a
// time without one must not either.
func (w *window) number(now time.Time) int64 {
	return max(0, int64(now.Sub(w.start)/w.part)) + windowParts
}
