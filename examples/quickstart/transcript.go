package main

import (
	"fmt"
	"io"
	"sync"
)

// A transcript is what the show writes. Scenes, progress and the server's log
// may write at the same time.
type transcript struct {
	mu  sync.Mutex
	w   io.Writer
	err error // the first; nothing is written after it
}

func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return 0, t.err
	}
	var n int
	n, t.err = t.w.Write(p)
	return n, t.err
}

func (t *transcript) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(t, format, args...) // failed tells
}

func (t *transcript) failed() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}
