package mcplayer

import (
	"cmp"
	"context"
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
	// HostTools and the others tell what the layer cannot know of the primitives
	// that the server's owner registered: by tool or prompt name, resource URI or
	// template text. Timeouts hold for tools only.
	HostTools, HostResources, HostTemplates, HostPrompts map[string]HostFacts
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

// Mount puts the layer around server: its own primitives are served there, and
// every call and list passes the layer, those of what the server has already or
// gets later included. Everything else passes as it is.
//
// Mount may be called before or after the server's owner registers primitives,
// and once for each server: a second time is an error, and so are names that the
// layer and the server share. Changes of the registry reach the server and its
// clients.
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
	server.AddSendingMiddleware(m.sending)
	m.state.Store(active)
	l.mounted(server)
	stop := l.OnChange(m.follow)
	l.OnClose(func(context.Context) error {
		stop()
		return nil
	})
	m.sync() // what changed meanwhile
	return nil
}

// mounted remembers a server for [Layer.Run].
func (l *Layer) mounted(server *mcp.Server) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.servers == nil {
		l.servers = map[*mcp.Server]bool{}
	}
	l.servers[server] = true
}

// mount is a layer on a server.
type mount struct {
	layer     *Layer
	server    *mcp.Server
	opts      MountOptions
	prefix    string
	pageSize  int
	templates *wireTemplates
	cursors   *cursorKey
	next      mcp.MethodHandler // what stands inside the layer
	send      mcp.MethodHandler // how the server sends
	choose    func(context.Context, mcp.Request, string) (choice, error)

	subscribers subscribers

	state   atomic.Int32
	syncing sync.Mutex // held while the server is made to follow the catalogue

	mu         sync.Mutex            // guards what follows
	served     map[*primitive]bool   // true: served here; false: the host was first to use the name
	registered map[string]*primitive // what stands on the server for tools, by exposed name
	standing   map[Kind]bool         // kinds for which a stand-in is on the server
	hosts      map[entryKey]hosted
	warned     map[entryKey]bool // clashes that were logged
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
		opts:       *opts,
		prefix:     cmp.Or(opts.Prefix, l.prefix),
		pageSize:   cmp.Or(opts.PageSize, defaultPageSize),
		templates:  newWireTemplates(),
		cursors:    newCursorKey(),
		served:     map[*primitive]bool{},
		registered: map[string]*primitive{},
		standing:   map[Kind]bool{},
		hosts:      map[entryKey]hosted{},
		warned:     map[entryKey]bool{},
	}
	m.choose = m.hostChoice // a field, since the handlers of lists lead back here
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
	m.checkFacts(&bad)
	if len(bad.errs) == 0 {
		m.checkNames(&bad)
	}
	return m, bad.join()
}

// checkNames checks the layer's names with the prefix that they get here.
func (m *mount) checkNames(bad *configErrors) {
	cat := m.layer.catalog.Load()
	for _, group := range []map[string]*primitive{cat.tools, cat.prompts} {
		for _, name := range slices.Sorted(maps.Keys(group)) {
			if err := m.checkName(group[name]); err != nil {
				bad.add("%s: %w", group[name].entry, err)
			}
		}
	}
}

// checkName checks the name that a tool or prompt gets here.
func (m *mount) checkName(p *primitive) error {
	if p.spec.Kind != KindTool && p.spec.Kind != KindPrompt {
		return nil
	}
	name := m.prefix + p.spec.Name
	if name == standTool || name == standPrompt {
		return fmt.Errorf("the layer keeps the name %q for itself", name)
	}
	return checkExposedName(name)
}

// eachFact calls f for everything that the options say of the host's primitives.
func (m *mount) eachFact(f func(field string, kind Kind, name string, facts HostFacts)) {
	for _, group := range []struct {
		field string
		kind  Kind
		facts map[string]HostFacts
	}{
		{"HostTools", KindTool, m.opts.HostTools},
		{"HostResources", KindResource, m.opts.HostResources},
		{"HostTemplates", KindResourceTemplate, m.opts.HostTemplates},
		{"HostPrompts", KindPrompt, m.opts.HostPrompts},
	} {
		for _, name := range slices.Sorted(maps.Keys(group.facts)) {
			f(group.field, group.kind, name, group.facts[name])
		}
	}
}

