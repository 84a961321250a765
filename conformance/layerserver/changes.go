package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/conformance/everything"
	"github.com/cloudg/mcplayer/result"
)

// addChanges adds the tools that change the registry while calls run.
func addChanges(reg *mcplayer.Registry) {
	mcplayer.AddTool(reg, tool(everything.ChangeTools), change(reg, addPassingTool))
	mcplayer.AddTool(reg, tool(everything.ChangePrompts), change(reg, addPassingPrompt))
}

func change(reg *mcplayer.Registry, add func(*mcplayer.Registry)) handler[none] {
	return func(context.Context, *mcplayer.ToolContext, none) (*result.ToolResult, error) {
		add(reg)
		if err := reg.Err(); err != nil {
			return nil, err
		}
		return result.Text("Changed."), nil
	}
}

func addPassingTool(reg *mcplayer.Registry) {
	t := tool(everything.PassingTool)
	t.Replace = true
	mcplayer.AddTool(reg, t, fixed(passing))
}

func addPassingPrompt(reg *mcplayer.Registry) {
	p := prompt(everything.Prompt{Info: everything.PassingPrompt})
	p.Replace = true
	mcplayer.AddPrompt(reg, p, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
		return everything.Passing, nil
	})
}

func passing() []mcp.Content { return everything.Text(everything.Passing) }
