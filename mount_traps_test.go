package mcplayer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Trap: a panic anywhere in a handler or middleware ends the process. Here it
// may come from every place that runs somebody else's code.
func TestTrapPanicsEverywhere(t *testing.T) {
	for _, w := range reachable {
		t.Run(w.name, func(t *testing.T) {
			s := newContractSite()
			p := w.dial(t, func() *site { return s.site }, nil)
			for _, tool := range []string{"panic", "host_panic", "short_panic", "host_short_panic", "panicking", "typed_nil_block", "host_typed_nil_block", "host_nil"} {
				res, err := p.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
				if err != nil || !res.IsError {
					t.Errorf("%s: %v", tool, err)
				}
			}
			if got := p.say(t, "text"); !strings.Contains(got, "ok") {
				t.Errorf("the server says %q", got)
			}
		})
	}
}

// panicPolicy panics where it is told to.
type panicPolicy struct {
	rules
	admit, bind, notFound bool
}

func (p *panicPolicy) Admit(*mcplayer.Spec) error {
	if p.admit {
		panic("admit")
	}
	return nil
}

func (p *panicPolicy) Bind(spec *mcplayer.Spec, who *mcplayer.Principal) *mcplayer.Access {
	if p.bind && spec.Name == "a" {
		panic("bind")
	}
	return p.rules.Bind(spec, who)
}

func (p *panicPolicy) NotFound(context.Context, mcplayer.CallInfo) {
	if p.notFound {
		panic("not found")
	}
}

func TestTrapPanicsOfThePolicy(t *testing.T) {
	bad := &panicPolicy{}
	layer, _ := layerOf(t, bad, silent, "a", "b")
	server := serverOf(nil, "x")
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	p := dial(t, layer, server, modern, nil, nil)
	bad.admit, bad.bind, bad.notFound = true, true, true
	addHostNamed(server, "y") // admitted at the next look
	if got := p.names(t); got != "x b" {
		t.Errorf("the list without admission is %s", got)
	}
	bad.admit = false
	if got := p.names(t); got != "x y b" {
		t.Errorf("the list is %s", got)
	}
	for name, want := range map[string]string{
		"a": `calling "tools/call": Unknown tool: a`, "nope": `calling "tools/call": Unknown tool: nope`,
		"x": "the host's x", "y": "the host's y",
	} {
		if got := p.say(t, name); got != want {
			t.Errorf("%s says %q, want %q", name, got, want)
		}
	}
}

// Trap: what the middleware answers by itself lacks the resultType that modern
// clients require.
func TestTrapResultTypeOfShortCircuits(t *testing.T) {
	for _, w := range reachable {
		s := newContractSite()
		p := w.dial(t, func() *site { return s.site }, nil)
		for _, tool := range []string{"short", "short_layer_error", "short_plain_error", "denied", "limited", "host_short", "host_denied"} {
			must(p.CallTool(t.Context(), &mcp.CallToolParams{Name: tool}))
			if got := strings.Contains(p.record.String(), `"resultType":"complete"`); got != w.modern() {
				t.Errorf("%s, %s: %s", w.name, tool, p.record)
			}
		}
	}
}

// Trap: on error the SDK's handling returns a typed nil inside the interface, and
// a wrapped *jsonrpc.Error loses its data on the way out. Only the error itself is
// the protocol's: what is wrapped may have come from somewhere else.
func TestTrapTypedNilAndWrappedErrors(t *testing.T) {
	wire := &jsonrpc.Error{Code: 7, Message: "m", Data: json.RawMessage(`[1]`)}
	for _, tc := range []struct {
		name string
		err  error
		want string
	}{
		{"itself", wire, `error {"code":7,"message":"m","data":[1]}`},
		{"wrapped", fmt.Errorf("outer: %w", wire), expect(modern, failure(`"handler_error"`, "", "wrapError: outer: m"))},
		{"joined", errors.Join(errors.New("a"), wire), expect(modern, failure(`"handler_error"`, "", `joinError: a\nm`))},
	} {
		layer, _ := layerOf(t, rules{}, silent)
		server := serverOf(nil)
		server.AddTool(objectTool("host"), wireGiving(nil, tc.err))
		if err := layer.Mount(server, nil); err != nil {
			t.Fatal(err)
		}
		p := dial(t, layer, server, modern, nil, nil)
		if _, err := p.CallTool(t.Context(), &mcp.CallToolParams{Name: "host"}); (err != nil) != (tc.name == "itself") {
			t.Errorf("%s: %v", tc.name, err)
		}
		if got := p.record.String(); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
	}
}

