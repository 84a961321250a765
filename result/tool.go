package result

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ToolResult is the result of a tool call.
type ToolResult struct {
	// Content holds the blocks of the answer. When it is nil and Structured is
	// not, the layer adds the structured value as a text block.
	Content []mcp.Content
	// Structured is the structured value as raw JSON; nil means there is none.
	Structured jsontext.Value
	Meta       Meta
	// IsError marks an answer that tells the model of a failure.
	IsError bool
	// Cause is the error behind a failed result. It stays on the server: retry,
	// breaker and the log look at it.
	Cause error
	Input
}

// Text returns a result with one text block.
func Text(text string) *ToolResult {
	return &ToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// Error returns a failed result with one text block, written for the model.
func Error(text string) *ToolResult {
	res := Text(text)
	res.IsError = true
	return res
}

// Content returns a result with the given blocks.
func Content(blocks ...mcp.Content) *ToolResult {
	return &ToolResult{Content: blocks}
}

// Structured returns a result whose structured value is the raw JSON doc. The
// layer adds the matching text block.
func Structured(doc jsontext.Value) *ToolResult {
	return &ToolResult{Structured: doc}
}

// AskInput returns a result that asks the client for input. State comes back
// with the client's responses.
func AskInput(requests mcp.InputRequestMap, state string) *ToolResult {
	if requests == nil {
		requests = mcp.InputRequestMap{}
	}
	return &ToolResult{Input: Input{Requests: requests, State: state}}
}

// FromWire returns the SDK's result as a ToolResult that shares its blocks and
// metadata. A structured value that is not raw JSON yet is encoded; one that
// cannot be encoded is an error.
func FromWire(wire *mcp.CallToolResult) (*ToolResult, error) {
	structured, err := rawJSON(wire.StructuredContent)
	if err != nil {
		return nil, err
	}
	return &ToolResult{
		Content:    wire.Content,
		Structured: structured,
		Meta:       wire.Meta,
		IsError:    wire.IsError,
		Cause:      wire.GetError(),
		Input:      Input{Requests: wire.InputRequests, State: wire.RequestState},
	}, nil
}

func rawJSON(value any) (jsontext.Value, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		return jsontext.Value(v), nil
	case jsontext.Value:
		return v, nil
	}
	doc, err := json.Marshal(value)
	return doc, err
}

// ToWire returns the SDK's form of r, sharing its blocks and metadata. Nil
// content becomes an empty list.
func (r *ToolResult) ToWire() *mcp.CallToolResult {
	return r.ToWireOn(&mcp.CallToolResult{})
}

// ToWireOn is [ToolResult.ToWire] on top of a result of the SDK: what only the
// SDK can set (the result type of the protocol, its own record of the error)
// survives from base, which is not changed.
func (r *ToolResult) ToWireOn(base *mcp.CallToolResult) *mcp.CallToolResult {
	wire := *base
	wire.Meta = r.Meta
	wire.Content = r.Content
	wire.StructuredContent = nil
	if r.Structured != nil {
		wire.StructuredContent = json.RawMessage(r.Structured)
	}
	wire.IsError = r.IsError
	wire.InputRequests = r.Requests
	wire.RequestState = r.State
	if wire.Content == nil && !r.NeedsInput() {
		wire.Content = []mcp.Content{}
	}
	return &wire
}

// MetaMap implements [Result].
func (r *ToolResult) MetaMap() Meta { return ensureMeta(&r.Meta) }

// Failed implements [Result]: it returns IsError.
func (r *ToolResult) Failed() bool { return r.IsError }

// Clone implements [Result].
func (r *ToolResult) Clone() Result {
	c := *r
	c.Content = cloneContent(r.Content)
	c.Structured = r.Structured.Clone()
	c.Meta = cloneMeta(r.Meta)
	c.Requests = cloneRequests(r.Requests)
	return &c
}
