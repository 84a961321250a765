package mcplayer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// fixed registers a resource that holds the value.
func fixed(uri string, value any) func(*mcplayer.Registry) {
	return func(r *mcplayer.Registry) {
		mcplayer.AddResource(r, mcplayer.Resource{URI: uri}, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
			return value, nil
		})
	}
}

// reading registers a resource with that handler.
func reading(uri string, h mcplayer.ResourceHandler) func(*mcplayer.Registry) {
	return func(r *mcplayer.Registry) { mcplayer.AddResource(r, mcplayer.Resource{URI: uri}, h) }
}

// through registers a template with that handler.
func through(template string, h mcplayer.ResourceHandler) func(*mcplayer.Registry) {
	return func(r *mcplayer.Registry) {
		mcplayer.AddResourceTemplate(r, mcplayer.ResourceTemplate{URITemplate: template}, h)
	}
}

// tellVars is a resource handler that answers with its variables.
func tellVars(_ context.Context, _ *mcplayer.ToolContext, vars map[string]string) (any, error) {
	return vars, nil
}

// tellArgs is a prompt handler that answers with its arguments.
func tellArgs(_ context.Context, _ *mcplayer.ToolContext, args map[string]string) (any, error) {
	doc, err := json.Marshal(args)
	return string(doc), err
}

// prompting registers a prompt with arguments; a ! marks the required ones.
func prompting(name string, arguments []string, h mcplayer.PromptHandler) func(*mcplayer.Registry) {
	p := mcplayer.Prompt{Name: name}
	for _, a := range arguments {
		required, ok := strings.CutSuffix(a, "!")
		p.Arguments = append(p.Arguments, mcplayer.PromptArgument{Name: required, Required: ok})
	}
	return func(r *mcplayer.Registry) { mcplayer.AddPrompt(r, p, h) }
}

// completing registers a prompt p with the argument a and a template
// cloudg://c/{a}; both complete it with f.
func completing(f mcplayer.CompletionFunc) func(*mcplayer.Registry) {
	return func(r *mcplayer.Registry) {
		mcplayer.AddPrompt(r, mcplayer.Prompt{Name: "p", Arguments: []mcplayer.PromptArgument{{Name: "a", Complete: f}, {Name: "plain"}}}, tellArgs)
		mcplayer.AddResourceTemplate(r, mcplayer.ResourceTemplate{
			URITemplate: "cloudg://c/{a}/{plain}", Complete: map[string]mcplayer.CompletionFunc{"a": f, "none": nil},
		}, tellVars)
	}
}

// completionRefs are what completing registers.
var completionRefs = map[string]mcplayer.CompletionRef{
	"prompt":   {Kind: mcplayer.KindPrompt, Name: "p"},
	"template": {Kind: mcplayer.KindResourceTemplate, Name: "cloudg://c/{a}/{plain}"},
}

// outcomeOf tells what a call in-process gave: the SDK's JSON of its result, or
// the error as a client gets it.
func outcomeOf(t testing.TB, res result.Result, err error) string {
	t.Helper()
	var wire any
	if err != nil {
		e, ok := err.(*mcplayer.Error)
		if !ok {
			return err.Error()
		}
		wire = struct {
			Code    mcplayer.Code `json:"code"`
			Message string        `json:"message"`
			Data    any           `json:"data,omitempty"`
		}{e.Code, e.Message, e.Data}
	} else {
		switch r := res.(type) {
		case *result.Resource:
			wire = r.ToWire()
		case *result.Prompt:
			wire = r.ToWire()
		case *result.Completion:
			wire = r.ToWire()
		case *result.ToolResult:
			wire = r.ToWire()
		}
	}
	doc, err := json.Marshal(wire)
	if err != nil {
		t.Fatalf("the SDK cannot encode the answer: %v", err)
	}
	return tidy(t, doc)
}

// tidy sorts the members of a document and leaves out what differs between
// protocols: the server's identity and the kind of result.
func tidy(t testing.TB, doc []byte) string {
	t.Helper()
	var value any
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	if object, ok := value.(map[string]any); ok {
		delete(object, "resultType")
		if meta, ok := object["_meta"].(map[string]any); ok {
			delete(meta, "io.modelcontextprotocol/serverInfo")
			if len(meta) == 0 {
				delete(object, "_meta")
			}
		}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		t.Fatal(err)
	}
	return duration.ReplaceAllString(strings.TrimSpace(out.String()), `"cloudg/duration_ms":0`)
}

// quote returns s as tidy writes it.
func quote(s string) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.TrimSpace(out.String())
}

