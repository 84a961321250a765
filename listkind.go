package mcplayer

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listKind is what the four lists of the protocol differ in.
type listKind[T any] struct {
	kind   Kind
	method string
	name   func(T) string
	// page makes the request for one page of the server's own list.
	page func(from mcp.Request, meta mcp.Meta, cursor string) mcp.Request
	// items returns what is on a page of the server's list, and the next cursor.
	items func(mcp.Result) (items []T, next string, ok bool)
	// answer makes a result of a page; what else the first page of the server's
	// list said stays.
	answer func(first mcp.Result, items []T, next string) mcp.Result
	// bind makes a primitive of the host's own.
	bind func(*mount, T) (*primitive, error)
	// entry is the primitive's entry under its exposed name.
	entry func(p *primitive, access *Access, exposed string) T
	// clone copies an entry and its metadata: a caller in-process may change them.
	clone func(T) T
	// own returns the layer's primitives of the kind.
	own func(*catalog) []*primitive
}

var toolList = &listKind[*mcp.Tool]{
	kind:   KindTool,
	method: "tools/list",
	name:   func(t *mcp.Tool) string { return t.Name },
	page: func(from mcp.Request, meta mcp.Meta, cursor string) mcp.Request {
		return &mcp.ListToolsRequest{
			Session: sessionOf(from), Extra: withoutBinding(from.GetExtra()),
			Params: &mcp.ListToolsParams{Meta: meta, Cursor: cursor},
		}
	},
	items: func(res mcp.Result) ([]*mcp.Tool, string, bool) {
		r, ok := res.(*mcp.ListToolsResult)
		if !ok || r == nil {
			return nil, "", false
		}
		return r.Tools, r.NextCursor, true
	},
	answer: func(first mcp.Result, items []*mcp.Tool, next string) mcp.Result {
		out := *first.(*mcp.ListToolsResult)
		out.Tools, out.NextCursor, out.CacheScope = items, next, "private"
		return &out
	},
	bind: bindHostTool,
	entry: func(p *primitive, access *Access, exposed string) *mcp.Tool {
		t := p.listing.tool
		if access.Output != nil {
			t = p.listing.bareTool // what is transformed may not match the schema
		}
		if t.Name == exposed {
			return t
		}
		renamed := *t
		renamed.Name = exposed
		return &renamed
	},
	clone: func(own *mcp.Tool) *mcp.Tool {
		mine := *own
		mine.Meta = maps.Clone(own.Meta)
		return &mine
	},
	own: func(c *catalog) []*primitive { return slices.Collect(maps.Values(c.tools)) },
}

var promptList = &listKind[*mcp.Prompt]{
	kind:   KindPrompt,
	method: "prompts/list",
	name:   func(p *mcp.Prompt) string { return p.Name },
	page: func(from mcp.Request, meta mcp.Meta, cursor string) mcp.Request {
		return &mcp.ListPromptsRequest{
			Session: sessionOf(from), Extra: withoutBinding(from.GetExtra()),
			Params: &mcp.ListPromptsParams{Meta: meta, Cursor: cursor},
		}
	},
	items: func(res mcp.Result) ([]*mcp.Prompt, string, bool) {
		r, ok := res.(*mcp.ListPromptsResult)
		if !ok || r == nil {
			return nil, "", false
		}
		return r.Prompts, r.NextCursor, true
	},
	answer: func(first mcp.Result, items []*mcp.Prompt, next string) mcp.Result {
		out := *first.(*mcp.ListPromptsResult)
		out.Prompts, out.NextCursor, out.CacheScope = items, next, "private"
		return &out
	},
	bind: bindHostPrompt,
	entry: func(p *primitive, _ *Access, exposed string) *mcp.Prompt {
		if p.listing.prompt.Name == exposed {
			return p.listing.prompt
		}
		renamed := *p.listing.prompt
		renamed.Name = exposed
		return &renamed
	},
	clone: func(own *mcp.Prompt) *mcp.Prompt {
		mine := *own
		mine.Meta = maps.Clone(own.Meta)
		return &mine
	},
	own: func(c *catalog) []*primitive { return slices.Collect(maps.Values(c.prompts)) },
}

