package mcplayer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// cancelled sends a request, waits for started, cancels it and returns the answer's raw bytes.
func (p *rawPeer) cancelled(t testing.TB, method, params string, started <-chan struct{}) string {
	t.Helper()
	p.id++
	id, _ := jsonrpc.MakeID(float64(p.id))
	p.write(t, &jsonrpc.Request{ID: id, Method: method, Params: json.RawMessage(params)})
	<-started
	p.write(t, &jsonrpc.Request{Method: "notifications/cancelled", Params: json.RawMessage(fmt.Sprintf(`{"requestId":%d}`, p.id))})
	for {
		msg, err := p.conn.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if res, ok := msg.(*jsonrpc.Response); ok && res.ID == id {
			doc, _ := jsonrpc.EncodeMessage(res)
			return string(doc)
		}
	}
}

// The SDK answers a cancelled request with the error that it gets: nothing of the
// handler's may be in it.
func TestCancelledCallTellsNothing(t *testing.T) {
	for _, kind := range []string{"resource", "prompt", "tool"} {
		for name, fail := range map[string]func(error) error{
			"plain": func(err error) error { return fmt.Errorf("query on secret-db-17: %w", err) },
			"layer": func(err error) error {
				return &mcplayer.Error{Code: -31500, Message: "query on secret-db-17", Data: map[string]any{"dsn": "secret://x"}, Err: err}
			},
		} {
			t.Run(kind+"/"+name, func(t *testing.T) {
				started := make(chan struct{}, 1)
				wait := func(ctx context.Context) (any, error) {
					started <- struct{}{}
					<-ctx.Done()
					return nil, fail(ctx.Err())
				}
				l := newLab(t, mcplayer.Options{HideErrors: true, Timeout: -1, Policy: &scripted{output: censor{}}},
					reading("cloudg://r", func(ctx context.Context, _ *mcplayer.ToolContext, _ map[string]string) (any, error) { return wait(ctx) }),
					prompting("p", nil, func(ctx context.Context, _ *mcplayer.ToolContext, _ map[string]string) (any, error) { return wait(ctx) }),
					tool("t", func(ctx context.Context, _ *mcplayer.ToolContext, _ jsontext.Value) (any, error) { return wait(ctx) }))
				p := raw(t, l.Layer, mounted(t, l, nil))
				var got string
				switch kind {
				case "resource":
					got = p.cancelled(t, "resources/read", `{"uri":"cloudg://r"}`, started)
				case "prompt":
					got = p.cancelled(t, "prompts/get", `{"name":"p"}`, started)
				case "tool":
					got = p.cancelled(t, "tools/call", `{"name":"t","arguments":{}}`, started)
				}
				if strings.Contains(got, "secret") {
					t.Errorf("on the wire: %s", got)
				}
			})
		}
	}
}

// nilPass is a pipeline that begins nothing.
type nilPass struct{}

func (nilPass) Begin(context.Context, mcplayer.CallInfo) mcplayer.Pass { return nil }

func TestPipelineThatBeginsNothingWithholds(t *testing.T) {
	l := newLab(t, mcplayer.Options{Policy: &scripted{output: nilPass{}}}, returning("get", map[string]string{"a": "secret"}), fixed("cloudg://r", "secret"))
	if got := l.wire(t, "get", nil); strings.Contains(got, "secret") {
		t.Errorf("tool: %s", got)
	}
	if got := l.read(t, "cloudg://r"); strings.Contains(got, "secret") {
		t.Errorf("resource: %s", got)
	}
}

func TestInputPipelineErrorOfAnAnswerIsPrivateAndRecorded(t *testing.T) {
	n := 0
	pol := &scripted{input: broken{json: func(doc jsontext.Value) (jsontext.Value, error) {
		if bytes.Contains(doc, []byte("hunter2")) {
			n++
			return nil, errPipeline // "rule 7 choked on hunter2"
		}
		return doc, nil
	}}}
	l := newLab(t, mcplayer.Options{Policy: pol}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		if tc.InputResponses() == nil {
			return result.AskInput(mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: "who?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)}}, ""), nil
		}
		return "done", nil
	}))
	server := mounted(t, l, nil)
	for _, era := range []string{legacy, modern} {
		t.Run(era, func(t *testing.T) {
			p := dial(t, l.Layer, server, era, nil, &mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"a": "hunter2"}}, nil
			}})
			pol.rejected = nil
			_, _ = p.CallTool(t.Context(), &mcp.CallToolParams{Name: "get"})
			if got := p.last(t); strings.Contains(got, "hunter2") {
				t.Errorf("the client reads the private text: %s", got)
			}
			if len(pol.rejected) != 1 {
				t.Errorf("rejected %q, want one", pol.rejected)
			}
		})
	}
	if n == 0 {
		t.Fatal("the pipeline was not asked")
	}
}

