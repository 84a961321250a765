// The sdkserver command is an ordinary go-sdk server with all that the
// conformance suite asks for. With -layer, a layer stands around it.
package main

import (
	"context"
	"flag"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/conformance/everything"
	"github.com/cloudg/mcplayer/conformance/serve"
	"github.com/cloudg/mcplayer/policy"
)

func main() {
	layered := flag.Bool("layer", false, "mount a layer around the server")
	serve.Main(func(ctx context.Context) (serve.Server, error) {
		served := serve.Server{Server: newServer()}
		go everything.Watch(ctx, watched(served.Server))
		if !*layered {
			return served, nil
		}
		return served, wrap(served.Server)
	})
}

func wrap(server *mcp.Server) error {
	layer, err := mcplayer.New(&mcplayer.Options{Policy: policy.Open()})
	if err != nil {
		return err
	}
	return layer.Mount(server, nil)
}

func newServer() *mcp.Server {
	server := mcp.NewServer(
		&mcp.Implementation{Name: "mcplayer-conformance-sdk", Version: "1.0.0"},
		&mcp.ServerOptions{
			CompletionHandler:  complete,
			SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
			UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		},
	)
	addTools(server)
	addAsks(server)
	addRounds(server)
	addChanges(server)
	addResources(server)
	addPrompts(server)
	return server
}
