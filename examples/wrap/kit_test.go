package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect returns a client of the wrapped server, over an in-memory transport.
func connect(t *testing.T) (*mcp.ClientSession, *strings.Builder) {
	t.Helper()
	var log strings.Builder
	server, layer, err := build(slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return connectTo(t, server, layer), &log
}

func connectTo(t *testing.T, server *mcp.Server, layer *mcplayer.Layer) *mcp.ClientSession {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), layer.WrapTransport(far), nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		if err := layer.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return session
}

func call(t *testing.T, session *mcp.ClientSession, tool, args string) *mcp.CallToolResult {
	t.Helper()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return res
}

// check compares whether a call failed, how, and with which text.
func check(t *testing.T, res *mcp.CallToolResult, code any, text string) {
	t.Helper()
	got := res.Content[0].(*mcp.TextContent).Text
	if res.IsError != (code != nil) || res.Meta["cloudg/error_code"] != code || got != text {
		t.Errorf("isError %t, code %v: %s\nwant %v: %s", res.IsError, res.Meta["cloudg/error_code"], got, code, text)
	}
}
