package main

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// hiding shows everything but one tool.
type hiding struct {
	mcplayer.Policy
	tool string
}

func (h hiding) Bind(spec *mcplayer.Spec, p *mcplayer.Principal) *mcplayer.Access {
	if spec.Name == h.tool {
		return nil
	}
	return h.Policy.Bind(spec, p)
}

func TestHiddenIsUnknown(t *testing.T) {
	server := newServer()
	layer, err := mcplayer.New(&mcplayer.Options{Policy: hiding{policy.Open(), "wait"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	session := connectTo(t, server, layer)
	_, hidden := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "wait"})
	_, unknown := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "nope"})
	if hidden == nil || unknown == nil || strings.ReplaceAll(hidden.Error(), "wait", "nope") != unknown.Error() {
		t.Errorf("hidden: %v\nunknown: %v", hidden, unknown)
	}
}
