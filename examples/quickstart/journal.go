package main

import (
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// A journal keeps what a server logs, one JSON object a line.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

// An entry is what the show wants to know of a line.
type entry struct {
	Msg     string `json:"msg"`
	URL     string `json:"url"`
	ErrorID string `json:"error_id"`
	Value   string `json:"value"`
	Stack   string `json:"stack"`
}

// Write implements [io.Writer].
func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// logger returns a logger that writes into the journal.
func (j *journal) logger() *slog.Logger { return slog.New(slog.NewJSONHandler(j, nil)) }

// find returns the first entry that matches. It waits for it: a log line and an
// answer do not come the same way.
func (j *journal) find(match func(entry) bool) (entry, bool) {
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		for line := range strings.Lines(j.String()) {
			var e entry
			if json.Unmarshal([]byte(line), &e) == nil && match(e) {
				return e, true
			}
		}
	}
	return entry{}, false
}