// read reads a resource in-process and tells what came.
func (l *lab) read(t testing.TB, uri string, opts ...mcplayer.CallOption) string {
	t.Helper()
	res, err := l.ReadResource(t.Context(), uri, opts...)
	return outcomeOf(t, res, err)
}

// render renders a prompt in-process and tells what came.
func (l *lab) render(t testing.TB, name string, args map[string]string, opts ...mcplayer.CallOption) string {
	t.Helper()
	res, err := l.GetPrompt(t.Context(), name, args, opts...)
	return outcomeOf(t, res, err)
}

// propose completes in-process and tells what came.
func (l *lab) propose(t testing.TB, ref mcplayer.CompletionRef, in mcplayer.CompletionInput, opts ...mcplayer.CallOption) string {
	t.Helper()
	res, err := l.Complete(t.Context(), ref, in, opts...)
	return outcomeOf(t, res, err)
}

// wiretap keeps what a client's transport carried.
type wiretap struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (w *wiretap) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.Write(p)
}

// received returns the messages that the client got.
func (w *wiretap) received(t testing.TB) []wireMessage {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	var messages []wireMessage
	for line := range strings.Lines(w.buf.String()) {
		doc := strings.TrimPrefix(strings.TrimPrefix(line, "read: "), "data: ")
		var m wireMessage
		if err := json.Unmarshal([]byte(doc), &m); err == nil {
			messages = append(messages, m)
		}
	}
	return messages
}

type wireMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// wirePeer is the SDK's client with its wire tapped.
type wirePeer struct {
	*mcp.ClientSession
	tap *wiretap
	era string
	web bool // over HTTP
}

// bare reports whether the client cannot send a name: modern HTTP repeats it in a
// header.
func (p *wirePeer) bare(name string) bool {
	return p.web && p.era == modern && (name == "" || strings.ContainsFunc(name, unicode.IsControl))
}

// last returns the last answer as the bytes came, result or error.
func (p *wirePeer) last(t testing.TB) string {
	t.Helper()
	messages := p.tap.received(t)
	for i := len(messages) - 1; i >= 0; i-- {
		if m := messages[i]; m.Method == "" && len(m.ID) > 0 {
			if m.Error != nil {
				return string(m.Error)
			}
			return string(m.Result)
		}
	}
	t.Fatal("no answer")
	return ""
}

func (p *wirePeer) read(t testing.TB, uri string) string {
	t.Helper()
	_, _ = p.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	return tidy(t, []byte(p.last(t)))
}

func (p *wirePeer) render(t testing.TB, name string, args map[string]string) string {
	t.Helper()
	_, _ = p.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name, Arguments: args})
	return tidy(t, []byte(p.last(t)))
}

func (p *wirePeer) propose(t testing.TB, ref mcplayer.CompletionRef, in mcplayer.CompletionInput) string {
	t.Helper()
	params := &mcp.CompleteParams{
		Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: ref.Name},
		Argument: mcp.CompleteParamsArgument{Name: in.Argument, Value: in.Value},
	}
	if ref.Kind == mcplayer.KindResourceTemplate {
		params.Ref = &mcp.CompleteReference{Type: "ref/resource", URI: ref.Name}
	}
	if in.Context != nil {
		params.Context = &mcp.CompleteContext{Arguments: in.Context}
	}
	_, _ = p.Complete(t.Context(), params)
	return tidy(t, []byte(p.last(t)))
}

// dial connects the SDK's client to the server over memory, as p.
func dial(t testing.TB, l *mcplayer.Layer, server *mcp.Server, version string, who *mcplayer.Principal, opts *mcp.ClientOptions) *wirePeer {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	runCtx := ctx
	if who != nil {
		runCtx = mcplayer.WithPrincipal(ctx, who)
	}
	inner, outer := mcp.NewInMemoryTransports()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = l.Run(runCtx, server, inner)
	}()
	p := open(t, ctx, outer, version, opts)
	t.Cleanup(func() {
		_ = p.Close()
		cancel()
		<-done
	})
	return p
}

func open(t testing.TB, ctx context.Context, transport mcp.Transport, version string, opts *mcp.ClientOptions) *wirePeer {
	t.Helper()
	tap := &wiretap{}
	web, isWeb := transport.(*mcp.StreamableClientTransport)
	if isWeb {
		web.HTTPClient = &http.Client{Transport: tappedHTTP{tap}}
	} else {
		transport = &mcp.LoggingTransport{Transport: transport, Writer: tap}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, opts)
	session, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	if got := session.InitializeResult().ProtocolVersion; got != version {
		t.Fatalf("the protocol is %s, not %s", got, version)
	}
	return &wirePeer{session, tap, version, isWeb}
}

