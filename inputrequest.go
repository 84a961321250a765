package mcplayer

import (
	"maps"
	"slices"

	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// finishInput leads a tool's request for input through the output pipeline. Its
// state passes as it is: what is in it is the handler's to protect. It runs before
// the SDK sees the request: for older clients the SDK asks by itself. The protocol
// allows no content beside it.
func (c *call) finishInput(res *result.ToolResult) error {
	res.Content, res.Structured = nil, nil
	if !c.access.transforms() {
		return nil
	}
	e := c.beginExit(c.info)
	res.Requests = e.requests(res.Requests)
	res.Meta = e.meta(res.Meta)
	if report := e.report(); len(report) > 0 {
		res.MetaMap()[c.layer.meta.transforms] = map[string]any(report)
	}
	return e.end()
}

// askInput leads questions to the client through the output pipeline: the requests
// of a resource or prompt, or what a handler asks during its call.
func (c *call) askInput(requests mcp.InputRequestMap) (mcp.InputRequestMap, error) {
	if requests == nil {
		return nil, nil
	}
	if err := result.CheckRequests(requests); err != nil {
		return nil, err
	}
	e := c.beginExit(c.info)
	asked := e.requests(requests)
	if err := e.end(); err != nil {
		return nil, c.withhold(err)
	}
	return asked, nil
}

// requests transforms copies of the requests, in the order of their ids.
func (e *exit) requests(requests mcp.InputRequestMap) mcp.InputRequestMap {
	out := make(mcp.InputRequestMap, len(requests))
	for _, id := range slices.Sorted(maps.Keys(requests)) {
		out[id] = e.request(requests[id])
	}
	return out
}

func (e *exit) request(request mcp.InputRequest) mcp.InputRequest {
	switch r := request.(type) {
	case *mcp.ElicitParams:
		c := *r
		c.Message, c.URL, c.Meta = e.text(r.Message), e.text(r.URL), e.meta(r.Meta)
		c.RequestedSchema = e.value(r.RequestedSchema)
		return &c
	case *mcp.CreateMessageParams:
		c := *r
		c.SystemPrompt, c.StopSequences = e.text(r.SystemPrompt), e.texts(r.StopSequences)
		c.Metadata, c.Meta = e.value(r.Metadata), e.meta(r.Meta)
		c.Messages = slices.Clone(r.Messages)
		for i, m := range c.Messages {
			c.Messages[i] = &mcp.SamplingMessage{Role: m.Role, Content: e.block(m.Content)}
		}
		return &c
	case *mcp.CreateMessageWithToolsParams:
		c := *r
		c.SystemPrompt, c.StopSequences = e.text(r.SystemPrompt), e.texts(r.StopSequences)
		c.Metadata, c.Meta = e.value(r.Metadata), e.meta(r.Meta)
		c.Messages = slices.Clone(r.Messages)
		for i, m := range c.Messages {
			c.Messages[i] = &mcp.SamplingMessageV2{Role: m.Role, Content: e.content(m.Content)}
		}
		c.Tools = e.tools(r.Tools)
		return &c
	}
	return request
}

func (e *exit) texts(texts []string) []string {
	texts = slices.Clone(texts)
	for i := range texts {
		texts[i] = e.text(texts[i])
	}
	return texts
}

// tools transforms what describes the tools of a request for sampling; their
// names stay.
func (e *exit) tools(tools []*mcp.Tool) []*mcp.Tool {
	tools = slices.Clone(tools)
	for i, t := range tools {
		c := *t
		c.Title, c.Description, c.Meta = e.text(t.Title), e.text(t.Description), e.meta(t.Meta)
		c.InputSchema, c.OutputSchema = e.value(t.InputSchema), e.value(t.OutputSchema)
		tools[i] = &c
	}
	return tools
}
