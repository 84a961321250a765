// The sdkserver command is an ordinary go-sdk server with all that the
// conformance suite asks for.
package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cloudg/mcplayer/conformance/everything"
	"github.com/cloudg/mcplayer/conformance/serve"
)

func main() {
	serve.Main(func(ctx context.Context) (*mcp.Server, error) {
		server := newServer()
		go everything.Watch(ctx, watched(server))
		return server, nil
	})
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
