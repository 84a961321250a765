package middleware

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/cloudg/mcplayer/internal/filelock"
)

// auditLedger is what an audit's goroutine writes to. Lines that were torn, by a full
// disk or a crash, are ended before the next one.
type auditLedger struct {
	out   io.Writer
	file  *os.File // what out is, if it is a file
	path  string
	chain *auditChain // nil: none

	open bool // the last byte that stands there ends no line
	torn int  // torn lines that the chain does not tell of yet
}

func (a *Audit) newLedger(opts *AuditOptions) (*auditLedger, error) {
	l := &auditLedger{out: opts.Writer, path: opts.Path}
	if opts.ChainKey != nil {
		l.chain = newAuditChain(opts.ChainKey)
	}
	switch {
	case opts.Path != "":
		return l, l.start(opts.ChainHead)
	case opts.Writer == nil:
		l.out = logSink{a.logger.Handler().WithAttrs([]slog.Attr{slog.String("logger", "cloudg.mcp.audit")})}
	}
	return l, l.begin()
}

// start opens the file and goes on where it ends.
func (l *auditLedger) start(head string) error {
	file, err := openAudit(l.path)
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	if err := l.resume(file, head); err != nil {
		_ = file.Close()
		return fmt.Errorf("audit: %s: %w", l.path, err)
	}
	return nil
}

// resume goes on at the end of file.
func (l *auditLedger) resume(file *os.File, head string) error {
	if err := l.begins(file); err != nil {
		return err
	}
	end, err := readEnd(file, l.chain != nil)
	switch {
	case err != nil:
		return err
	case l.chain != nil && end.lines && end.head == nil:
		return errors.New("it has lines without a chain; begin a new file")
	case head != "" && (end.head == nil || end.head.String() != head):
		return errors.New("its last line is not that of ChainHead: the end was cut off or changed")
	}
	l.file, l.out, l.open = file, file, end.open
	if l.chain == nil {
		return nil
	}
	l.torn = end.torn
	if end.head == nil {
		return l.begin()
	}
	l.chain.head = *end.head
	return nil
}

// begins looks at the first line of a file that the ledger is to go on with, and locks one
// with a chain.
func (l *auditLedger) begins(file *os.File) error {
	first, err := readFirst(file)
	if err != nil {
		return err
	}
	_, chained := sealOf(first)
	switch {
	case l.chain == nil && chained:
		return errors.New("its lines are a chain; ChainKey is missing")
	case l.chain == nil:
		return nil
	case chained && !l.chain.opened(first):
		return errors.New("its first line was made with another ChainKey, or changed")
	}
	return keepOthersOut(file)
}

// keepOthersOut locks the file of a chain, which has one writer. Where there are no locks
// it goes without.
func keepOthersOut(file *os.File) error {
	if errors.Is(filelock.Lock(file), filelock.ErrLocked) {
		return errors.New("another audit writes it, and a chain has one writer")
	}
	return nil
}

// begin writes the first line of a chain.
func (l *auditLedger) begin() error {
	if l.chain == nil {
		return nil
	}
	return l.put(l.chain.opening(time.Now()))
}

// reopen goes on with the file that has the path now.
func (l *auditLedger) reopen() error {
	if l.path == "" {
		return errors.New("audit: reopen: there is no file")
	}
	_ = l.mend() // if that fails, the torn line ends its file
	next := &auditLedger{path: l.path, chain: l.chain}
	file, err := openAudit(l.path)
	if err != nil {
		return fmt.Errorf("audit: reopen: %w", err)
	}
	if err := next.follow(l, file); err != nil {
		_ = file.Close()
		return fmt.Errorf("audit: reopen: %w", err)
	}
	old := l.file
	*l = *next
	if err := old.Close(); err != nil || l.chain == nil {
		return err
	}
	return keepOthersOut(l.file) // it may be the one that was locked before
}

