package result_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func meta() mcp.Meta {
	return mcp.Meta{
		"map":   map[string]any{"a": []any{map[string]any{"b": 1}}},
		"list":  []string{"a"},
		"typed": map[string]string{"a": "b"},
		"ints":  map[string]int{"a": 1},
		"maps":  []map[string]any{{"a": 1}},
		"raw":   json.RawMessage(`{}`),
		"value": jsontext.Value(`{}`),
		"bytes": []byte("a"),
		"text":  "a",
	}
}

func annotations() *mcp.Annotations {
	return &mcp.Annotations{Audience: []mcp.Role{"user"}, Priority: 0.5}
}

func link() *mcp.ResourceLink {
	return &mcp.ResourceLink{
		URI: "x://y", Name: "n", Title: "t", Description: "d", MIMEType: "text/plain", Size: new(int64(7)),
		Meta: meta(), Annotations: annotations(), Icons: []mcp.Icon{{Source: "https://a", Sizes: []string{"1x1"}}},
	}
}

func contents() *mcp.ResourceContents {
	return &mcp.ResourceContents{URI: "x://y", Text: "t", Blob: []byte("b"), Meta: meta()}
}

func blocks() []mcp.Content {
	return []mcp.Content{
		&mcp.TextContent{Text: "t", Meta: meta(), Annotations: annotations()},
		&mcp.ImageContent{Data: []byte("i"), Meta: meta(), Annotations: annotations()},
		&mcp.AudioContent{Data: []byte("a"), Meta: meta(), Annotations: annotations()},
		link(),
		&mcp.EmbeddedResource{Resource: contents(), Meta: meta(), Annotations: annotations()},
		&mcp.ToolUseContent{ID: "1", Name: "n", Input: map[string]any{"a": []any{1}}, Meta: meta()},
		&mcp.ToolResultContent{ToolUseID: "1", Content: []mcp.Content{&mcp.TextContent{Text: "t", Meta: meta()}}, StructuredContent: map[string]any{"a": []any{1}}, Meta: meta()},
		&mcp.TextContent{},
		&mcp.EmbeddedResource{},
		nil,
		(*mcp.TextContent)(nil),
	}
}

// TestCloneIsDeep compares each kind of result with its clone, and looks for
// memory that both can write to.
func TestCloneIsDeep(t *testing.T) {
	cause := errors.New("cause")
	tests := []struct {
		name string
		res  result.Result
	}{
		{"tool", &result.ToolResult{Content: blocks(), Structured: jsontext.Value(`{"a":1}`), Meta: meta(), IsError: true, Cause: cause}},
		{"tool with links", &result.ToolResult{Content: []mcp.Content{link()}}},
		{"empty tool", &result.ToolResult{}},
		{"tool without content", &result.ToolResult{Content: []mcp.Content{}, Meta: result.Meta{}}},
		{"resource", &result.Resource{Contents: []*mcp.ResourceContents{contents(), nil, {}}, Meta: meta(), TTLMs: 3}},
		{"empty resource", &result.Resource{}},
		{"prompt", &result.Prompt{Description: "d", Messages: []*mcp.PromptMessage{{Role: "user", Content: link()}, nil, {Role: "assistant"}}, Meta: meta()}},
		{"empty prompt", &result.Prompt{}},
		{"completion", &result.Completion{Values: []string{"a"}, Total: 2, HasMore: true, Meta: meta()}},
		{"empty completion", &result.Completion{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.res.Clone()
			if !reflect.DeepEqual(c, tt.res) {
				t.Fatalf("got %+v, want %+v", c, tt.res)
			}
			if path := shared(tt.name, reflect.ValueOf(c), reflect.ValueOf(tt.res)); path != "" {
				t.Errorf("%s is shared", path)
			}
		})
	}
}