var resourceList = &listKind[*mcp.Resource]{
	kind:   KindResource,
	method: "resources/list",
	name:   func(r *mcp.Resource) string { return r.URI },
	page: func(from mcp.Request, meta mcp.Meta, cursor string) mcp.Request {
		return &mcp.ListResourcesRequest{
			Session: sessionOf(from), Extra: withoutBinding(from.GetExtra()),
			Params: &mcp.ListResourcesParams{Meta: meta, Cursor: cursor},
		}
	},
	items: func(res mcp.Result) ([]*mcp.Resource, string, bool) {
		r, ok := res.(*mcp.ListResourcesResult)
		if !ok || r == nil {
			return nil, "", false
		}
		return r.Resources, r.NextCursor, true
	},
	answer: func(first mcp.Result, items []*mcp.Resource, next string) mcp.Result {
		out := *first.(*mcp.ListResourcesResult)
		out.Resources, out.NextCursor, out.CacheScope = items, next, "private"
		return &out
	},
	bind:  bindHostResource,
	entry: func(p *primitive, _ *Access, _ string) *mcp.Resource { return p.listing.resource },
	clone: func(own *mcp.Resource) *mcp.Resource {
		mine := *own
		mine.Meta = maps.Clone(own.Meta)
		return &mine
	},
	own: func(c *catalog) []*primitive { return slices.Collect(maps.Values(c.resources)) },
}

var templateList = &listKind[*mcp.ResourceTemplate]{
	kind:   KindResourceTemplate,
	method: "resources/templates/list",
	name:   func(t *mcp.ResourceTemplate) string { return t.URITemplate },
	page: func(from mcp.Request, meta mcp.Meta, cursor string) mcp.Request {
		return &mcp.ListResourceTemplatesRequest{
			Session: sessionOf(from), Extra: withoutBinding(from.GetExtra()),
			Params: &mcp.ListResourceTemplatesParams{Meta: meta, Cursor: cursor},
		}
	},
	items: func(res mcp.Result) ([]*mcp.ResourceTemplate, string, bool) {
		r, ok := res.(*mcp.ListResourceTemplatesResult)
		if !ok || r == nil {
			return nil, "", false
		}
		return r.ResourceTemplates, r.NextCursor, true
	},
	answer: func(first mcp.Result, items []*mcp.ResourceTemplate, next string) mcp.Result {
		out := *first.(*mcp.ListResourceTemplatesResult)
		out.ResourceTemplates, out.NextCursor, out.CacheScope = items, next, "private"
		return &out
	},
	bind:  bindHostTemplate,
	entry: func(p *primitive, _ *Access, _ string) *mcp.ResourceTemplate { return p.listing.template },
	clone: func(own *mcp.ResourceTemplate) *mcp.ResourceTemplate {
		mine := *own
		mine.Meta = maps.Clone(own.Meta)
		return &mine
	},
	own: func(c *catalog) []*primitive { return c.templates },
}

func sessionOf(req mcp.Request) *mcp.ServerSession {
	session, _ := req.GetSession().(*mcp.ServerSession)
	return session
}

// metaOf returns a request's metadata. Parameters of lists may be absent, and the
// SDK's accessor crashes on them.
func metaOf(req mcp.Request) mcp.Meta {
	switch r := req.(type) {
	case *mcp.ListToolsRequest:
		return orEmpty(r.Params).Meta
	case *mcp.ListPromptsRequest:
		return orEmpty(r.Params).Meta
	case *mcp.ListResourcesRequest:
		return orEmpty(r.Params).Meta
	case *mcp.ListResourceTemplatesRequest:
		return orEmpty(r.Params).Meta
	case *mcp.CallToolRequest:
		return r.Params.Meta
	case *mcp.ReadResourceRequest:
		return r.Params.Meta
	case *mcp.GetPromptRequest:
		return r.Params.Meta
	case *mcp.CompleteRequest:
		return r.Params.Meta
	case *mcp.SubscribeRequest:
		return r.Params.Meta
	case *mcp.UnsubscribeRequest:
		return r.Params.Meta
	case *mcp.SubscriptionsListenRequest:
		return r.Params.Meta
	}
	return nil
}

// orEmpty returns the parameters of a list request, which may be absent.
func orEmpty[P any](params *P) *P {
	if params == nil {
		return new(P)
	}
	return params
}

// drain returns all pages of the server's own list without what stands there for
// the layer, and the first page as it came.
func (k *listKind[T]) drain(ctx context.Context, m *mount, from mcp.Request) ([]T, mcp.Result, error) {
	var all []T
	var first mcp.Result
	for cursor, more := "", true; more; more = cursor != "" {
		res, err := m.next(ctx, k.method, k.page(from, metaOf(from), cursor))
		if err != nil {
			return nil, nil, err // res may be a typed nil
		}
		items, next, ok := k.items(res)
		if !ok {
			return nil, nil, fmt.Errorf("the server answered %s with %T", k.method, res)
		}
		if first == nil {
			first = res
		}
		for _, item := range items {
			if !m.stands(k.kind, k.name(item)) {
				all = append(all, item)
			}
		}
		cursor = next
	}
	return all, first, nil
}
