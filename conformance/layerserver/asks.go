//lint:file-ignore SA1019 the suite calls what 2026-07-28 deprecates

package main

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/conformance/everything"
	"github.com/cloudg/mcplayer/result"
)

// addAsks adds the tools that send the client a request while they run.
func addAsks(reg *mcplayer.Registry) {
	mcplayer.AddTool(reg, tool(everything.Sampling), sample)
	mcplayer.AddTool(reg, tool(everything.NeedsSampling), needSampling)
	mcplayer.AddTool(reg, tool(everything.Elicitation), elicit)
	for _, t := range everything.FormTools() {
		mcplayer.AddTool(reg, tool(t.Info), show(t.Form))
	}
}

func sample(ctx context.Context, tc *mcplayer.ToolContext, in everything.SamplingInput) (*result.ToolResult, error) {
	res, err := tc.CreateMessage(ctx, everything.Sample(in))
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	return result.Text(everything.Sampled(res)), nil
}

func needSampling(_ context.Context, tc *mcplayer.ToolContext, _ none) (*result.ToolResult, error) {
	if err := everything.CheckSampling(capabilities(tc)); err != nil {
		return nil, err
	}
	return result.Text("This client offers sampling."), nil
}

// capabilities returns what the client can be asked for, nil for an in-process
// call.
func capabilities(tc *mcplayer.ToolContext) *mcp.ClientCapabilities {
	if request := tc.Request(); request != nil {
		return request.ClientCapabilities()
	}
	return nil
}

func elicit(ctx context.Context, tc *mcplayer.ToolContext, in everything.ElicitationInput) (*result.ToolResult, error) {
	return ask(ctx, tc, everything.Ask(in))
}

func show(form func() *mcp.ElicitParams) handler[none] {
	return func(ctx context.Context, tc *mcplayer.ToolContext, _ none) (*result.ToolResult, error) {
		return ask(ctx, tc, form())
	}
}

func ask(ctx context.Context, tc *mcplayer.ToolContext, form *mcp.ElicitParams) (*result.ToolResult, error) {
	res, err := tc.Elicit(ctx, form)
	if err != nil {
		return nil, fmt.Errorf("elicit: %w", err)
	}
	answer, err := everything.Answered(res)
	if err != nil {
		return nil, err
	}
	return result.Text(answer), nil
}
