package mcplayer_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestPromptLookup(t *testing.T) {
	for _, prefix := range []string{"", "app_"} {
		t.Run("prefix "+prefix, func(t *testing.T) {
			var calls []seen
			l := newLab(t, mcplayer.Options{Prefix: prefix, Middleware: []mcplayer.Middleware{watch(&calls)}},
				prompting("review", []string{"a"}, tellArgs), prompting("secret", nil, tellArgs))
			l.pol.hidden = map[string]bool{"secret": true}
			server := mounted(t, l, nil)
			everywhere(t, l, server, func(t *testing.T, c caller) {
				calls, l.pol.missing = nil, nil
				same(t, c.render(t, prefix+"review", map[string]string{"a": "1"}), userSays(`{"a":"1"}`))
				if want := []seen{{mcplayer.KindPrompt, "review", `{"a":"1"}`}}; !slices.Equal(calls, want) {
					t.Errorf("saw %v, want %v", calls, want)
				}
				calls = nil
				unknown := []string{prefix + "nope", prefix + "secret", prefix + "Review", prefix + "review/"}
				if prefix != "" {
					unknown = append(unknown, "review", prefix+prefix+"review")
				}
				for _, name := range unknown {
					same(t, c.render(t, name, map[string]string{"a": "1"}), unknownPrompt(name))
				}
				if len(calls) > 0 || len(l.pol.missing) != len(unknown) {
					t.Errorf("the chain saw %v; recorded %v", calls, l.pol.missing)
				}
				for i, m := range l.pol.missing {
					m.principal = ""
					want := missing{mcplayer.KindPrompt, unknown[i], false, ""}
					if unknown[i] == prefix+"secret" {
						want = missing{mcplayer.KindPrompt, "secret", true, ""}
					}
					if m != want {
						t.Errorf("recorded %v, want %v", m, want)
					}
				}
			})
		})
	}
}

// The required arguments are checked after policy and input pipeline; the handler
// gets what is declared.
func TestPromptArguments(t *testing.T) {
	tests := []struct {
		name string
		args map[string]string
		want string
	}{
		{"none", nil, `{"code":-32602,"data":[{"loc":"repo","msg":"is required","type":"missing"},{"loc":"topic","msg":"is required","type":"missing"}],"message":"Missing required prompt arguments: repo, topic"}`},
		{"one", map[string]string{"repo": "r"}, `{"code":-32602,"data":[{"loc":"topic","msg":"is required","type":"missing"}],"message":"Missing required prompt arguments: topic"}`},
		{"an empty one", map[string]string{"repo": "", "topic": "t"}, `{"code":-32602,"data":[{"loc":"repo","msg":"is required","type":"missing"}],"message":"Missing required prompt arguments: repo"}`},
		{"a blank one", map[string]string{"repo": "r", "topic": " \t\n\u00a0"}, `{"code":-32602,"data":[{"loc":"topic","msg":"is required","type":"missing"}],"message":"Missing required prompt arguments: topic"}`},
		{"all", map[string]string{"repo": "r", "topic": "t"}, "Review r about t in "},
		{"an optional one", map[string]string{"repo": "r", "topic": "t", "style": "prose"}, "Review r about t in prose"},
		{"one that is not declared", map[string]string{"repo": "r", "topic": "t", "x": "1"}, "Review r about t in "},
		{"texts as they are", map[string]string{"repo": " <r>\u0000", "topic": "\u2028t\""}, "Review  <r>\u0000 about \u2028t\" in "},
	}
	var calls []seen
	rendered := 0
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{watch(&calls)}},
		prompting("review", []string{"repo!", "topic!", "style"}, func(_ context.Context, _ *mcplayer.ToolContext, args map[string]string) (any, error) {
			rendered++
			if args["x"] != "" {
				t.Errorf("the handler got %v", args)
			}
			return fmt.Sprintf("Review %s about %s in %s", args["repo"], args["topic"], args["style"]), nil
		}))
	server := mounted(t, l, nil)
	everywhere(t, l, server, func(t *testing.T, c caller) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				calls, rendered, l.pol.checked = nil, 0, nil
				want, ran := tt.want, 0
				if !strings.HasPrefix(want, "{") {
					want, ran = userSays(want), 1
				}
				same(t, c.render(t, "review", tt.args), want)
				if len(calls) != 1 || len(l.pol.checked) != 1 || rendered != ran {
					t.Errorf("middleware saw %v, the policy %v, %d renderings", calls, l.pol.checked, rendered)
				}
			})
		}
	})
}

