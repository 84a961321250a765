//lint:file-ignore SA1019 the suite calls what 2026-07-28 deprecates

package main

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cloudg/mcplayer/conformance/everything"
)

// addAsks adds the tools that send the client a request while they run.
func addAsks(server *mcp.Server) {
	mcp.AddTool(server, tool(everything.Sampling), sample)
	mcp.AddTool(server, tool(everything.NeedsSampling), needSampling)
	mcp.AddTool(server, tool(everything.Elicitation), elicit)
	for _, t := range everything.FormTools() {
		mcp.AddTool(server, tool(t.Info), show(t.Form))
	}
}

func sample(ctx context.Context, req *mcp.CallToolRequest, in everything.SamplingInput) (*mcp.CallToolResult, any, error) {
	res, err := req.Session.CreateMessage(ctx, everything.Sample(in))
	if err != nil {
		return nil, nil, fmt.Errorf("sample: %w", err)
	}
	return text(everything.Sampled(res)), nil, nil
}

func needSampling(_ context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
	if err := everything.CheckSampling(req.ClientCapabilities()); err != nil {
		return nil, nil, err
	}
	return text("This client offers sampling."), nil, nil
}

func elicit(ctx context.Context, req *mcp.CallToolRequest, in everything.ElicitationInput) (*mcp.CallToolResult, any, error) {
	return ask(ctx, req.Session, everything.Ask(in))
}

func show(form func() *mcp.ElicitParams) mcp.ToolHandlerFor[none, any] {
	return func(ctx context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		return ask(ctx, req.Session, form())
	}
}

func ask(ctx context.Context, session *mcp.ServerSession, form *mcp.ElicitParams) (*mcp.CallToolResult, any, error) {
	res, err := session.Elicit(ctx, form)
	if err != nil {
		return nil, nil, fmt.Errorf("elicit: %w", err)
	}
	answer, err := everything.Answered(res)
	if err != nil {
		return nil, nil, err
	}
	return text(answer), nil, nil
}
