package mcplayer

import "github.com/modelcontextprotocol/go-sdk/mcp"

// hints returns what the pipeline wants content blocks to be annotated with.
func (e *exit) hints() (hints *mcp.Annotations) {
	if a, ok := e.pass.(BlockAnnotator); ok {
		e.guard(func() error {
			hints = cloneAudience(a.BlockAnnotations())
			return nil
		})
	}
	return hints
}

// annotateBlocks sets hints on the blocks that have none. The blocks are the call's
// own.
func annotateBlocks(blocks []mcp.Content, hints *mcp.Annotations) {
	if hints == nil {
		return
	}
	for _, block := range blocks {
		if at := annotationsOf(block); at != nil && *at == nil {
			*at = cloneAudience(hints)
		}
	}
}

// annotationsOf returns where a block keeps its hints; nil if it has no place.
func annotationsOf(block mcp.Content) **mcp.Annotations {
	switch b := block.(type) {
	case *mcp.TextContent:
		return &b.Annotations
	case *mcp.ImageContent:
		return &b.Annotations
	case *mcp.AudioContent:
		return &b.Annotations
	case *mcp.ResourceLink:
		return &b.Annotations
	case *mcp.EmbeddedResource:
		return &b.Annotations
	}
	return nil
}
