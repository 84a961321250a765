package middleware

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cloudg/mcplayer"
)

var (
	errUnwound     = errors.New("the call ended by a panic")
	errAuditFull   = errors.New("the queue is full")
	errAuditClosed = errors.New("the audit is closed")
	errAuditSlow   = errors.New("the line is not written yet")
)

// auditEntry is one line on its way to the goroutine that writes, or a wish to open
// the file anew.
type auditEntry struct {
	line   []byte
	done   chan error // nil: nobody waits for it
	reopen bool
}

// usualLine is more than most lines take, in bytes.
const usualLine = 512

// keptLine is how large a buffer goes back to its pool, in bytes.
const keptLine = 1 << 14

func (a *Audit) entry() *auditEntry {
	if e, ok := a.entries.Get().(*auditEntry); ok {
		return e
	}
	return &auditEntry{line: make([]byte, 0, usualLine)}
}

// recycle takes an entry back that nobody waits for.
func (a *Audit) recycle(e *auditEntry) {
	if e.done == nil && cap(e.line) <= keptLine {
		e.line = e.line[:0]
		a.entries.Put(e)
	}
}

// submit puts an entry into the queue. It waits at most so long for a place.
func (a *Audit) submit(e *auditEntry, wait time.Duration) error {
	a.mu.RLock()
	defer a.mu.RUnlock()
	if a.closed {
		return errAuditClosed
	}
	if a.waiting.Load() == 0 && a.reserve(len(e.line)) && a.offer(e) {
		return nil
	}
	return a.enqueue(e, wait)
}

// maxQueuedBytes bounds what a sink that hangs keeps in memory.
const maxQueuedBytes = 16 << 20

// reserve counts a line of that size as pending if there is room for it, or no other.
func (a *Audit) reserve(size int) bool {
	a.sizeMu.Lock()
	defer a.sizeMu.Unlock()
	if a.bytes+size > maxQueuedBytes && a.pending.Load() > 0 {
		return false
	}
	a.bytes += size
	a.pending.Add(1)
	return true
}

// release is the opposite of reserve.
func (a *Audit) release(size int) {
	a.sizeMu.Lock()
	defer a.sizeMu.Unlock()
	a.bytes -= size
	a.pending.Add(-1)
}

// done says that a line of that size is written or lost.
func (a *Audit) done(size int) {
	a.release(size)
	a.tellRoom()
}

// tellRoom wakes who has waited longest for room. That one wakes the next if there is more.
func (a *Audit) tellRoom() {
	select {
	case a.room <- struct{}{}:
	default:
	}
}

// offer queues an entry with a reserved size, or gives that back.
func (a *Audit) offer(e *auditEntry) bool {
	select {
	case a.queue <- e:
		return true
	default:
		a.release(len(e.line))
		return false
	}
}

// enqueue waits for a place and for room, behind those who wait already.
func (a *Audit) enqueue(e *auditEntry, wait time.Duration) error {
	if wait <= 0 {
		return errAuditFull
	}
	a.waiting.Add(1)
	defer a.waiting.Add(-1)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case <-a.room:
		case <-timer.C:
			return errAuditFull
		case <-a.closing:
			return errAuditClosed
		}
		if a.reserve(len(e.line)) && a.offer(e) {
			if len(a.queue) < cap(a.queue) { // else the next one would lose its turn
				a.tellRoom()
			}
			return nil
		}
	}
}

// record writes a call's line, or counts it as lost.
func (a *Audit) record(ctx context.Context, c auditCall, wait time.Duration) {
	c.outcome = outcomeOf(ctx, c.info.Kind, c.res, c.err)
	e := a.entry()
	err := a.encode(e, c)
	if err == nil {
		err = a.submit(e, wait)
	}
	if err != nil {
		a.lose(e, err)
		a.recycle(e)
	}
}

// announce writes the line that comes before a call. The error is what the caller is
// told.
func (a *Audit) announce(info mcplayer.CallInfo) error {
	e := &auditEntry{done: make(chan error, 1)}
	err := a.encode(e, auditCall{info: info, intent: true})
	if err == nil {
		err = a.submit(e, a.wait)
	}
	if err != nil {
		a.lose(e, err)
	} else {
		err = a.await(e)
	}
	if err != nil {
		return &mcplayer.Error{Code: mcplayer.CodeInternal, Type: "AuditError", Message: "Call refused: it cannot be recorded", Err: err}
	}
	return nil
}

func (a *Audit) await(e *auditEntry) error {
	timer := time.NewTimer(a.wait)
	defer timer.Stop()
	select {
	case err := <-e.done:
		return err
	case <-timer.C:
		return errAuditSlow
	}
}

// loggedLine is how much of a lost line goes into the log, in bytes.
const loggedLine = 4096

func (a *Audit) lose(e *auditEntry, why error) {
	defer func() { _ = recover() }() // a log that panics must not end the process
	lost := a.lost.Add(1)
	a.logger.Error("audit line lost", slog.Any("error", why), slog.Int64("lost", lost),
		slog.String("line", string(e.line[:min(len(e.line), loggedLine)])))
}

// Reopen opens the file anew, after what was queued before has been written: to be
// called once a log rotation has renamed the file. If it cannot be opened, the Audit
// goes on with the old one.
//
// A new file of a chain begins with a line of the event mcp.audit.opened, which holds
// the head of the file before.
func (a *Audit) Reopen(ctx context.Context) error {
	e := &auditEntry{reopen: true, done: make(chan error, 1)}
	if err := a.submit(e, a.wait); err != nil {
		return fmt.Errorf("audit: reopen: %w", err)
	}
	select {
	case err := <-e.done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("audit: reopen: %w", ctx.Err())
	}
}

// Close writes what is queued, closes the file and returns an error if lines were
// lost since NewAudit. When ctx ends it returns at once: what is left counts as lost,
// and a sink that hangs keeps its goroutine. Later calls of Handle go on without
// lines, which count as lost; later calls of Close tell how many there are by then.
func (a *Audit) Close(ctx context.Context) error {
	a.shut()
	select {
	case <-a.ended:
	case <-ctx.Done():
		a.dropped.Store(true)
		return fmt.Errorf("audit: close: %d lines lost, %d not written: %w", a.lost.Load(), a.pending.Load(), ctx.Err())
	}
	if lost := a.lost.Load(); lost > 0 {
		return fmt.Errorf("audit: %d lines lost", lost)
	}
	return nil
}

// shut lets nobody put anything into the queue any more.
func (a *Audit) shut() {
	a.once.Do(func() {
		close(a.closing) // who waits for a place gives up
		a.mu.Lock()
		defer a.mu.Unlock()
		a.closed = true
		close(a.queue)
	})
}
