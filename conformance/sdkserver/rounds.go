package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cloudg/mcplayer/conformance/everything"
)

// addRounds adds what answers with a request for input first.
func addRounds(server *mcp.Server) {
	for _, t := range everything.RoundTools() {
		mcp.AddTool(server, tool(t.Info), playTool(t.Play))
	}
	p := everything.RoundPrompt()
	server.AddPrompt(&mcp.Prompt{Name: p.Name, Description: p.Description}, playPrompt(p.Play))
}

func playTool(play func(everything.Turn) (everything.Move, error)) mcp.ToolHandlerFor[none, any] {
	return func(_ context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		move, err := play(everything.Turn{
			Responses:    req.Params.InputResponses,
			State:        req.Params.RequestState,
			Capabilities: req.ClientCapabilities(),
		})
		switch {
		case err != nil:
			return nil, nil, err
		case move.Ask != nil:
			return &mcp.CallToolResult{InputRequests: move.Ask, RequestState: move.State}, nil, nil
		default:
			return text(move.Text), nil, nil
		}
	}
}

func playPrompt(play func(everything.Turn) (everything.Move, error)) mcp.PromptHandler {
	return func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		move, err := play(everything.Turn{
			Responses:    req.Params.InputResponses,
			State:        req.Params.RequestState,
			Capabilities: req.ClientCapabilities(),
		})
		switch {
		case err != nil:
			return nil, err
		case move.Ask != nil:
			return &mcp.GetPromptResult{InputRequests: move.Ask, RequestState: move.State}, nil
		default:
			return &mcp.GetPromptResult{Messages: everything.User(&mcp.TextContent{Text: move.Text})}, nil
		}
	}
}
