package result_test

import (
	"encoding/json"
	"testing"

	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestCheckContent(t *testing.T) {
	bad := mcp.Meta{"x": make(chan int)}
	const badMeta = `_meta["x"]: json: unsupported type: chan int`
	tests := []struct {
		name  string
		block mcp.Content
		want  string
	}{
		{"text", &mcp.TextContent{Text: "t", Meta: meta()}, ""},
		{"image", &mcp.ImageContent{}, ""},
		{"audio", &mcp.AudioContent{}, ""},
		{"link", link(), ""},
		{"embedded", &mcp.EmbeddedResource{Resource: contents()}, ""},
		{"tool use", &mcp.ToolUseContent{}, ""},
		{"tool result", &mcp.ToolResultContent{Content: []mcp.Content{link()}}, ""},
		{"nil", nil, "the block is nil"},
		{"nil text", (*mcp.TextContent)(nil), "the block is nil"},
		{"nil image", (*mcp.ImageContent)(nil), "the block is nil"},
		{"nil audio", (*mcp.AudioContent)(nil), "the block is nil"},
		{"nil link", (*mcp.ResourceLink)(nil), "the block is nil"},
		{"nil embedded", (*mcp.EmbeddedResource)(nil), "the block is nil"},
		{"nil tool use", (*mcp.ToolUseContent)(nil), "the block is nil"},
		{"nil tool result", (*mcp.ToolResultContent)(nil), "the block is nil"},
		{"embedded without contents", &mcp.EmbeddedResource{}, "the embedded resource has no contents"},
		{"text metadata", &mcp.TextContent{Meta: bad}, badMeta},
		{"image metadata", &mcp.ImageContent{Meta: bad}, badMeta},
		{"audio metadata", &mcp.AudioContent{Meta: bad}, badMeta},
		{"link metadata", &mcp.ResourceLink{Meta: bad}, badMeta},
		{"embedded metadata", &mcp.EmbeddedResource{Resource: contents(), Meta: bad}, badMeta},
		{"contents metadata", &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{Meta: bad}}, badMeta},
		{"tool use input", &mcp.ToolUseContent{Input: bad}, "input: json: unsupported type: chan int"},
		{"tool result value", &mcp.ToolResultContent{StructuredContent: json.RawMessage(`{`)}, "structured content: not valid JSON"},
		{"tool result inside", &mcp.ToolResultContent{Content: []mcp.Content{nil}}, "content[0]: the block is nil"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := result.CheckContent([]mcp.Content{&mcp.TextContent{}, tt.block})
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				if _, err := json.Marshal(&mcp.CallToolResult{Content: []mcp.Content{tt.block}}); err != nil {
					t.Errorf("the SDK cannot encode it: %v", err)
				}
				return
			}
			if err == nil {
				t.Fatal("no error")
			}
			same(t, err.Error(), "content[1]: "+tt.want)
		})
	}
	if err := result.CheckContent(nil); err != nil {
		t.Error(err)
	}
}

func TestCheckMeta(t *testing.T) {
	circle := map[string]any{}
	circle["again"] = circle
	tests := []struct {
		name string
		meta result.Meta
		ok   bool
	}{
		{"nil", nil, true},
		{"all sorts", meta(), true},
		{"null", result.Meta{"a": nil}, true},
		{"duplicates in raw JSON", result.Meta{"a": json.RawMessage(`{"a":1,"a":2}`)}, true},
		{"channel", result.Meta{"a": make(chan int)}, false},
		{"deep", result.Meta{"a": []any{map[string]any{"b": func() {}}}}, false},
		{"report", result.Meta{"a": map[string]any{"n": 1, "raw": json.RawMessage(`{}`), "none": json.RawMessage(nil)}}, true},
		{"channel in a report", result.Meta{"a": map[string]any{"b": map[string]any{"c": make(chan int)}}}, false},
		{"bad raw JSON in a report", result.Meta{"a": map[string]any{"b": json.RawMessage(`{`)}}, false},
		{"circle", result.Meta{"a": circle}, false},
		{"bad raw JSON", result.Meta{"a": json.RawMessage(`{`)}, false},
		{"empty raw JSON", result.Meta{"a": json.RawMessage{}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := result.CheckMeta(tt.meta); (err == nil) != tt.ok {
				t.Errorf("got %v", err)
			}
			if _, err := json.Marshal(tt.meta); (err == nil) != tt.ok {
				t.Errorf("the SDK disagrees: %v", err)
			}
		})
	}
}

func TestCheckRequests(t *testing.T) {
	tests := []struct {
		name    string
		request mcp.InputRequest
		ok      bool
	}{
		{"elicitation", &mcp.ElicitParams{Message: "m", RequestedSchema: map[string]any{"type": "object"}}, true},
		{"sampling", &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{{Content: &mcp.TextContent{}}}}, true},
		{"sampling with tools", &mcp.CreateMessageWithToolsParams{Messages: []*mcp.SamplingMessageV2{{Content: []mcp.Content{&mcp.TextContent{}}}}}, true},
		{"roots", &mcp.ListRootsParams{}, true},
		{"nil", nil, false},
		{"typed nil", (*mcp.ElicitParams)(nil), false},
		{"schema", &mcp.ElicitParams{RequestedSchema: make(chan int)}, false},
		{"metadata of elicitation", &mcp.ElicitParams{Meta: mcp.Meta{"x": make(chan int)}}, false},
		{"nil message", &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{nil}}, false},
		{"message without content", &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{{}}}, false},
		{"metadata of sampling", &mcp.CreateMessageParams{Metadata: make(chan int)}, false},
		{"nil message with tools", &mcp.CreateMessageWithToolsParams{Messages: []*mcp.SamplingMessageV2{nil}}, false},
		{"typed nil block", &mcp.CreateMessageWithToolsParams{Messages: []*mcp.SamplingMessageV2{{Content: []mcp.Content{(*mcp.TextContent)(nil)}}}}, false},
		{"tools", &mcp.CreateMessageWithToolsParams{Tools: []*mcp.Tool{{InputSchema: make(chan int)}}}, false},
		{"metadata of roots", &mcp.ListRootsParams{Meta: mcp.Meta{"x": make(chan int)}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := result.CheckRequests(mcp.InputRequestMap{"id": tt.request})
			if (err == nil) != tt.ok {
				t.Errorf("got %v", err)
			}
		})
	}
}
