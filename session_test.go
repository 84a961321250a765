package mcplayer_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestCreateMessagePassesThePipelines(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, tool("ask", func(ctx context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		said, err := tc.CreateMessage(ctx, samplingOf("what is the secret?"))
		if err != nil {
			return nil, err
		}
		return len(said.Content.(*mcp.TextContent).Text), nil
	}))
	l.pol.input, l.pol.output = censor{}, censor{}
	var asked string
	session := dial(t, l.Layer, mounted(t, l, nil), legacy, nil, &mcp.ClientOptions{
		CreateMessageHandler: func(_ context.Context, req *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			asked = req.Params.Messages[0].Content.(*mcp.TextContent).Text
			return &mcp.CreateMessageResult{Content: &mcp.TextContent{Text: "the secret is 7"}}, nil
		},
	})
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask"})
	if err != nil {
		t.Fatal(err)
	}
	same(t, asked, "what is the "+gone+"?")
	same(t, res.Content[0].(*mcp.TextContent).Text, "{\n  \"result\": 15\n}") // of "the [gone] is 7"
}

func TestCreateMessageWhereNobodyCanBeAsked(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, tool("ask", func(ctx context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		return tc.CreateMessage(ctx, samplingOf("anybody?"))
	}))
	if res := l.call(t, "ask", nil); !errors.Is(res.Cause, mcplayer.ErrNoSession) {
		t.Errorf("in-process: %v, want ErrNoSession", res.Cause)
	}
}

func samplingOf(text string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{
		Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
		MaxTokens: 10,
	}
}
