package result

import "github.com/modelcontextprotocol/go-sdk/mcp"

// Prompt is the result of rendering a prompt.
type Prompt struct {
	Description string
	Messages    []*mcp.PromptMessage
	Meta        Meta
	Input
}

// UserMessage returns a prompt of one text message with the role user.
func UserMessage(text string) *Prompt {
	return &Prompt{Messages: []*mcp.PromptMessage{
		{Role: "user", Content: &mcp.TextContent{Text: text}},
	}}
}

// ToWire returns the SDK's form of r, sharing its messages and metadata.
func (r *Prompt) ToWire() *mcp.GetPromptResult {
	return r.ToWireOn(&mcp.GetPromptResult{})
}

// ToWireOn is [Prompt.ToWire] on top of a result of the SDK, whose result type
// survives. Base is not changed.
func (r *Prompt) ToWireOn(base *mcp.GetPromptResult) *mcp.GetPromptResult {
	wire := *base
	wire.Meta = r.Meta
	wire.Description = r.Description
	wire.Messages = r.Messages
	wire.InputRequests = r.Requests
	wire.RequestState = r.State
	if wire.Messages == nil && !r.NeedsInput() {
		wire.Messages = []*mcp.PromptMessage{}
	}
	return &wire
}

// PromptFromWire returns the SDK's result as a Prompt that shares its messages
// and metadata.
func PromptFromWire(wire *mcp.GetPromptResult) *Prompt {
	return &Prompt{
		Description: wire.Description,
		Messages:    wire.Messages,
		Meta:        wire.Meta,
		Input:       Input{Requests: wire.InputRequests, State: wire.RequestState},
	}
}

// MetaMap implements [Result].
func (r *Prompt) MetaMap() Meta { return ensureMeta(&r.Meta) }

// Failed implements [Result]: a prompt fails with an error, never in its
// result.
func (r *Prompt) Failed() bool { return false }

// Clone implements [Result].
func (r *Prompt) Clone() Result {
	c := *r
	if r.Messages != nil {
		c.Messages = make([]*mcp.PromptMessage, len(r.Messages))
		for i, m := range r.Messages {
			if m != nil {
				c.Messages[i] = &mcp.PromptMessage{Role: m.Role, Content: cloneBlock(m.Content)}
			}
		}
	}
	c.Meta = cloneMeta(r.Meta)
	c.Requests = cloneRequests(r.Requests)
	return &c
}