func TestAnswersPassTheInputPipeline(t *testing.T) {
	var heard string
	pol := &scripted{input: broken{
		json: func(doc jsontext.Value) (jsontext.Value, error) {
			return bytes.ReplaceAll(doc, []byte("pseudo"), []byte("real")), nil
		},
		text: func(s string) (string, error) { return strings.ReplaceAll(s, "pseudo", "real"), nil },
	}}
	l := newLab(t, mcplayer.Options{Policy: pol}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		if tc.InputResponses() == nil {
			return result.AskInput(mcp.InputRequestMap{
				"s": &mcp.CreateMessageWithToolsParams{MaxTokens: 5, Messages: []*mcp.SamplingMessageV2{{Role: "user", Content: []mcp.Content{&mcp.TextContent{Text: "hi"}}}}},
				"r": &mcp.ListRootsParams{},
			}, ""), nil
		}
		doc, _ := json.Marshal(tc.InputResponses())
		heard = string(doc)
		return "done", nil
	}))
	server := mounted(t, l, nil)
	ctx := t.Context()
	inner, outer := mcp.NewInMemoryTransports()
	go func() { _ = l.Run(ctx, server, inner) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, &mcp.ClientOptions{
		CreateMessageWithToolsHandler: func(context.Context, *mcp.CreateMessageWithToolsRequest) (*mcp.CreateMessageWithToolsResult, error) {
			return &mcp.CreateMessageWithToolsResult{Model: "m", Role: "assistant", Content: []mcp.Content{
				&mcp.ToolUseContent{ID: "1", Name: "x", Input: map[string]any{"host": "pseudo-1"}},
				&mcp.TextContent{Text: "pseudo-2"},
			}}, nil
		},
	})
	client.AddRoots(&mcp.Root{URI: "file:///pseudo-3", Name: "pseudo-4"})
	s, err := client.Connect(ctx, outer, &mcp.ClientSessionOptions{ProtocolVersion: legacy})
	if err != nil {
		t.Fatal(err)
	}
	res, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "get"})
	if err != nil || res.IsError {
		t.Fatal(err, res)
	}
	if heard == "" || strings.Contains(heard, "pseudo") {
		t.Errorf("the handler reads %s", heard)
	}
	_ = s.Close()
}

// A deadline of the policy's own is not the caller's.
func TestPrivateErrorThatTimedOut(t *testing.T) {
	err := fmt.Errorf("vault redis://u:hunter2@10.0.0.7: %w", context.DeadlineExceeded) // the vault's own deadline; the caller is there
	for name, pol := range map[string]*scripted{
		"check": {check: func(context.Context, mcplayer.CallInfo) error { return err }},
		"input": {input: broken{json: func(jsontext.Value) (jsontext.Value, error) { return nil, err }}},
	} {
		l := newLab(t, mcplayer.Options{Policy: pol}, returning("get", 1), fixed("cloudg://r", 1))
		if got := l.wire(t, "get", nil); strings.Contains(got, "hunter2") {
			t.Errorf("%s: %s", name, got)
		}
		if got := l.read(t, "cloudg://r"); strings.Contains(got, "hunter2") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestFieldsOfALinkPass(t *testing.T) {
	l := newLab(t, mcplayer.Options{Policy: &scripted{output: censor{}}},
		tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
			tc.Link(&mcp.ResourceLink{
				URI: "a://b", Name: "n",
				Annotations: &mcp.Annotations{LastModified: "secret-time", Audience: []mcp.Role{"secret-role"}},
				Icons:       []mcp.Icon{{Source: "x", MIMEType: "secret/mime", Sizes: []string{"secret-size"}, Theme: "secret-theme"}},
			})
			return "ok", nil
		}))
	if got := l.wire(t, "get", nil); strings.Contains(got, "secret") {
		t.Errorf("%s", got)
	}
}

