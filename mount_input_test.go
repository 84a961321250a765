package mcplayer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var nameSchema = json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","description":"a secret name"}}}`)

// requests are the two things that the asking tools want to know.
func requests() mcp.InputRequestMap {
	return mcp.InputRequestMap{
		"name": &mcp.ElicitParams{Message: "Who is the secret user?", RequestedSchema: nameSchema},
		"poem": &mcp.CreateMessageParams{MaxTokens: 10, SystemPrompt: "secret system", Messages: []*mcp.SamplingMessage{
			{Role: "user", Content: &mcp.TextContent{Text: "a secret poem"}},
		}},
	}
}

// answers says what came back.
func answers(responses mcp.InputResponseMap, state string) string {
	var parts []string
	for _, id := range slices.Sorted(keys(responses)) {
		switch r := responses[id].(type) {
		case *mcp.ElicitResult:
			parts = append(parts, fmt.Sprintf("%s: %s %v", id, r.Action, r.Content["name"]))
		case *mcp.CreateMessageResult:
			parts = append(parts, id+": "+r.Content.(*mcp.TextContent).Text)
		case *mcp.CreateMessageWithToolsResult:
			parts = append(parts, id+": "+r.Content[0].(*mcp.TextContent).Text)
		default:
			parts = append(parts, fmt.Sprintf("%s: %T", id, r))
		}
	}
	return strings.Join(append(parts, "state: "+state), "; ")
}

func keys[M ~map[string]V, V any](m M) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

func (s *contractSite) addAsking(reg *mcplayer.Registry) {
	ask := func(_ context.Context, tc *mcplayer.ToolContext, _ textIn) (*result.ToolResult, error) {
		if tc.InputResponses() == nil {
			return result.AskInput(requests(), "state of a secret"), nil
		}
		return result.Text(answers(tc.InputResponses(), tc.RequestState())), nil
	}
	addPlain(s, reg, "ask", ask)
	addPlain(s, reg, "ask_masked", ask)
	addPlain(s, reg, "ask_always", func(context.Context, *mcplayer.ToolContext, textIn) (*result.ToolResult, error) {
		return result.AskInput(requests(), ""), nil
	})
	addPlain(s, reg, "short_ask", echoText)
	addPlain(s, reg, "ask_busy", func(context.Context, *mcplayer.ToolContext, textIn) (*result.ToolResult, error) {
		return result.AskInput(nil, ""), nil
	})
	addPlain(s, reg, "ask_and_answer", func(context.Context, *mcplayer.ToolContext, textIn) (*result.ToolResult, error) {
		res := result.AskInput(requests(), "")
		res.Content = []mcp.Content{&mcp.TextContent{Text: "both"}}
		return res, nil
	})
	for name, request := range map[string]mcp.InputRequest{
		"ask_nil": nil, "ask_typed_nil": (*mcp.ElicitParams)(nil),
		"ask_channel":          &mcp.ElicitParams{Message: "x", RequestedSchema: make(chan int)},
		"ask_nil_block":        &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{{Role: "user"}}},
		"ask_nil_message":      &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{nil}},
		"ask_nil_tool_message": &mcp.CreateMessageWithToolsParams{Messages: []*mcp.SamplingMessageV2{nil}},
		"ask_nil_tool_block":   &mcp.CreateMessageWithToolsParams{Messages: []*mcp.SamplingMessageV2{{Role: "user", Content: []mcp.Content{nil}}}},
	} {
		addPlain(s, reg, name, func(context.Context, *mcplayer.ToolContext, textIn) (*result.ToolResult, error) {
			return result.AskInput(mcp.InputRequestMap{"x": request}, ""), nil
		})
	}
	elicit := func(ctx context.Context, tc *mcplayer.ToolContext, _ textIn) (string, error) {
		answer, err := tc.Elicit(ctx, &mcp.ElicitParams{Message: "Who is the secret user?", RequestedSchema: nameSchema})
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s %v", answer.Action, answer.Content["name"]), nil
	}
	addPlain(s, reg, "elicit", elicit)
	addPlain(s, reg, "elicit_masked", elicit)
	addPlain(s, reg, "roots", func(ctx context.Context, tc *mcplayer.ToolContext, _ textIn) (string, error) {
		roots, err := tc.Roots(ctx)
		if err != nil {
			return "", err
		}
		return roots[0].URI, nil
	})
}

