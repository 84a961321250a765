package mcplayer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
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

// replacing is a pipeline that puts one word in the place of another, in texts
// and in JSON, refuses the word "password" and fails at the word
// "broken".
type replacing struct{ from, to string }

func (r replacing) Begin(context.Context, mcplayer.CallInfo) mcplayer.Pass {
	return &replacingPass{replacing: r}
}

type replacingPass struct {
	replacing
	found int
}

func (p *replacingPass) JSON(doc jsontext.Value) (jsontext.Value, error) {
	text, err := p.Text(string(doc))
	return jsontext.Value(text), err
}

func (p *replacingPass) Text(text string) (string, error) {
	if strings.Contains(text, "password") {
		return "", mcplayer.InvalidArguments("Arguments are refused", map[string]any{"entities": []string{"word"}})
	}
	if strings.Contains(text, "broken") {
		return "", errors.New("cannot be transformed")
	}
	p.found += strings.Count(text, p.from)
	return strings.ReplaceAll(text, p.from, p.to), nil
}

func (p *replacingPass) Report() mcplayer.Report {
	if p.found == 0 {
		return nil
	}
	return mcplayer.Report{"replaced": p.found}
}

var (
	hideSecrets = replacing{"secret", "******"}
	knowAliases = replacing{"alias-1", "real-1"}
	transformed = &mcplayer.Access{Visible: true, Check: allow, Input: knowAliases, Output: hideSecrets}
)

// contractSite has a tool, or several, for each line of the table of failures,
// once of the layer's and once of the host's.
type contractSite struct {
	*site
	mu     sync.Mutex
	counts map[string]int
}

func (s *contractSite) count(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[what]++
}

// errUnavailable is a plain error with a type of its own.
type errUnavailable struct{}

func (*errUnavailable) Error() string { return "secret host db-7 is down" }

func newContractSite() *contractSite {
	s := &contractSite{counts: map[string]int{}}
	reg := mcplayer.NewRegistry()
	s.addLayerTools(reg)
	access := rules{
		"hidden": {}, "hidden_nil": nil, "hidden_masked": {Output: replacing{"Unknown", "Known"}},
		"host_hidden": {}, "host_hidden_nil": nil,
		"denied": denying("denied"), "host_denied": denying("host_denied"),
		"limited": {Visible: true, Check: answer(mcplayer.RateLimited("Rate limit exceeded for tool 'limited' (2/minute); retry in 30.0s",
			map[string]any{"retry_after": 29.99, "limit": "2/minute", "scope": "principal_tool"}))},
		"no_check":  {Visible: true},
		"panicking": {Visible: true, Check: func(context.Context, mcplayer.CallInfo) (mcplayer.Ticket, error) { panic("policy bug") }},
	}
	for _, name := range []string{
		"masked", "masked_result", "masked_error", "masked_broken", "echo_input", "masked_protocol",
		"host_masked", "host_masked_error", "host_typed_masked", "host_echo_input", "ask_masked", "host_ask_masked", "elicit_masked", "host_elicit_masked",
	} {
		access[name] = transformed
	}
	s.site = &site{
		layer: must(mcplayer.New(&mcplayer.Options{
			Registry: reg, Policy: access, Logger: silent, Middleware: []mcplayer.Middleware{s.counting, s.answering},
		})),
		server: mcp.NewServer(&mcp.Implementation{Name: "site", Version: "1"}, nil),
	}
	s.addHostTools(s.server)
	facts := map[string]mcplayer.HostFacts{"host_slow": {Timeout: 20 * time.Millisecond}}
	if err := s.layer.Mount(s.server, &mcplayer.MountOptions{HostTools: facts}); err != nil {
		panic(err)
	}
	return s
}

// counting counts what passes, as an audit would.
func (s *contractSite) counting(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
	s.count("middleware " + info.Name)
	return next(ctx, info)
}

