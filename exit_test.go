package mcplayer_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// everything is a result with the word in each of its texts.
func everything() *result.ToolResult {
	meta := func() mcp.Meta { return mcp.Meta{"m": "secret"} }
	return &result.ToolResult{
		Structured: jsontext.Value(`{"s":"secret"}`),
		Meta:       result.Meta{"example.com/m": map[string]any{"deep": "secret"}},
		Content: []mcp.Content{
			&mcp.TextContent{Text: "a secret", Meta: meta()},
			&mcp.ImageContent{Data: []byte("secret"), MIMEType: "image/svg+xml", Meta: meta()},
			&mcp.AudioContent{Data: []byte("se\x00cret"), MIMEType: "audio/wav", Meta: meta()},
			&mcp.ResourceLink{
				URI: "x://secret", Name: "secret", Title: "secret", Description: "secret", MIMEType: "text/secret",
				Icons: []mcp.Icon{{Source: "https://secret"}}, Meta: meta(),
			},
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "x://secret", Text: "secret", Meta: meta()}, Meta: meta()},
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "x://b", Blob: []byte("secret")}},
		},
	}
}

func TestOutputPipelineIsTheOnlyExit(t *testing.T) {
	tests := []struct {
		name string
		add  func(*mcplayer.Registry)
		n    string // how many words were replaced
	}{
		{"plain value", returning("get", map[string]any{"a": "secret", "secret": []string{"secret"}}), "3"},
		{"text alone", returning("get", result.Text("secret secret")), "2"},
		{"result of every kind of block", returning("get", everything()), "19"},
		{"result of the SDK", returning("get", everything().ToWire()), "19"},
		{"error result of the handler", returning("get", result.Error("secret")), "1"},
		{"links and metadata of the context", tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
			tc.Link(&mcp.ResourceLink{URI: "x://secret", Name: "secret", Meta: mcp.Meta{"m": "secret"}})
			tc.SetMeta("example.com/k", []string{"secret"})
			return map[string]int{"secret": 1}, nil
		}), "5"},
		{"plain error", failing("get", errors.New("secret")), "1"},
		{"layer error", failing("get", &mcplayer.Error{Code: 7, Message: "secret", Data: []any{"secret", map[string]string{"secret": "x"}}}), "3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, tt.add)
			l.pol.output = censor{}
			got := l.wire(t, "get", nil)
			if strings.Contains(got, "secret") || !strings.Contains(got, gone) {
				t.Errorf("got %s", got)
			}
			if !strings.Contains(got, `"cloudg/transforms":{"censored":`+tt.n+`}`) {
				t.Errorf("the report is not %s: %s", tt.n, got)
			}
		})
	}
}

func TestOutputPipelineLeavesTheHandlersValueAlone(t *testing.T) {
	mine := everything()
	before := wireOf(t, mine)
	l := newLab(t, mcplayer.Options{}, returning("get", mine))
	l.pol.output = censor{}
	first := l.wire(t, "get", nil)
	same(t, wireOf(t, mine), before)
	same(t, l.wire(t, "get", nil), first)
	if len(mine.Meta) != 1 {
		t.Errorf("the layer wrote into the handler's metadata: %v", mine.Meta)
	}
}

func TestProgressAndLogPassTheOutputPipeline(t *testing.T) {
	var told journal
	l := newLab(t, mcplayer.Options{}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		tc.Progress(1, 2, "a secret")
		tc.Log("info", "a secret")
		tc.Log("error", map[string]any{"k": "secret", "raw_data": 1, "list": []string(nil)})
		tc.Log("info", nil)
		return nil, nil
	}))
	l.pol.output = censor{}
	l.call(t, "get", nil,
		mcplayer.OnProgress(func(p mcplayer.Progress) { told.add(p.Message) }),
		mcplayer.OnLog(func(m mcplayer.LogMessage) { told.add(string(m.Level) + ":" + string(m.Data)) }))
	same(t, told.String(), `a [gone] info:"a [gone]" error:{"k":"[gone]","list":[]} info:null`)
}

