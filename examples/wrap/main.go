// Command wrap is a server as one may have it already, written for the SDK alone,
// made safe with one line: the call of Mount at the end of build. Its tools stay
// as they are.
package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	logger := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	server, layer, err := build(logger)
	if err == nil {
		err = layer.Run(context.Background(), server, &mcp.StdioTransport{})
		err = errors.Join(err, layer.Close(context.Background()))
	}
	if err != nil {
		logger.Error("the server failed", slog.Any("error", err))
		os.Exit(1)
	}
}

func build(logger *slog.Logger) (*mcp.Server, *mcplayer.Layer, error) {
	server := newServer()
	layer, err := mcplayer.New(&mcplayer.Options{Policy: policy.Open(), Timeout: time.Second, Logger: logger})
	if err != nil {
		return nil, nil, err
	}
	// This is the one line; what it says of a tool is optional.
	return server, layer, layer.Mount(server, &mcplayer.MountOptions{HostTools: map[string]mcplayer.HostFacts{
		"divide": {Category: "numbers", Sensitivity: mcplayer.Public},
	}})
}

// newServer knows nothing of the layer.
func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "numbers", Version: "1.0.0"}, nil)
	readOnly := &mcp.ToolAnnotations{ReadOnlyHint: true}
	mcp.AddTool(server, &mcp.Tool{Name: "divide", Description: "Divide a by b.", Annotations: readOnly}, divide)
	mcp.AddTool(server, &mcp.Tool{Name: "wait", Description: "Wait for an hour."}, wait)
	server.AddResource(&mcp.Resource{URI: "numbers://pi", Name: "pi", MIMEType: "text/plain"}, readPi)
	server.AddPrompt(&mcp.Prompt{Name: "explain", Description: "Ask for a division in words."}, explain)
	return server
}

type operands struct {
	A int `json:"a" jsonschema:"what is divided"`
	B int `json:"b" jsonschema:"what it is divided by"`
}

type quotient struct {
	Value int `json:"value"`
}

// divide panics when b is 0, which would end the process.
func divide(_ context.Context, _ *mcp.CallToolRequest, in operands) (*mcp.CallToolResult, quotient, error) {
	return nil, quotient{in.A / in.B}, nil
}

// wait takes too long for anybody.
func wait(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	select {
	case <-time.After(time.Hour):
		return nil, nil, nil
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

func readPi(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "numbers://pi", Text: "3.14159"}}}, nil
}

func explain(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	question := &mcp.TextContent{Text: "Divide 7 by 2 and explain the rest."}
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: question}}}, nil
}
