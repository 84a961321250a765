package mcplayer

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What stands on the server for the layer. Each tool stands there by itself, since
// the SDK checks headers against its schema; all resources and all prompts have one
// stand-in each, which no list shows. They run the layer's handlers inside the
// SDK's own handling of a request.
const (
	standResource = "mcplayer:resource"
	standPrompt   = "mcplayer.prompt"
	standTool     = "mcplayer.tool" // comes and goes, to announce a change
)

// stands reports whether what the server lists stands there for the layer.
func (m *mount) stands(kind Kind, name string) bool {
	switch kind {
	case KindTool:
		m.mu.Lock()
		defer m.mu.Unlock()
		return name == standTool || m.registered[name] != nil
	case KindResource:
		return name == standResource
	case KindPrompt:
		return name == standPrompt
	}
	return false
}

// syncKind makes what stands on the server follow the catalogue and reports
// whether that changed anything, which the SDK announces by itself.
func (m *mount) syncKind(kind Kind) (changed bool) {
	m.syncing.Lock()
	defer m.syncing.Unlock()
	cat := m.layer.catalog.Load()
	m.admitNew(cat)
	m.mu.Lock()
	defer m.mu.Unlock()
	switch kind {
	case KindTool:
		return m.syncTools(cat)
	case KindPrompt:
		return m.syncStand(kind, len(cat.prompts) > 0)
	}
	return m.syncStand(kind, len(cat.resources)+len(cat.templates) > 0)
}

// admitNew decides about what is new in the catalogue: a name that the server's
// owner was first to use stays the owner's, since the SDK would replace it without
// a word. The registry remembers the mistake.
func (m *mount) admitNew(cat *catalog) {
	fresh := m.forgetRemoved(cat)
	if len(fresh) == 0 {
		return
	}
	var known map[entryKey]string
	err := m.look(func(ctx context.Context, req mcp.Request) (err error) {
		known, err = m.hostNames(ctx, req)
		return err
	})
	for _, p := range fresh {
		clash := err
		if _, taken := known[m.key(p)]; taken {
			clash = fmt.Errorf("the server has a %s of that name", p.spec.Kind)
		}
		if bad := m.checkName(p); bad != nil {
			clash = bad
		}
		m.mu.Lock()
		_, again := m.served[p]
		m.served[p] = clash == nil
		m.mu.Unlock()
		if clash != nil && !again {
			clash = fmt.Errorf("%s: %w", p.entry, clash)
			m.layer.registry.remember(clash)
			m.layer.logger.Error("primitive left out", errorAttr(clash))
		}
	}
}

// forgetRemoved drops what is no longer in the catalogue and returns what is not
// served: because it is new, or because the host was first when it was.
func (m *mount) forgetRemoved(cat *catalog) (fresh []*primitive) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.served, func(p *primitive, _ bool) bool { return cat.all[p.entry] != p })
	for _, p := range cat.all {
		if !m.served[p] {
			fresh = append(fresh, p)
		}
	}
	return fresh
}

func (m *mount) syncTools(cat *catalog) (changed bool) {
	wanted := map[string]*primitive{}
	for _, p := range cat.tools {
		if m.served[p] {
			wanted[m.prefix+p.spec.Name] = p
		}
	}
	for name := range m.registered {
		if wanted[name] == nil {
			delete(m.registered, name)
			m.server.RemoveTools(name)
			changed = true
		}
	}
	for name, p := range wanted {
		if m.registered[name] != p {
			m.registered[name] = p
			m.server.AddTool(toolList.entry(p, nothing, name), handleTool)
			changed = true
		}
	}
	return changed
}

// syncStand puts a kind's stand-in on the server once there is something to stand
// for; with it, the SDK advertises the capability.
func (m *mount) syncStand(kind Kind, wanted bool) (changed bool) {
	if wanted == m.standing[kind] {
		return false
	}
	m.standing[kind] = wanted
	if wanted {
		m.addStand(kind)
	} else {
		m.removeStand(kind)
	}
	return true
}

// touch makes the SDK announce a change although nothing changed on the server:
// adding what is there already does, and so does what comes and goes within the
// SDK's own delay.
func (m *mount) touch(kind Kind) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.addStand(kind)
	if kind == KindTool || !m.standing[kind] {
		m.removeStand(kind)
	}
}

func (m *mount) addStand(kind Kind) {
	switch kind {
	case KindTool:
		m.server.AddTool(&mcp.Tool{Name: standTool, InputSchema: json.RawMessage(`{"type":"object"}`)}, handleTool)
	case KindPrompt:
		m.server.AddPrompt(&mcp.Prompt{Name: standPrompt}, handlePrompt)
	case KindResource:
		m.server.AddResource(&mcp.Resource{URI: standResource, Name: standResource}, handleResource)
	}
}

func (m *mount) removeStand(kind Kind) {
	switch kind {
	case KindTool:
		m.server.RemoveTools(standTool)
	case KindPrompt:
		m.server.RemovePrompts(standPrompt)
	case KindResource:
		m.server.RemoveResources(standResource)
	}
}
