package mcplayer

import (
	"context"
	"math"
	"strings"
	"sync"

	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ToolContext is what a handler knows of its call and can tell its client
// besides the result. Its methods are safe for concurrent use. Once the handler
// has returned or has run out of time they do nothing, so that a handler that
// goes on cannot touch a finished call.
//
// A call that a handler makes through its context (to any layer of the process)
// inherits the principal.
type ToolContext struct {
	call *call
	args jsontext.Value // as the input pipeline left them

	mu    sync.Mutex
	over  bool
	links []mcp.Content
	meta  map[string]any
}

// Progress tells how far a call has come. Total is 0 where it is not known.
type Progress struct {
	Done, Total float64
	Message     string
}

// LogMessage is a message for the client's log.
type LogMessage struct {
	Level mcp.LoggingLevel
	Data  jsontext.Value
}

// Principal returns who makes the call.
func (tc *ToolContext) Principal() *Principal { return tc.call.info.Principal }

// Sees reports whether the caller may learn of a primitive of its layer, by the Kind,
// Spec and Name of a call of it: for handlers that tell of other primitives.
func (tc *ToolContext) Sees(kind Kind, spec *Spec, name string) (seen bool) {
	if spec == nil || tc.ended() {
		return false
	}
	defer tc.call.logPanic()
	access := tc.call.layer.policy.Bind(spec, tc.call.info.Principal)
	return access != nil && access.shows(kind, name)
}

// RequestID returns the JSON-RPC id of the request, a string or an int64, nil
// where it is not known.
func (tc *ToolContext) RequestID() any { return tc.call.client.requestID }

// Request returns what is known of the request the call came with, nil for an
// in-process call.
func (tc *ToolContext) Request() *RequestInfo {
	if tc.call.client.request == nil {
		return nil
	}
	return tc.call.client.request()
}

// Session returns the client's session, nil for an in-process call.
func (tc *ToolContext) Session() *mcp.ServerSession { return tc.call.client.session }

// InputResponses returns what the client answered to the [result.Input] of an
// earlier round, nil in the first.
func (tc *ToolContext) InputResponses() mcp.InputResponseMap {
	responses, _ := tc.call.client.input()
	return responses
}

// RequestState returns the state that an earlier round handed out with its
// [result.Input]. The client could change it.
func (tc *ToolContext) RequestState() string {
	_, state := tc.call.client.input()
	return state
}

// Progress reports to the client how far the call has come. A value that is not
// above all earlier ones of the call is left out, as the protocol wants, and so
// is one that is not a number. The message passes through the output pipeline.
func (tc *ToolContext) Progress(done, total float64, message string) {
	client := tc.call.client
	if client.onProgress == nil {
		return
	}
	tc.tell(func() {
		text, err := tc.call.exitText(message) // before the lock: a pipeline may report too
		if err != nil {
			text = ""
		}
		if math.IsNaN(total) || math.IsInf(total, 0) {
			total = 0
		}
		client.progress.report(done, func() {
			client.onProgress(Progress{Done: done, Total: total, Message: text})
		})
	})
}

// tell runs f, which tells the client something, unless it is too late for that.
func (tc *ToolContext) tell(f func()) {
	c := tc.call
	c.telling.RLock()
	defer c.telling.RUnlock()
	if !tc.ended() && !c.over.Load() {
		f()
	}
}

// hush waits until nobody tells the client anything. Who ended before it tells
// nothing after it.
func (c *call) hush() {
	if c.client != noClient {
		c.telling.Lock()
		defer c.telling.Unlock()
	}
}

// Log sends a message to the client's log; which levels arrive is the client's
// choice. Data is a text or anything that can be encoded as JSON. It passes
// through the output pipeline; what cannot be encoded or transformed is left
// out and noted in the server's log.
func (tc *ToolContext) Log(level mcp.LoggingLevel, data any) {
	sink := tc.call.client.onLog
	if sink == nil {
		return
	}
	tc.tell(func() {
		doc, err := tc.call.exitJSON(data)
		if err != nil {
			tc.call.logger().Warn("log message of a handler left out", tc.call.attr(), errorAttr(err))
			return
		}
		sink(LogMessage{Level: level, Data: doc})
	})
}

// Link adds a link to the result of a tool. All its fields pass through the
// output pipeline. A nil link is ignored.
func (tc *ToolContext) Link(link *mcp.ResourceLink) {
	if link == nil {
		return
	}
	tc.mu.Lock()
	defer tc.mu.Unlock()
	if !tc.over {
		tc.links = append(tc.links, result.CloneLink(link))
	}
}

// SetMeta adds a member to the metadata of a tool's result. The value passes through the
// output pipeline. Keys with the layer's own prefix are ignored.
func (tc *ToolContext) SetMeta(key string, value any) {
	tc.mu.Lock()
	defer tc.mu.Unlock()
	if tc.over || strings.HasPrefix(key, tc.call.layer.meta.prefix) {
		return
	}
	if tc.meta == nil {
		tc.meta = map[string]any{}
	}
	tc.meta[key] = value
}

func (tc *ToolContext) ended() bool {
	tc.mu.Lock()
	defer tc.mu.Unlock()
	return tc.over
}

// end makes tc inert and returns what the handler left in it.
func (tc *ToolContext) end() (links []mcp.Content, meta map[string]any) {
	tc.mu.Lock()
	defer tc.mu.Unlock()
	tc.over = true
	return tc.links, tc.meta
}

// close makes tc inert and waits for what the handler is telling the client.
func (tc *ToolContext) close() {
	tc.end()
	tc.call.hush()
}

// callKey finds the call in the context of its handlers.
type callKey struct{}

// callFrom returns the call that ctx belongs to, nil if there is none.
func callFrom(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// Value makes a call the context of its own steps.
func (c *call) Value(key any) any {
	if key == (callKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// carried is a context of somebody else's making that carries the call too.
type carried struct {
	context.Context
	call *call
}

func (c carried) Value(key any) any {
	if key == (callKey{}) {
		return c.call
	}
	return c.Context.Value(key)
}

// carry makes sure that ctx carries c: a middleware may have put another
// context in its place.
func (c *call) carry(ctx context.Context) context.Context {
	if callFrom(ctx) == c {
		return ctx
	}
	return carried{ctx, c}
}
