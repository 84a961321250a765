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
// handling of this call gave, nil if it had no part in it: an answer that a
// middleware gave by itself needs a template.
func (t *wireTemplates) toolWire(answer *result.ToolResult, base *mcp.CallToolResult, modern bool) *mcp.CallToolResult {
	switch {
	case base != nil && base.NeedsInput() == (modern && answer.NeedsInput()):
	case !modern:
		base = &mcp.CallToolResult{}
	case answer.NeedsInput():
		base = &t.toolAsks
	default:
		base = &t.tool
	}
	return answer.ToWireOn(base)
}

// resourceWire is toolWire for a resource.
func (t *wireTemplates) resourceWire(answer *result.Resource, base *mcp.ReadResourceResult, modern bool) *mcp.ReadResourceResult {
	switch {
	case base != nil && base.NeedsInput() == (modern && answer.NeedsInput()):
	case !modern:
		base = &mcp.ReadResourceResult{}
	case answer.NeedsInput():
		base = &t.resourceAsks
	default:
		base = &t.resource
	}
	return answer.ToWireOn(base)
}

// promptWire is toolWire for a prompt.
func (t *wireTemplates) promptWire(answer *result.Prompt, base *mcp.GetPromptResult, modern bool) *mcp.GetPromptResult {
	switch {
	case base != nil && base.NeedsInput() == (modern && answer.NeedsInput()):
	case !modern:
		base = &mcp.GetPromptResult{}
	case answer.NeedsInput():
		base = &t.promptAsks
	default:
		base = &t.prompt
	}
	return answer.ToWireOn(base)
}
