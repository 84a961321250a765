package main

import (
	"context"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inProcess calls the layer itself, as a unit test would.
type inProcess struct {
	layer *mcplayer.Layer
	as    *mcplayer.Principal // nil: the local user
}

// addInProcess starts an inventory in this process.
func (t *troupe) addInProcess(to *[]place, name string, p mcplayer.Policy) error {
	log := &journal{}
	layer, err := t.inventoryHere(server.Config{MaxOutputChars: maxOutput, Policy: p, Logger: log.logger()})
	if err == nil {
		*to = append(*to, place{name, inProcess{layer: layer}, log})
	}
	return err
}

// inventoryHere makes an inventory with the demo's tools and returns its layer.
func (t *troupe) inventoryHere(c server.Config) (*mcplayer.Layer, error) {
	c.Demo = true
	s, err := server.New(c)
	if err != nil {
		return nil, err
	}
	t.closers = append(t.closers, func() error { return s.Layer.Close(context.Background()) })
	return s.Layer, nil
}

// options returns those of every call.
func (p inProcess) options() []mcplayer.CallOption {
	if p.as == nil {
		return nil
	}
	return []mcplayer.CallOption{mcplayer.As(p.as)}
}

func (p inProcess) ListTools(ctx context.Context) ([]*mcp.Tool, error) {
	return p.layer.ListTools(ctx, p.options()...), nil
}

func (p inProcess) ListTemplates(ctx context.Context) ([]*mcp.ResourceTemplate, error) {
	return p.layer.ListResourceTemplates(ctx, p.options()...), nil
}

func (p inProcess) CallTool(ctx context.Context, req request) (*mcp.CallToolResult, error) {
	opts := p.options()
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
	res, err := p.layer.ReadResource(ctx, uri, p.options()...)
	if err != nil {
		return nil, err
	}
	return res.ToWire(), nil
}

func (p inProcess) GetPrompt(ctx context.Context, name string, args map[string]string) (*mcp.GetPromptResult, error) {
	res, err := p.layer.GetPrompt(ctx, name, args, p.options()...)
	if err != nil {
		return nil, err
	}
	return res.ToWire(), nil
}

func (p inProcess) Complete(ctx context.Context, q question) (*mcp.CompleteResult, error) {
	res, err := p.layer.Complete(ctx, mcplayer.CompletionRef{Kind: q.kind, Name: q.name},
		mcplayer.CompletionInput{Argument: q.argument, Value: q.value}, p.options()...)
	if err != nil {
		return nil, err
	}
	return res.ToWire(), nil
}
