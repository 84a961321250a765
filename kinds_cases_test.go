package mcplayer_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What a list does not show cannot be used by its name either.
func TestWhatIsNotListedCannotBeUsed(t *testing.T) {
	ran := 0
	handler := func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { ran++; return "ran", nil }
	l := newLab(t, mcplayer.Options{}, returning("danger", result.Text("ran")), returning("admin_reset", result.Text("ran")), returning("ping", result.Text("pong")),
		reading("docs://admin/x", handler), func(r *mcplayer.Registry) {
			mcplayer.AddPrompt(r, mcplayer.Prompt{Name: "p_admin", Arguments: []mcplayer.PromptArgument{{Name: "a", Complete: func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
				ran++
				return []string{"ran"}, nil
			}}}}, handler)
		})
	l.pol.hidden = map[string]bool{"danger": true, "admin_reset": true, "p_admin": true, "docs://admin/x": true}
	p := raw(t, l.Layer, mounted(t, l, nil))
	if got := p.ask(t, "tools/list", `{}`); !strings.Contains(got, `"name":"ping"`) || strings.Contains(got, "danger") || strings.Contains(got, "admin") {
		t.Errorf("tools: %s", got)
	}
	same(t, p.ask(t, "tools/call", `{"name":"danger","arguments":{}}`), `{"code":-32602,"message":"Unknown tool: danger"}`)
	same(t, p.ask(t, "tools/call", `{"name":"admin_reset","arguments":{}}`), `{"code":-32602,"message":"Unknown tool: admin_reset"}`)
	same(t, p.ask(t, "prompts/list", `{}`), `{"cacheScope":"private","prompts":[],"ttlMs":0}`)
	same(t, p.ask(t, "prompts/get", `{"name":"p_admin","arguments":{}}`), unknownPrompt("p_admin"))
	same(t, p.ask(t, "resources/list", `{}`), `{"cacheScope":"private","resources":[],"ttlMs":0}`)
	same(t, p.ask(t, "resources/read", `{"uri":"docs://admin/x"}`), unknownResource("docs://admin/x"))
	same(t, p.ask(t, "completion/complete", `{"ref":{"type":"ref/prompt","name":"p_admin"},"argument":{"name":"a","value":""}}`), nothingProposed)
	if ran > 0 || len(l.pol.missing) != 5 {
		t.Errorf("%d handlers ran; recorded %v", ran, l.pol.missing)
	}
}

func TestUnknownNamesAndMethods(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("ping", result.Text("pong")))
	p := raw(t, l.Layer, mounted(t, l, nil))
	same(t, p.ask(t, "tools/call", `{"name":"pong","arguments":{}}`), `{"code":-32602,"message":"Unknown tool: pong"}`)
	same(t, p.ask(t, "prompts/get", `{"name":"nope"}`), unknownPrompt("nope"))
	if got := p.ask(t, "foo/bar", `{}`); !strings.HasPrefix(got, `{"code":-32601,`) {
		t.Errorf("got %s", got)
	}
	if len(l.pol.missing) != 2 {
		t.Errorf("recorded %v", l.pol.missing)
	}
}

// What is empty is an empty list on the wire, never null and never missing.
func TestEmptyResultsOnTheWire(t *testing.T) {
	type withList struct {
		List []string `json:"list"`
	}
	l := newLab(t, mcplayer.Options{}, returning("a", &result.ToolResult{}), returning("b", nil), returning("c", withList{}),
		returning("d", &result.ToolResult{Content: []mcp.Content{}}), fixed("cloudg://x", nil),
		prompting("p", nil, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
			return &result.Prompt{}, nil
		}))
	server := mounted(t, l, nil)
	for _, version := range []string{legacy, modern} {
		p := dial(t, l.Layer, server, version, nil, nil)
		for name, want := range map[string]string{
			"a": `"content":[]`, "b": `"content":[]`, "c": `"structuredContent":{"list":[]}`, "d": `"content":[]`,
		} {
			_, _ = p.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
			if got := p.last(t); !strings.Contains(got, want) || strings.Contains(got, "null") {
				t.Errorf("%s: got %s", name, got)
			}
		}
		same(t, p.read(t, "cloudg://x"), `{"cacheScope":"private","contents":[],"ttlMs":0}`)
		same(t, p.render(t, "p", nil), `{"messages":[]}`)
	}
}
