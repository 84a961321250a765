package mcplayer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// replying is a middleware that answers by itself.
func replying(answer func(mcplayer.CallInfo) (result.Result, error)) mcplayer.Middleware {
	return func(_ context.Context, info mcplayer.CallInfo, _ mcplayer.Next) (result.Result, error) {
		return answer(info)
	}
}

func TestMiddlewareAnswersForOtherKinds(t *testing.T) {
	completion := func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
		return nil, nil
	}
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{replying(func(info mcplayer.CallInfo) (result.Result, error) {
		switch info.Kind {
		case mcplayer.KindResource:
			return &result.Resource{Contents: []*mcp.ResourceContents{{URI: info.Name, Text: "mine"}}}, nil
		case mcplayer.KindPrompt:
			return result.UserMessage("mine"), nil
		}
		return &result.Completion{Values: []string{"mine"}, Total: 1}, nil
	})}}, fixed("cloudg://x", "t"), completing(completion))
	server := mounted(t, l, nil)
	for name, p := range peers(t, l, server) {
		t.Run(name, func(t *testing.T) {
			same(t, p.read(t, "cloudg://x"), `{"cacheScope":"private","contents":[{"text":"mine","uri":"cloudg://x"}],"ttlMs":0}`)
			p.wantType(t)
			same(t, p.render(t, "p", nil), `{"messages":[{"content":{"text":"mine","type":"text"},"role":"user"}]}`)
			p.wantType(t)
			same(t, p.propose(t, completionRefs["prompt"], mcplayer.CompletionInput{Argument: "a"}), `{"completion":{"total":1,"values":["mine"]}}`)
			p.wantType(t)
		})
	}
}

// wantType checks that the last answer says that it is complete where the
// protocol wants that.
func (p *peer) wantType(t testing.TB) {
	t.Helper()
	var res struct {
		ResultType string `json:"resultType"`
	}
	if err := json.Unmarshal([]byte(p.last(t)), &res); err != nil {
		t.Fatal(err)
	}
	want := ""
	if p.version == modern {
		want = "complete"
	}
	if res.ResultType != want {
		t.Errorf("result type %q, want %q", res.ResultType, want)
	}
}

// What a middleware makes of a result must be something that the SDK can send: it
// would never answer, or end the process.
func TestMiddlewareCannotBreakTheAnswer(t *testing.T) {
	resources := map[string]*result.Resource{
		"nil contents":                         {Contents: []*mcp.ResourceContents{nil}},
		"metadata of contents":                 {Contents: []*mcp.ResourceContents{{Meta: mcp.Meta{"x": make(chan int)}}}},
		"metadata":                             {Meta: mcp.Meta{"x": make(chan int)}},
		"a request that is nil":                {Input: result.Input{Requests: mcp.InputRequestMap{"a": nil}}},
		"a request with a schema that is none": {Input: result.Input{Requests: mcp.InputRequestMap{"a": &mcp.ElicitParams{RequestedSchema: make(chan int)}}}},
		"no result":                            nil,
	}
	prompts := map[string]*result.Prompt{
		"nil message":             {Messages: []*mcp.PromptMessage{nil}},
		"message without content": {Messages: []*mcp.PromptMessage{{Role: "user"}}},
		"typed nil content":       {Messages: []*mcp.PromptMessage{{Content: (*mcp.TextContent)(nil)}}},
		"metadata of a block":     {Messages: []*mcp.PromptMessage{{Content: &mcp.TextContent{Meta: mcp.Meta{"x": make(chan int)}}}}},
		"metadata":                {Meta: mcp.Meta{"x": make(chan int)}},
		"a request that is nil":   {Input: result.Input{Requests: mcp.InputRequestMap{"a": (*mcp.ElicitParams)(nil)}}},
		"no result":               nil,
	}
	var answer result.Result
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{replying(func(mcplayer.CallInfo) (result.Result, error) { return answer, nil })}},
		fixed("cloudg://x", "t"), prompting("p", nil, tellArgs))
	server := mounted(t, l, nil)
	everywhere(t, l, server, func(t *testing.T, c caller) {
		for name, res := range resources {
			answer = res
			if got := c.read(t, "cloudg://x"); !strings.HasPrefix(got, `{"code":-32603,"message":"`) {
				t.Errorf("resource, %s: got %s", name, got)
			}
		}
		for name, res := range prompts {
			answer = res
			if got := c.render(t, "p", nil); !strings.HasPrefix(got, `{"code":-32603,"message":"`) {
				t.Errorf("prompt, %s: got %s", name, got)
			}
		}
		answer = result.Text("of another kind")
		for _, got := range []string{c.read(t, "cloudg://x"), c.render(t, "p", nil)} {
			same(t, got, `{"code":-32603,"message":"errorString: a middleware returned no result of the kind of the call"}`)
		}
	})
}

