package result

import "github.com/modelcontextprotocol/go-sdk/mcp"

// Result is the outcome of a call inside the middleware chain. Its concrete
// type is [*ToolResult], [*Resource], [*Prompt] or [*Completion]; no other
// package can add one.
type Result interface {
	// MetaMap returns the result's metadata for reading and writing. It is
	// never nil.
	MetaMap() Meta
	// Clone returns a deep copy: it shares nothing that the SDK or a
	// middleware writes to.
	Clone() Result
	// Failed reports whether the result tells the client of an error.
	Failed() bool
	// NeedsInput reports whether the result asks the client for input instead
	// of answering. Such a result passes middleware untouched and is never
	// cached or retried.
	NeedsInput() bool

	sealed()
}

// Meta is the _meta object of a result. Values are whatever encoding/json can
// encode.
type Meta = mcp.Meta

// Input is a request for more input from the client in place of an answer
// (MCP 2026-07-28, multi round-trip requests; the SDK emulates it for older
// clients). The zero Input asks for nothing.
type Input struct {
	// Requests maps ids chosen by the server to *mcp.ElicitParams,
	// *mcp.CreateMessageParams, *mcp.CreateMessageWithToolsParams or
	// *mcp.ListRootsParams. A map that is not nil but empty tells the client
	// that the server is busy.
	Requests mcp.InputRequestMap
	// State comes back unchanged with the client's responses. The client can
	// read and change it: protecting it is the handler's business.
	State string
}

// NeedsInput reports whether the client is asked for anything.
func (in Input) NeedsInput() bool { return in.Requests != nil }

func (*ToolResult) sealed() {}
func (*Resource) sealed()   {}
func (*Prompt) sealed()     {}
func (*Completion) sealed() {}
