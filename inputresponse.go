package mcplayer

import (
	"context"
	"encoding/json"
	"fmt"

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

// takeResponse transforms the texts of an answer where they are: it was decoded
// for this call alone.
func (c *call) takeResponse(ctx context.Context, info CallInfo, response mcp.InputResponse) error {
	switch r := response.(type) {
	case *mcp.ElicitResult:
		return c.takeElicited(ctx, info, r)
	case *mcp.CreateMessageWithToolsResult:
		return c.takeContent(ctx, info, r.Content)
	case *mcp.CreateMessageResult:
		return c.takeContent(ctx, info, []mcp.Content{r.Content})
	}
	return nil
}

func (c *call) takeElicited(ctx context.Context, info CallInfo, r *mcp.ElicitResult) error {
	if c.access.Input == nil || len(r.Content) == 0 {
		return nil
	}
	doc, err := json.Marshal(r.Content)
	if err != nil {
		return err
	}
	clean, err := c.access.Input.Begin(ctx, info).JSON(doc)
	if err != nil {
		return err
	}
	r.Content = nil
	return json.Unmarshal(clean, &r.Content)
}

func (c *call) takeContent(ctx context.Context, info CallInfo, blocks []mcp.Content) error {
	if c.access.Input == nil {
		return nil
	}
	pass := c.access.Input.Begin(ctx, info)
	for _, block := range blocks {
		text, ok := block.(*mcp.TextContent)
		if !ok {
			continue
		}
		clean, err := pass.Text(text.Text)
		if err != nil {
			return err
		}
		text.Text = clean
	}
	return nil
}