// answering answers some calls by itself.
func (s *contractSite) answering(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
	switch strings.TrimPrefix(info.Name, "host_") {
	case "short":
		return &result.ToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "from a cache"}}, Meta: result.Meta{info.MetaKey("cache"): "hit"}}, nil
	case "short_structured":
		return &result.ToolResult{Structured: jsontext.Value(`{"n":9007199254740993}`), Content: []mcp.Content{}}, nil
	case "short_layer_error":
		return nil, mcplayer.AccessDenied("Contractors can call tools between 08:00 and 18:00", map[string]any{"hour": 20})
	case "short_plain_error":
		return nil, errors.New("queue gone")
	case "short_panic":
		panic("middleware bug")
	case "short_nil":
		return nil, nil
	case "short_typed_nil":
		return (*result.ToolResult)(nil), nil
	case "short_other_kind":
		return &result.Prompt{}, nil
	case "short_bad_content":
		return &result.ToolResult{Content: []mcp.Content{(*mcp.TextContent)(nil)}}, nil
	case "short_bad_meta":
		return &result.ToolResult{Meta: result.Meta{"x": make(chan int)}}, nil
	case "short_bad_structured":
		return &result.ToolResult{Structured: jsontext.Value(`{"a":`), Content: []mcp.Content{}}, nil
	case "short_ask_and_answer":
		return &result.ToolResult{Structured: jsontext.Value(`{}`), Input: result.Input{Requests: requests()}}, nil
	case "short_ask":
		if responses := info.Context.InputResponses(); responses != nil {
			return result.Text(answers(responses, info.Context.RequestState())), nil
		}
		return result.AskInput(requests(), "s"), nil
	case "decorated":
		res, err := next(ctx, info)
		if err == nil {
			res.MetaMap()["example.com/request-label"] = info.Kind.String() + ":" + info.Name
		}
		return res, err
	case "rewritten":
		info.Arguments = jsontext.Value(`{"text":"rewritten"}`)
	case "rewritten_badly":
		info.Arguments = jsontext.Value(`{"text":`)
	case "renamed":
		info.Name = "other"
	}
	return next(ctx, info)
}

func shortNames(prefix string) []string {
	names := []string{
		"short", "short_structured", "short_layer_error", "short_plain_error", "short_panic", "short_nil",
		"short_typed_nil", "short_other_kind", "short_bad_content", "short_bad_meta", "short_bad_structured",
	}
	for i := range names {
		names[i] = prefix + names[i]
	}
	return names
}

// addPlain registers a tool whose handler gives what f gives.
func addPlain[Out any](s *contractSite, reg *mcplayer.Registry, name string, f func(ctx context.Context, tc *mcplayer.ToolContext, in textIn) (Out, error)) {
	mcplayer.AddTool(reg, mcplayer.Tool{Name: name}, func(ctx context.Context, tc *mcplayer.ToolContext, in textIn) (Out, error) {
		s.count("handler " + name)
		return f(ctx, tc, in)
	})
}

func echoText(_ context.Context, _ *mcplayer.ToolContext, in textIn) (map[string]any, error) {
	return map[string]any{"text": in.Text}, nil
}

func mountedFailing(err error) func(context.Context, *mcplayer.ToolContext, textIn) (any, error) {
	return func(context.Context, *mcplayer.ToolContext, textIn) (any, error) { return nil, err }
}

func giving(value any) func(context.Context, *mcplayer.ToolContext, textIn) (any, error) {
	return func(context.Context, *mcplayer.ToolContext, textIn) (any, error) { return value, nil }
}

