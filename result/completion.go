package result

import (
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Completion is the result of completing an argument.
type Completion struct {
	// Values holds at most 100 proposals (the protocol's limit).
	Values []string
	// Total counts all proposals, those left out included.
	Total int
	// HasMore tells that proposals were left out.
	HasMore bool
	Meta    Meta
}

// ToWire returns the SDK's form of r, sharing its values and metadata.
func (r *Completion) ToWire() *mcp.CompleteResult {
	wire := &mcp.CompleteResult{Meta: r.Meta}
	wire.Completion = mcp.CompletionResultDetails{Values: r.Values, Total: r.Total, HasMore: r.HasMore}
	if wire.Completion.Values == nil {
		wire.Completion.Values = []string{}
	}
	return wire
}

// CompletionFromWire returns the SDK's result as a Completion that shares its
// values and metadata.
func CompletionFromWire(wire *mcp.CompleteResult) *Completion {
	c := wire.Completion
	return &Completion{Values: c.Values, Total: c.Total, HasMore: c.HasMore, Meta: wire.Meta}
}

// MetaMap implements [Result].
func (r *Completion) MetaMap() Meta { return ensureMeta(&r.Meta) }

// Failed implements [Result]: a completion that fails is empty.
func (r *Completion) Failed() bool { return false }

// NeedsInput implements [Result]: a completion never asks for input.
func (r *Completion) NeedsInput() bool { return false }

// Clone implements [Result].
func (r *Completion) Clone() Result {
	c := *r
	c.Values = slices.Clone(r.Values)
	c.Meta = cloneMeta(r.Meta)
	return &c
}