func (s *contractSite) addHostAsking(server *mcp.Server) {
	ask := func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if req.Params.InputResponses == nil {
			return &mcp.CallToolResult{InputRequests: requests(), RequestState: "state of a secret"}, nil
		}
		return wireText(answers(req.Params.InputResponses, req.Params.RequestState)), nil
	}
	s.addRaw(server, "host_ask", ask)
	s.addRaw(server, "host_ask_masked", ask)
	s.addRaw(server, "host_elicit_masked", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		answer, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Who is the secret user?", RequestedSchema: nameSchema})
		if err != nil {
			return nil, err
		}
		return wireText(fmt.Sprint(answer.Content["name"])), nil
	})
}

// person is who sits at a client and answers.
type person struct {
	mu    sync.Mutex
	asked []string
}

func (p *person) note(question string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, question)
}

func (p *person) questions() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(slices.Values(p.asked))
}

func (p *person) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = nil
}

func (p *person) options() *mcp.ClientOptions {
	return &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			schema := must(json.Marshal(req.Params.RequestedSchema))
			p.note(fmt.Sprintf("elicit: %s secret in schema: %v", req.Params.Message, strings.Contains(string(schema), "secret")))
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "alias-1"}}, nil
		},
		CreateMessageHandler: func(_ context.Context, req *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			p.note(fmt.Sprintf("sample: %s, %s", req.Params.SystemPrompt, req.Params.Messages[0].Content.(*mcp.TextContent).Text))
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: "ode to alias-1"}}, nil
		},
	}
}

