package mcplayer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// probeRequest asks the middleware of a server whether a layer is among them.
type probeRequest struct {
	mcp.Request
	found bool
}

const probeMethod = "cloudg/mcplayer/probe"

// inspect looks at the server: is a layer mounted already, do names clash, does
// the policy admit what is there?
func (m *mount) inspect() error {
	var bad configErrors
	err := m.look(func(ctx context.Context, req mcp.Request) error {
		probe := &probeRequest{Request: req}
		_, _ = m.next(ctx, probeMethod, probe) // a server without a layer does not know the method
		if probe.found {
			return errors.New("the server has a layer already")
		}
		known, err := m.hostNames(ctx, req)
		if err != nil {
			return err
		}
		m.compare(known, &bad)
		m.admitHosts(ctx, req, &bad)
		return nil
	})
	if err != nil {
		return fmt.Errorf("mcplayer: %w", err)
	}
	return bad.join()
}

// look lets f use the server over a session that no client sees.
func (m *mount) look(f func(context.Context, mcp.Request) error) error {
	inner, outer := mcp.NewInMemoryTransports()
	ctx := context.Background()
	session, err := m.server.Connect(ctx, inner, nil)
	if err != nil {
		return fmt.Errorf("look at the server: %w", err)
	}
	defer endLook(session, outer)
	return f(ctx, &mcp.ListToolsRequest{Session: session})
}

// endLook ends the session from both sides: the server's end waits for the
// client's.
func endLook(session *mcp.ServerSession, outer *mcp.InMemoryTransport) {
	if conn, err := outer.Connect(context.Background()); err == nil {
		_ = conn.Close()
	}
	_ = session.Close()
}

// hostNames returns the names of everything that the server's owner registered, by
// the form in which they are compared.
func (m *mount) hostNames(ctx context.Context, req mcp.Request) (map[entryKey]string, error) {
	known := map[entryKey]string{}
	err := errors.Join(
		collectNames(ctx, m, toolList, req, known), collectNames(ctx, m, promptList, req, known),
		collectNames(ctx, m, resourceList, req, known), collectNames(ctx, m, templateList, req, known))
	if err != nil {
		return nil, fmt.Errorf("list what the server has: %w", err)
	}
	return known, nil
}

func collectNames[T any](ctx context.Context, m *mount, k *listKind[T], req mcp.Request, known map[entryKey]string) error {
	items, _, err := k.drain(ctx, m, req)
	for _, item := range items {
		known[comparedName(k.kind, k.name(item))] = k.name(item)
	}
	return err
}

// comparedName is the form of a name in which it is compared: a URI may be spelt in
// several ways.
func comparedName(kind Kind, name string) entryKey {
	if kind == KindResource {
		if folded := foldedURI(name); folded != "" {
			name = folded
		}
	}
	return entryKey{kind, name}
}

// key is the name that clients know a primitive of the layer's by, in the form in
// which it is compared.
func (m *mount) key(p *primitive) entryKey {
	if p.spec.Kind == KindTool || p.spec.Kind == KindPrompt {
		return entryKey{p.spec.Kind, m.prefix + p.spec.Name}
	}
	return comparedName(p.spec.Kind, p.spec.Name)
}

// compare reports names that the layer and the server's owner both use. What is
// said of a primitive that is not there is logged, not refused: it may be
// registered later.
func (m *mount) compare(known map[entryKey]string, bad *configErrors) {
	var shared []entryKey
	for _, p := range m.layer.catalog.Load().all {
		if name, clash := known[m.key(p)]; clash {
			shared = append(shared, entryKey{p.spec.Kind, name})
		}
	}
	slices.SortFunc(shared, func(a, b entryKey) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name))
	})
	for _, key := range shared {
		bad.add("Mount: the server has a %s %q of its own, and so has the layer", key.kind, key.name)
	}
	m.eachFact(func(field string, kind Kind, name string, _ HostFacts) {
		if _, there := known[comparedName(kind, name)]; !there {
			m.layer.logger.Warn("the server has no such primitive yet", slog.String("option", "MountOptions."+field), slog.String("name", name))
		}
	})
}

// admitHosts reports what the policy does not admit of what the server has.
func (m *mount) admitHosts(ctx context.Context, req mcp.Request, bad *configErrors) {
	admitAll(ctx, m, toolList, req, bad)
	admitAll(ctx, m, promptList, req, bad)
	admitAll(ctx, m, resourceList, req, bad)
	admitAll(ctx, m, templateList, req, bad)
}

func admitAll[T any](ctx context.Context, m *mount, k *listKind[T], req mcp.Request, bad *configErrors) {
	items, _, _ := k.drain(ctx, m, req) // listed before without an error
	for _, item := range items {
		if _, err := keepHost(m, k, item); err != nil {
			bad.add("%s %q of the server: %w", k.kind, k.name(item), err)
		}
	}
}
