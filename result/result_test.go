package result_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func wire(t *testing.T, value any) string {
	t.Helper()
	doc, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestToolResultsOnTheWire(t *testing.T) {
	tests := []struct {
		name string
		res  *result.ToolResult
		want string
	}{
		{"text", result.Text("a"), `{"content":[{"type":"text","text":"a"}]}`},
		{"empty text", result.Text(""), `{"content":[{"type":"text","text":""}]}`},
		{"error", result.Error("a"), `{"content":[{"type":"text","text":"a"}],"isError":true}`},
		{
			"blocks", result.Content(&mcp.TextContent{Text: "a"}, &mcp.ImageContent{Data: []byte{1}, MIMEType: "image/png"}),
			`{"content":[{"type":"text","text":"a"},{"type":"image","mimeType":"image/png","data":"AQ=="}]}`,
		},
		{"no blocks", result.Content(), `{"content":[]}`},
		{"nothing", &result.ToolResult{}, `{"content":[]}`},
		{"empty content", &result.ToolResult{Content: []mcp.Content{}}, `{"content":[]}`},
		{"structured", result.Structured(jsontext.Value(`{"a":9007199254740993,"b":1.0}`)), `{"content":[],"structuredContent":{"a":9007199254740993,"b":1.0}}`},
		{"metadata", &result.ToolResult{Meta: result.Meta{"k": 1}}, `{"_meta":{"k":1},"content":[]}`},
		{"the cause stays", &result.ToolResult{IsError: true, Cause: errors.New("hunter2")}, `{"content":[],"isError":true}`},
		{
			"input", result.AskInput(mcp.InputRequestMap{"a": &mcp.ElicitParams{Message: "m"}}, "s"),
			`{"content":null,"requestState":"s","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"form","message":"m"}}}}`,
		},
		{"input without requests", result.AskInput(nil, ""), `{"content":null,"inputRequests":{}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			same(t, wire(t, tt.res.ToWire()), tt.want)
		})
	}
}

func TestOtherResultsOnTheWire(t *testing.T) {
	tests := []struct {
		name string
		wire any
		want string
	}{
		{
			"resource", (&result.Resource{Contents: []*mcp.ResourceContents{{URI: "x://y", Text: "t"}}, TTLMs: 5}).ToWire(),
			`{"ttlMs":5,"cacheScope":"private","contents":[{"uri":"x://y","text":"t"}]}`,
		},
		{"empty resource", (&result.Resource{}).ToWire(), `{"ttlMs":0,"cacheScope":"private","contents":[]}`},
		{"prompt", result.UserMessage("hi").ToWire(), `{"messages":[{"content":{"type":"text","text":"hi"},"role":"user"}]}`},
		{"empty prompt", (&result.Prompt{Description: "d"}).ToWire(), `{"description":"d","messages":[]}`},
		{
			"completion", (&result.Completion{Values: []string{"a"}, Total: 3, HasMore: true}).ToWire(),
			`{"completion":{"hasMore":true,"total":3,"values":["a"]}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := wire(t, tt.wire)
			var a, b any
			if err := errors.Join(json.Unmarshal([]byte(got), &a), json.Unmarshal([]byte(tt.want), &b)); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(a, b) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	// The SDK leaves total 0 and hasMore false out by itself.
	empty := (&result.Completion{}).ToWire()
	if empty.Completion.Values == nil || len(empty.Completion.Values) != 0 || empty.Completion.Total != 0 || empty.Completion.HasMore {
		t.Errorf("got %#v", empty.Completion)
	}
}

func TestIsErrorIsExplicit(t *testing.T) {
	base := &mcp.CallToolResult{IsError: true, StructuredContent: 1, Content: []mcp.Content{&mcp.TextContent{}}, Meta: mcp.Meta{"a": 1}}
	got := result.Text("x").ToWireOn(base)
	same(t, wire(t, got), `{"content":[{"type":"text","text":"x"}]}`)
	same(t, wire(t, base), `{"_meta":{"a":1},"content":[{"type":"text","text":""}],"structuredContent":1,"isError":true}`)
}

// What only the SDK can set survives: here the result type of a result that was
// read from the wire, and the SDK's own record of an error.
func TestToWireOnKeepsWhatIsTheSDKs(t *testing.T) {
	var base mcp.CallToolResult
	if err := json.Unmarshal([]byte(`{"content":[],"resultType":"input_required","inputRequests":{}}`), &base); err != nil {
		t.Fatal(err)
	}
	if !base.NeedsInput() {
		t.Fatal("the SDK does not see the result type")
	}
	res, err := result.FromWire(&base)
	if err != nil {
		t.Fatal(err)
	}
	if got := res.ToWireOn(&base); !got.NeedsInput() || !strings.Contains(wire(t, got), `"resultType":"input_required"`) {
		t.Errorf("got %s", wire(t, got))
	}
	if got := res.ToWire(); got.NeedsInput() {
		t.Errorf("got %s", wire(t, got))
	}
	failed := &mcp.CallToolResult{}
	failed.SetError(errors.New("x"))
	res, err = result.FromWire(failed)
	if err != nil || res.Cause == nil || !res.IsError {
		t.Errorf("got %+v, %v", res, err)
	}
	if got := res.ToWireOn(failed); got.GetError() == nil {
		t.Error("the SDK's record of the error is lost")
	}
}

func TestFromWire(t *testing.T) {
	original := &mcp.CallToolResult{
		Meta:              mcp.Meta{"k": 1},
		Content:           []mcp.Content{&mcp.TextContent{Text: "a"}, &mcp.ResourceLink{URI: "x://y", Name: "n"}},
		StructuredContent: json.RawMessage(`{"z":1.0,"a":9007199254740993}`),
		IsError:           true,
	}
	res, err := result.FromWire(original)
	if err != nil {
		t.Fatal(err)
	}
	same(t, wire(t, res.ToWire()), wire(t, original))
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{"none", nil, ""},
		{"raw", json.RawMessage(`{"a":1.0}`), `{"a":1.0}`},
		{"value", jsontext.Value(`{"a":1.0}`), `{"a":1.0}`},
		{"map", map[string]any{"b": 1, "a": nil}, `{"a":null,"b":1}`},
		{"list", []int{1}, `[1]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, err := result.FromWire(&mcp.CallToolResult{StructuredContent: tt.value})
			if err != nil || string(res.Structured) != tt.want || tt.want == "" && res.Structured != nil {
				t.Errorf("got %q, %v", res.Structured, err)
			}
		})
	}
	if _, err := result.FromWire(&mcp.CallToolResult{StructuredContent: make(chan int)}); err == nil {
		t.Error("no error")
	}
	in := mcp.InputRequestMap{"a": &mcp.ElicitParams{}}
	res, err = result.FromWire(&mcp.CallToolResult{InputRequests: in, RequestState: "s"})
	if err != nil || !res.NeedsInput() || res.State != "s" || len(res.Requests) != 1 {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestRoundTripsOfTheOtherKinds(t *testing.T) {
	resource := &mcp.ReadResourceResult{
		Contents: []*mcp.ResourceContents{{URI: "x://y"}}, Meta: mcp.Meta{"k": 1},
		Cacheable: mcp.Cacheable{TTLMs: 7, CacheScope: "private"},
	}
	same(t, wire(t, result.ResourceFromWire(resource).ToWire()), wire(t, resource))
	prompt := &mcp.GetPromptResult{Description: "d", Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "x"}}}, Meta: mcp.Meta{"k": 1}}
	same(t, wire(t, result.PromptFromWire(prompt).ToWire()), wire(t, prompt))
	completion := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{"a"}, Total: 9, HasMore: true}, Meta: mcp.Meta{"k": 1}}
	same(t, wire(t, result.CompletionFromWire(completion).ToWire()), wire(t, completion))
}

func TestCacheScopeIsPrivate(t *testing.T) {
	public := &mcp.ReadResourceResult{Cacheable: mcp.Cacheable{TTLMs: 7, CacheScope: "public"}}
	if got := result.ResourceFromWire(public).ToWireOn(public).CacheScope; got != "private" {
		t.Errorf("got %q", got)
	}
}

func TestResultInterface(t *testing.T) {
	ask := result.Input{Requests: mcp.InputRequestMap{}}
	tests := []struct {
		name                string
		res                 result.Result
		failed, needs, meta bool
	}{
		{"tool", result.Text("x"), false, false, true},
		{"failed tool", result.Error("x"), true, false, true},
		{"asking tool", &result.ToolResult{Input: ask}, false, true, true},
		{"resource", &result.Resource{}, false, false, true},
		{"asking resource", &result.Resource{Input: ask}, false, true, true},
		{"prompt", &result.Prompt{}, false, false, true},
		{"asking prompt", &result.Prompt{Input: ask}, false, true, true},
		{"completion", &result.Completion{}, false, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.res.Failed() != tt.failed || tt.res.NeedsInput() != tt.needs {
				t.Errorf("failed %v, needs input %v", tt.res.Failed(), tt.res.NeedsInput())
			}
			tt.res.MetaMap()["k"] = 1
			if tt.res.MetaMap()["k"] != 1 || tt.res.Clone().MetaMap()["k"] != 1 {
				t.Error("the metadata cannot be written")
			}
		})
	}
}
