package mcplayer

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServerOptions returns a copy of base (nil: none) with what the SDK takes only
// when a server is made: capabilities for lists that may be empty now, and the
// handlers behind completions and resource subscriptions. A server made without it
// works too: completions and the subscriptions of older protocols are answered by
// the layer, but modern clients hear of changed lists only, not of changed
// resources.
func (l *Layer) ServerOptions(base *mcp.ServerOptions) *mcp.ServerOptions {
	opts := mcp.ServerOptions{}
	if base != nil {
		opts = *base
	}
	caps := mcp.ServerCapabilities{Logging: &mcp.LoggingCapabilities{}}
	if opts.Capabilities != nil {
		caps = *opts.Capabilities
	}
	caps.Tools = defaultPointer(caps.Tools, mcp.ToolCapabilities{ListChanged: true})
	caps.Prompts = defaultPointer(caps.Prompts, mcp.PromptCapabilities{ListChanged: true})
	caps.Resources = defaultPointer(caps.Resources, mcp.ResourceCapabilities{ListChanged: true, Subscribe: true})
	opts.Capabilities = &caps
	if opts.CompletionHandler == nil {
		opts.CompletionHandler = completeNothing
	}
	if opts.SubscribeHandler == nil && opts.UnsubscribeHandler == nil {
		opts.SubscribeHandler = func(context.Context, *mcp.SubscribeRequest) error { return nil }
		opts.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
	}
	return &opts
}

func defaultPointer[T any](p *T, def T) *T {
	if p == nil {
		return &def
	}
	return p
}

// completeNothing answers for what the server's owner registered; the layer's own
// completions never get here.
func completeNothing(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
}

// advertise adds what the layer serves beyond the SDK's knowledge to what the
// server says of itself.
func (m *mount) advertise(res mcp.Result) mcp.Result {
	switch r := res.(type) {
	case *mcp.InitializeResult:
		if r != nil {
			out := *r
			out.Capabilities = m.capabilities(r.Capabilities, true)
			return &out
		}
	case *mcp.DiscoverResult:
		if r != nil {
			out := *r
			out.Capabilities = m.capabilities(r.Capabilities, false)
			return &out
		}
	}
	return res
}

// capabilities adds completions, and subscriptions where the layer keeps them
// itself.
func (m *mount) capabilities(of *mcp.ServerCapabilities, subscribe bool) *mcp.ServerCapabilities {
	caps := mcp.ServerCapabilities{}
	if of != nil {
		caps = *of
	}
	cat := m.layer.catalog.Load()
	for _, p := range cat.all {
		if len(p.complete) > 0 {
			caps.Completions = defaultPointer(caps.Completions, mcp.CompletionCapabilities{})
		}
	}
	if subscribe && caps.Resources != nil && len(cat.resources)+len(cat.templates) > 0 {
		resources := *caps.Resources
		resources.Subscribe = true
		caps.Resources = &resources
	}
	return &caps
}
