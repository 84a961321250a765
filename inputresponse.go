package mcplayer

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// takeResponses leads the client's answers to a request for input through the
// input pipeline, and keeps them for the handler.
func (c *call) takeResponses(ctx context.Context, info CallInfo, responses mcp.InputResponseMap, state string) error {
	for id, response := range responses {
		if err := c.takeResponse(ctx, info, response); err != nil {
			return fmt.Errorf("input response %q: %w", id, err)
		}
	}
	c.client.mu.Lock()
	defer c.client.mu.Unlock()
	c.client.responses, c.client.state = responses, state
	return nil
}

// takeResponse transforms an answer where it is: it was decoded for this call
// alone. A failure is private and noted in the policy's record, like that of
// arguments.
func (c *call) takeResponse(ctx context.Context, info CallInfo, response mcp.InputResponse) error {
	c.answered.Store(true)
	if c.access.Input == nil {
		return nil
	}
	err := c.transformResponse(ctx, info, response)
	if err == nil {
		return nil
	}
	reject(c.exchange.lastTicket(), err)
	return private(err)
}

// tookInput reports whether anything that the client answered is part of the call.
func (c *call) tookInput() bool {
	if c.answered.Load() || c.client == noClient {
		return c.answered.Load()
	}
	responses, state := c.client.input()
	return responses != nil || state != ""
}

func (c *call) transformResponse(ctx context.Context, info CallInfo, response mcp.InputResponse) (err error) {
	defer c.survive(&err)
	pass, err := c.beginInput(ctx, info)
	if err != nil {
		return err
	}
	e := &entrance{pass: pass}
	switch r := response.(type) {
	case *mcp.ElicitResult:
		r.Content = e.object(r.Content)
	case *mcp.CreateMessageWithToolsResult:
		e.content(r.Content)
	case *mcp.CreateMessageResult:
		e.block(r.Content)
	case *mcp.ListRootsResult:
		e.roots(r.Roots)
	}
	if e.err == nil {
		release(pass)
	}
	return e.err
}

// entrance leads the pieces of one answer through the input pipeline. After the
// first failure nothing more passes; err tells.
type entrance struct {
	pass Pass
	err  error
}

func (e *entrance) text(s *string) {
	if e.err == nil && *s != "" {
		*s, e.err = e.pass.Text(*s)
	}
}

func (e *entrance) object(members map[string]any) map[string]any {
	if len(members) == 0 || e.err != nil {
		return members
	}
	var doc jsontext.Value
	if doc, e.err = json.Marshal(members); e.err != nil {
		return nil
	}
	if doc, e.err = e.pass.JSON(doc); e.err != nil {
		return nil
	}
	var clean map[string]any
	e.err = json.Unmarshal(doc, &clean)
	return clean
}

func (e *entrance) content(blocks []mcp.Content) {
	for _, block := range blocks {
		e.block(block)
	}
}

// block transforms what of a block is text or JSON.
func (e *entrance) block(block mcp.Content) {
	switch b := block.(type) {
	case *mcp.TextContent:
		e.text(&b.Text)
	case *mcp.ToolUseContent:
		e.text(&b.Name)
		b.Input = e.object(b.Input)
	case *mcp.ToolResultContent:
		e.content(b.Content)
	}
}

func (e *entrance) roots(roots []*mcp.Root) {
	for _, root := range roots {
		e.text(&root.URI)
		e.text(&root.Name)
	}
}
