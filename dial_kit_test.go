package mcplayer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// peer is a client's session with a record of what it received.
type peer struct {
	*mcp.ClientSession
	record  *record
	version string
	web     bool // over HTTP
}

// dial connects a client to the server over memory, as who; nil is the local
// caller.
func dial(t testing.TB, l *mcplayer.Layer, server *mcp.Server, version string, who *mcplayer.Principal, opts *mcp.ClientOptions) *peer {
	t.Helper()
	ctx := context.Background()
	if who != nil {
		ctx = mcplayer.WithPrincipal(ctx, who)
	}
	transport := serveMemory(t, ctx, func(ctx context.Context, inner mcp.Transport) error {
		return server.Run(ctx, l.WrapTransport(inner)) // Layer.Run wants it mounted
	})
	return newPeer(t, transport, version, opts)
}

// serveMemory runs a server and returns the client's end of its transport.
func serveMemory(t testing.TB, ctx context.Context, run func(context.Context, mcp.Transport) error) mcp.Transport {
	t.Helper()
	ctx, cancel := context.WithCancel(ctx)
	inner, outer := mcp.NewInMemoryTransports()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = run(ctx, inner)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return outer
}

// dialMemory is dial for a way.
func dialMemory(version string) func(testing.TB, func() *site, *mcp.ClientOptions) *peer {
	return func(t testing.TB, build func() *site, opts *mcp.ClientOptions) *peer {
		t.Helper()
		s := build()
		return dial(t, s.layer, s.server, version, nil, opts)
	}
}

// dialOverHTTP connects a client over HTTP: stateless on the modern protocol, with
// sessions on the older.
func dialOverHTTP(t testing.TB, l *mcplayer.Layer, server *mcp.Server, version string, opts *mcp.ClientOptions) *peer {
	t.Helper()
	build := func() *site { return &site{l, server} }
	return dialHTTP(version, &mcp.StreamableHTTPOptions{Stateless: version == modern})(t, build, opts)
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
	return newPeer(t, &mcp.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: &recordingTripper{header: header}}, MaxRetries: -1,
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
	return newPeer(t, &mcp.CommandTransport{Command: cmd}, version, opts)
}

// newPeer connects a client and records what it receives.
func newPeer(t testing.TB, transport mcp.Transport, version string, opts *mcp.ClientOptions) *peer {
	t.Helper()
	rec := &record{}
	transport, web := rec.on(transport)
	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, opts)
	session, err := client.Connect(context.Background(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	if got := session.InitializeResult().ProtocolVersion; got != version {
		t.Fatalf("the client speaks %s, want %s", got, version)
	}
	return &peer{session, rec, version, web}
}

// last returns the last answer as the bytes came, result or error.
func (p *peer) last(t testing.TB) string {
	t.Helper()
	last := p.record.last()
	if last.Error != nil {
		return string(last.Error)
	}
	if last.Result == nil {
		t.Fatal("no answer")
	}
	return string(last.Result)
}

// record keeps what a client received, as it came. Each connection, or response
// over HTTP, has a part of its own.
type record struct {
	mu    sync.Mutex
	parts []*part
}

type part struct {
	record *record
	buf    bytes.Buffer
}

func (r *record) part() *part {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := &part{record: r}
	r.parts = append(r.parts, p)
	return p
}

func (p *part) Write(b []byte) (int, error) {
	p.record.mu.Lock()
	defer p.record.mu.Unlock()
	return p.buf.Write(b)
}

// message is what a server sent.
type message struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// received returns the messages, one of each line: bodies are JSON or event streams.
func (r *record) received() []message {
	r.mu.Lock()
	defer r.mu.Unlock()
	var messages []message
	for _, p := range r.parts {
		for line := range bytes.Lines(p.buf.Bytes()) {
			var m message
			if json.Unmarshal(bytes.TrimPrefix(line, []byte("data: ")), &m) == nil {
				messages = append(messages, m)
			}
		}
	}
	return messages
}

// last returns the last message that is an answer.
func (r *record) last() message {
	for _, m := range slices.Backward(r.received()) {
		if m.Result != nil || m.Error != nil {
			return m
		}
	}
	return message{}
}

// String returns the last answer; see [message.String].
func (r *record) String() string { return r.last().String() }

// String returns an answer as bytes, without what differs from run to run.
func (m message) String() string {
	if m.Error != nil {
		return "error " + masked(m.Error)
	}
	return masked(m.Result)
}

// structured returns the structured value of the last answer.
func (r *record) structured() string {
	var members struct {
		Structured json.RawMessage `json:"structuredContent"`
	}
	_ = json.Unmarshal(r.last().Result, &members)
	return string(members.Structured)
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

// on makes a client's transport record what it reads, and reports whether it is
// HTTP.
func (r *record) on(transport mcp.Transport) (recorded mcp.Transport, web bool) {
	streamable, ok := transport.(*mcp.StreamableClientTransport)
	if !ok {
		return &recordingTransport{transport, r.part()}, false
	}
	streamable.HTTPClient.Transport.(*recordingTripper).record = r
	return streamable, true
}

// recordingTransport records what a client on stdio or in memory reads.
type recordingTransport struct {
	mcp.Transport
	part *part
}

func (t *recordingTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := t.Transport.Connect(ctx)
	return &recordingConnection{conn, t.part}, err
}

type recordingConnection struct {
	mcp.Connection
	part *part
}

func (c *recordingConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := c.Connection.Read(ctx)
	if err == nil {
		_, _ = c.part.Write(append(must(jsonrpc.EncodeMessage(msg)), '\n'))
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
	if err != nil {
		return res, err
	}
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.TeeReader(res.Body, t.record.part()), res.Body}
	return res, nil
}

// rawPeer is a client that writes what a test says.
type rawPeer struct {
	conn mcp.Connection
	id   int64
}

// raw connects a rawPeer with the older protocol.
func raw(t testing.TB, l *mcplayer.Layer, server *mcp.Server) *rawPeer {
	t.Helper()
	outer := serveMemory(t, context.Background(), func(ctx context.Context, inner mcp.Transport) error {
		return server.Run(ctx, l.WrapTransport(inner)) // Layer.Run wants it mounted
	})
	conn, err := outer.Connect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	p := &rawPeer{conn: conn}
	p.ask(t, "initialize", `{"protocolVersion":"`+legacy+`","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}`)
	p.write(t, &jsonrpc.Request{Method: "notifications/initialized", Params: json.RawMessage(`{}`)})
	return p
}

func (p *rawPeer) write(t testing.TB, msg jsonrpc.Message) {
	t.Helper()
	if err := p.conn.Write(t.Context(), msg); err != nil {
		t.Fatal(err)
	}
}

// ask sends a request and returns its answer, result or error.
func (p *rawPeer) ask(t testing.TB, method, params string) string {
	t.Helper()
	p.id++
	id, err := jsonrpc.MakeID(float64(p.id))
	if err != nil {
		t.Fatal(err)
	}
	p.write(t, &jsonrpc.Request{ID: id, Method: method, Params: json.RawMessage(params)})
	for {
		msg, err := p.conn.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		res, ok := msg.(*jsonrpc.Response)
		if !ok || res.ID != id {
			continue
		}
		if res.Error != nil {
			doc, err := json.Marshal(res.Error)
			if err != nil {
				t.Fatal(err)
			}
			return tidy(t, doc)
		}
		return tidy(t, res.Result)
	}
}
