package result

import "github.com/modelcontextprotocol/go-sdk/mcp"

// Resource is the result of reading a resource.
type Resource struct {
	Contents []*mcp.ResourceContents
	Meta     Meta
	// TTLMs is a hint for the client's own cache in milliseconds; 0 means
	// that the content may be stale at once.
	TTLMs int
	Input
}

// ToWire returns the SDK's form of r, sharing its contents and metadata. The
// cache scope is private: what one caller may read is no answer for another.
func (r *Resource) ToWire() *mcp.ReadResourceResult {
	return r.ToWireOn(&mcp.ReadResourceResult{})
}

// ToWireOn is [Resource.ToWire] on top of a result of the SDK, whose result
// type survives. Base is not changed.
func (r *Resource) ToWireOn(base *mcp.ReadResourceResult) *mcp.ReadResourceResult {
	wire := *base
	wire.Meta = r.Meta
	wire.Contents = r.Contents
	wire.Cacheable = mcp.Cacheable{TTLMs: r.TTLMs, CacheScope: "private"}
	wire.InputRequests = r.Requests
	wire.RequestState = r.State
	if wire.Contents == nil && !r.NeedsInput() {
		wire.Contents = []*mcp.ResourceContents{}
	}
	return &wire
}

// ResourceFromWire returns the SDK's result as a Resource that shares its
// contents and metadata.
func ResourceFromWire(wire *mcp.ReadResourceResult) *Resource {
	return &Resource{
		Contents: wire.Contents,
		Meta:     wire.Meta,
		TTLMs:    wire.TTLMs,
		Input:    Input{Requests: wire.InputRequests, State: wire.RequestState},
	}
}

// MetaMap implements [Result].
func (r *Resource) MetaMap() Meta { return ensureMeta(&r.Meta) }

// Failed implements [Result]: a resource fails with an error, never in its
// result.
func (r *Resource) Failed() bool { return false }

// Clone implements [Result].
func (r *Resource) Clone() Result {
	c := *r
	if r.Contents != nil {
		c.Contents = make([]*mcp.ResourceContents, len(r.Contents))
		for i, contents := range r.Contents {
			c.Contents[i] = cloneContents(contents)
		}
	}
	c.Meta = cloneMeta(r.Meta)
	c.Requests = cloneRequests(r.Requests)
	return &c
}