func (s *contractSite) addLayerTools(reg *mcplayer.Registry) {
	for _, name := range append(shortNames(""), "hidden", "hidden_nil", "hidden_masked", "denied", "limited", "no_check", "panicking",
		"masked", "echo_input", "decorated", "rewritten", "rewritten_badly", "renamed") {
		addPlain(s, reg, name, echoText)
	}
	addPlain(s, reg, "text", func(context.Context, *mcplayer.ToolContext, textIn) (string, error) { return "<ok>", nil })
	addPlain(s, reg, "number", func(context.Context, *mcplayer.ToolContext, textIn) (int64, error) { return 9007199254740993, nil })
	addPlain(s, reg, "nothing", giving(nil))
	addPlain(s, reg, "blocks", giving(result.Content(&mcp.TextContent{Text: "a"}, &mcp.ImageContent{MIMEType: "image/png", Data: []byte{1}})))
	addPlain(s, reg, "wire", giving(&mcp.CallToolResult{StructuredContent: map[string]int{"n": 1}}))
	addPlain(s, reg, "linked", func(_ context.Context, tc *mcplayer.ToolContext, _ textIn) (map[string]any, error) {
		tc.Link(&mcp.ResourceLink{URI: "file:///a", Name: "a"})
		tc.SetMeta("example.com/x", 1)
		tc.SetMeta("cloudg/duration_ms", "mine")
		return map[string]any{"n": 1}, nil
	})
	addPlain(s, reg, "failed", giving(result.Error("try another id")))
	addPlain(s, reg, "not_found", mountedFailing(mcplayer.ReferenceNotFound("No asset a-1", map[string]any{"id": "a-1"})))
	addPlain(s, reg, "invalid", mountedFailing(mcplayer.InvalidArguments("Invalid arguments: limit: must be 1 or greater",
		[]map[string]string{{"loc": "limit", "msg": "must be 1 or greater", "type": "gte"}})))
	addPlain(s, reg, "refusing", mountedFailing(&mcplayer.Error{Code: 4711, Message: "Not now", Err: errors.New("private")}))
	addPlain(s, reg, "plain_error", mountedFailing(&errUnavailable{}))
	addPlain(s, reg, "protocol_error", mountedFailing(&jsonrpc.Error{Code: 4321, Message: "no capability", Data: json.RawMessage(`{"a":[1]}`)}))
	addPlain(s, reg, "wrapped_protocol_error", mountedFailing(fmt.Errorf("outer: %w", &jsonrpc.Error{Code: 4321, Message: "no capability", Data: json.RawMessage(`{"a":[1]}`)})))
	addPlain(s, reg, "bad_protocol_error", mountedFailing(&jsonrpc.Error{Code: 4321, Message: "x", Data: json.RawMessage(`{"a`)}))
	addPlain(s, reg, "panic", func(context.Context, *mcplayer.ToolContext, textIn) (any, error) { panic("secret") })
	addPlain(s, reg, "slow", func(ctx context.Context, _ *mcplayer.ToolContext, _ textIn) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "slow", Timeout: 20 * time.Millisecond, Replace: true},
		func(ctx context.Context, _ *mcplayer.ToolContext, _ textIn) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
	addPlain(s, reg, "not_a_number", giving(map[string]any{"n": math.NaN()}))
	addPlain(s, reg, "channel", giving(make(chan int)))
	addPlain(s, reg, "nil_block", giving(result.Content(nil)))
	addPlain(s, reg, "typed_nil_block", giving(result.Content((*mcp.TextContent)(nil))))
	addPlain(s, reg, "bad_structured", giving(result.Structured(jsontext.Value(`{"a":`))))
	addPlain(s, reg, "bad_meta", giving(&result.ToolResult{Meta: result.Meta{"x": make(chan int)}}))
	addPlain(s, reg, "wire_channel", giving(&mcp.CallToolResult{StructuredContent: make(chan int)}))
	addPlain(s, reg, "masked_result", giving(&result.ToolResult{
		Content:    []mcp.Content{&mcp.TextContent{Text: "a secret"}, &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "x:secret", Text: "secret"}}},
		Structured: jsontext.Value(`{"a":"secret"}`), Meta: result.Meta{"m": "secret"},
	}))
	addPlain(s, reg, "masked_error", mountedFailing(&errUnavailable{}))
	addPlain(s, reg, "masked_broken", giving(map[string]any{"a": "broken"}))
	addPlain(s, reg, "masked_protocol", mountedFailing(&jsonrpc.Error{Code: 4321, Message: "secret", Data: json.RawMessage(`{"a":"secret"}`)}))
	addPlain(s, reg, "count", func(_ context.Context, _ *mcplayer.ToolContext, in textIn) (map[string]int, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		return map[string]int{"middleware": s.counts["middleware "+in.Text], "handler": s.counts["handler "+in.Text]}, nil
	})
	s.addAsking(reg)
}

