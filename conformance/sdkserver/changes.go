package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cloudg/mcplayer/conformance/everything"
)

// addChanges adds the tools that change the lists of server.
func addChanges(server *mcp.Server) {
	mcp.AddTool(server, tool(everything.ChangeTools), change(func() {
		mcp.AddTool(server, tool(everything.PassingTool), fixed(passing))
	}))
	mcp.AddTool(server, tool(everything.ChangePrompts), change(func() {
		server.AddPrompt(prompt(everything.Prompt{Info: everything.PassingPrompt}), messages(passingPrompt))
	}))
}

func change(add func()) mcp.ToolHandlerFor[none, any] {
	return func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		add()
		return text("Changed."), nil, nil
	}
}

func passing() []mcp.Content { return everything.Text(everything.Passing) }

func passingPrompt(map[string]string) []*mcp.PromptMessage {
	return everything.User(passing()...)
}