func TestAnOutputPipelineThatFailsWithholds(t *testing.T) {
	pipelines := []struct {
		name string
		p    broken
	}{
		{"error", broken{json: func(jsontext.Value) (jsontext.Value, error) { return nil, errPipeline }, text: func(string) (string, error) { return "", errPipeline }}},
		{"panic", broken{json: func(jsontext.Value) (jsontext.Value, error) { panic("hunter2") }, text: func(string) (string, error) { panic("hunter2") }}},
		{"panic at the beginning", broken{begin: func() { panic("hunter2") }}},
		{"panic in the report", broken{report: func() mcplayer.Report { panic("hunter2") }}},
		{"report that cannot be encoded", broken{report: func() mcplayer.Report { return mcplayer.Report{"x": make(chan int)} }}},
		{"report that cannot be encoded deep inside", broken{report: func() mcplayer.Report { return mcplayer.Report{"x": []any{func() {}}} }}},
	}
	values := []struct {
		name string
		add  func(*mcplayer.Registry)
	}{
		{"value", returning("get", map[string]string{"a": "hunter2"})},
		{"result", returning("get", result.Text("hunter2"))},
		{"error", failing("get", errors.New("hunter2"))},
		{"layer error", failing("get", mcplayer.AccessDenied("hunter2", "hunter2"))},
	}
	for _, p := range pipelines {
		for _, v := range values {
			t.Run(p.name+", "+v.name, func(t *testing.T) {
				l := newLab(t, mcplayer.Options{}, v.add)
				l.pol.output = p.p
				same(t, l.wire(t, "get", nil), `{"_meta":{"cloudg/error_code":"handler_error"},`+
					`"content":[{"type":"text","text":"Result withheld: the output pipeline failed"}],"isError":true}`)
				if len(l.log.find(t, "result withheld"))+len(l.log.find(t, "error withheld")) == 0 {
					t.Errorf("logged %s", l.log)
				}
				if panics := l.log.find(t, "panic"); strings.HasPrefix(p.name, "panic") && (len(panics) == 0 || panics[0]["stack"] == nil) {
					t.Errorf("no stack in %s", l.log)
				}
			})
		}
	}
}

func TestAnOutputPipelineThatSpoilsJSONWithholds(t *testing.T) {
	for _, doc := range []string{``, `{"a":`, `{} {}`, `nul`} {
		t.Run(doc, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, returning("get", map[string]string{"a": "x"}),
				returning("meta", &result.ToolResult{Meta: result.Meta{"k": "x"}}),
				failing("data", mcplayer.AccessDenied("no", []int{1})))
			l.pol.output = broken{json: func(jsontext.Value) (jsontext.Value, error) { return jsontext.Value(doc), nil }}
			for _, name := range []string{"get", "meta", "data"} {
				if got := textOf(t, l.call(t, name, nil)); got != "Result withheld: the output pipeline failed" {
					t.Errorf("%s: got %q", name, got)
				}
			}
		})
	}
}

func TestProgressAndLogOfAPipelineThatFails(t *testing.T) {
	var told journal
	l := newLab(t, mcplayer.Options{}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		tc.Progress(1, 2, "hunter2")
		tc.Log("info", "hunter2")
		tc.Log("info", map[string]string{"a": "hunter2"})
		tc.Log("info", make(chan int))
		return nil, nil
	}))
	l.pol.output = broken{
		json: func(jsontext.Value) (jsontext.Value, error) { return nil, errPipeline },
		text: func(string) (string, error) { panic("x") },
	}
	l.call(t, "get", nil,
		mcplayer.OnProgress(func(p mcplayer.Progress) { told.add("progress:" + p.Message) }),
		mcplayer.OnLog(func(m mcplayer.LogMessage) { told.add("log:" + string(m.Data)) }))
	same(t, told.String(), "progress:")
	if n := len(l.log.find(t, "log message of a handler left out")); n != 3 {
		t.Errorf("%d lines in the log: %s", n, l.log)
	}
}

