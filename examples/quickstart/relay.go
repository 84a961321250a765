package main

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A relay brings progress from the client, which has one handler for all calls,
// to the call that listens.
type relay struct {
	mu       sync.Mutex
	listener func(done, total float64, message string)
	complete chan struct{} // closed when all is done
}

// listen makes f hear of progress until the next listen.
func (r *relay) listen(f func(done, total float64, message string)) (complete <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listener, r.complete = f, make(chan struct{})
	return r.complete
}

func (r *relay) hear(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.listener == nil {
		return
	}
	p := req.Params
	r.listener(p.Progress, p.Total, p.Message)
	if p.Progress == p.Total {
		close(r.complete)
		r.listener = nil
	}
}