// tappedHTTP keeps the bodies of responses.
type tappedHTTP struct{ tap *wiretap }

func (h tappedHTTP) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		_, _ = h.tap.Write([]byte("\n"))
		res.Body = tappedBody{io.TeeReader(res.Body, h.tap), res.Body}
	}
	return res, err
}

type tappedBody struct {
	io.Reader
	io.Closer
}

// dialOverHTTP connects the SDK's client over HTTP: stateless on the modern protocol,
// with sessions on the older.
func dialOverHTTP(t testing.TB, l *mcplayer.Layer, server *mcp.Server, version string, opts *mcp.ClientOptions) *wirePeer {
	t.Helper()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: version == modern})
	web := httptest.NewServer(l.HTTPHandler(handler, nil))
	p := open(t, context.Background(), &mcp.StreamableClientTransport{Endpoint: web.URL}, version, opts)
	t.Cleanup(func() {
		_ = p.Close()
		web.CloseClientConnections()
		web.Close()
	})
	return p
}

// mounted is a lab on a server.
func mounted(t testing.TB, l *lab, server *mcp.Server) *mcp.Server {
	t.Helper()
	if server == nil {
		server = newServer()
	}
	if err := l.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	return server
}

// peers connects clients of both protocols over memory and over HTTP.
func peers(t *testing.T, l *lab, server *mcp.Server) map[string]*wirePeer {
	t.Helper()
	return map[string]*wirePeer{
		"memory modern": dial(t, l.Layer, server, modern, nil, nil),
		"memory legacy": dial(t, l.Layer, server, legacy, nil, nil),
		"http modern":   dialOverHTTP(t, l.Layer, server, modern, nil),
		"http legacy":   dialOverHTTP(t, l.Layer, server, legacy, nil),
	}
}

// everywhere runs f in-process and with each client; call tells what came.
func everywhere(t *testing.T, l *lab, server *mcp.Server, f func(t *testing.T, c caller)) {
	t.Helper()
	t.Run("in-process", func(t *testing.T) { f(t, inProcess{l}) })
	for name, p := range peers(t, l, server) {
		t.Run(name, func(t *testing.T) { f(t, p) })
	}
}

// caller is a lab or a client.
type caller interface {
	read(t testing.TB, uri string) string
	render(t testing.TB, name string, args map[string]string) string
	propose(t testing.TB, ref mcplayer.CompletionRef, in mcplayer.CompletionInput) string
}

type inProcess struct{ l *lab }

func (p inProcess) read(t testing.TB, uri string) string { return p.l.read(t, uri) }
func (p inProcess) render(t testing.TB, name string, args map[string]string) string {
	return p.l.render(t, name, args)
}

func (p inProcess) propose(t testing.TB, ref mcplayer.CompletionRef, in mcplayer.CompletionInput) string {
	return p.l.propose(t, ref, in)
}

// seen is what a middleware saw of a call.
type seen struct {
	kind      mcplayer.Kind
	name      string
	arguments string
}

// watch is a middleware that keeps what it sees.
func watch(into *[]seen) mcplayer.Middleware {
	var mu sync.Mutex
	return func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		mu.Lock()
		*into = append(*into, seen{info.Kind, info.Name, string(info.Arguments)})
		mu.Unlock()
		return next(ctx, info)
	}
}

// swap is an input pipeline that replaces texts in documents.
type swap map[string]string

func (s swap) Begin(context.Context, mcplayer.CallInfo) mcplayer.Pass {
	return broken{json: func(doc jsontext.Value) (jsontext.Value, error) {
		for old, text := range s {
			doc = bytes.ReplaceAll(doc, []byte(old), []byte(text))
		}
		return doc, nil
	}}
}

// refusing is an input pipeline that refuses everything.
func refusing(err error) mcplayer.Pipeline {
	return broken{json: func(jsontext.Value) (jsontext.Value, error) { return nil, err }}
}

var errorIDs = regexp.MustCompile(`"error_id":"[0-9a-f]{16}"`)

// rawPeer is a client that writes what a test says.
type rawPeer struct {
	conn mcp.Connection
	id   int64
}

// raw connects a rawPeer with the older protocol.
func raw(t testing.TB, l *mcplayer.Layer, server *mcp.Server) *rawPeer {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	inner, outer := mcp.NewInMemoryTransports()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = l.Run(ctx, server, inner)
	}()
	conn, err := outer.Connect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = conn.Close()
		cancel()
		<-done
	})
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
