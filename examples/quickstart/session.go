package main

import (
	"context"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// session calls a server with the SDK's client.
type session struct {
	*mcp.ClientSession
	progress *relay
}

func connect(ctx context.Context, t mcp.Transport) (session, error) {
	progress := &relay{}
	client := mcp.NewClient(&mcp.Implementation{Name: "quickstart", Version: "1.0.0"}, &mcp.ClientOptions{
		ProgressNotificationHandler: progress.hear,
	})
	cs, err := client.Connect(ctx, t, nil)
	return session{cs, progress}, err
}

func (s session) ListTools(ctx context.Context) ([]*mcp.Tool, error) {
	res, err := s.ClientSession.ListTools(ctx, nil)
	if err != nil {
		return nil, err
	}
	return res.Tools, nil
}

func (s session) ListTemplates(ctx context.Context) ([]*mcp.ResourceTemplate, error) {
	res, err := s.ListResourceTemplates(ctx, nil)
	if err != nil {
		return nil, err
	}
	return res.ResourceTemplates, nil
}

func (s session) CallTool(ctx context.Context, req request) (*mcp.CallToolResult, error) {
	params := &mcp.CallToolParams{Name: req.tool, Arguments: req.args}
	if req.onProgress == nil {
		return s.ClientSession.CallTool(ctx, params)
	}
	params.SetProgressToken(req.tool)
	complete := s.progress.listen(req.onProgress)
	defer s.progress.listen(nil)
	res, err := s.ClientSession.CallTool(ctx, params)
	if err == nil && !res.IsError { // the client may hear of the result before the last step
		select {
		case <-complete:
		case <-time.After(5 * time.Second):
		}
	}
	return res, err
}

func (s session) ReadResource(ctx context.Context, uri string) (*mcp.ReadResourceResult, error) {
	return s.ClientSession.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
}

func (s session) GetPrompt(ctx context.Context, name string, args map[string]string) (*mcp.GetPromptResult, error) {
	return s.ClientSession.GetPrompt(ctx, &mcp.GetPromptParams{Name: name, Arguments: args})
}

func (s session) Complete(ctx context.Context, q question) (*mcp.CompleteResult, error) {
	ref := &mcp.CompleteReference{Type: "ref/prompt", Name: q.name}
	if q.kind == mcplayer.KindResourceTemplate {
		ref = &mcp.CompleteReference{Type: "ref/resource", URI: q.name}
	}
	return s.ClientSession.Complete(ctx, &mcp.CompleteParams{
		Ref:      ref,
		Argument: mcp.CompleteParamsArgument{Name: q.argument, Value: q.value},
	})
}