func (s *contractSite) addRaw(server *mcp.Server, name string, h mcp.ToolHandler) {
	server.AddTool(objectTool(name), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.count("handler " + name)
		return h(ctx, req)
	})
}

func (s *contractSite) addHostTools(server *mcp.Server) {
	echo := func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return wireText(string(req.Params.Arguments)), nil
	}
	for _, name := range append(shortNames("host_"), "host_hidden", "host_hidden_nil", "host_denied", "host_raw",
		"host_echo_input", "host_decorated", "host_rewritten", "host_rewritten_badly", "host_renamed") {
		s.addRaw(server, name, echo)
	}
	s.addRaw(server, "host_nil_content", wireGiving(&mcp.CallToolResult{}, nil))
	s.addRaw(server, "host_failed", wireGiving(&mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "no"}}}, nil))
	s.addRaw(server, "host_protocol_error", wireGiving(nil, &jsonrpc.Error{Code: 4321, Message: "no capability", Data: json.RawMessage(`{"a":[1]}`)}))
	s.addRaw(server, "host_plain_error", wireGiving(nil, &errUnavailable{}))
	s.addRaw(server, "host_panic", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("secret") })
	s.addRaw(server, "host_nil", wireGiving(nil, nil))
	s.addRaw(server, "host_typed_nil_block", wireGiving(&mcp.CallToolResult{Content: []mcp.Content{(*mcp.TextContent)(nil)}}, nil))
	s.addRaw(server, "host_channel", wireGiving(&mcp.CallToolResult{StructuredContent: make(chan int)}, nil))
	s.addRaw(server, "host_not_a_number", wireGiving(&mcp.CallToolResult{StructuredContent: math.NaN()}, nil))
	s.addRaw(server, "host_bad_meta", wireGiving(&mcp.CallToolResult{Meta: mcp.Meta{"x": make(chan int)}}, nil))
	s.addRaw(server, "host_slow", func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	s.addRaw(server, "host_masked", wireGiving(&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "a secret"}}, StructuredContent: map[string]string{"a": "secret"}, Meta: mcp.Meta{"m": "secret"}}, nil))
	s.addRaw(server, "host_masked_error", wireGiving(nil, &errUnavailable{}))
	mcp.AddTool(server, &mcp.Tool{Name: "host_typed"}, func(_ context.Context, _ *mcp.CallToolRequest, in textIn) (*mcp.CallToolResult, map[string]string, error) {
		if in.Text == "bad" {
			return nil, nil, errors.New("the text is bad")
		}
		return nil, map[string]string{"text": in.Text}, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "host_typed_masked"}, func(_ context.Context, _ *mcp.CallToolRequest, in textIn) (*mcp.CallToolResult, map[string]string, error) {
		return nil, map[string]string{"text": "secret " + in.Text}, nil
	})
	s.addHostAsking(server)
}

// text is a result with one text block and these members of _meta.
func text(meta, text string) string {
	return `{"_meta":{` + meta + `},"content":[{"type":"text","text":"` + text + `"}]}`
}

// failure is an error result with this error code, error data, if any, and text.
func failure(code, data, text string) string {
	meta := `"cloudg/error_code":` + code
	if data != "" {
		meta += `,"cloudg/error_data":` + data
	}
	return `{"_meta":{` + meta + `},"content":[{"type":"text","text":"` + text + `"}],"isError":true}`
}

func crashed(kind string) string {
	return failure(`"handler_error"`, `{"error_id":0}`, "Internal error in tool "+kind)
}

func unencodable(reason string) string {
	return failure(`"handler_error"`, "", reason)
}

const took = `"cloudg/duration_ms":0`

