package mcplayer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// MountOptions configure [Layer.Mount]. Nil means the defaults.
type MountOptions struct {
	// Prefix takes the place of the layer's own prefix on this server.
	Prefix string
	// HostTools tells what the layer cannot know of the tools that the server's
	// owner registered, by name.
	HostTools map[string]HostFacts
	// PageSize bounds the pages of lists. 0 means 1,000, the SDK's default.
	PageSize int
}

// HostFacts describe a primitive that the server's owner registered on the SDK
// server. A tool that nothing is said about counts as confidential and, unless
// its annotations say that it is read-only and not open-world, as one that can do
// everything.
type HostFacts struct {
	Category     string
	Tags         []string
	Sensitivity  Sensitivity
	Capabilities Capabilities
	Hints        Hints
	// Timeout bounds the call, on older protocols including the time a person
	// takes to answer an elicitation: 0 inherits the layer's, a negative value
	// means none.
	Timeout time.Duration
}

const defaultPageSize = 1000

// Mount puts the layer around server: its own tools are registered there, and
// every call and list passes the layer, those of the tools that the server has
// already or gets later included. Everything else passes as it is.
//
// Mount may be called before or after the server's owner registers tools, and
// once for each server: a second time is an error, and so are names that the
// layer and the server share. Changes of the registry reach the server.
func (l *Layer) Mount(server *mcp.Server, opts *MountOptions) error {
	m, err := newMount(l, server, opts)
	if err != nil {
		return err
	}
	server.AddReceivingMiddleware(m.receive)
	if err := m.inspect(); err != nil {
		m.state.Store(gaveUp)
		return err
	}
	server.AddSendingMiddleware(m.send)
	m.register()
	stop := l.OnChange(m.follow)
	l.OnClose(func(context.Context) error {
		stop()
		return nil
	})
	m.follow(Change{Kind: KindTool}) // what changed meanwhile
	return nil
}

// mount is a layer on a server.
type mount struct {
	layer     *Layer
	server    *mcp.Server
	prefix    string
	facts     map[string]HostFacts
	pageSize  int
	templates *wireTemplates
	cursors   *cursorKey
	next      mcp.MethodHandler // what stands inside the layer

	state   atomic.Int32
	syncing sync.Mutex // held while the server is made to follow the catalogue

	mu         sync.Mutex               // guards what follows
	registered map[string]*primitive    // exposed name -> what stands on the server for it
	clashing   map[string]*primitive    // the same, of what cannot stand there: the host was first
	hosts      map[*mcp.Tool]*primitive // what is made of the host's tools
}

// The states of a mount.
const (
	mounting int32 = iota // everything passes as it is
	active
	gaveUp // everything passes, and another layer may be mounted
)

func newMount(l *Layer, server *mcp.Server, opts *MountOptions) (*mount, error) {
	if opts == nil {
		opts = &MountOptions{}
	}
	m := &mount{
		layer:      l,
		server:     server,
		prefix:     defaulted(opts.Prefix, l.prefix),
		facts:      maps.Clone(opts.HostTools),
		pageSize:   defaulted(opts.PageSize, defaultPageSize),
		templates:  newWireTemplates(),
		cursors:    newCursorKey(),
		registered: map[string]*primitive{},
		clashing:   map[string]*primitive{},
		hosts:      map[*mcp.Tool]*primitive{},
	}
	var bad configErrors
	if server == nil {
		bad.add("Mount: the server is nil")
	}
	if err := checkPrefix(opts.Prefix); err != nil {
		bad.add("MountOptions.Prefix: %w", err)
	}
	if opts.PageSize < 0 {
		bad.add("MountOptions.PageSize is %d; it must be positive, or 0 for %d", opts.PageSize, defaultPageSize)
	}
	for _, name := range slices.Sorted(maps.Keys(opts.HostTools)) {
		if err := opts.HostTools[name].check(); err != nil {
			bad.add("MountOptions.HostTools[%q]: %w", name, err)
		}
	}
	if len(bad.errs) == 0 {
		m.checkNames(&bad)
	}
	return m, bad.join()
}

// checkNames checks the layer's names with the prefix that they get here.
func (m *mount) checkNames(bad *configErrors) {
	tools := m.layer.catalog.Load().tools
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		if err := checkExposedName(m.prefix + name); err != nil {
			bad.add("%s: %w", tools[name].entry, err)
		}
	}
}

func (f HostFacts) check() error {
	if f.Sensitivity > Restricted {
		return fmt.Errorf("unknown sensitivity %d", f.Sensitivity)
	}
	if f.Capabilities&^allCapabilities != 0 {
		return fmt.Errorf("unknown capability in %#b", uint8(f.Capabilities))
	}
	return nil
}

// inspect looks at what the server has already.
func (m *mount) inspect() error {
	hosts, err := m.probe()
	if err != nil {
		return err
	}
	return m.checkHosts(hosts)
}

// probeRequest asks the middleware of a server whether a layer is among them.
type probeRequest struct {
	mcp.Request
	found bool
}

const probeMethod = "cloudg/mcplayer/probe"

