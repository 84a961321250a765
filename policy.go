package mcplayer

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Policy decides who sees and calls what, and what happens to the data. The
// layer asks it at the same places for every kind of primitive.
//
// Implementations must be safe for concurrent use.
type Policy interface {
	// Admit is asked once for each primitive before anybody can reach it. An
	// error (a bad hint, say) becomes an error of [New] or, later, of
	// [Registry.Err]. It is called with locks held and must not call the layer.
	Admit(spec *Spec) error
	// Bind returns what holds for one caller and one primitive. A call keeps
	// the answer to its end. Nil hides and denies.
	Bind(spec *Spec, p *Principal) *Access
	// NotFound records a call for a primitive that is unknown (info.Spec is
	// nil) or hidden from the caller.
	NotFound(ctx context.Context, info CallInfo)
}

// ChangingPolicy is a [Policy] that can change while layers use it. A layer of such a
// policy tells its clients of changes: [New] calls OnChange, and [Layer.Close] the
// stop that it returned. A policy around another one should embed the type itself, not
// Policy, or its changes stay unknown.
type ChangingPolicy interface {
	Policy
	// OnChange makes the policy call f for each kind of primitive of which some caller
	// may now see another list, until stop is called. F does not block for long; it may
	// call the policy.
	OnChange(f func(Kind)) (stop func())
}

// Access is what holds for one primitive and one caller under one policy. It
// may be shared by calls and must not change. The zero Access hides and denies.
type Access struct {
	// Visible is false for primitives that the caller must not learn of.
	Visible bool
	// Hides, if set, reports that a concrete URI, read through a visible template,
	// is hidden from the caller. It may be called concurrently.
	Hides func(uri string) bool
	// Denies, if set, returns why a concrete URI, read through a visible template, is
	// denied to the caller; nil if it is not. It is asked where a middleware or the input
	// pipeline changed a variable; info is the call as it was looked up. It may be called
	// concurrently.
	Denies func(info CallInfo, uri string) error
	// Check decides a call: access first, then rate limits. Nil denies. The
	// ticket stands for the record of the allowed call and may be nil.
	Check func(ctx context.Context, info CallInfo) (Ticket, error)
	// Input and Output transform what comes in and goes out; nil does nothing.
	Input, Output Pipeline
	// Binary says what happens to bytes in what goes out.
	Binary Binary
	// Version changes when the policy does.
	Version uint64
}

// shows reports whether the caller may learn of a primitive; of a resource name is
// the concrete URI.
func (a *Access) shows(kind Kind, name string) bool {
	return a.Visible && (kind != KindResource || a.Hides == nil || !a.Hides(name))
}

// Ticket is the record of an allowed call.
type Ticket interface {
	// Reject notes that the call was refused after all, by the input pipeline.
	Reject(reason string)
}

// Pipeline begins transforming the data of a call. It is shared by calls and
// must be safe for concurrent use. A Begin that returns nil is a failure: the data
// is withheld or refused.
type Pipeline interface {
	Begin(ctx context.Context, info CallInfo) Pass
}

// Pass is the work on one result, error or argument object: its pieces share
// name mentions, size budget and report. It is used by one goroutine.
type Pass interface {
	// JSON returns the transformed document, doc itself when nothing changed.
	// It never writes into doc.
	JSON(doc jsontext.Value) (jsontext.Value, error)
	// Text returns the transformed text.
	Text(s string) (string, error)
	// Report tells what was done so far: counts and labels, never values.
	Report() Report
}

// BlockAnnotator is a [Pass] that knows hints for the content blocks of a tool's
// result. It is asked when all pieces of the result have passed; nil means none. A
// block that has hints keeps its own.
type BlockAnnotator interface {
	BlockAnnotations() *mcp.Annotations
}

// Changer is a [Pass] that knows whether it did anything to the data, besides
// annotating. The report of one that did not is left out of errors.
type Changer interface {
	Changed() bool
}

// Releaser is a [Pass] whose memory can serve another one. Release is called once, when
// nothing passes any more and all has been asked, or not at all. What the pass returned
// before must stay valid.
type Releaser interface {
	Release()
}

// Report tells what a pipeline did; an empty one means that nothing happened.
// Its values must be encodable as JSON.
type Report map[string]any