func TestPromptArgumentsThatAreNoStrings(t *testing.T) {
	var calls []seen
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{watch(&calls)}}, prompting("review", []string{"topic!"}, tellArgs))
	p := raw(t, l.Layer, mounted(t, l, nil))
	answer := p.ask(t, "prompts/get", `{"name":"review","arguments":{"topic":5}}`)
	if !strings.Contains(answer, `"code":-32602`) || len(calls) > 0 {
		t.Errorf("got %s; the chain saw %v", answer, calls)
	}
	same(t, p.ask(t, "prompts/get", `{"name":"review","arguments":{"topic":"x"}}`), userSays(`{"topic":"x"}`))
	same(t, p.ask(t, "prompts/get", `{"name":"nope"}`), unknownPrompt("nope"))
	if got := p.ask(t, "foo/bar", `{}`); !strings.Contains(got, `"code":-32601`) {
		t.Errorf("unknown method: %s", got)
	}
}

func TestPromptArgumentsTooLarge(t *testing.T) {
	l := newLab(t, mcplayer.Options{MaxArgumentBytes: 20}, prompting("p", []string{"a"}, tellArgs))
	same(t, l.render(t, "p", map[string]string{"a": strings.Repeat("x", 20)}),
		`{"code":-32602,"data":[{"loc":"","msg":"larger than the allowed 20 bytes","type":"length"}],"message":"Invalid arguments: larger than the allowed 20 bytes"}`)
	same(t, l.render(t, "p", map[string]string{"a": "\xff"}), userSays(`{"a":"�"}`))
}