// probe looks at the server from inside, over a session that no client sees:
// is a layer mounted already, and which tools are there?
func (m *mount) probe() (tools []*mcp.Tool, err error) {
	inner, outer := mcp.NewInMemoryTransports()
	ctx := context.Background()
	session, err := m.server.Connect(ctx, inner, nil)
	if err != nil {
		return nil, fmt.Errorf("mcplayer: look at the server: %w", err)
	}
	defer closeProbe(session, outer)
	list := &mcp.ListToolsRequest{Session: session}
	if m.state.Load() == active { // it is the layer itself that looks again
		tools, _, err = m.hostTools(ctx, list)
		return tools, err
	}
	probe := &probeRequest{Request: list}
	_, _ = m.next(ctx, probeMethod, probe) // a server without a layer does not know the method
	if probe.found {
		return nil, errors.New("mcplayer: the server has a layer already")
	}
	tools, _, err = m.hostTools(ctx, list)
	if err != nil {
		return nil, fmt.Errorf("mcplayer: list the server's tools: %w", err)
	}
	return tools, nil
}

// closeProbe ends the probe's session from both sides: the server's end waits for
// the client's.
func closeProbe(session *mcp.ServerSession, outer *mcp.InMemoryTransport) {
	if conn, err := outer.Connect(context.Background()); err == nil {
		_ = conn.Close()
	}
	_ = session.Close()
}

// checkHosts reports names that the layer and the server's owner both use, and
// tools of the owner's that the policy does not admit. A fact about a tool that
// is not there (yet) is logged, not refused: it may be registered later.
func (m *mount) checkHosts(hosts []*mcp.Tool) error {
	var bad configErrors
	known := map[string]bool{}
	for _, t := range hosts {
		known[t.Name] = true
		if p := m.layer.catalog.Load().find(KindTool, m.prefix, t.Name); p != nil {
			bad.add("Mount: the server has a tool %q of its own, and so has the layer", t.Name)
		} else if _, err := m.bindHost(t); err != nil {
			bad.add("tool %q of the server: %w", t.Name, err)
		}
	}
	for name := range m.facts {
		if !known[name] {
			m.layer.logger.Warn("MountOptions.HostTools: the server has no such tool yet", slog.String("tool", name))
		}
	}
	return bad.join()
}

// register puts the layer's tools on the server and lets calls through the layer.
func (m *mount) register() {
	m.state.Store(active)
	m.sync()
}

// follow makes a change of the layer reach the server and its clients.
func (m *mount) follow(change Change) {
	if change.Kind != KindTool {
		return
	}
	if !m.sync() {
		m.announceTools()
	}
}

// sync makes the server's tools follow the catalogue and reports whether that
// changed anything.
func (m *mount) sync() (changed bool) {
	m.syncing.Lock()
	defer m.syncing.Unlock()
	wanted := map[string]*primitive{}
	for _, p := range m.layer.catalog.Load().tools {
		wanted[m.prefix+p.spec.Name] = p
	}
	clashes := m.leaveOutClashes(wanted)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clashing = clashes
	for name := range m.registered {
		if wanted[name] == nil {
			m.server.RemoveTools(name)
			delete(m.registered, name)
			changed = true
		}
	}
	for name, p := range wanted {
		if m.registered[name] != p {
			m.server.AddTool(renamed(p.listed, name), m.handler(name))
			m.registered[name] = p
			changed = true
		}
	}
	return changed
}

// leaveOutClashes takes names that the server's owner was first to use out of
// what is wanted, and reports new ones.
func (m *mount) leaveOutClashes(wanted map[string]*primitive) (clashes map[string]*primitive) {
	clashes = map[string]*primitive{}
	if !m.wantsMore(wanted) {
		return clashes
	}
	hosts, err := m.probe()
	if err != nil {
		m.layer.logger.Error("new primitives left out: the server's tools could not be listed", errorAttr(err))
		maps.DeleteFunc(wanted, func(name string, _ *primitive) bool { return m.find(name) == nil })
		return clashes
	}
	for _, t := range hosts {
		p := wanted[t.Name]
		if p == nil {
			continue
		}
		delete(wanted, t.Name)
		clashes[t.Name] = p
		if m.clashing[t.Name] != p {
			err := fmt.Errorf("%s: the server has a tool of that name", p.entry)
			m.layer.registry.remember(err)
			m.layer.logger.Error("primitive left out", errorAttr(err))
		}
	}
	return clashes
}

// wantsMore reports whether any of the names is not on the server yet.
func (m *mount) wantsMore(wanted map[string]*primitive) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name := range wanted {
		if m.registered[name] == nil {
			return true
		}
	}
	return false
}

// find returns the layer's primitive that stands on the server under that name.
func (m *mount) find(exposed string) *primitive {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.registered[exposed]
}

// announceTools makes the SDK tell clients that the list changed although the
// registered tools are the same: visibility may be another. A tool that comes
// and goes within the SDK's own delay does it, for all protocols.
func (m *mount) announceTools() {
	m.server.AddTool(&mcp.Tool{Name: announcement, InputSchema: json.RawMessage(`{"type":"object"}`)}, nowhere)
	m.server.RemoveTools(announcement)
}

// announcement is the name of a tool that nobody sees.
const announcement = "mcplayer.announcement"

func nowhere(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Unknown tool: " + announcement}
}

// receive is the middleware on the server.
func (m *mount) receive(next mcp.MethodHandler) mcp.MethodHandler {
	m.next = next
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		state := m.state.Load()
		if r, ok := req.(*probeRequest); ok && state != gaveUp {
			r.found = true
			return nil, errors.New("mcplayer: probe")
		}
		if state != active {
			return next(ctx, method, req)
		}
		switch r := req.(type) {
		case *mcp.CallToolRequest:
			if r.Params != nil {
				return m.callTool(ctx, r)
			}
		case *mcp.ListToolsRequest:
			return m.listTools(ctx, r)
		}
		hideBinding(req)
		return next(ctx, method, req)
	}
}
