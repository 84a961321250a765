package mcplayer

import (
	"cmp"
	"context"
	"log/slog"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ListTools returns the tools that a caller sees, in-process. Of a server's own
// tools it knows nothing. The entries of it and the other lists are the caller's
// own; what they point to, such as schemas, is shared and must not be changed.
func (l *Layer) ListTools(ctx context.Context, opts ...CallOption) []*mcp.Tool {
	return listOwn(ctx, l, toolList, opts)
}

// ListResources returns the resources that a caller sees, in-process.
func (l *Layer) ListResources(ctx context.Context, opts ...CallOption) []*mcp.Resource {
	return listOwn(ctx, l, resourceList, opts)
}

// ListResourceTemplates returns the templates that a caller sees, in-process.
func (l *Layer) ListResourceTemplates(ctx context.Context, opts ...CallOption) []*mcp.ResourceTemplate {
	return listOwn(ctx, l, templateList, opts)
}

// ListPrompts returns the prompts that a caller sees, in-process.
func (l *Layer) ListPrompts(ctx context.Context, opts ...CallOption) []*mcp.Prompt {
	return listOwn(ctx, l, promptList, opts)
}

func listOwn[T any](ctx context.Context, l *Layer, k *listKind[T], opts []CallOption) []T {
	p := l.newLocalCall(ctx, opts).info.Principal
	entries := ownEntries(l, k, p, l.prefix, func(*primitive) bool { return true })
	slices.SortFunc(entries, compareListed[T])
	items := make([]T, len(entries))
	for i, e := range entries {
		items[i] = k.clone(e.value)
	}
	return items
}

// listed is an entry of a list. The host's entries come before the layer's, each
// part in the order of names.
type listed[T any] struct {
	own   bool
	name  string
	value T
}

func compareListed[T any](a, b listed[T]) int {
	if a.own != b.own {
		if b.own {
			return -1
		}
		return 1
	}
	return cmp.Compare(a.name, b.name)
}

// list answers a list request with what the caller may see.
func list[T any](ctx context.Context, m *mount, k *listKind[T], req mcp.Request, cursor string) (mcp.Result, error) {
	p, err := m.callerOf(ctx, req)
	if err != nil {
		return nil, err
	}
	hosts, first, err := k.drain(ctx, m, req)
	if err != nil {
		return nil, err
	}
	entries := ownEntries(m.layer, k, p, m.prefix, m.serves)
	for _, item := range hosts {
		name := k.name(item)
		if m.clashes(k.kind, name) {
			continue
		}
		if prim := hostPrimitive(m, k, item); prim != nil {
			entries = appendVisible(m.layer, k, entries, prim, p, name)
		}
	}
	page, next, err := pageOf(m, k.kind, p, cursor, entries)
	if err != nil {
		return nil, err
	}
	return k.answer(first, page, next), nil
}

// ownEntries returns the entries of those of the layer's primitives that are
// served and that p sees.
func ownEntries[T any](l *Layer, k *listKind[T], p *Principal, prefix string, served func(*primitive) bool) []listed[T] {
	if k.kind == KindResource || k.kind == KindResourceTemplate {
		prefix = ""
	}
	var entries []listed[T]
	for _, prim := range k.own(l.catalog.Load()) {
		if !served(prim) {
			continue
		}
		entries = appendVisible(l, k, entries, prim, p, prefix+prim.spec.Name)
	}
	return entries
}

// appendVisible adds a primitive's entry if the caller may see it.
func appendVisible[T any](l *Layer, k *listKind[T], entries []listed[T], prim *primitive, p *Principal, name string) []listed[T] {
	access := l.visible(prim, p)
	if access == nil {
		return entries
	}
	return append(entries, listed[T]{own: !prim.spec.Host, name: name, value: k.entry(prim, access, name)})
}

// visible returns the caller's access to a primitive, nil if it is hidden. A
// policy that panics about one primitive hides that one.
func (l *Layer) visible(prim *primitive, p *Principal) (access *Access) {
	defer func() {
		if v := recover(); v != nil {
			l.logger.Error("panic in the policy; primitive left out of a list",
				slog.String("kind", prim.spec.Kind.String()), slog.String("name", prim.spec.Name), slog.Any("value", v))
			access = nil
		}
	}()
	access = l.policy.Bind(prim.spec, p)
	if access == nil || !access.shows(prim.spec.Kind, prim.spec.Name) {
		return nil
	}
	return access
}

// callerOf finds out who asks for a list.
func (m *mount) callerOf(ctx context.Context, req mcp.Request) (*Principal, error) {
	p, err := m.layer.identify(ctx, m.layer.requestInfo(ctx, req))
	if err != nil {
		m.layer.logger.Warn("identity not established", errorAttr(err))
		return nil, identityFailed(err).wire()
	}
	return p, nil
}

// pageOf returns the page that follows the cursor and the cursor of the next.
func pageOf[T any](m *mount, kind Kind, p *Principal, cursor string, entries []listed[T]) ([]T, string, error) {
	slices.SortFunc(entries, compareListed[T])
	start := 0
	if cursor != "" {
		after, ok := m.cursors.open(kind, p, cursor)
		if !ok {
			return nil, "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "invalid params"}
		}
		last := listed[T]{own: after.own, name: after.name}
		start, _ = slices.BinarySearchFunc(entries, last, func(e, last listed[T]) int {
			if c := compareListed(e, last); c != 0 {
				return c
			}
			return -1 // the last one of the page before belongs to it
		})
	}
	end := min(start+m.pageSize, len(entries))
	page := make([]T, 0, end-start)
	for _, e := range entries[start:end] {
		page = append(page, e.value)
	}
	if end == len(entries) {
		return page, "", nil
	}
	return page, m.cursors.seal(kind, p, position{entries[end-1].own, entries[end-1].name}), nil
}