// follow begins in a file that comes after that of old, or goes on if it is the same.
func (l *auditLedger) follow(old *auditLedger, file *os.File) error {
	was, errWas := old.file.Stat()
	is, errIs := file.Stat()
	if err := errors.Join(errWas, errIs); err != nil {
		return err
	}
	l.file, l.out = file, file
	if os.SameFile(was, is) {
		l.open, l.torn = old.open, old.torn
		return nil
	}
	if err := l.begins(file); err != nil {
		return err
	}
	end, err := readEnd(file, false)
	if err != nil {
		return err
	}
	l.open = end.open
	return l.begin()
}

// append writes one line, after the end of one that was torn.
func (l *auditLedger) append(line []byte) error {
	if err := l.mend(); err != nil {
		return err
	}
	return l.put(line)
}

// mend ends a line that was torn and tells the chain of it.
func (l *auditLedger) mend() error {
	if err := l.end(); err != nil || l.torn == 0 {
		return err
	}
	if l.chain != nil {
		if err := l.put(l.chain.tear(l.torn, time.Now())); err != nil {
			return err
		}
	}
	l.torn = 0
	return nil
}

// end writes the newline that is missing, if one is.
func (l *auditLedger) end() error {
	if l.open {
		if _, err := l.write([]byte("\n")); err != nil {
			return err
		}
		l.open = false
	}
	return nil
}

// put writes a line with its MAC. What a first write leaves over gets a second; a
// line that is not whole then is torn. One that only misses its newline is whole.
func (l *auditLedger) put(line []byte) error {
	if err := l.end(); err != nil {
		return err
	}
	var mac chainMAC
	if l.chain != nil {
		mac = l.chain.seal(line)
	}
	n, err := l.write(line)
	if 0 < n && n < len(line) && !errors.Is(err, errSinkPanicked) {
		var more int
		more, err = l.write(line[n:])
		n += more
	}
	if n == 0 {
		return err
	}
	l.open = n < len(line)
	if n < len(line)-1 {
		l.torn++
		return err
	}
	if l.chain != nil {
		l.chain.head = mac
	}
	return nil
}

var errSinkPanicked = errors.New("the sink panicked")

// write calls the sink. Of one that panics nobody knows how much it wrote: it counts
// as a part.
func (l *auditLedger) write(p []byte) (n int, err error) {
	defer func() {
		if v := recover(); v != nil {
			n, err = min(1, len(p)-1), fmt.Errorf("%w: %v", errSinkPanicked, v)
		}
	}()
	n, err = l.out.Write(p)
	n = max(0, min(n, len(p)))
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return n, err
}

func (l *auditLedger) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// logSink writes lines into a log.
type logSink struct{ log slog.Handler }

func (s logSink) Write(line []byte) (int, error) {
	ctx := context.Background()
	if !s.log.Enabled(ctx, slog.LevelInfo) {
		return 0, errors.New("the log leaves out level info")
	}
	message := string(line[:len(line)-1])
	if err := s.log.Handle(ctx, slog.NewRecord(time.Now(), slog.LevelInfo, message, 0)); err != nil {
		return 0, err
	}
	return len(line), nil
}

// writeAll is the goroutine that writes.
func (a *Audit) writeAll(l *auditLedger) {
	defer close(a.ended)
	for e := range a.queue {
		err := a.serve(l, e)
		a.publish(l)
		a.done(len(e.line))
		if e.done != nil {
			e.done <- err
		}
		a.recycle(e)
	}
	_ = l.mend() // so that the file ends with a whole line, if it can
	a.publish(l)
	if err := l.close(); err != nil {
		a.logger.Error("audit file not closed", slog.Any("error", err))
	}
}

func (a *Audit) serve(l *auditLedger, e *auditEntry) error {
	if e.reopen {
		return l.reopen()
	}
	err := errAuditClosed
	if !a.dropped.Load() {
		err = l.append(e.line)
	}
	if err != nil {
		a.lose(e, err)
		return err
	}
	a.written.Add(1)
	return nil
}

// publish makes the head of the chain known.
func (a *Audit) publish(l *auditLedger) {
	if l.chain == nil {
		return
	}
	a.headMu.Lock()
	defer a.headMu.Unlock()
	a.head = l.chain.head
}
