package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/conformance/everything"
)

func addPrompts(reg *mcplayer.Registry) {
	for _, p := range everything.Prompts() {
		mcplayer.AddPrompt(reg, prompt(p), messages(p.Messages))
	}
}

func prompt(p everything.Prompt) mcplayer.Prompt {
	out := mcplayer.Prompt{Name: p.Name, Description: p.Description}
	for _, a := range p.Arguments {
		out.Arguments = append(out.Arguments, mcplayer.PromptArgument{
			Name: a.Name, Description: a.Description, Required: true, Complete: complete,
		})
	}
	return out
}

func messages(write func(map[string]string) []*mcp.PromptMessage) mcplayer.PromptHandler {
	return func(_ context.Context, _ *mcplayer.ToolContext, args map[string]string) (any, error) {
		return write(args), nil
	}
}

func complete(_ context.Context, _ *mcplayer.ToolContext, in mcplayer.CompletionInput) ([]string, error) {
	return everything.Complete(in.Value), nil
}