// Trap: a value that cannot be encoded is never answered. The calls are in the
// table of the contract; this one looks at the session afterwards.
func TestTrapUnencodableResultsEndInAnAnswer(t *testing.T) {
	for _, w := range everyWay("contract") {
		p := w.dial(t, func() *site { return newContractSite().site }, nil)
		for _, tool := range []string{"channel", "not_a_number", "bad_meta", "bad_protocol_error", "host_channel", "host_not_a_number", "host_bad_meta", "short_bad_structured"} {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			_, _ = p.CallTool(ctx, &mcp.CallToolParams{Name: tool})
			if ctx.Err() != nil {
				t.Errorf("%s, %s: no answer", w.name, tool)
			}
			cancel()
		}
		if got := p.say(t, "text"); !strings.Contains(got, "ok") {
			t.Errorf("%s: the server says %q", w.name, got)
		}
	}
}

// Trap: the SDK adds its identity to the Meta of the object it sends. A result
// that a middleware keeps, or a handler returns again and again, must not be that
// object. Under the race detector this test fails on the first write.
func TestTrapTheSDKWritesIntoMeta(t *testing.T) {
	shared := &result.ToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "shared"}}, Meta: result.Meta{"a": 1}}
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "shared"}, func(context.Context, *mcplayer.ToolContext, noArgs) (*result.ToolResult, error) {
		return shared, nil
	})
	var kept sync.Map
	keep := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		if res, ok := kept.Load(info.Name); ok {
			return res.(result.Result).Clone(), info.Authorize(ctx)
		}
		res, err := next(ctx, info)
		if err == nil {
			kept.Store(info.Name, res.Clone())
		}
		return res, err
	}
	for _, middleware := range [][]mcplayer.Middleware{nil, {keep}} {
		layer := must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: rules{}, Logger: silent, Middleware: middleware}))
		server := serverOf(nil)
		if err := layer.Mount(server, nil); err != nil {
			t.Fatal(err)
		}
		p := dial(t, layer, server, modern, nil, nil)
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if res := must(p.CallTool(t.Context(), &mcp.CallToolParams{Name: "shared"})); res.Meta["a"] != 1.0 {
					t.Errorf("meta is %v", res.Meta)
				}
			})
		}
		wg.Wait()
	}
	if len(shared.Meta) != 1 {
		t.Errorf("the handler's own result has now %v", shared.Meta)
	}
}

// Trap: typed tools of the SDK lose integers above 2^53, and raw arguments reach
// a naive adapter after a detour over float64.
func TestTrapLargeIntegers(t *testing.T) {
	reg := mcplayer.NewRegistry()
	type in struct {
		ID  int64  `json:"id"`
		Big uint64 `json:"big"`
	}
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "typed"}, func(_ context.Context, _ *mcplayer.ToolContext, in in) (in, error) { return in, nil })
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "raw"}, func(_ context.Context, _ *mcplayer.ToolContext, in jsontext.Value) (jsontext.Value, error) {
		return in, nil
	})
	layer := must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: rules{}, Logger: silent}))
	server := serverOf(nil)
	server.AddTool(objectTool("host"), func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: req.Params.Arguments}, nil
	})
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	const doc = `{"id":-9223372036854775808,"big":18446744073709551615}`
	for _, w := range reachable[:4] {
		p := w.dial(t, func() *site { return &site{layer, server} }, nil)
		for _, tool := range []string{"typed", "raw", "host"} {
			must(p.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(doc)}))
			if got := p.record.structured(); got != doc {
				t.Errorf("%s, %s: %s", w.name, tool, got)
			}
		}
	}
}

// Trap: a name in a cursor, and a list that anybody's cache may share: see
// TestListsPerCaller. Here: the SDK's own list beneath has both.
func TestTrapTheSDKsListIsPublic(t *testing.T) {
	page := must(serverPage(t, 1))
	if page.CacheScope != "public" || page.NextCursor == "" {
		t.Errorf("scope %q, cursor %q: the SDK has changed; see to its facts", page.CacheScope, page.NextCursor)
	}
}

