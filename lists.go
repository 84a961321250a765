package mcplayer

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

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

// listTools answers a tools/list request with what the caller may see.
func (m *mount) listTools(ctx context.Context, req *mcp.ListToolsRequest) (res mcp.Result, err error) {
	cursor := ""
	if req.Params != nil {
		cursor = req.Params.Cursor
	}
	p, err := m.callerOf(ctx, req)
	if err != nil {
		return nil, err
	}
	hosts, first, err := m.hostTools(ctx, req)
	if err != nil {
		return nil, err
	}
	var tools []listed[*mcp.Tool]
	for _, t := range hosts {
		if prim := m.hostPrimitive(t); prim != nil {
			tools = m.appendTool(tools, prim, p, t.Name)
		}
	}
	m.mu.Lock()
	own := maps.Clone(m.registered)
	m.mu.Unlock()
	for name, prim := range own {
		tools = m.appendTool(tools, prim, p, name)
	}
	page, next, err := pageOf(m, KindTool, p, cursor, tools)
	if err != nil {
		return nil, err
	}
	out := *first
	out.Tools, out.NextCursor, out.CacheScope = page, next, "private"
	return &out, nil
}

// appendTool adds a tool's entry if the caller may see it. The output schema is
// left out where the result is transformed: it may not match any more.
func (m *mount) appendTool(tools []listed[*mcp.Tool], prim *primitive, p *Principal, name string) []listed[*mcp.Tool] {
	access := m.visible(prim, p)
	if access == nil {
		return tools
	}
	t := prim.listed
	if access.Output != nil {
		t = prim.unstructured
	}
	return append(tools, listed[*mcp.Tool]{own: !prim.spec.Host, name: name, value: renamed(t, name)})
}

// visible returns the caller's access to a primitive, nil if it is hidden. A
// policy that panics about one primitive hides that one.
func (m *mount) visible(prim *primitive, p *Principal) (access *Access) {
	defer func() {
		if v := recover(); v != nil {
			m.layer.logger.Error("panic in the policy; primitive left out of a list",
				slog.String("kind", prim.spec.Kind.String()), slog.String("name", prim.spec.Name), slog.Any("value", v))
			access = nil
		}
	}()
	access = m.layer.policy.Bind(prim.spec, p)
	if access == nil || !access.Visible {
		return nil
	}
	return access
}

// callerOf finds out who asks for a list.
func (m *mount) callerOf(ctx context.Context, req mcp.Request) (*Principal, error) {
	p, err := m.layer.identify(ctx, m.layer.requestInfo(ctx, req))
	if err != nil {
		m.layer.logger.Warn("identity not established", errorAttr(err))
		e := identityFailed(err)
		return nil, &jsonrpc.Error{Code: int64(e.Code), Message: e.Message}
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
		start, _ = slices.BinarySearchFunc(entries, after, func(e listed[T], last position) int {
			if c := compareListed(e, listed[T]{own: last.own, name: last.name}); c != 0 {
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
