package result

import (
	"maps"
	"slices"

	"github.com/cloudg/mcplayer/internal/jsontree"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func ensureMeta(m *Meta) Meta {
	if *m == nil {
		*m = Meta{}
	}
	return *m
}

func cloneMeta(m Meta) Meta {
	if m == nil {
		return nil
	}
	c := make(Meta, len(m))
	for key, value := range m {
		c[key] = jsontree.Clone(value)
	}
	return c
}

func cloneContent(blocks []mcp.Content) []mcp.Content {
	if blocks == nil {
		return nil
	}
	c := make([]mcp.Content, len(blocks))
	for i, block := range blocks {
		c[i] = cloneBlock(block)
	}
	return c
}

// cloneBlock copies one block of content. The SDK's content types are a closed
// set; a nil block stays nil.
func cloneBlock(block mcp.Content) mcp.Content {
	if isNil(block) {
		return block
	}
	switch b := block.(type) {
	case *mcp.TextContent:
		c := *b
		c.Meta, c.Annotations = cloneMeta(b.Meta), cloneAnnotations(b.Annotations)
		return &c
	case *mcp.ImageContent:
		c := *b
		c.Data = slices.Clone(b.Data)
		c.Meta, c.Annotations = cloneMeta(b.Meta), cloneAnnotations(b.Annotations)
		return &c
	case *mcp.AudioContent:
		c := *b
		c.Data = slices.Clone(b.Data)
		c.Meta, c.Annotations = cloneMeta(b.Meta), cloneAnnotations(b.Annotations)
		return &c
	case *mcp.ResourceLink:
		return CloneLink(b)
	case *mcp.EmbeddedResource:
		c := *b
		c.Resource = cloneContents(b.Resource)
		c.Meta, c.Annotations = cloneMeta(b.Meta), cloneAnnotations(b.Annotations)
		return &c
	case *mcp.ToolUseContent:
		c := *b
		if b.Input != nil {
			c.Input = jsontree.Clone(b.Input).(map[string]any)
		}
		c.Meta = cloneMeta(b.Meta)
		return &c
	case *mcp.ToolResultContent:
		c := *b
		c.Content = cloneContent(b.Content)
		c.StructuredContent = jsontree.Clone(b.StructuredContent)
		c.Meta = cloneMeta(b.Meta)
		return &c
	}
	return block
}

// CloneLink returns a deep copy of link.
func CloneLink(link *mcp.ResourceLink) *mcp.ResourceLink {
	c := *link
	if link.Size != nil {
		c.Size = new(*link.Size)
	}
	c.Meta, c.Annotations = cloneMeta(link.Meta), cloneAnnotations(link.Annotations)
	c.Icons = slices.Clone(link.Icons)
	for i := range c.Icons {
		c.Icons[i].Sizes = slices.Clone(c.Icons[i].Sizes)
	}
	return &c
}

func cloneContents(contents *mcp.ResourceContents) *mcp.ResourceContents {
	if contents == nil {
		return nil
	}
	c := *contents
	c.Blob = slices.Clone(contents.Blob)
	c.Meta = cloneMeta(contents.Meta)
	return &c
}

func cloneAnnotations(a *mcp.Annotations) *mcp.Annotations {
	if a == nil {
		return nil
	}
	c := *a
	c.Audience = slices.Clone(a.Audience)
	return &c
}

// cloneRequests copies the map only: results that ask for input are never
// cached, so that nobody writes to the requests themselves.
func cloneRequests(requests mcp.InputRequestMap) mcp.InputRequestMap {
	return maps.Clone(requests)
}
