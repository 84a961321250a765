package mcplayer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	legacy = "2025-11-25"
	modern = "2026-07-28"
)

var silent = slog.New(slog.DiscardHandler)

// site is a server with a layer mounted on it.
type site struct {
	layer  *mcplayer.Layer
	server *mcp.Server
}

// childSites are the sites that this test binary serves over stdio when it is
// started again with childVariable set to their name.
var childSites = map[string]func() *site{
	"contract": func() *site { return newContractSite().site },
	"who":      newWhoSite,
}

const childVariable = "MCPLAYER_TEST_SERVE"

func TestMain(m *testing.M) {
	if build := childSites[os.Getenv(childVariable)]; build != nil {
		s := build()
		if err := s.layer.Run(context.Background(), s.server, &mcp.StdioTransport{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// peer is a client's session with a record of what it received.
type peer struct {
	*mcp.ClientSession
	record *record
}

// record keeps the responses of a server as they came in.
type record struct {
	mu   sync.Mutex
	last response
}

type response struct {
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// String returns the response as bytes, without what differs from run to run.
func (r response) String() string {
	if r.Error != nil {
		return "error " + masked(r.Error)
	}
	return masked(r.Result)
}

var changing = regexp.MustCompile(`("cloudg/duration_ms":|"error_id":)("[0-9a-f]{16}"|[0-9]+)`)

// masked writes 0 for durations and error ids, and leaves the server's identity
// out, which only modern results carry.
func masked(doc []byte) string {
	text := changing.ReplaceAllString(string(doc), "${1}0")
	const identity = `"io.modelcontextprotocol/serverInfo":{"name":"site","version":"1"}`
	text = strings.ReplaceAll(text, `,`+identity, "")
	return strings.ReplaceAll(text, `"_meta":{`+identity+`},`, "")
}

func (r *record) take(message []byte) {
	var one response
	if json.Unmarshal(message, &one) != nil || one.Result == nil && one.Error == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = one
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last.String()
}

// recordingTransport records what a client on stdio or in memory reads.
type recordingTransport struct {
	mcp.Transport
	record *record
}

func (t *recordingTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := t.Transport.Connect(ctx)
	return &recordingConnection{conn, t.record}, err
}

type recordingConnection struct {
	mcp.Connection
	record *record
}

func (c *recordingConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := c.Connection.Read(ctx)
	if answer, ok := msg.(*jsonrpc.Response); ok && err == nil {
		c.record.take(must(jsonrpc.EncodeMessage(answer)))
	}
	return msg, err
}

// recordingTripper records what a client on HTTP reads.
type recordingTripper struct {
	record *record
	header http.Header // added to each request
}

func (t *recordingTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	maps.Copy(req.Header, t.header)
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil || req.Method != http.MethodPost {
		return res, err
	}
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.TeeReader(res.Body, &messageWriter{record: t.record}), res.Body}
	return res, nil
}

// messageWriter takes messages out of a JSON body or an event stream, a line
// each.
type messageWriter struct {
	record *record
	rest   []byte
}

func (w *messageWriter) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	for {
		line, rest, whole := bytes.Cut(w.rest, []byte("\n"))
		w.record.take(bytes.TrimPrefix(bytes.TrimSpace(line), []byte("data: ")))
		if !whole {
			return len(p), nil
		}
		w.rest = rest
	}
}

// way is a way from the SDK's client to a site.
type way struct {
	name    string
	version string
	http    bool
	askable bool // the server can ask this client
	dial    func(t testing.TB, build func() *site, opts *mcp.ClientOptions) *peer
}

func (w way) modern() bool { return w.version == modern }

// reachable are the ways that work for a site of the test's own process.
var reachable = []way{
	{"in-memory modern", modern, false, true, dialMemory(modern)},
	{"in-memory legacy", legacy, false, true, dialMemory(legacy)},
	{"http stateless modern", modern, true, true, dialHTTP(modern, &mcp.StreamableHTTPOptions{Stateless: true})},
	{"http stateless JSON modern", modern, true, true, dialHTTP(modern, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})},
	{"http stateless legacy", legacy, true, false, dialHTTP(legacy, &mcp.StreamableHTTPOptions{Stateless: true})},
	{"http stateful legacy", legacy, true, true, dialHTTP(legacy, nil)},
}

// everyWay adds stdio, with the named site in a child process.
func everyWay(name string) []way {
	return append([]way{
		{"stdio modern", modern, false, true, dialChild(name, modern)},
		{"stdio legacy", legacy, false, true, dialChild(name, legacy)},
	}, reachable...)
}

func newPeer(t testing.TB, rec *record, transport mcp.Transport, version string, opts *mcp.ClientOptions) *peer {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, opts)
	session, err := client.Connect(context.Background(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	if got := session.InitializeResult().ProtocolVersion; got != version {
		t.Fatalf("the client speaks %s, want %s", got, version)
	}
	return &peer{session, rec}
}

func dialMemory(version string) func(testing.TB, func() *site, *mcp.ClientOptions) *peer {
	return func(t testing.TB, build func() *site, opts *mcp.ClientOptions) *peer {
		t.Helper()
		return dialInMemory(t, build(), version, opts)
	}
}

func dialInMemory(t testing.TB, s *site, version string, opts *mcp.ClientOptions) *peer {
	t.Helper()
	inner, outer := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.layer.Run(ctx, s.server, inner)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	rec := &record{}
	return newPeer(t, rec, &recordingTransport{outer, rec}, version, opts)
}

func dialHTTP(version string, httpOpts *mcp.StreamableHTTPOptions) func(testing.TB, func() *site, *mcp.ClientOptions) *peer {
	return func(t testing.TB, build func() *site, opts *mcp.ClientOptions) *peer {
		t.Helper()
		s := build()
		handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.server }, httpOpts)
		return dialURL(t, serveHTTP(t, s.layer.HTTPHandler(handler, nil)), version, nil, opts)
	}
}

func serveHTTP(t testing.TB, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

func dialURL(t testing.TB, url, version string, header http.Header, opts *mcp.ClientOptions) *peer {
	t.Helper()
	rec := &record{}
	return newPeer(t, rec, &mcp.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: &recordingTripper{rec, header}}, MaxRetries: -1,
	}, version, opts)
}

func dialChild(name, version string) func(testing.TB, func() *site, *mcp.ClientOptions) *peer {
	return func(t testing.TB, _ func() *site, opts *mcp.ClientOptions) *peer {
		t.Helper()
		return dialCommand(t, name, version, opts)
	}
}

func dialCommand(t testing.TB, name, version string, opts *mcp.ClientOptions) *peer {
	t.Helper()
	cmd := exec.Command(must(os.Executable()))
	cmd.Env = append(os.Environ(), childVariable+"="+name, "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = io.Discard
	rec := &record{}
	return newPeer(t, rec, &recordingTransport{&mcp.CommandTransport{Command: cmd}, rec}, version, opts)
}

// eventually waits until ok is true.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Second)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within 5 s", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}
