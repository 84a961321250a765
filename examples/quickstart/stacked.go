package main

import (
	"crypto/rand"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/server"
	"github.com/cloudg/mcplayer/middleware"
)

// stacked is an inventory with the whole stack of middleware.
type stacked struct {
	inProcess
	chain *middleware.Chain
	path  string // of the audit
	key   []byte // of its chain
}

func (t *troupe) addStacked(dir string) error {
	p, err := t.load("team")
	if err != nil {
		return err
	}
	st := &stacked{path: filepath.Join(dir, "audit.jsonl"), key: make([]byte, 32)}
	rand.Read(st.key) // never fails
	st.chain, err = middleware.Stack(middleware.StackOptions{
		Audit: &middleware.AuditOptions{Path: st.path, ChainKey: st.key},
		Cache: &middleware.CacheOptions{},
		Retry: &middleware.RetryOptions{Backoff: 10 * time.Millisecond},
	})
	if err != nil {
		return err
	}
	layer, err := t.inventoryHere(server.Config{
		Policy: p, Middleware: st.chain.Middleware, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return err
	}
	addPrices(layer.Registry())
	st.inProcess = inProcess{layer, mcplayer.NewPrincipal("ada", "auditor")}
	t.stacked = st
	return st.chain.Attach(layer)
}

// lines returns the lines of the audit so far. A line is written a moment after its
// call has been answered.
func (st *stacked) lines() ([]string, error) {
	for deadline := time.Now().Add(10 * time.Second); st.chain.Audit.Stats().Pending > 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	doc, err := os.ReadFile(st.path)
	return strings.SplitAfter(strings.TrimSuffix(string(doc), "\n"), "\n"), err
}
