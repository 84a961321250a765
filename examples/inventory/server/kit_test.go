package server_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/cloudg/mcplayer/examples/inventory/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// logbook keeps a log, whoever writes it.
type logbook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// running is a server that serves HTTP.
type running struct {
	url  string
	log  *logbook
	stop context.CancelFunc
	done chan error // what ServeHTTP returned
}

// serve starts a server; the test must see it end well.
func serve(t *testing.T, c server.HTTPConfig) *running {
	t.Helper()
	r := &running{log: &logbook{}, done: make(chan error, 1)}
	s, err := server.New(server.Config{Demo: true, Logger: slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.url, r.stop = "http://"+listener.Addr().String()+"/mcp", cancel
	go func() { r.done <- s.ServeHTTP(ctx, listener, c) }()
	t.Cleanup(cancel)
	return r
}

// ended waits for the server's end.
func (r *running) ended(t *testing.T) {
	t.Helper()
	select {
	case err := <-r.done:
		if err != nil {
			t.Errorf("the server ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the server goes on")
	}
}

// bearer sends a token with each request, none if it is empty.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+string(b))
	}
	return http.DefaultTransport.RoundTrip(r)
}

// client connects to the server with a token.
func (r *running) client(t *testing.T, token string, opts *mcp.ClientOptions) (*mcp.ClientSession, error) {
	t.Helper()
	return mcp.NewClient(&mcp.Implementation{Name: "test"}, opts).Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint:   r.url,
		HTTPClient: &http.Client{Transport: bearer(token)},
	}, nil)
}
