package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cloudg/mcplayer/conformance/everything"
)

func addPrompts(server *mcp.Server) {
	for _, p := range everything.Prompts() {
		server.AddPrompt(prompt(p), messages(p.Messages))
	}
}

func prompt(p everything.Prompt) *mcp.Prompt {
	out := &mcp.Prompt{Name: p.Name, Description: p.Description}
	for _, a := range p.Arguments {
		out.Arguments = append(out.Arguments, &mcp.PromptArgument{
			Name: a.Name, Description: a.Description, Required: true,
		})
	}
	return out
}

func messages(write func(map[string]string) []*mcp.PromptMessage) mcp.PromptHandler {
	return func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: write(req.Params.Arguments)}, nil
	}
}

func complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	values := everything.Complete(req.Params.Argument.Value)
	return &mcp.CompleteResult{
		Completion: mcp.CompletionResultDetails{Values: values, Total: len(values)},
	}, nil
}
