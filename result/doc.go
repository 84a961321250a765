// Package result holds what a call gives back: one type for each kind of
// primitive, built from the content types of the official Go SDK.
//
// A handler may return one of these types to say exactly what the client
// receives; middleware reads and decorates them on the way back. The package
// knows nothing of layers, so results can also be built and tested beside a
// bare SDK server:
//
//	res := result.Text("3 assets are stopped")
//	wire := res.ToWire() // *mcp.CallToolResult
//
// Results are not safe for concurrent use. [Result.Clone] makes an independent
// copy.
package result
