package main

import (
	"context"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/conformance/everything"
	"github.com/cloudg/mcplayer/result"
)

// none is the input of a tool without arguments.
type none struct{}

// handler is the handler of a tool that builds its result itself.
type handler[In any] = func(context.Context, *mcplayer.ToolContext, In) (*result.ToolResult, error)

// addTools adds the tools that need nothing but their arguments.
func addTools(reg *mcplayer.Registry) {
	for _, t := range everything.FixedTools() {
		mcplayer.AddTool(reg, tool(t.Info), fixed(t.Content))
	}
	mcplayer.AddTool(reg, tool(everything.Failing), fail)
	mcplayer.AddTool(reg, toolWith(everything.Schema, everything.SchemaInput), reach)
	mcplayer.AddTool(reg, toolWith(everything.Header, everything.HeaderInput), place)
}

func tool(i everything.Info) mcplayer.Tool {
	return mcplayer.Tool{Name: i.Name, Description: i.Description}
}

// toolWith describes a tool whose input schema is written out.
func toolWith(i everything.Info, input json.RawMessage) mcplayer.Tool {
	return mcplayer.Tool{Name: i.Name, Description: i.Description, InputSchema: jsontext.Value(input)}
}

func fixed(content func() []mcp.Content) handler[none] {
	return func(context.Context, *mcplayer.ToolContext, none) (*result.ToolResult, error) {
		return result.Content(content()...), nil
	}
}

func fail(context.Context, *mcplayer.ToolContext, none) (*result.ToolResult, error) {
	return nil, everything.ErrOnPurpose
}

func reach(_ context.Context, _ *mcplayer.ToolContext, in everything.Contact) (*result.ToolResult, error) {
	return result.Text(everything.Reach(in)), nil
}

func place(_ context.Context, _ *mcplayer.ToolContext, in everything.Placement) (*result.ToolResult, error) {
	return result.Text(everything.Place(in)), nil
}