func TestPromptHandlersReturn(t *testing.T) {
	message := &mcp.PromptMessage{Role: "assistant", Content: &mcp.TextContent{Text: "t", Meta: mcp.Meta{"k": 1}}}
	const kept = `{"messages":[{"content":{"_meta":{"k":1},"text":"t","type":"text"},"role":"assistant"}]}`
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{"string", "<a> & é", userSays("<a> & é")},
		{"empty string", "", userSays("")},
		{"a message", message, kept},
		{"messages", []*mcp.PromptMessage{message, message}, `{"messages":[{"content":{"_meta":{"k":1},"text":"t","type":"text"},"role":"assistant"},{"content":{"_meta":{"k":1},"text":"t","type":"text"},"role":"assistant"}]}`},
		{"no messages", []*mcp.PromptMessage{}, `{"messages":[]}`},
		{"nil messages", []*mcp.PromptMessage(nil), `{"messages":[]}`},
		{
			"a result of the SDK", &mcp.GetPromptResult{Description: "d", Messages: []*mcp.PromptMessage{message}, Meta: mcp.Meta{"m": 1, "cloudg/x": 2}},
			`{"_meta":{"m":1},"description":"d","messages":[{"content":{"_meta":{"k":1},"text":"t","type":"text"},"role":"assistant"}]}`,
		},
		{"a result", &result.Prompt{Description: "d"}, `{"description":"d","messages":[]}`},
		{"nil", nil, `{"code":-32603,"message":"errorString: the prompt handler returned nothing"}`},
		{"no result of the SDK", (*mcp.GetPromptResult)(nil), `{"code":-32603,"message":"errorString: the prompt handler returned nothing"}`},
		{"no result", (*result.Prompt)(nil), `{"code":-32603,"message":"errorString: the prompt handler returned nothing"}`},
		{"nil message", (*mcp.PromptMessage)(nil), `{"code":-32603,"message":"errorString: messages[0] is nil"}`},
		{"nil in a list", []*mcp.PromptMessage{message, nil}, `{"code":-32603,"message":"errorString: messages[1] is nil"}`},
		{"a message without content", &mcp.PromptMessage{Role: "user"}, `{"code":-32603,"message":"wrapError: messages[0]: the block is nil"}`},
		{"a typed nil", &mcp.PromptMessage{Content: (*mcp.TextContent)(nil)}, `{"code":-32603,"message":"wrapError: messages[0]: the block is nil"}`},
		{"a number", 5, `{"code":-32603,"message":"errorString: the prompt handler returned a int; allowed are a string, messages and a prompt result"}`},
		{"a value in place of a pointer", mcp.GetPromptResult{}, `{"code":-32603,"message":"errorString: the prompt handler returned a mcp.GetPromptResult; allowed are a string, messages and a prompt result"}`},
		{"bytes", []byte("x"), `{"code":-32603,"message":"errorString: the prompt handler returned a []uint8; allowed are a string, messages and a prompt result"}`},
		{"a tool's result", result.Text("x"), `{"code":-32603,"message":"errorString: the prompt handler returned a *result.ToolResult; allowed are a string, messages and a prompt result"}`},
		{"what cannot be encoded", make(chan int), `{"code":-32603,"message":"errorString: the prompt handler returned a chan int; allowed are a string, messages and a prompt result"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, prompting("p", nil, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return tt.value, nil }))
			server := mounted(t, l, nil)
			everywhere(t, l, server, func(t *testing.T, c caller) {
				same(t, c.render(t, "p", nil), tt.want)
				same(t, c.render(t, "p", nil), tt.want)
			})
		})
	}
}

func TestPromptOutput(t *testing.T) {
	size := int64(3)
	value := &result.Prompt{
		Description: "a secret",
		Meta:        mcp.Meta{"k": "secret"},
		Messages: []*mcp.PromptMessage{
			{Role: "user", Content: &mcp.TextContent{Text: "secret", Meta: mcp.Meta{"k": "secret"}}},
			{Role: "user", Content: &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "x://secret", Text: "secret", Meta: mcp.Meta{"k": "secret"}}}},
			{Role: "user", Content: &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "x://y", Blob: []byte("secret")}}},
			{Role: "user", Content: &mcp.ResourceLink{URI: "x://secret", Name: "secret", Title: "secret", Description: "secret", Size: &size, Icons: []mcp.Icon{{Source: "x://secret"}}}},
			{Role: "user", Content: &mcp.ImageContent{MIMEType: "image/png", Data: []byte("secret\x00")}},
			{Role: "user", Content: &mcp.AudioContent{MIMEType: "text/secret", Data: []byte("secret")}},
		},
	}
	const want = `{"_meta":{"k":"[gone]"},"description":"a [gone]","messages":[` +
		`{"content":{"_meta":{"k":"[gone]"},"text":"[gone]","type":"text"},"role":"user"},` +
		`{"content":{"resource":{"_meta":{"k":"[gone]"},"text":"[gone]","uri":"x://[gone]"},"type":"resource"},"role":"user"},` +
		`{"content":{"resource":{"blob":"W2dvbmVd","uri":"x://y"},"type":"resource"},"role":"user"},` +
		`{"content":{"description":"[gone]","icons":[{"src":"x://[gone]"}],"name":"[gone]","size":3,"title":"[gone]","type":"resource_link","uri":"x://[gone]"},"role":"user"},` +
		`{"content":{"data":"c2VjcmV0AA==","mimeType":"image/png","type":"image"},"role":"user"},` +
		`{"content":{"data":"W2dvbmVd","mimeType":"text/[gone]","type":"audio"},"role":"user"}]}`
	l := newLab(t, mcplayer.Options{}, prompting("p", nil, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return value, nil }))
	l.pol.output = censor{}
	server := mounted(t, l, nil)
	everywhere(t, l, server, func(t *testing.T, c caller) {
		same(t, c.render(t, "p", nil), want)
		same(t, c.render(t, "p", nil), want) // the handler's own value stays as it is
	})
}