func TestMiddlewareErrorsOfOtherKinds(t *testing.T) {
	var fail func() error
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{replying(func(mcplayer.CallInfo) (result.Result, error) { return nil, fail() })}},
		fixed("cloudg://x", "t"), completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
			return []string{"x"}, nil
		}))
	l.pol.output = censor{}
	server := mounted(t, l, nil)
	for _, tt := range []struct {
		name           string
		fail           func() error
		want, complete string
	}{
		{"layer error", func() error { return mcplayer.AccessDenied("secret", nil) }, `{"code":-31001,"message":"[gone]"}`, `{"code":-31001,"message":"[gone]"}`},
		{"plain", func() error { return &broke{"secret"} }, `{"code":-32603,"message":"broke: [gone]"}`, `{"completion":{"values":[]}}`},
		{"panic", func() error { panic("hunter2") }, `{"code":-32603,"data":{"error_id":"1"},"message":"Internal error"}`, `{"completion":{"values":[]}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fail = tt.fail
			everywhere(t, l, server, func(t *testing.T, c caller) {
				same(t, errorIDs.ReplaceAllString(c.read(t, "cloudg://x"), `"error_id":"1"`), tt.want)
				same(t, errorIDs.ReplaceAllString(c.render(t, "p", nil), `"error_id":"1"`), tt.want)
				same(t, c.propose(t, completionRefs["prompt"], mcplayer.CompletionInput{Argument: "a"}), tt.complete)
			})
		})
	}
}

// asking answers with a request for input until the client has answered.
func asking(answer func(name string) any, ask func(mcp.InputRequestMap) any) func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
	return func(_ context.Context, tc *mcplayer.ToolContext, _ map[string]string) (any, error) {
		if tc.InputResponses() == nil {
			return ask(mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: "your secret?", RequestedSchema: map[string]any{
				"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}},
			}}}), nil
		}
		got := tc.InputResponses()["q"].(*mcp.ElicitResult)
		return answer(fmt.Sprint(got.Action, " ", got.Content["name"], " ", tc.RequestState())), nil
	}
}

func TestOtherKindsAskForInput(t *testing.T) {
	l := newLab(t, mcplayer.Options{},
		reading("cloudg://x", asking(func(s string) any { return s }, func(r mcp.InputRequestMap) any {
			return &result.Resource{Contents: []*mcp.ResourceContents{{Text: "beside"}}, Meta: mcp.Meta{"k": "secret"}, Input: result.Input{Requests: r, State: "secret state"}}
		})),
		prompting("p", nil, asking(func(s string) any { return s }, func(r mcp.InputRequestMap) any {
			return &result.Prompt{Description: "beside", Messages: result.UserMessage("beside").Messages, Meta: mcp.Meta{"k": "secret"}, Input: result.Input{Requests: r, State: "secret state"}}
		})))
	l.pol.output = censor{}
	l.pol.input = swap{"pseudo": "Ada"}
	for kind, got := range map[string]string{"resource": l.read(t, "cloudg://x"), "prompt": l.render(t, "p", nil)} {
		if strings.Contains(got, "beside") || strings.Contains(got, "your secret") || !strings.Contains(got, `"_meta":{"k":"[gone]"}`) || !strings.Contains(got, `"requestState":"secret state"`) {
			t.Errorf("in-process, %s: %s", kind, got)
		}
	}
	server := mounted(t, l, nil)
	var asked []string
	opts := &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		asked = append(asked, req.Params.Message)
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "pseudo"}}, nil
	}}
	for name, p := range map[string]*peer{
		"memory modern": dial(t, l.Layer, server, modern, nil, opts),
		"memory legacy": dial(t, l.Layer, server, legacy, nil, opts),
		"http modern":   dialOverHTTP(t, l.Layer, server, modern, opts),
		"http legacy":   dialOverHTTP(t, l.Layer, server, legacy, opts),
	} {
		t.Run(name, func(t *testing.T) {
			asked = nil
			same(t, p.read(t, "cloudg://x"), `{"cacheScope":"private","contents":[{"_meta":{"cloudg/transforms":{"censored":1}},"mimeType":"application/json","text":"accept Ada [gone] state","uri":"cloudg://x"}],"ttlMs":0}`)
			p.wantType(t)
			same(t, p.render(t, "p", nil), `{"messages":[{"content":{"text":"accept Ada [gone] state","type":"text"},"role":"user"}]}`)
			p.wantType(t)
			same(t, strings.Join(asked, "|"), "your [gone]?|your [gone]?")
			for _, m := range p.record.received() {
				if strings.Contains(string(m.Result), "beside") {
					t.Errorf("content came around the pipeline: %s", m.Result)
				}
			}
		})
	}
}

func TestAToolThatAsksHasNoContent(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("ask", &result.ToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: "beside"}}, Structured: []byte(`{"a":"beside"}`),
		Input: result.Input{Requests: mcp.InputRequestMap{}},
	}))
	if got := l.wire(t, "ask", nil); strings.Contains(got, "beside") {
		t.Errorf("got %s", got)
	}
	p := dial(t, l.Layer, mounted(t, l, nil), modern, nil, nil)
	_, _ = p.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask"})
	if got := p.last(t); strings.Contains(got, "beside") {
		t.Errorf("got %s", got)
	}
}

func TestCancelledReadOfOtherKinds(t *testing.T) {
	started := make(chan struct{}, 1)
	wait := func(ctx context.Context) error { started <- struct{}{}; <-ctx.Done(); return ctx.Err() }
	handler := func(ctx context.Context, _ *mcplayer.ToolContext, _ map[string]string) (any, error) {
		return nil, wait(ctx)
	}
	l := newLab(t, mcplayer.Options{}, reading("cloudg://x", handler), prompting("q", nil, handler),
		completing(func(ctx context.Context, _ *mcplayer.ToolContext, _ mcplayer.CompletionInput) ([]string, error) {
			return nil, wait(ctx)
		}))
	calls := map[string]func(ctx context.Context) error{
		"resource": func(ctx context.Context) error { _, err := l.ReadResource(ctx, "cloudg://x"); return err },
		"prompt":   func(ctx context.Context) error { _, err := l.GetPrompt(ctx, "q", nil); return err },
		"completion": func(ctx context.Context) error {
			_, err := l.Complete(ctx, completionRefs["prompt"], mcplayer.CompletionInput{Argument: "a"})
			return err
		},
	}
	server := mounted(t, l, nil)
	for _, p := range []*peer{dial(t, l.Layer, server, legacy, nil, nil), dial(t, l.Layer, server, modern, nil, nil)} {
		calls["resource "+p.version] = func(ctx context.Context) error {
			_, err := p.ReadResource(ctx, &mcp.ReadResourceParams{URI: "cloudg://x"})
			return err
		}
		calls["prompt "+p.version] = func(ctx context.Context) error {
			_, err := p.GetPrompt(ctx, &mcp.GetPromptParams{Name: "q"})
			return err
		}
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- call(ctx) }()
			<-started
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestCloseRefusesOtherKinds(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, fixed("cloudg://x", "t"), completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
		return []string{"x"}, nil
	}))
	server := mounted(t, l, nil)
	all := peers(t, l, server)
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	const closing = `{"code":-31029,"message":"Server closing"}`
	callers := map[string]caller{"in-process": inProcess{l}}
	for name, p := range all {
		callers[name] = p
	}
	for name, c := range callers {
		t.Run(name, func(t *testing.T) {
			same(t, c.read(t, "cloudg://x"), closing)
			same(t, c.render(t, "p", nil), closing)
			same(t, c.propose(t, completionRefs["prompt"], mcplayer.CompletionInput{Argument: "a"}), closing)
		})
	}
}

func TestCallsAcrossKinds(t *testing.T) {
	var l *lab
	var who []string
	note := func(tc *mcplayer.ToolContext) { who = append(who, tc.Principal().ID()) }
	l = newLab(t, mcplayer.Options{},
		tool("t", func(ctx context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
			note(tc)
			res, err := l.ReadResource(ctx, "cloudg://x")
			if err != nil {
				return nil, err
			}
			return res.Contents[0].Text, nil
		}),
		reading("cloudg://x", func(ctx context.Context, tc *mcplayer.ToolContext, _ map[string]string) (any, error) {
			note(tc)
			res, err := l.GetPrompt(ctx, "q", nil)
			if err != nil {
				return nil, err
			}
			return res.Messages[0].Content.(*mcp.TextContent).Text, nil
		}),
		prompting("q", nil, func(ctx context.Context, tc *mcplayer.ToolContext, _ map[string]string) (any, error) {
			note(tc)
			res, err := l.Complete(ctx, completionRefs["template"], mcplayer.CompletionInput{Argument: "a", Value: "v"})
			if err != nil {
				return nil, err
			}
			return strings.Join(res.Values, ","), nil
		}),
		completing(func(_ context.Context, tc *mcplayer.ToolContext, in mcplayer.CompletionInput) ([]string, error) {
			note(tc)
			return []string{in.Value + "1", in.Value + "2"}, nil
		}))
	ada := mcplayer.NewPrincipal("ada", "default")
	same(t, l.wire(t, "t", nil, mcplayer.As(ada)), `{"_meta":{"cloudg/duration_ms":0},"content":[{"type":"text","text":"{\n  \"result\": \"v1,v2\"\n}"}],"structuredContent":{"result":"v1,v2"}}`)
	same(t, strings.Join(who, " "), "ada ada ada ada")
	p := dial(t, l.Layer, mounted(t, l, nil), modern, ada, nil)
	who = nil
	same(t, p.read(t, "cloudg://x"), textWire("cloudg://x", "application/json", "v1,v2"))
	same(t, strings.Join(who, " "), "ada ada ada")
}

func TestOtherKindsTellTheClient(t *testing.T) {
	tell := func(_ context.Context, tc *mcplayer.ToolContext, _ map[string]string) (any, error) {
		tc.Progress(1, 2, "a secret")
		tc.Log("info", map[string]string{"k": "secret"})
		return "x", nil
	}
	l := newLab(t, mcplayer.Options{}, reading("cloudg://x", tell), prompting("p", nil, tell))
	l.pol.output = censor{}
	var j journal
	opts := []mcplayer.CallOption{
		mcplayer.OnProgress(func(p mcplayer.Progress) { j.add(fmt.Sprint(p.Done, "/", p.Total, " ", p.Message)) }),
		mcplayer.OnLog(func(m mcplayer.LogMessage) { j.add(fmt.Sprint(m.Level, " ", m.Data)) }),
	}
	l.read(t, "cloudg://x", opts...)
	l.render(t, "p", nil, opts...)
	same(t, j.String(), `1/2 a [gone] info {"k":"[gone]"} 1/2 a [gone] info {"k":"[gone]"}`)
	server := mounted(t, l, nil)
	for _, version := range []string{legacy, modern} {
		t.Run(version, func(t *testing.T) {
			told := make(chan string, 10)
			p := dial(t, l.Layer, server, version, nil, &mcp.ClientOptions{
				ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
					told <- fmt.Sprint("progress ", req.Params.ProgressToken, " ", req.Params.Progress, "/", req.Params.Total, " ", req.Params.Message)
				},
				LoggingMessageHandler: func(_ context.Context, req *mcp.LoggingMessageRequest) {
					told <- fmt.Sprint("log ", req.Params.Level, " ", req.Params.Logger, " ", req.Params.Data)
				},
			})
			meta := mcp.Meta{"progressToken": "tok"}
			if version == modern {
				meta["io.modelcontextprotocol/logLevel"] = "info"
			} else if err := p.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "info"}); err != nil {
				t.Fatal(err)
			}
			if _, err := p.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "cloudg://x", Meta: meta}); err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"progress tok 1/2 a [gone]", "log info cloudg://x map[k:[gone]]"} {
				select {
				case got := <-told:
					same(t, got, want)
				case <-time.After(5 * time.Second):
					t.Fatalf("%s never came", want)
				}
			}
		})
	}
}
