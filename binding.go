package mcplayer

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The SDK hands a handler nothing of its request but a header. The layer's
// wrappers put a key there that nobody outside can guess; it leads to what they
// know of the request.
const bindingHeader = "Mcplayer-Binding"

// binding is what a wrapper knows of one request.
type binding struct {
	transport Transport
	requestID any
	principal *Principal
	denied    func() // tells the HTTP wrapper that the call was refused
	lost      bool   // the request outlived what was known of it: its client has gone
}

// bindings holds what is bound at the moment, by key.
type bindings struct {
	mark  string // that keys begin with: nobody outside can make one up
	byKey sync.Map
}

func newBindings() *bindings { return &bindings{mark: rand.Text()} }

// put binds b and returns its key and how to end the binding.
func (bs *bindings) put(b *binding) (key string, remove func()) {
	key = bs.mark + rand.Text()
	bs.byKey.Store(key, b)
	return key, func() { bs.byKey.Delete(key) }
}

// bindingOf returns what a wrapper of this layer bound to a request, nil if
// nothing.
func (l *Layer) bindingOf(extra *mcp.RequestExtra) *binding {
	if extra == nil {
		return nil
	}
	values := extra.Header[bindingHeader]
	if len(values) == 0 {
		return nil
	}
	found, ok := l.bindings.byKey.Load(values[0])
	if !ok && strings.HasPrefix(values[0], l.bindings.mark) {
		return &binding{lost: true}
	}
	if !ok {
		return nil
	}
	b := found.(*binding)
	if b.transport != TransportHTTP && !isBare(extra) {
		return nil // a connection's key that came over HTTP was stolen from a log
	}
	if len(values) < 2 {
		return b
	}
	mine := *b // a connection's binding: the id is the message's
	mine.requestID = parseID([]byte(values[1]))
	return &mine
}

// isBare reports whether a request carries nothing but a binding, as those on a
// wrapped connection do.
func isBare(extra *mcp.RequestExtra) bool {
	return len(extra.Header) == 1 && extra.TokenInfo == nil && extra.CloseSSEStream == nil
}

// parseID returns a JSON-RPC id as a string or int64, nil for anything else.
func parseID(raw []byte) any {
	var id any
	if err := json.Unmarshal(raw, &id); err != nil {
		return nil
	}
	parsed, err := jsonrpc.MakeID(id) // as the SDK reads it
	if err != nil {
		return nil
	}
	return parsed.Raw()
}

// Run runs server, on which the layer is mounted, over a transport until the client
// goes or ctx ends, like server.Run. A server without this layer is an error: it
// would be served unprotected. Callers over the SDK's stdio and in-memory transports are known to
// be local; over any other transport they are anonymous unless ctx carries a
// principal. Request ids become known to audit lines. It does not close the layer.
func (l *Layer) Run(ctx context.Context, server *mcp.Server, t mcp.Transport) error {
	l.mu.Lock()
	mounted := l.servers[server]
	l.mu.Unlock()
	if !mounted {
		return errors.New("mcplayer: Run: the layer is not mounted on this server; call Mount first and look at its error")
	}
	return server.Run(ctx, l.WrapTransport(t))
}

// WrapTransport makes the transport kind and the request ids of t known to the
// layer. Use it where server.Connect is called in place of [Layer.Run]. It is
// for transports that serve one client; for HTTP there is [Layer.HTTPHandler].
func (l *Layer) WrapTransport(t mcp.Transport) mcp.Transport {
	return &boundTransport{Transport: t, layer: l}
}

func kindOf(t mcp.Transport) Transport {
	switch t := t.(type) {
	case *mcp.StdioTransport:
		return TransportStdio
	case *mcp.InMemoryTransport:
		return TransportInMemory
	case *mcp.LoggingTransport:
		return kindOf(t.Transport)
	}
	return TransportUnknown
}

type boundTransport struct {
	mcp.Transport
	layer *Layer
}

// SupportsProtocolVersion answers for the wrapped transport.
func (t *boundTransport) SupportsProtocolVersion(version string) bool {
	supporter, ok := t.Transport.(mcp.ProtocolVersionSupporter)
	return !ok || supporter.SupportsProtocolVersion(version)
}

func (t *boundTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	kind := kindOf(t.Transport)
	if kind == TransportUnknown {
		kind = transportOf(ctx)
	}
	key, remove := t.layer.bindings.put(&binding{transport: kind})
	return &boundConnection{Connection: conn, key: key, remove: sync.OnceFunc(remove), answers: t.layer.answers}, nil
}

type boundConnection struct {
	mcp.Connection
	key    string
	remove func()

	answers *gate // of the layer: what is inside has not been answered yet
	mu      sync.Mutex
	open    map[jsonrpc.ID]bool // requests without an answer
}

// Read adds the connection's key and the message's id to each request.
func (c *boundConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := c.Connection.Read(ctx)
	req, ok := msg.(*jsonrpc.Request)
	if err != nil || !ok || req.Extra != nil {
		return msg, err
	}
	c.await(req)
	bound := *req
	values := []string{c.key}
	if id, err := json.Marshal(req.ID.Raw()); err == nil && req.IsCall() {
		values = append(values, string(id))
	}
	bound.Extra = &mcp.RequestExtra{Header: http.Header{bindingHeader: values}}
	return &bound, nil
}

// Write sends a message. An answer is counted once it is sent: the layer's Close
// waits for it, since the SDK writes none after a session has begun to end.
func (c *boundConnection) Write(ctx context.Context, msg jsonrpc.Message) error {
	err := c.Connection.Write(ctx, msg)
	if res, ok := msg.(*jsonrpc.Response); ok {
		c.answered(res.ID)
	}
	return err
}

// await counts a request that will be answered soon. One that only ends with its
// subscription is not waited for.
func (c *boundConnection) await(req *jsonrpc.Request) {
	if !req.IsCall() || req.Method == "subscriptions/listen" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil {
		c.open = map[jsonrpc.ID]bool{}
	}
	if !c.open[req.ID] {
		c.open[req.ID] = true
		c.answers.enter(true)
	}
}

func (c *boundConnection) answered(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[id] {
		delete(c.open, id)
		c.answers.leave()
	}
}

func (c *boundConnection) Close() error {
	c.remove()
	c.mu.Lock()
	for range c.open {
		c.answers.leave()
	}
	c.open = nil
	c.mu.Unlock()
	return c.Connection.Close()
}

// withoutBinding returns what the SDK knows of a request without the layer's
// private header: whoever learnt a connection's key could pretend to be on it.
func withoutBinding(extra *mcp.RequestExtra) *mcp.RequestExtra {
	if extra == nil || extra.Header[bindingHeader] == nil {
		return extra
	}
	if isBare(extra) {
		return nil // it was the layer's alone
	}
	clean := *extra
	clean.Header = extra.Header.Clone()
	clean.Header.Del(bindingHeader)
	return &clean
}

// hideBinding takes the layer's private header out of a request that passes the
// layer as it is. The SDK makes an extra for each request, so that it may be
// written to, but the headers belong to all messages of a POST.
func hideBinding(req mcp.Request) {
	extra := req.GetExtra()
	if extra == nil || extra.Header[bindingHeader] == nil {
		return
	}
	extra.Header = extra.Header.Clone()
	extra.Header.Del(bindingHeader)
}
