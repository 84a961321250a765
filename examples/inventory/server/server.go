// Package server puts the inventory example together: a registry of tools,
// resources and prompts, the layer over it, and the SDK's server under the layer.
package server

import (
	"log/slog"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
	"github.com/cloudg/mcplayer/examples/inventory/prompts"
	"github.com/cloudg/mcplayer/examples/inventory/resources"
	"github.com/cloudg/mcplayer/examples/inventory/tools"
	"github.com/cloudg/mcplayer/policy"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Config says what the server serves and how. The zero Config is a server
// without the demo's tools that logs to slog's default.
type Config struct {
	// Demo adds the tools that misbehave.
	Demo bool
	// MaxOutputChars bounds the text of a result; 0 means the layer's default.
	MaxOutputChars int
	// Policy decides who may call what; nil lets everybody call everything.
	Policy mcplayer.Policy
	// Middleware stands around every call, outermost first.
	Middleware []mcplayer.Middleware
	// Logger gets what clients must not see.
	Logger *slog.Logger
}

// Server is the inventory as an MCP server.
type Server struct {
	Layer  *mcplayer.Layer // for calls in-process
	server *mcp.Server
	logger *slog.Logger
}

// New builds a server.
func New(c Config) (*Server, error) {
	inv, err := catalog.Load()
	if err != nil {
		return nil, err
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Policy == nil {
		c.Policy = policy.Open()
	}
	reg := mcplayer.NewRegistry()
	tools.Register(reg, inv, nil)
	resources.Register(reg, inv)
	prompts.Register(reg, inv)
	if c.Demo {
		tools.RegisterDemo(reg, inv)
	}
	layer, err := mcplayer.New(&mcplayer.Options{
		Registry:       reg,
		Policy:         c.Policy,
		Middleware:     c.Middleware,
		MaxOutputChars: c.MaxOutputChars,
		Logger:         c.Logger,
	})
	if err != nil {
		return nil, err
	}
	// ServerOptions has what the SDK takes only here; Mount does all the rest.
	server := mcp.NewServer(&mcp.Implementation{Name: "inventory", Version: "1.0.0"},
		layer.ServerOptions(&mcp.ServerOptions{Logger: c.Logger}))
	if err := layer.Mount(server, nil); err != nil {
		return nil, err
	}
	return &Server{layer, server, c.Logger}, nil
}
