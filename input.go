package mcplayer

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// askInput leads the texts of a request for input through the output pipeline.
// Its state passes as it is.
func (c *call) askInput(requests mcp.InputRequestMap) (mcp.InputRequestMap, error) {
	if c.access.Output == nil || len(requests) == 0 {
		return requests, nil
	}
	e := c.beginExit(c.info)
	out := make(mcp.InputRequestMap, len(requests))
	for id, request := range requests {
		out[id] = e.question(request)
	}
	return out, e.err
}

// question leads one elicitation through the output pipeline.
func (c *call) question(params *mcp.ElicitParams) (*mcp.ElicitParams, error) {
	e := c.beginExit(c.info)
	out := e.elicit(params)
	return out, e.err
}

func (e *exit) question(request mcp.InputRequest) mcp.InputRequest {
	switch r := request.(type) {
	case *mcp.ElicitParams:
		return e.elicit(r)
	case *mcp.CreateMessageParams:
		c := *r
		c.SystemPrompt, c.Meta = e.text(r.SystemPrompt), e.meta(r.Meta)
		c.Messages = make([]*mcp.SamplingMessage, len(r.Messages))
		for i, m := range r.Messages {
			c.Messages[i] = &mcp.SamplingMessage{Role: m.Role, Content: e.block(m.Content)}
		}
		return &c
	case *mcp.CreateMessageWithToolsParams:
		c := *r
		c.SystemPrompt, c.Meta = e.text(r.SystemPrompt), e.meta(r.Meta)
		c.Messages = make([]*mcp.SamplingMessageV2, len(r.Messages))
		for i, m := range r.Messages {
			copied := *m
			copied.Content = e.content(m.Content)
			c.Messages[i] = &copied
		}
		return &c
	}
	return request
}

func (e *exit) elicit(params *mcp.ElicitParams) *mcp.ElicitParams {
	if params == nil {
		return nil
	}
	c := *params
	c.Message, c.URL, c.Meta = e.text(params.Message), e.text(params.URL), e.meta(params.Meta)
	if c.RequestedSchema != nil {
		c.RequestedSchema = e.value(params.RequestedSchema)
	}
	return &c
}

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
