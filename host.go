package mcplayer

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const methodListTools = "tools/list"

// hostTools returns the tools that the server's owner registered, all pages of
// the SDK's list without what the layer put there, and the first page as it came.
// The SDK has no other way to ask, and tells nobody reliably when its list
// changes; a list of 50 takes it 3 µs.
func (m *mount) hostTools(ctx context.Context, req *mcp.ListToolsRequest) ([]*mcp.Tool, *mcp.ListToolsResult, error) {
	params := &mcp.ListToolsParams{}
	if req.Params != nil {
		params.Meta = req.Params.Meta
	}
	var tools []*mcp.Tool
	var first *mcp.ListToolsResult
	for {
		res, err := m.next(ctx, methodListTools, &mcp.ListToolsRequest{Session: req.Session, Params: params, Extra: withoutBinding(req.Extra)})
		if err != nil {
			return nil, nil, err // res may be a typed nil
		}
		page, ok := res.(*mcp.ListToolsResult)
		if !ok || page == nil {
			return nil, nil, fmt.Errorf("the server answered tools/list with %T", res)
		}
		if first == nil {
			first = page
		}
		for _, t := range page.Tools {
			if !m.owns(t) {
				tools = append(tools, t)
			}
		}
		if page.NextCursor == "" {
			return tools, first, nil
		}
		params = &mcp.ListToolsParams{Meta: params.Meta, Cursor: page.NextCursor}
	}
}

// owns reports whether a listed tool stands there for the layer.
func (m *mount) owns(t *mcp.Tool) bool {
	if t == nil || t.Name == announcement {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.registered[t.Name] != nil
}

// findHostTool returns what is made of the host's tool of that name.
func (m *mount) findHostTool(ctx context.Context, req *mcp.CallToolRequest, name string) *primitive {
	tools, _, err := m.hostTools(ctx, &mcp.ListToolsRequest{Session: req.Session, Extra: req.Extra,
		Params: &mcp.ListToolsParams{Meta: req.Params.Meta}})
	if err != nil {
		m.layer.logger.Error("the server's tools could not be listed", errorAttr(err))
		return nil
	}
	for _, t := range tools {
		if t.Name == name {
			return m.hostPrimitive(t)
		}
	}
	return nil
}

// hostPrimitive returns what is made of a tool of the host's, the same as long as
// the tool is; nil if the policy does not admit it.
func (m *mount) hostPrimitive(t *mcp.Tool) *primitive {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, known := m.hosts[t]
	if known {
		return p
	}
	p, err := m.bindHost(t)
	if err != nil {
		m.layer.logger.Error("tool of the server left out", slog.String("tool", t.Name), errorAttr(err))
		p = nil
	}
	m.forgetReplaced(t.Name)
	m.hosts[t] = p
	return p
}

// forgetReplaced drops what was made of an earlier tool of that name.
func (m *mount) forgetReplaced(name string) {
	for t := range m.hosts {
		if t.Name == name {
			delete(m.hosts, t)
		}
	}
}

func (m *mount) bindHost(t *mcp.Tool) (*primitive, error) {
	spec := hostToolSpec(t, m.facts[t.Name])
	if err := m.layer.policy.Admit(spec); err != nil {
		return nil, err
	}
	p := &primitive{spec: spec, tool: &toolBinding{decode: keepRaw, invoke: callHost}}
	p.list(t, m.layer.meta)
	return p, nil
}

func keepRaw(args jsontext.Value) (any, error) { return &args, nil }

// hostToolSpec is what is known of a host's tool: its own annotations, and what
// the owner says of it.
func hostToolSpec(t *mcp.Tool, facts HostFacts) *Spec {
	s := &Spec{
		Kind:         KindTool,
		Host:         true,
		Name:         t.Name,
		Title:        t.Title,
		Description:  t.Description,
		Category:     facts.Category,
		Tags:         append([]string{}, facts.Tags...),
		Sensitivity:  facts.Sensitivity,
		Capabilities: facts.Capabilities,
		Hints:        cloneHints(facts.Hints),
		Timeout:      facts.Timeout,
	}
	if a := t.Annotations; a != nil {
		s.Annotations = Annotations{
			Title:       a.Title,
			ReadOnly:    &a.ReadOnlyHint,
			Idempotent:  &a.IdempotentHint,
			Destructive: a.DestructiveHint,
			OpenWorld:   a.OpenWorldHint,
		}
		s.Annotations = cloneAnnotations(s.Annotations)
	}
	s.setDefaults()
	return s
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

// list makes the tool's entries for lists: t with the layer's metadata, once with
// its output schema and once without.
func (p *primitive) list(t *mcp.Tool, keys metaKeys) {
	listed := *t
	listed.Meta = catalogMeta(t.Meta, p.spec, keys)
	unstructured := listed
	unstructured.OutputSchema = nil
	p.listed, p.unstructured = &listed, &unstructured
}

// catalogMeta returns the metadata of a listed primitive: its own, and the
// catalogue's facts.
func catalogMeta(own mcp.Meta, spec *Spec, keys metaKeys) mcp.Meta {
	meta := mcp.Meta{}
	for key, value := range own {
		meta[key] = value
	}
	meta[keys.category] = spec.Category
	meta[keys.sensitivity] = spec.Sensitivity.String()
	meta[keys.tags] = spec.Tags
	return meta
}

// wireTool is the SDK's form of a tool of the layer's.
func wireTool(spec *Spec, b *toolBinding) *mcp.Tool {
	t := &mcp.Tool{
		Name:        spec.Name,
		Title:       spec.Title,
		Description: spec.Description,
		InputSchema: json.RawMessage(b.input),
		Meta:        spec.meta,
		Icons:       spec.icons,
		Annotations: wireAnnotations(spec.Annotations),
	}
	if b.output != nil {
		t.OutputSchema = json.RawMessage(b.output)
	}
	return t
}

// wireAnnotations returns nil if no hint is set. The SDK has no unset for the
// hints read-only and idempotent: they are false then.
func wireAnnotations(a Annotations) *mcp.ToolAnnotations {
	if a == (Annotations{}) {
		return nil
	}
	return &mcp.ToolAnnotations{
		Title:           a.Title,
		ReadOnlyHint:    isTrue(a.ReadOnly),
		IdempotentHint:  isTrue(a.Idempotent),
		DestructiveHint: a.Destructive,
		OpenWorldHint:   a.OpenWorld,
	}
}

func renamed(t *mcp.Tool, name string) *mcp.Tool {
	if t.Name == name {
		return t
	}
	r := *t
	r.Name = name
	return &r
}
