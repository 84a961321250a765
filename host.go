package mcplayer

import (
	"context"
	"errors"
	"log/slog"

	"github.com/cloudg/mcplayer/internal/uri"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// hosted is what the layer made of a primitive of the host's. It holds as long as
// the host's own stays the same.
type hosted struct {
	own  any // *mcp.Tool and so on
	prim *primitive
}

// findHost returns what is made of the host's primitive of that name. The SDK has
// no other way to ask than its lists, and tells nobody reliably when they change;
// a list of 50 tools takes it 3 µs.
func (m *mount) findHost(ctx context.Context, req mcp.Request, kind Kind, name string) target {
	switch kind {
	case KindTool:
		return findNamed(ctx, m, req, toolList, name)
	case KindPrompt:
		return findNamed(ctx, m, req, promptList, name)
	case KindResourceTemplate:
		return findNamed(ctx, m, req, templateList, name)
	}
	return target{}
}

func findNamed[T any](ctx context.Context, m *mount, req mcp.Request, k *listKind[T], name string) target {
	items, _, err := k.drain(ctx, m, req)
	if err != nil {
		m.layer.logger.Error("a list of the server failed", slog.String("kind", k.kind.String()), errorAttr(err))
		return target{}
	}
	for _, item := range items {
		if k.name(item) == name {
			if p := hostPrimitive(m, k, item); p != nil {
				return target{prim: p, name: name}
			}
		}
	}
	return target{}
}

// findResource looks for a resource among the layer's and the host's: exact URIs
// before templates, the layer's before the host's, the longest template first.
func (m *mount) findResource(ctx context.Context, req mcp.Request, raw string) target {
	cat := m.layer.catalog.Load()
	if found := cat.findExact(raw); found.prim != nil && m.serves(found.prim) {
		return found
	}
	host, err := m.hostChoice(ctx, req, raw)
	if err != nil {
		m.layer.logger.Error("a list of the server failed", slog.String("kind", KindResource.String()), errorAttr(err))
		return target{}
	}
	own := cat.findThroughTemplate(raw, m.serves)
	switch {
	case own.prim == nil, host.exact:
		return host.target
	case host.prim != nil && compareTemplates(host.prim, own.prim) < 0:
		return host.target
	}
	return own
}

// choice is what the server itself would read under a URI: nothing, if its zero
// target says so.
type choice struct {
	target
	exact bool
}

// hostChoice returns which of the host's resources the SDK will read under a URI:
// what is decided about must be what runs. The SDK takes an exact URI first, then
// the first template in the order of texts that matches the URI as it is spelt.
func (m *mount) hostChoice(ctx context.Context, req mcp.Request, raw string) (choice, error) {
	normal, err := uri.Normalize(raw)
	if err != nil || raw == standResource {
		return choice{}, nil //nolint:nilerr // what is no URI is unknown
	}
	resources, _, err := resourceList.drain(ctx, m, req)
	if err != nil {
		return choice{}, err
	}
	if item := exactResource(resources, raw, uri.FoldHost(normal)); item != nil {
		return choice{target{prim: hostPrimitive(m, resourceList, item), name: item.URI}, true}, nil
	}
	templates, _, err := templateList.drain(ctx, m, req)
	if err != nil {
		return choice{}, err
	}
	for _, item := range templates {
		template, err := m.hostTemplate(item)
		if err != nil || !template.MatchesRaw(raw) {
			continue
		}
		p := hostPrimitive(m, templateList, item)
		vars, canonical, ok := template.Match(normal)
		if p == nil || !ok {
			return choice{}, nil
		}
		return choice{target{prim: p, name: canonical, vars: vars}, false}, nil
	}
	return choice{}, nil
}

// exactResource returns the resource under a URI, at best as it is spelt.
func exactResource(resources []*mcp.Resource, raw, folded string) *mcp.Resource {
	var found *mcp.Resource
	for _, item := range resources {
		switch {
		case item.URI == raw:
			return item
		case found == nil && foldedURI(item.URI) == folded:
			found = item
		}
	}
	return found
}

// foldedURI returns the form in which exact URIs are compared, empty for what is
// no URI.
func foldedURI(raw string) string {
	normal, err := uri.Normalize(raw)
	if err != nil {
		return ""
	}
	return uri.FoldHost(normal)
}

// hostTemplate returns the compiled form of a template of the host's, also where
// the policy does not admit it.
func (m *mount) hostTemplate(item *mcp.ResourceTemplate) (*uri.Template, error) {
	if p := hostPrimitive(m, templateList, item); p != nil {
		return p.spec.template, nil
	}
	return uri.CompileAny(item.URITemplate)
}

// hostPrimitive returns what is made of a primitive of the host's, the same as
// long as the host's own is; nil if the policy does not admit it, which is logged.
func hostPrimitive[T any](m *mount, k *listKind[T], item T) *primitive {
	p, err := keepHost(m, k, item)
	if err != nil {
		m.layer.logger.Error("primitive of the server left out",
			slog.String("kind", k.kind.String()), slog.String("name", k.name(item)), errorAttr(err))
	}
	return p
}

// keepHost makes a primitive of the host's own once. An error is told once, but for
// a panic, after which the next look tries again.
func keepHost[T any](m *mount, k *listKind[T], item T) (*primitive, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := entryKey{k.kind, k.name(item)}
	if known := m.hosts[key]; known.own == any(item) {
		return known.prim, nil
	}
	p, err := bindHost(m, k, item)
	if _, panicked := errors.AsType[*panicError](err); !panicked {
		m.hosts[key] = hosted{own: item, prim: p}
	}
	return p, err
}

// bindHost makes a primitive of the host's own, if the policy admits it. A panic
// leaves out that one.
func bindHost[T any](m *mount, k *listKind[T], item T) (p *primitive, err error) {
	defer func() {
		if v := recover(); v != nil {
			p, err = nil, m.layer.panicked(v, slog.String("name", k.name(item)))
		}
	}()
	if p, err = k.bind(m, item); err != nil {
		return nil, err
	}
	if err := m.layer.policy.Admit(p.spec); err != nil {
		return nil, err
	}
	return p, nil
}

// spec returns what the server's owner says of a primitive, as the start of its
// spec.
func (f HostFacts) spec(kind Kind, name string) *Spec {
	return &Spec{
		Kind:         kind,
		Name:         name,
		Category:     f.Category,
		Tags:         append([]string{}, f.Tags...),
		Sensitivity:  f.Sensitivity,
		Capabilities: f.Capabilities,
		Hints:        cloneHints(f.Hints),
		Timeout:      f.Timeout,
		Host:         true,
	}
}

func bindHostTool(m *mount, t *mcp.Tool) (*primitive, error) {
	s := m.opts.HostTools[t.Name].spec(KindTool, t.Name)
	s.Title, s.Description = t.Title, t.Description
	if a := t.Annotations; a != nil {
		s.Annotations = cloneAnnotations(Annotations{
			Title:       a.Title,
			ReadOnly:    &a.ReadOnlyHint,
			Idempotent:  &a.IdempotentHint,
			Destructive: a.DestructiveHint,
			OpenWorld:   a.OpenWorldHint,
		})
	}
	s.setDefaults()
	p := &primitive{spec: s, tool: &toolBinding{decode: keepRaw, invoke: callHost}}
	p.listing.addTool(t, s, m.layer.meta)
	return p, nil
}

func bindHostPrompt(m *mount, own *mcp.Prompt) (*primitive, error) {
	s := m.opts.HostPrompts[own.Name].spec(KindPrompt, own.Name)
	s.Title, s.Description = own.Title, own.Description
	for _, a := range own.Arguments {
		// What is missing, the host's handler says in its own words.
		s.Arguments = append(s.Arguments, PromptArgument{Name: a.Name, Title: a.Title, Description: a.Description})
	}
	s.setDefaults()
	listed := *own
	listed.Meta = catalogMeta(own.Meta, s, m.layer.meta)
	return &primitive{spec: s, render: renderHost, listing: listing{prompt: &listed}}, nil
}

func bindHostResource(m *mount, own *mcp.Resource) (*primitive, error) {
	s := m.opts.HostResources[own.URI].spec(KindResource, own.URI)
	s.Title, s.Description, s.Label, s.MIMEType = own.Title, own.Description, own.Name, own.MIMEType
	s.setDefaults()
	listed := *own
	listed.Meta = catalogMeta(own.Meta, s, m.layer.meta)
	return &primitive{spec: s, read: readHost, listing: listing{resource: &listed}}, nil
}

func bindHostTemplate(m *mount, own *mcp.ResourceTemplate) (*primitive, error) {
	template, err := uri.CompileAny(own.URITemplate)
	if err != nil {
		return nil, err
	}
	s := m.opts.HostTemplates[own.URITemplate].spec(KindResourceTemplate, own.URITemplate)
	s.Title, s.Description, s.Label, s.MIMEType, s.template = own.Title, own.Description, own.Name, own.MIMEType, template
	s.setDefaults()
	listed := *own
	listed.Meta = catalogMeta(own.Meta, s, m.layer.meta)
	return &primitive{spec: s, read: readHost, listing: listing{template: &listed}}, nil
}

func keepRaw(args jsontext.Value) (any, error) { return &args, nil }