// shared returns the path of a pointer, map or slice that a and b share, except
// errors, which stay what they are.
func shared(path string, a, b reflect.Value) string {
	if a.Type() == reflect.TypeFor[error]() {
		return ""
	}
	switch a.Kind() {
	case reflect.Interface:
		if !a.IsNil() {
			return shared(path, a.Elem(), b.Elem())
		}
	case reflect.Pointer:
		if a.IsNil() {
			return ""
		}
		if a.Pointer() == b.Pointer() && a.Type().Elem().Size() > 0 {
			return path
		}
		return shared(path, a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if p := shared(path+"."+a.Type().Field(i).Name, open(a.Field(i)), open(b.Field(i))); p != "" {
				return p
			}
		}
	case reflect.Map:
		if !a.IsNil() && a.Pointer() == b.Pointer() {
			return path
		}
		for _, key := range a.MapKeys() {
			if p := shared(fmt.Sprint(path, ".", key), a.MapIndex(key), b.MapIndex(key)); p != "" {
				return p
			}
		}
	case reflect.Slice:
		if a.Len() > 0 && a.Pointer() == b.Pointer() {
			return path
		}
		for i := range a.Len() {
			if p := shared(fmt.Sprint(path, "[", i, "]"), a.Index(i), b.Index(i)); p != "" {
				return p
			}
		}
	}
	return ""
}

// open makes an unexported field readable.
func open(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	return v
}

// A change of the clone, as the SDK and middleware make them, leaves the
// original alone.
func TestAChangeOfTheCloneStaysThere(t *testing.T) {
	original := &result.ToolResult{Content: blocks()[:7], Structured: jsontext.Value(`{"a":1}`), Meta: meta()}
	before := wire(t, original.ToWire())
	c := original.Clone().(*result.ToolResult)
	c.Content[0].(*mcp.TextContent).Text = "changed"
	c.Content[1].(*mcp.ImageContent).Data[0] = 'X'
	c.Content[2].(*mcp.AudioContent).Annotations.Audience[0] = "changed"
	c.Content[3].(*mcp.ResourceLink).Icons[0].Sizes[0] = "changed"
	*c.Content[3].(*mcp.ResourceLink).Size = 99
	c.Content[4].(*mcp.EmbeddedResource).Resource.Blob[0] = 'X'
	c.Content[4].(*mcp.EmbeddedResource).Resource.Meta["map"].(map[string]any)["a"] = "changed"
	c.Content[5].(*mcp.ToolUseContent).Input["a"].([]any)[0] = "changed"
	c.Content[6].(*mcp.ToolResultContent).StructuredContent.(map[string]any)["a"] = "changed"
	c.Content[6].(*mcp.ToolResultContent).Content[0].(*mcp.TextContent).Meta["text"] = "changed"
	c.Content = append(c.Content, &mcp.TextContent{})
	c.Structured[2] = 'X'
	c.MetaMap()["cloudg/cache"] = "hit"
	c.Meta["map"].(map[string]any)["a"].([]any)[0].(map[string]any)["b"] = "changed"
	c.Meta["maps"].([]map[string]any)[0]["a"] = "changed"
	c.IsError = true
	same(t, wire(t, original.ToWire()), before)
}

func TestCloneOfARequestForInput(t *testing.T) {
	original := result.AskInput(mcp.InputRequestMap{"a": &mcp.ElicitParams{}}, "s")
	c := original.Clone().(*result.ToolResult)
	c.Requests["b"] = &mcp.ElicitParams{}
	if len(original.Requests) != 1 || c.State != "s" || !c.NeedsInput() {
		t.Errorf("got %v", original.Requests)
	}
}

func TestCloneLink(t *testing.T) {
	a := link()
	b := result.CloneLink(a)
	if !reflect.DeepEqual(a, b) {
		t.Errorf("got %+v", b)
	}
	if path := shared("link", reflect.ValueOf(a), reflect.ValueOf(b)); path != "" {
		t.Errorf("%s is shared", path)
	}
}