// Limit: the SDK checks a tool's header rules (x-mcp-header in its schema) before
// any middleware, against the tool that stands there. Over HTTP a hidden tool that
// has such rules shows to whoever guesses its name and leaves the header out. The
// test fails when that is no longer so.
func TestLimitHeadersOfAHiddenTool(t *testing.T) {
	schema := jsontext.Value(`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}`)
	reg := mcplayer.NewRegistry()
	for _, name := range []string{"hidden", "open"} {
		mcplayer.AddTool(reg, mcplayer.Tool{Name: name, InputSchema: schema}, func(_ context.Context, _ *mcplayer.ToolContext, in jsontext.Value) (jsontext.Value, error) {
			return in, nil
		})
	}
	layer := must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: rules{"hidden": nil}, Logger: silent}))
	server := serverOf(nil)
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	url := serveHTTP(t, layer.HTTPHandler(stateless(&site{layer, server}), nil))
	answers := map[string]string{}
	for _, name := range []string{"hidden", "nope"} {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":{"region":"eu"},"_meta":{` +
			`"io.modelcontextprotocol/protocolVersion":"` + modern + `","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
		res, answer := post(t, url, body)
		answers[name] = fmt.Sprint(res.StatusCode, " ", strings.ReplaceAll(answer.String(), name, "NAME"))
	}
	if !strings.Contains(answers["hidden"], "header mismatch") || answers["nope"] != `400 error {"code":-32602,"message":"Unknown tool: NAME"}` {
		t.Errorf("a hidden tool answers\n%s\nan unknown one\n%s", answers["hidden"], answers["nope"])
	}
}

// A denial may become an HTTP status, and its wrapper learns of it on streams,
// JSON and sessions alike.
func TestDenialAsHTTPStatus(t *testing.T) {
	const challenge = `Bearer error="insufficient_scope", scope="x"`
	body := func(name string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","_meta":{` +
			`"io.modelcontextprotocol/protocolVersion":"` + modern + `","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	}
	for _, jsonResponse := range []bool{false, true} {
		s := newContractSite()
		h := streamable(&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: jsonResponse})(s.site)
		url := serveHTTP(t, s.layer.HTTPHandler(h, &mcplayer.HTTPOptions{Challenge: challenge}))
		for _, tc := range []struct {
			tool   string
			status int
			header string
		}{
			{"denied", http.StatusForbidden, challenge},
			{"host_denied", http.StatusForbidden, challenge},
			{"no_check", http.StatusForbidden, challenge},
			{"short_layer_error", http.StatusForbidden, challenge},
			{"text", http.StatusOK, ""},
			{"limited", http.StatusOK, ""},
			{"invalid", http.StatusOK, ""},
			{"hidden", http.StatusBadRequest, ""},
			{"nope", http.StatusBadRequest, ""},
		} {
			res, answer := post(t, url, body(tc.tool))
			if got := res.Header.Get("Www-Authenticate"); res.StatusCode != tc.status || got != tc.header {
				t.Errorf("JSON %v, %s: status %d, %q", jsonResponse, tc.tool, res.StatusCode, got)
			}
			if answer.Result == nil && answer.Error == nil {
				t.Errorf("JSON %v, %s: no body", jsonResponse, tc.tool)
			}
		}
		plain := serveHTTP(t, s.layer.HTTPHandler(h, nil))
		if res, _ := post(t, plain, body("denied")); res.StatusCode != http.StatusOK {
			t.Errorf("without a challenge: status %d", res.StatusCode)
		}
	}
}

// The SDK runs its tools under an order of registration that hosts like: before
// and after the layer, and again with other facts.
func TestHostToolsBeforeAndAfter(t *testing.T) {
	var specs sync.Map
	look := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		specs.Store(info.Name, info.Spec)
		return next(ctx, info)
	}
	layer := must(mcplayer.New(&mcplayer.Options{Policy: rules{"denied_later": denying("denied_later"), "hidden_later": nil}, Logger: silent, Middleware: []mcplayer.Middleware{look}}))
	server := serverOf(nil, "before")
	facts := mcplayer.HostFacts{Category: "c", Tags: []string{"t"}, Sensitivity: mcplayer.Restricted, Capabilities: mcplayer.CloudAccess | mcplayer.ReadState}
	if err := layer.Mount(server, &mcplayer.MountOptions{HostTools: map[string]mcplayer.HostFacts{"before": facts, "after": facts}}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"after", "unknown_facts", "denied_later", "hidden_later"} {
		addHostNamed(server, name)
	}
	p := dial(t, layer, server, modern, nil, nil)
	if got := p.names(t); got != "after before denied_later unknown_facts" {
		t.Errorf("the list is %s", got)
	}
	if got := p.say(t, "denied_later"); got != "Access to tool 'denied_later' denied: closed" {
		t.Errorf("denied_later says %q", got)
	}
	if got := p.say(t, "hidden_later"); got != `calling "tools/call": Unknown tool: hidden_later` {
		t.Errorf("hidden_later says %q", got)
	}
	spec := func(name string) *mcplayer.Spec {
		t.Helper()
		if got := p.say(t, name); got != "the host's "+name {
			t.Errorf("%s says %q", name, got)
		}
		value, _ := specs.Load(name)
		return value.(*mcplayer.Spec)
	}
	for _, name := range []string{"before", "after"} {
		s := spec(name)
		if !s.Host || s.Category != "c" || s.Sensitivity != mcplayer.Restricted || s.Capabilities != facts.Capabilities || s.Tags[0] != "t" || !s.IsReadOnly() || s.IsIdempotent() {
			t.Errorf("%s: %+v", name, s)
		}
		if spec(name) != s {
			t.Errorf("%s has another spec at each call", name)
		}
	}
	if s := spec("unknown_facts"); !s.Host || s.Category != "general" || s.Sensitivity != mcplayer.Confidential || s.Capabilities != 0 || s.IsReadOnly() || s.IsIdempotent() {
		t.Errorf("unknown_facts: %+v", s)
	}
	// Replaced by one with other annotations.
	old := spec("after")
	no := false
	server.AddTool(&mcp.Tool{
		Name: "unknown_facts", InputSchema: json.RawMessage(`{"type":"object"}`),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no},
	}, wireGiving(wireText("the host's unknown_facts"), nil))
	if s := spec("unknown_facts"); !s.IsReadOnly() || !s.IsIdempotent() {
		t.Errorf("replaced: %+v", s.Annotations)
	}
	if spec("after") != old {
		t.Error("another tool's spec changed")
	}
	server.RemoveTools("after")
	if got := p.say(t, "after"); got != `calling "tools/call": Unknown tool: after` {
		t.Errorf("after says %q", got)
	}
}

// A host handler that echoes its headers gives away nothing of the layer's.
func TestHostEchoesItsHeaders(t *testing.T) {
	for _, w := range reachable {
		layer, _ := layerOf(t, rules{}, silent)
		server := serverOf(nil)
		server.AddTool(objectTool("echo"), func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{StructuredContent: req.Extra}, nil
		})
		if err := layer.Mount(server, nil); err != nil {
			t.Fatal(err)
		}
		server.RemoveTools("echo")
		server.AddTool(objectTool("echo"), func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if req.Extra == nil {
				return wireText("nothing"), nil
			}
			return wireText(fmt.Sprint(req.Extra.Header)), nil
		})
		p := w.dial(t, func() *site { return &site{layer, server} }, nil)
		got := p.say(t, "echo")
		if strings.Contains(strings.ToLower(got), "binding") || w.http != strings.Contains(got, "Content-Type") || !w.http && got != "nothing" {
			t.Errorf("%s: %s", w.name, got)
		}
	}
}

// A wrapped SDK handler of the layer's own (AddSDKTool) gets the real request.
func TestSDKHandlerGetsTheRealRequest(t *testing.T) {
	reg := mcplayer.NewRegistry()
	mcplayer.AddSDKTool(reg, mcplayer.Tool{Name: "sdk"}, func(_ context.Context, req *mcp.CallToolRequest, in textIn) (*mcp.CallToolResult, map[string]any, error) {
		header := req.Extra != nil && req.Extra.Header.Get("Mcplayer-Binding") != ""
		return nil, map[string]any{"session": req.Session != nil, "args": string(req.Params.Arguments), "text": in.Text, "binding": header}, nil
	})
	layer := must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: rules{"sdk": transformed}, Logger: silent}))
	server := serverOf(nil)
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	for _, w := range reachable {
		p := w.dial(t, func() *site { return &site{layer, server} }, nil)
		must(p.CallTool(t.Context(), &mcp.CallToolParams{Name: "sdk", Arguments: map[string]any{"text": "alias-1"}}))
		const want = `{"args":"{\"text\":\"real-1\"}","binding":false,"session":true,"text":"real-1"}`
		if got := p.record.structured(); got != want {
			t.Errorf("%s: got %s, want %s", w.name, got, want)
		}
	}
}

// A closing layer refuses calls on every way, and lists stay.
func TestClosingLayer(t *testing.T) {
	layer, _ := layerOf(t, rules{}, slog.New(slog.DiscardHandler), "a")
	server := serverOf(nil, "x")
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	p := dial(t, layer, server, modern, nil, nil)
	if err := layer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "x"} {
		must(p.CallTool(t.Context(), &mcp.CallToolParams{Name: name}))
		if got, want := p.record.String(), expect(modern, failure("-31029", "", "Server closing")); got != want {
			t.Errorf("%s: got  %s\nwant %s", name, got, want)
		}
	}
}