func TestFieldsOfBlocksPass(t *testing.T) {
	ann := func() *mcp.Annotations { return &mcp.Annotations{LastModified: "secret-ann"} }
	for name, value := range map[string]any{
		"text annotations": result.Content(&mcp.TextContent{Text: "x", Annotations: ann()}),
		"image mime":       result.Content(&mcp.ImageContent{Data: []byte("x"), MIMEType: "secret/mime"}),
		"embedded mime":    result.Content(&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "a://b", MIMEType: "secret/mime", Text: "x"}}),
		"state":            &result.ToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "x"}}, Input: result.Input{State: "secret-state"}},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{Policy: &scripted{output: censor{}}}, returning("get", value))
			if got := l.wire(t, "get", nil); strings.Contains(got, "secret") {
				t.Errorf("%s", got)
			}
		})
	}
	l := newLab(t, mcplayer.Options{Policy: &scripted{output: censor{}}},
		fixed("cloudg://r", &mcp.ResourceContents{Text: "x", MIMEType: "secret/mime"}),
		prompting("p", nil, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
			return []*mcp.PromptMessage{{Role: "secret-role", Content: &mcp.TextContent{Text: "x"}}}, nil
		}))
	if got := l.read(t, "cloudg://r"); strings.Contains(got, "secret") {
		t.Errorf("resource: %s", got)
	}
	if got := l.render(t, "p", nil); strings.Contains(got, "secret") {
		t.Errorf("prompt: %s", got)
	}
}

func TestHideErrorsOfAHostTool(t *testing.T) {
	l := newLab(t, mcplayer.Options{HideErrors: true})
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "get"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("dial tcp db-17.internal: password hunter2 refused")
	})
	mounted(t, l, server)
	p := dial(t, l.Layer, server, legacy, nil, nil)
	_, _ = p.CallTool(t.Context(), &mcp.CallToolParams{Name: "get"})
	if got := p.last(t); strings.Contains(got, "hunter2") {
		t.Errorf("%s", got)
	}
}

// The input pipeline may turn what a client names into what it must not learn of.
func TestInputPipelineCannotLeadToWhatIsHidden(t *testing.T) {
	for to, want := range map[string]string{
		"open":   `"text":"read open"`,
		"secret": `"message":"Unknown resource: cloudg://d/pseudo"`,
		"..":     `"code":-32602`,
	} {
		pol := &hiding{hides: "cloudg://d/secret", scripted: scripted{input: broken{json: func(doc jsontext.Value) (jsontext.Value, error) {
			return bytes.ReplaceAll(doc, []byte("pseudo"), []byte(to)), nil
		}}}}
		l := newLab(t, mcplayer.Options{Policy: pol}, through("cloudg://d/{x}", func(_ context.Context, _ *mcplayer.ToolContext, vars map[string]string) (any, error) {
			return "read " + vars["x"], nil
		}))
		if got := l.read(t, "cloudg://d/pseudo"); !strings.Contains(got, want) {
			t.Errorf("%s: got %s", to, got)
		}
	}
}

// selfish is a value that encodes itself, at most so many times.
type selfish struct{ left *int }

func (s selfish) MarshalJSON() ([]byte, error) {
	if *s.left--; *s.left < 0 {
		panic("encoded once too often")
	}
	return []byte(`"mine"`), nil
}

// The SDK encodes a result on a goroutine of its own, where a panic would end the
// process: no code of a value in the metadata runs there.
func TestMetadataIsEncodedInsideTheCall(t *testing.T) {
	left := 2 // the check, and what is kept
	l := newLab(t, mcplayer.Options{}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		left = 2
		tc.SetMeta("example.com/k", map[string]any{"in": selfish{&left}, "n": 1})
		return "x", nil
	}))
	p := dial(t, l.Layer, mounted(t, l, nil), modern, nil, nil)
	res, err := p.CallTool(t.Context(), &mcp.CallToolParams{Name: "get"})
	if err != nil || fmt.Sprint(res.Meta["example.com/k"]) != "map[in:mine n:1]" {
		t.Errorf("got %v, %v", res, err)
	}
}
