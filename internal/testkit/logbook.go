// Package testkit holds what the tests of several packages are made with.
package testkit

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
)

// Logbook keeps what is written to it, such as the lines of a log. The zero Logbook is
// empty and ready; it is safe for concurrent use.
type Logbook struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write appends p.
func (b *Logbook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

// String returns all that is kept.
func (b *Logbook) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// Lines returns what is kept line by line, without the newlines.
func (b *Logbook) Lines() []string { return Lines(b.String()) }

// Take is [Logbook.Lines] and forgets what it returns.
func (b *Logbook) Take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	lines := Lines(b.buf.String())
	b.buf.Reset()
	return lines
}

// Lines returns the lines of a text without the newlines; of none nil.
func Lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// Logger returns a log whose records are kept as JSON, without their times.
func (b *Logbook) Logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(b, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}