// toolColumn is the column of tool calls in the table of failures, and what
// succeeds beside it.
var toolColumn = []struct {
	name, tool string
	args       any
	want       string // as legacy clients get it; modern ones get the result type too
}{
	{"value", "echo_input", map[string]any{"text": "hi"}, `{"_meta":{` + took + `},"content":[{"type":"text","text":"{\n  \"text\": \"hi\"\n}"}],"structuredContent":{"text":"hi"}}`},
	{"text", "text", nil, `{"_meta":{` + took + `},"content":[{"type":"text","text":"{\n  \"result\": \"\u003cok\u003e\"\n}"}],"structuredContent":{"result":"\u003cok\u003e"}}`},
	{"large number", "number", nil, `{"_meta":{` + took + `},"content":[{"type":"text","text":"{\n  \"result\": 9007199254740993\n}"}],"structuredContent":{"result":9007199254740993}}`},
	{"nothing", "nothing", nil, `{"_meta":{` + took + `},"content":[]}`},
	{"blocks", "blocks", nil, `{"_meta":{` + took + `},"content":[{"type":"text","text":"a"},{"type":"image","mimeType":"image/png","data":"AQ=="}]}`},
	{"result of the SDK", "wire", nil, `{"_meta":{` + took + `},"content":[{"type":"text","text":"{\n  \"n\": 1\n}"}],"structuredContent":{"n":1}}`},
	{"link and meta", "linked", nil, `{"_meta":{` + took + `,"example.com/x":1},"content":[{"type":"text","text":"{\n  \"n\": 1\n}"},{"type":"resource_link","uri":"file:///a","name":"a"}],"structuredContent":{"n":1}}`},
	{"failed by itself", "failed", nil, `{"_meta":{` + took + `},"content":[{"type":"text","text":"try another id"}],"isError":true}`},

	{"not found inside", "not_found", nil, failure("-32602", `{"id":"a-1"}`, "No asset a-1")},
	{"invalid inside", "invalid", nil, failure("-32602", `[{"loc":"limit","msg":"must be 1 or greater","type":"gte"}]`, "Invalid arguments: limit: must be 1 or greater")},
	{"own code", "refusing", nil, failure("4711", "", "Not now")},
	{"denied", "denied", nil, failure("-31001", `{"policy":"p","reason":"closed"}`, "Access to tool 'denied' denied: closed")},
	{"denied by silence", "no_check", nil, failure("-31001", `{"policy":"","reason":"no policy grants it"}`, "Access to tool 'no_check' denied: no policy grants it")},
	{"rate limited", "limited", nil, failure("-31029", `{"limit":"2/minute","retry_after":29.99,"scope":"principal_tool"}`, "Rate limit exceeded for tool 'limited' (2/minute); retry in 30.0s")},
	{"secret in an argument", "masked", map[string]any{"text": "password"}, failure("-32602", `{"entities":["word"]}`, "Arguments are refused")},
	{"array", "text", []int{1}, failure("-32602", `[{"loc":"","msg":"must be a JSON object","type":"type"}]`, "Invalid arguments: must be a JSON object")},
	{"duplicate member", "text", json.RawMessage(`{"text":"a","text":"b"}`), failure("-32602", `[{"loc":"text","msg":"is given twice","type":"duplicate"}]`, "Invalid arguments: text: is given twice")},
	{"timeout", "slow", nil, failure(`"timeout"`, "", "Tool slow timed out")},
	{"panic", "panic", nil, crashed("panic")},
	{"panic of the policy", "panicking", nil, crashed("panicking")},
	{"plain error", "plain_error", nil, failure(`"handler_error"`, "", "errUnavailable: secret host db-7 is down")},
	{"protocol error", "protocol_error", nil, `error {"code":4321,"message":"no capability","data":{"a":[1]}}`},
	{"wrapped protocol error", "wrapped_protocol_error", nil, failure(`"handler_error"`, "", "wrapError: outer: no capability")},
	{"protocol error with bad data", "bad_protocol_error", nil, `error {"code":4321,"message":"x"}`},

	{"not a number", "not_a_number", nil, unencodable("wrapError: encode the result: json: unsupported value: NaN")},
	{"channel", "channel", nil, unencodable("wrapError: encode the result: json: unsupported type: chan int")},
	{"nil block", "nil_block", nil, unencodable("wrapError: encode the result: content[0]: the block is nil")},
	{"typed nil block", "typed_nil_block", nil, unencodable("wrapError: encode the result: content[0]: the block is nil")},
	{"bad structured value", "bad_structured", nil, unencodable("wrapError: encode the result: structured value: not valid JSON")},
	{"bad meta", "bad_meta", nil, unencodable("wrapError: encode the result: _meta[\\\"x\\\"]: json: unsupported type: chan int")},
	{"channel in a result of the SDK", "wire_channel", nil, unencodable("wrapError: encode the result: json: unsupported type: chan int")},

	{"output pipeline", "masked", map[string]any{"text": "a secret"}, `{"_meta":{` + took + `,"cloudg/transforms":{"replaced":1}},"content":[{"type":"text","text":"{\n  \"text\": \"a ******\"\n}"}],"structuredContent":{"text":"a ******"}}`},
	{"output pipeline over a result", "masked_result", nil, `{"_meta":{` + took + `,"cloudg/transforms":{"replaced":5},"m":"******"},"content":[{"type":"text","text":"a ******"},{"type":"resource","resource":{"uri":"x:******","text":"******"}}],"structuredContent":{"a":"******"}}`},
	{"output pipeline over an error", "masked_error", nil, `{"_meta":{"cloudg/error_code":"handler_error","cloudg/transforms":{"replaced":1}},"content":[{"type":"text","text":"errUnavailable: ****** host db-7 is down"}],"isError":true}`},
	{"output pipeline over a protocol error", "masked_protocol", nil, `error {"code":4321,"message":"******","data":{"a":"******"}}`},
	{"output pipeline fails", "masked_broken", nil, failure(`"handler_error"`, "", "Result withheld: the output pipeline failed")},
	{"input pipeline", "echo_input", map[string]any{"text": "alias-1"}, `{"_meta":{` + took + `},"content":[{"type":"text","text":"{\n  \"text\": \"real-1\"\n}"}],"structuredContent":{"text":"real-1"}}`},

	{"answer of a middleware", "short", nil, text(`"cloudg/cache":"hit"`, "from a cache")},
	{"structured answer of a middleware", "short_structured", nil, `{"content":[],"structuredContent":{"n":9007199254740993}}`},
	{"layer error of a middleware", "short_layer_error", nil, failure("-31001", `{"hour":20}`, "Contractors can call tools between 08:00 and 18:00")},
	{"plain error of a middleware", "short_plain_error", nil, failure(`"handler_error"`, "", "errorString: queue gone")},
	{"panic of a middleware", "short_panic", nil, crashed("short_panic")},
	{"middleware returns nil", "short_nil", nil, failure(`"handler_error"`, "", "errorString: a middleware returned no tool result")},
	{"middleware returns a typed nil", "short_typed_nil", nil, failure(`"handler_error"`, "", "errorString: a middleware returned no tool result")},
	{"middleware returns another kind", "short_other_kind", nil, failure(`"handler_error"`, "", "errorString: a middleware returned no tool result")},
	{"middleware returns a nil block", "short_bad_content", nil, failure(`"handler_error"`, "", "wrapError: content[0]: the block is nil")},
	{"middleware returns bad meta", "short_bad_meta", nil, failure(`"handler_error"`, "", "wrapError: _meta[\\\"x\\\"]: json: unsupported type: chan int")},
	{"middleware returns bad JSON", "short_bad_structured", nil, failure(`"handler_error"`, "", "wrapError: structured value: not valid JSON")},
	{"decorated", "decorated", nil, `{"_meta":{` + took + `,"example.com/request-label":"tool:decorated"},"content":[{"type":"text","text":"{\n  \"text\": \"\"\n}"}],"structuredContent":{"text":""}}`},
	{"arguments of a middleware", "rewritten", map[string]any{"text": "original"}, `{"_meta":{` + took + `},"content":[{"type":"text","text":"{\n  \"text\": \"rewritten\"\n}"}],"structuredContent":{"text":"rewritten"}}`},
	{"bad arguments of a middleware", "rewritten_badly", nil, failure("-32602", `[{"loc":"text","msg":"not valid JSON at byte 8","type":"json"}]`, "Invalid arguments: text: not valid JSON at byte 8")},
	{"name of a middleware", "renamed", nil, failure(`"handler_error"`, "", "errorString: mcplayer: a middleware changed the kind, name, spec or principal of a call")},

	{"unknown", "nope", nil, `error {"code":-32602,"message":"Unknown tool: nope"}`},

	{"host: raw", "host_raw", map[string]any{"n": json.Number("9007199254740993")}, text(took, `{\"n\":9007199254740993}`)},
	{"host: no arguments", "host_raw", nil, text(took, `{}`)},
	{"host: array", "host_raw", []int{1}, failure("-32602", `[{"loc":"","msg":"must be a JSON object","type":"type"}]`, "Invalid arguments: must be a JSON object")},
	{"host: typed", "host_typed", map[string]any{"text": "hi"}, `{"_meta":{` + took + `},"content":[{"type":"text","text":"{\"text\":\"hi\"}"}],"structuredContent":{"text":"hi"}}`},
	{"host: the SDK's validation", "host_typed", map[string]any{"txt": "hi"}, `{"_meta":{` + took + `},"content":[{"type":"text","text":"validating \"arguments\": validating root: unexpected additional properties [\"txt\"]"}],"isError":true}`},
	{"host: typed error", "host_typed", map[string]any{"text": "bad"}, `{"_meta":{` + took + `},"content":[{"type":"text","text":"the text is bad"}],"isError":true}`},
	{"host: nil content", "host_nil_content", nil, `{"_meta":{` + took + `},"content":[]}`},
	{"host: failed by itself", "host_failed", nil, `{"_meta":{` + took + `},"content":[{"type":"text","text":"no"}],"isError":true}`},
	{"host: denied", "host_denied", nil, failure("-31001", `{"policy":"p","reason":"closed"}`, "Access to tool 'host_denied' denied: closed")},
	{"host: timeout", "host_slow", nil, failure(`"timeout"`, "", "Tool host_slow timed out")},
	{"host: panic", "host_panic", nil, crashed("host_panic")},
	{"host: protocol error", "host_protocol_error", nil, `error {"code":4321,"message":"no capability","data":{"a":[1]}}`},
	{"host: plain error", "host_plain_error", nil, failure(`"handler_error"`, "", "errUnavailable: secret host db-7 is down")},
	{"host: nil result", "host_nil", nil, failure(`"handler_error"`, "", "errorString: the handler gave no result")},
	{"host: typed nil block", "host_typed_nil_block", nil, unencodable("wrapError: encode the result: content[0]: the block is nil")},
	{"host: channel", "host_channel", nil, unencodable("wrapError: encode the result: json: unsupported type: chan int")},
	{"host: not a number", "host_not_a_number", nil, unencodable("wrapError: encode the result: json: unsupported value: NaN")},
	{"host: bad meta", "host_bad_meta", nil, unencodable("wrapError: encode the result: _meta[\\\"x\\\"]: json: unsupported type: chan int")},
	{"host: output pipeline", "host_masked", nil, `{"_meta":{` + took + `,"cloudg/transforms":{"replaced":3},"m":"******"},"content":[{"type":"text","text":"a ******"}],"structuredContent":{"a":"******"}}`},
	{"host: typed, output pipeline", "host_typed_masked", map[string]any{"text": "x"}, `{"_meta":{` + took + `,"cloudg/transforms":{"replaced":2}},"content":[{"type":"text","text":"{\"text\":\"****** x\"}"}],"structuredContent":{"text":"****** x"}}`},
	{"host: output pipeline over an error", "host_masked_error", nil, `{"_meta":{"cloudg/error_code":"handler_error","cloudg/transforms":{"replaced":1}},"content":[{"type":"text","text":"errUnavailable: ****** host db-7 is down"}],"isError":true}`},
	{"host: input pipeline", "host_echo_input", map[string]any{"text": "alias-1"}, text(took, `{\"text\":\"real-1\"}`)},
	{"host: input pipeline refuses", "host_echo_input", map[string]any{"text": "password"}, failure("-32602", `{"entities":["word"]}`, "Arguments are refused")},
	{"host: answer of a middleware", "host_short", nil, text(`"cloudg/cache":"hit"`, "from a cache")},
	{"host: structured answer of a middleware", "host_short_structured", nil, `{"content":[],"structuredContent":{"n":9007199254740993}}`},
	{"host: layer error of a middleware", "host_short_layer_error", nil, failure("-31001", `{"hour":20}`, "Contractors can call tools between 08:00 and 18:00")},
	{"host: panic of a middleware", "host_short_panic", nil, crashed("host_short_panic")},
	{"host: middleware returns bad JSON", "host_short_bad_structured", nil, failure(`"handler_error"`, "", "wrapError: structured value: not valid JSON")},
	{"host: decorated", "host_decorated", nil, `{"_meta":{` + took + `,"example.com/request-label":"tool:host_decorated"},"content":[{"type":"text","text":"{}"}]}`},
	{"host: arguments of a middleware", "host_rewritten", nil, text(took, `{\"text\":\"rewritten\"}`)},
}

