package main

import (
	"context"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A caller asks a server. The scenes see nothing else of it, so they play the
// same over any transport, and without one.
type caller interface {
	ListTools(ctx context.Context) ([]*mcp.Tool, error)
	ListTemplates(ctx context.Context) ([]*mcp.ResourceTemplate, error)
	// CallTool returns an error where the protocol has one: the tool is not
	// known, or the connection is gone. All other failures are results.
	CallTool(ctx context.Context, req request) (*mcp.CallToolResult, error)
	ReadResource(ctx context.Context, uri string) (*mcp.ReadResourceResult, error)
	GetPrompt(ctx context.Context, name string, args map[string]string) (*mcp.GetPromptResult, error)
	Complete(ctx context.Context, q question) (*mcp.CompleteResult, error)
}

// A request is one call of a tool.
type request struct {
	tool       string
	args       any
	onProgress func(done, total float64, message string) // may be nil
}

// A question asks what a value could become.
type question struct {
	kind                  mcplayer.Kind // KindPrompt or KindResourceTemplate
	name, argument, value string
}
