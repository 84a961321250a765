package mcplayer

import (
	"encoding/json"

	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Protocol versions from this one on are stateless and require a resultType in
// results, which SDK v1.8.0 sets only on results of its own handlers.
const modernProtocol = "2026-07-28"

// wireTemplates are empty results that carry a resultType: the SDK keeps it in a
// field that only its decoder sets, and a copy keeps it.
type wireTemplates struct {
	tool, toolAsks         mcp.CallToolResult
	resource, resourceAsks mcp.ReadResourceResult
	prompt, promptAsks     mcp.GetPromptResult
}

func newWireTemplates() *wireTemplates {
	t := &wireTemplates{}
	const complete, asks = `{"resultType":"complete"}`, `{"resultType":"input_required"}`
	for _, template := range []struct {
		doc  string
		into any
	}{
		{complete, &t.tool},
		{asks, &t.toolAsks},
		{complete, &t.resource},
		{asks, &t.resourceAsks},
		{complete, &t.prompt},
		{asks, &t.promptAsks},
	} {
		if err := json.Unmarshal([]byte(template.doc), template.into); err != nil {
			panic("mcplayer: the SDK does not decode its own result: " + err.Error())
		}
	}
	return t
}

// isModern reports whether a request follows the stateless protocol. Modern
// requests say so themselves, each of them.
func isModern(meta mcp.Meta) bool {
	version, _ := meta[mcp.MetaKeyProtocolVersion].(string)
	return version >= modernProtocol
}

// toolWire returns the SDK's form of a tool's answer. Base is what the SDK's own
// handling of this call gave, nil if it had no part in it.
func (t *wireTemplates) toolWire(answer *result.ToolResult, base *mcp.CallToolResult, modern bool) *mcp.CallToolResult {
	return answer.ToWireOn(baseOf(answer, base, modern, &t.tool, &t.toolAsks))
}

// resourceWire is toolWire for a resource.
func (t *wireTemplates) resourceWire(answer *result.Resource, base *mcp.ReadResourceResult, modern bool) *mcp.ReadResourceResult {
	return answer.ToWireOn(baseOf(answer, base, modern, &t.resource, &t.resourceAsks))
}

// promptWire is toolWire for a prompt.
func (t *wireTemplates) promptWire(answer *result.Prompt, base *mcp.GetPromptResult, modern bool) *mcp.GetPromptResult {
	return answer.ToWireOn(baseOf(answer, base, modern, &t.prompt, &t.promptAsks))
}

// baseOf returns what an answer is written on: base, unless it says otherwise than
// the answer whether input is needed, as when a middleware answered by itself.
func baseOf[W any, P interface {
	*W
	NeedsInput() bool
}](answer result.Result, base P, modern bool, complete, asks P) P {
	switch {
	case base != nil && base.NeedsInput() == (modern && answer.NeedsInput()):
		return base
	case !modern:
		return new(W)
	case answer.NeedsInput():
		return asks
	}
	return complete
}