// expect is a result as clients of that protocol get it.
func expect(version, want string) string {
	if body, ok := strings.CutSuffix(want, "}"); ok && version == modern && !strings.HasPrefix(want, "error ") {
		return body + `,"resultType":"complete"}`
	}
	return want
}

func TestToolCallsByteForByte(t *testing.T) {
	for _, w := range everyWay("contract") {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			p := w.dial(t, func() *site { return newContractSite().site }, nil)
			for _, tc := range toolColumn {
				t.Run(tc.name, func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
					defer cancel()
					_, err := p.CallTool(ctx, &mcp.CallToolParams{Name: tc.tool, Arguments: tc.args})
					if ctx.Err() != nil {
						t.Fatal("no answer")
					}
					if isProtocol := strings.HasPrefix(tc.want, "error "); isProtocol != (err != nil) {
						t.Errorf("the client's error is %v", err)
					}
					if got, want := p.record.String(), expect(w.version, tc.want); got != want {
						t.Errorf("got  %s\nwant %s", got, want)
					}
				})
			}
		})
	}
}

// What is hidden cannot be told from what does not exist, whoever it belongs to,
// even if its policy would transform what comes out of it.
func TestUnknownAndHiddenAreTheSame(t *testing.T) {
	for _, w := range everyWay("contract") {
		t.Run(w.name, func(t *testing.T) {
			p := w.dial(t, func() *site { return newContractSite().site }, nil)
			for _, name := range []string{
				"nope", "hidden", "hidden_nil", "hidden_masked", "host_hidden", "host_hidden_nil",
				"mcplayer.announcement", "", "no/pe", "\u0007", `"`, "\u00e9\u2028<", strings.Repeat("x", 300),
			} {
				if name == "" && w.http || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) && w.modern() && w.http {
					continue // the SDK's client wants a name it can write into a header
				}
				for _, args := range []any{nil, map[string]any{"text": "password"}, []int{1}, json.RawMessage(`{"a":1,"a":2}`)} {
					_, err := p.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
					var wire *jsonrpc.Error
					if !errors.As(err, &wire) || wire.Code != -32602 || wire.Message != "Unknown tool: "+name || wire.Data != nil {
						t.Errorf("%q: the client's error is %v", name, err)
					}
					want := `error {"code":-32602,"message":` + quoted("Unknown tool: "+name) + `}`
					if got := p.record.String(); got != want {
						t.Errorf("%q: got  %s\nwant %s", name, got, want)
					}
				}
			}
		})
	}
}

// quoted is s as JSON, the way the SDK writes error messages.
func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.TrimSpace(b.String())
}
