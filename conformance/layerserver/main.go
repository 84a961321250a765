// The layerserver command has all that the conformance suite asks for in a
// registry of the layer's own; the go-sdk server around it is empty.
package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/conformance/everything"
	"github.com/cloudg/mcplayer/conformance/serve"
	"github.com/cloudg/mcplayer/policy"
)

func main() { serve.Main(build) }

func build(ctx context.Context) (serve.Server, error) {
	layer, err := mcplayer.New(&mcplayer.Options{Registry: newRegistry(), Policy: policy.Open()})
	if err != nil {
		return serve.Server{}, err
	}
	server := mcp.NewServer(
		&mcp.Implementation{Name: "mcplayer-conformance-layer", Version: "1.0.0"},
		layer.ServerOptions(nil),
	)
	if err := layer.Mount(server, nil); err != nil {
		return serve.Server{}, err
	}
	go everything.Watch(ctx, watched(layer))
	return serve.Server{Server: server, Layer: layer}, nil
}

func newRegistry() *mcplayer.Registry {
	reg := mcplayer.NewRegistry()
	addTools(reg)
	addReports(reg)
	addAsks(reg)
	addRounds(reg)
	addChanges(reg)
	addResources(reg)
	addPrompts(reg)
	return reg
}
