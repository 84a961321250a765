package main

import (
	"context"
	"log/slog"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inProcess calls the layer itself, as a unit test would.
type inProcess struct{ layer *mcplayer.Layer }

func (t *troupe) addInProcess(name string) error {
	log := &journal{}
	s, err := server.New(server.Config{Demo: true, MaxOutputChars: maxOutput, Logger: slog.New(slog.NewJSONHandler(log, nil))})
	if err != nil {
		return err
	}
	t.closers = append(t.closers, func() error { return s.Layer.Close(context.Background()) })
	t.inventory = append(t.inventory, place{name, inProcess{s.Layer}, log})
	return nil
}

func (p inProcess) ListTools(ctx context.Context) ([]*mcp.Tool, error) {
	return p.layer.ListTools(ctx), nil
}

func (p inProcess) ListTemplates(ctx context.Context) ([]*mcp.ResourceTemplate, error) {
	return p.layer.ListResourceTemplates(ctx), nil
}

func (p inProcess) CallTool(ctx context.Context, req request) (*mcp.CallToolResult, error) {
	var opts []mcplayer.CallOption
	if req.onProgress != nil {
		opts = append(opts, mcplayer.OnProgress(func(at mcplayer.Progress) {
			req.onProgress(at.Done, at.Total, at.Message)
		}))
	}
	res, err := p.layer.CallTool(ctx, req.tool, req.args, opts...)
	if err != nil {
		return nil, err
	}
	return res.ToWire(), nil
}

func (p inProcess) ReadResource(ctx context.Context, uri string) (*mcp.ReadResourceResult, error) {
	res, err := p.layer.ReadResource(ctx, uri)
	if err != nil {
		return nil, err
	}
	return res.ToWire(), nil
}

func (p inProcess) GetPrompt(ctx context.Context, name string, args map[string]string) (*mcp.GetPromptResult, error) {
	res, err := p.layer.GetPrompt(ctx, name, args)
	if err != nil {
		return nil, err
	}
	return res.ToWire(), nil
}

func (p inProcess) Complete(ctx context.Context, q question) (*mcp.CompleteResult, error) {
	res, err := p.layer.Complete(ctx, mcplayer.CompletionRef{Kind: q.kind, Name: q.name},
		mcplayer.CompletionInput{Argument: q.argument, Value: q.value})
	if err != nil {
		return nil, err
	}
	return res.ToWire(), nil
}
