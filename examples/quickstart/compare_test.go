package main

import (
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestNormal(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer any
		want   string
	}{
		{
			"what differs by nature is left out",
			&mcp.CallToolResult{Meta: mcp.Meta{"cloudg/duration_ms": 3, "io.modelcontextprotocol/serverInfo": "x"}, StructuredContent: map[string]any{"error_id": 1, "b": 2}},
			`{"content":null,"structuredContent":{"b":2}}`,
		},
		{
			"other metadata stays",
			&mcp.CallToolResult{Meta: mcp.Meta{"cloudg/cache": "hit"}},
			`{"_meta":{"cloudg/cache":"hit"},"content":null}`,
		},
		{
			"an error of a session",
			wireError(&jsonrpc.Error{Code: -32602, Message: "no"}),
			`{"code":-32602,"message":"no"}`,
		},
		{
			"the same in-process",
			wireError(&mcplayer.Error{Code: -32602, Message: "no"}),
			`{"code":-32602,"message":"no"}`,
		},
	} {
		if got := normal(tt.answer); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
