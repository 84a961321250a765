package main

import (
	"context"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A caller lists and calls tools. The scenes see nothing else of a server, so
// they play the same through any transport.
type caller interface {
	ListTools(ctx context.Context) ([]*mcp.Tool, error)
	// CallTool returns an error where the protocol has one: the tool is not
	// known, or the connection is gone. All other failures are results.
	CallTool(ctx context.Context, req request) (*mcp.CallToolResult, error)
}

// A request is one call of a tool.
type request struct {
	tool       string
	args       map[string]any
	onProgress func(done, total float64, message string) // may be nil
}

// inProcess calls the layer itself.
type inProcess struct {
	layer *mcplayer.Layer
	reg   *mcplayer.Registry
}

func (p inProcess) ListTools(context.Context) ([]*mcp.Tool, error) {
	var list []*mcp.Tool
	for _, spec := range p.reg.Specs() {
		list = append(list, &mcp.Tool{
			Name:        spec.Name,
			Description: spec.Description,
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: spec.IsReadOnly()},
		})
	}
	return list, nil
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