// A tool that asks for input runs twice. The middleware sees both rounds of a
// modern client, and one call of an older one, for which the SDK asks inside it:
// a layer that stood in the handler would charge that one twice.
func TestAskingForInput(t *testing.T) {
	plain := []string{
		"elicit: Who is the secret user? secret in schema: true",
		"sample: secret system, a secret poem",
	}
	masked := []string{
		"elicit: Who is the ****** user? secret in schema: false",
		"sample: ****** system, a ****** poem",
	}
	for _, w := range everyWay("contract") {
		if !w.askable {
			continue
		}
		human := &person{}
		p := w.dial(t, func() *site { return newContractSite().site }, human.options())
		for _, tc := range []struct {
			tool  string
			asked []string
			want  string
		}{
			{"ask", plain, "name: accept alias-1; poem: ode to alias-1; state: state of a secret"},
			{"host_ask", plain, "name: accept alias-1; poem: ode to alias-1; state: state of a secret"},
			{"ask_masked", masked, "name: accept real-1; poem: ode to real-1; state: state of a ******"},
			{"host_ask_masked", masked, "name: accept real-1; poem: ode to real-1; state: state of a ******"},
		} {
			t.Run(w.name+"/"+tc.tool, func(t *testing.T) {
				human.forget()
				res := must(p.CallTool(t.Context(), &mcp.CallToolParams{Name: tc.tool}))
				meta := took
				if strings.Contains(tc.want, "*") { // the state, which the tool shows
					meta += `,"cloudg/transforms":{"replaced":1}`
				}
				if got, want := p.record.String(), expect(w.version, text(meta, tc.want)); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
				if res.NeedsInput() {
					t.Error("the client still has to answer")
				}
				if got := human.questions(); !slices.Equal(got, tc.asked) {
					t.Errorf("asked\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tc.asked, "\n"))
				}
				must(p.CallTool(t.Context(), &mcp.CallToolParams{Name: "count", Arguments: map[string]any{"text": tc.tool}}))
				want := `{"handler":2,"middleware":2}`
				if !w.modern() {
					want = `{"handler":2,"middleware":1}`
				}
				if got := p.record.structured(); got != want {
					t.Errorf("runs %s, want %s", got, want)
				}
			})
		}
	}
}

// A modern client gets the request for input itself.
func TestInputRequiredByteForByte(t *testing.T) {
	const question = `{"inputRequests":{"name":{"method":"elicitation/create","params":{"mode":"form","message":"Who is the %[1]s user?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","description":"a %[1]s name"}}}}},` +
		`"poem":{"method":"sampling/createMessage","params":{"maxTokens":10,"messages":[{"content":{"type":"text","text":"a %[1]s poem"},"role":"user"}],"systemPrompt":"%[1]s system"}}},` +
		`"requestState":"state of a secret","resultType":"input_required"}`
	for _, w := range everyWay("contract") {
		if !w.modern() {
			continue
		}
		opts := (&person{}).options()
		opts.MultiRoundTrip = &mcp.MultiRoundTripOptions{Disabled: true}
		p := w.dial(t, func() *site { return newContractSite().site }, opts)
		for tool, word := range map[string]string{"ask": "secret", "host_ask": "secret", "ask_masked": "******", "host_ask_masked": "******"} {
			t.Run(w.name+"/"+tool, func(t *testing.T) {
				res := must(p.CallTool(t.Context(), &mcp.CallToolParams{Name: tool}))
				if !res.NeedsInput() {
					t.Error("no input is needed")
				}
				var got, want any
				text := p.record.String()
				if err := json.Unmarshal([]byte(text), &got); err != nil {
					t.Fatal(err)
				}
				delete(got.(map[string]any), "_meta")
				delete(got.(map[string]any), "content")
				if err := json.Unmarshal(fmt.Appendf(nil, question, word), &want); err != nil {
					t.Fatal(err)
				}
				if g, w := must(json.Marshal(got)), must(json.Marshal(want)); string(g) != string(w) {
					t.Errorf("got  %s\nwant %s", g, w)
				}
			})
		}
	}
}

// Requests that the SDK cannot send never end in silence, or in the end of the
// process: it sends on goroutines of its own.
func TestImpossibleRequestsForInput(t *testing.T) {
	bad := func(why string) string {
		return unencodable("wrapError: encode the result: input request \\\"x\\\": " + why)
	}
	const cannot = "Tool %s needs input in a way that this client's protocol does not have"
	for _, w := range reachable {
		t.Run(w.name, func(t *testing.T) {
			p := w.dial(t, func() *site { return newContractSite().site }, (&person{}).options())
			for _, tc := range []struct{ tool, modern, legacy string }{
				{"ask_busy", `{"content":null,"resultType":"input_required","inputRequests":{}}`, failure(`"handler_error"`, "", "errorString: the server is busy, retry later")},
				{"ask_and_answer", failure(`"handler_error"`, "", "wrapError: encode the result: a request for input cannot hold an answer too"), ""},
				{"ask_nil", bad("the request is nil"), ""},
				{"ask_typed_nil", bad("the request is nil"), ""},
				{"ask_channel", bad("requested schema: json: unsupported type: chan int"), ""},
				{"ask_nil_block", bad("messages[0]: the block is nil"), ""},
				{"ask_nil_message", bad("messages[0] is nil"), ""},
				{"ask_nil_tool_message", bad("messages[0] is nil"), ""},
				{"ask_nil_tool_block", bad("messages[0]: content[0]: the block is nil"), ""},
				// The SDK asks older clients once.
				{"ask_always", "", failure(`"handler_error"`, "", fmt.Sprintf(cannot, "ask_always"))},
				// What stands outside the SDK's handling asks in vain.
				{"short_ask", "", failure(`"handler_error"`, "", fmt.Sprintf(cannot, "short_ask"))},
			} {
				if tc.modern == "" && w.modern() || tc.tool == "ask_always" && !w.askable {
					continue
				}
				want := tc.modern
				if !w.modern() && tc.legacy != "" {
					want = tc.legacy
				}
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
				res, err := p.CallTool(ctx, &mcp.CallToolParams{Name: tc.tool})
				if ctx.Err() != nil {
					t.Errorf("%s: no answer", tc.tool)
				}
				cancel()
				if err == nil && !res.IsError {
					t.Errorf("%s: succeeded", tc.tool)
				}
				if !strings.Contains(want, "resultType") {
					want = expect(w.version, want)
				}
				if got := p.record.String(); got != want {
					t.Errorf("%s: got  %s\nwant %s", tc.tool, got, want)
				}
			}
		})
	}
}

// A middleware that asks a modern client gets through.
func TestMiddlewareAsksForInput(t *testing.T) {
	for _, w := range everyWay("contract") {
		if !w.modern() {
			continue
		}
		human := &person{}
		p := w.dial(t, func() *site { return newContractSite().site }, human.options())
		must(p.CallTool(t.Context(), &mcp.CallToolParams{Name: "short_ask"}))
		if got, want := p.record.String(), expect(modern, `{"content":[{"type":"text","text":"name: accept alias-1; poem: ode to alias-1; state: s"}]}`); got != want {
			t.Errorf("%s: got  %s\nwant %s", w.name, got, want)
		}
	}
}

// ToolContext asks older clients during the call, and says that it cannot ask
// others.
func TestAskingDuringTheCall(t *testing.T) {
	refusal := "errorString: " + mcplayer.ErrNoSession.Error()
	for _, w := range everyWay("contract") {
		t.Run(w.name, func(t *testing.T) {
			human := &person{}
			p := w.dial(t, func() *site { return newContractSite().site }, human.options())
			for _, tc := range []struct{ tool, want, asked string }{
				{"elicit", "accept alias-1", "elicit: Who is the secret user? secret in schema: true"},
				{"elicit_masked", "accept real-1", "elicit: Who is the ****** user? secret in schema: false"},
			} {
				human.forget()
				must(p.CallTool(t.Context(), &mcp.CallToolParams{Name: tc.tool}))
				want := `{"result":"` + tc.want + `"}`
				if w.modern() {
					want = ""
					if got := p.record.String(); got != expect(w.version, failure(`"handler_error"`, "", refusal)) {
						t.Errorf("%s: %s", tc.tool, got)
					}
				} else if !w.askable { // the session is there, but nobody is behind it
					continue
				}
				if got := p.record.structured(); got != want {
					t.Errorf("%s: got %q, want %q (%s)", tc.tool, got, want, p.record)
				}
				if got := strings.Join(human.questions(), "; "); !w.modern() && got != tc.asked {
					t.Errorf("%s: asked %q, want %q", tc.tool, got, tc.asked)
				}
			}
		})
	}
}

// What a host's handler asks an older client passes the pipelines too.
func TestHostAsksDuringTheCall(t *testing.T) {
	for _, w := range everyWay("contract") {
		if w.modern() || !w.askable {
			continue
		}
		human := &person{}
		p := w.dial(t, func() *site { return newContractSite().site }, human.options())
		must(p.CallTool(t.Context(), &mcp.CallToolParams{Name: "host_elicit_masked"}))
		if got, want := p.record.String(), text(took, "real-1"); got != want {
			t.Errorf("%s: got  %s\nwant %s", w.name, got, want)
		}
		if got, want := strings.Join(human.questions(), "; "), "elicit: Who is the ****** user? secret in schema: false"; got != want {
			t.Errorf("%s: asked %q, want %q", w.name, got, want)
		}
	}
}

func TestRootsDuringTheCall(t *testing.T) {
	for _, version := range []string{legacy, modern} {
		s := newContractSite()
		inner, outer := mcp.NewInMemoryTransports()
		session := must(s.server.Connect(t.Context(), s.layer.WrapTransport(inner), nil))
		t.Cleanup(func() { _ = session.Close() })
		client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil)
		client.AddRoots(&mcp.Root{URI: "file:///work"})
		rec := &record{}
		cs := must(client.Connect(t.Context(), &recordingTransport{outer, rec.part()}, &mcp.ClientSessionOptions{ProtocolVersion: version}))
		t.Cleanup(func() { _ = cs.Close() })
		must(cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "roots"}))
		want := `{"result":"file:///work"}`
		if version == modern {
			want = ""
		}
		if got := rec.structured(); got != want {
			t.Errorf("%s: %s", version, rec)
		}
	}
}

func TestNobodyToAskInProcess(t *testing.T) {
	s := newContractSite()
	for _, tool := range []string{"elicit", "roots"} {
		res := must(s.layer.CallTool(t.Context(), tool, nil))
		if !errors.Is(res.Cause, mcplayer.ErrNoSession) {
			t.Errorf("%s: the cause is %v", tool, res.Cause)
		}
	}
}