func (m *mount) checkFacts(bad *configErrors) {
	m.eachFact(func(field string, kind Kind, name string, facts HostFacts) {
		for _, err := range commonProblems(facts.spec(kind, name), false) {
			bad.add("MountOptions.%s[%q]: %w", field, name, err)
		}
	})
}

// find returns the layer's primitive of that exposed name, unless the host was
// first to use it.
func (m *mount) find(kind Kind, exposed string) target {
	found := m.layer.catalog.Load().find(kind, m.prefix, exposed)
	if found.prim == nil || !m.serves(found.prim) {
		return target{}
	}
	return found
}

func (m *mount) serves(p *primitive) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	served, known := m.served[p]
	return served || !known // one that was just added stands a moment later
}

// clashes reports whether a primitive of the host's has a name that the layer
// serves; the layer's is what clients get. It is logged once.
func (m *mount) clashes(kind Kind, name string) bool {
	if found := m.find(kind, name); found.prim == nil || found.prim.spec.Kind != kind {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	key := entryKey{kind, name}
	if !m.warned[key] {
		m.warned[key] = true
		m.layer.logger.Error("the server has got a primitive under a name of the layer's; it is not reachable",
			slog.String("kind", kind.String()), slog.String("name", name))
	}
	return true
}

// receive is the middleware on the server. No panic below it ends the process.
func (m *mount) receive(next mcp.MethodHandler) mcp.MethodHandler {
	m.next = next
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		state := m.state.Load()
		if r, ok := req.(*probeRequest); ok && state != gaveUp {
			r.found = true
			return nil, errors.New("mcplayer: probe")
		}
		if state != active {
			return next(ctx, method, req)
		}
		defer func() {
			if v := recover(); v != nil {
				_ = m.layer.panicked(v, slog.String("method", method)) // logged; the answer names nothing of it
				res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "Internal error"}
			}
		}()
		return m.handle(ctx, method, req)
	}
}

// handle leads a request to the layer's part in it. What is not the layer's passes.
func (m *mount) handle(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
	switch r := req.(type) {
	case *mcp.CallToolRequest:
		return m.callTool(ctx, r)
	case *mcp.ReadResourceRequest:
		return m.readResource(ctx, r)
	case *mcp.GetPromptRequest:
		return m.getPrompt(ctx, r)
	case *mcp.CompleteRequest:
		return m.complete(ctx, r)
	case *mcp.ListToolsRequest:
		return list(ctx, m, toolList, r, orEmpty(r.Params).Cursor)
	case *mcp.ListResourcesRequest:
		return list(ctx, m, resourceList, r, orEmpty(r.Params).Cursor)
	case *mcp.ListResourceTemplatesRequest:
		return list(ctx, m, templateList, r, orEmpty(r.Params).Cursor)
	case *mcp.ListPromptsRequest:
		return list(ctx, m, promptList, r, orEmpty(r.Params).Cursor)
	case *mcp.SubscribeRequest:
		return m.subscribe(ctx, r)
	case *mcp.UnsubscribeRequest:
		return m.unsubscribe(ctx, r)
	case *mcp.SubscriptionsListenRequest:
		return m.listen(ctx, r)
	}
	hideBinding(req)
	res, err := m.next(ctx, method, req)
	if err != nil {
		return nil, err // res may be a typed nil
	}
	return m.advertise(res), nil
}

// kindsOfLists are those that a server announces changes of.
var kindsOfLists = []Kind{KindTool, KindResource, KindPrompt}

// sync makes the server follow the catalogue.
func (m *mount) sync() {
	for _, kind := range kindsOfLists {
		m.syncKind(kind)
	}
}

// follow makes a change of the layer reach the server and its clients.
func (m *mount) follow(change Change) {
	switch {
	case change.URI != "":
		m.resourceUpdated(change.URI)
	case change.Kind == KindResourceTemplate:
		m.announce(KindResource)
	case slices.Contains(kindsOfLists, change.Kind):
		m.announce(change.Kind)
	}
}

// announce makes the SDK tell clients that a list changed, also where what stands
// on the server is the same: visibility may be another.
func (m *mount) announce(kind Kind) {
	if !m.syncKind(kind) {
		m.touch(kind)
	}
}