func TestRequestsForInputPassTheOutputPipeline(t *testing.T) {
	message := func() []*mcp.SamplingMessage {
		return []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "a secret"}}}
	}
	ask := result.AskInput(mcp.InputRequestMap{
		"form": &mcp.ElicitParams{
			Message: "which secret?", Meta: mcp.Meta{"k": "secret"},
			RequestedSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string","description":"secret"}}}`),
		},
		"url":    &mcp.ElicitParams{Mode: "url", URL: "https://secret/", ElicitationID: "e", Message: "m"},
		"sample": &mcp.CreateMessageParams{SystemPrompt: "a secret", Messages: message(), Metadata: map[string]any{"k": "secret"}, StopSequences: []string{"secret"}},
		"tools": &mcp.CreateMessageWithToolsParams{
			SystemPrompt: "a secret", Messages: []*mcp.SamplingMessageV2{
				{Role: "user", Content: []mcp.Content{
					&mcp.TextContent{Text: "a secret"},
					&mcp.ToolUseContent{ID: "1", Name: "secret", Input: map[string]any{"k": "secret"}},
					&mcp.ToolResultContent{ToolUseID: "1", Content: []mcp.Content{&mcp.TextContent{Text: "secret"}}, StructuredContent: map[string]any{"k": "secret"}},
				}},
			},
			Tools: []*mcp.Tool{{Name: "t", Title: "secret", Description: "secret", InputSchema: map[string]any{"description": "secret"}}},
		},
		"roots": &mcp.ListRootsParams{},
	}, "the secret state")
	ask.Meta = result.Meta{"example.com/k": "secret"}
	before := wireOf(t, ask)
	l := newLab(t, mcplayer.Options{}, returning("get", ask))
	res := l.call(t, "get", nil)
	same(t, wireOf(t, res), before) // without a pipeline nothing changes, no duration, no content
	l.pol.output = censor{}
	res = l.call(t, "get", nil)
	if !res.NeedsInput() || res.State != "the secret state" || len(res.Requests) != 5 {
		t.Errorf("got %s", wireOf(t, res))
	}
	res.State = ""
	if got := wireOf(t, res); strings.Contains(got, "secret") {
		t.Errorf("got %s", got)
	}
	if got := res.Requests["form"].(*mcp.ElicitParams); got.Message != "which [gone]?" {
		t.Errorf("got %#v", got)
	}
	same(t, wireOf(t, ask), before)
}

func TestAskingForInputFails(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("get", result.AskInput(mcp.InputRequestMap{"a": &mcp.ElicitParams{Message: "hunter2"}}, "")))
	l.pol.output = broken{text: func(string) (string, error) { return "", errPipeline }}
	same(t, l.wire(t, "get", nil), `{"_meta":{"cloudg/error_code":"handler_error"},`+
		`"content":[{"type":"text","text":"Result withheld: the output pipeline failed"}],"isError":true}`)
}

func TestAskingForInputThatCannotBeEncoded(t *testing.T) {
	for name, requests := range map[string]mcp.InputRequestMap{
		"schema":           {"a": &mcp.ElicitParams{RequestedSchema: make(chan int)}},
		"nil request":      {"a": nil},
		"typed nil":        {"a": (*mcp.ElicitParams)(nil)},
		"message with nil": {"a": &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{{Content: (*mcp.TextContent)(nil)}}}},
		"nil message":      {"a": &mcp.CreateMessageWithToolsParams{Messages: []*mcp.SamplingMessageV2{nil}}},
	} {
		for _, withPipeline := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				l := newLab(t, mcplayer.Options{}, returning("get", result.AskInput(requests, "")))
				if withPipeline {
					l.pol.output = censor{}
				}
				if res := l.call(t, "get", nil); !res.IsError || res.Meta["cloudg/error_code"] != "handler_error" {
					t.Errorf("got %s", wireOf(t, res))
				}
			})
		}
	}
}
