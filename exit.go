package mcplayer

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// exit leads what a call gives out through its output pipeline. Pieces of one
// result share an exit. After the first failure nothing more passes; err tells.
type exit struct {
	call *call
	pass Pass // nil without err: everything passes as it is
	err  error

	dropped int // pieces that were withheld as binary
}

// end says that nothing more passes, and returns why something did not. What came
// after it would fail, not leave untransformed.
func (e *exit) end() error {
	e.guard(func() error {
		release(e.pass)
		return nil
	})
	if e.err != nil {
		return e.err
	}
	e.pass, e.err = nil, errEnded
	return nil
}

// release gives back a pass that is not used any more.
func release(pass Pass) {
	if r, ok := pass.(Releaser); ok {
		r.Release()
	}
}

// beginExit starts the output pipeline for one result, error or message.
func (c *call) beginExit(info CallInfo) *exit {
	e := &exit{call: c} // inlined, it is on the stack of most callers
	e.begin(info)
	return e
}

func (e *exit) begin(info CallInfo) {
	c := e.call
	if c.access == nil || c.access.Output == nil {
		return
	}
	e.guard(func() (err error) {
		if e.pass = c.access.Output.Begin(c, info); e.pass == nil {
			return errNoPass
		}
		return nil
	})
}

var (
	errNoPass = errors.New("a pipeline began nothing")
	errEnded  = errors.New("the pass has ended")
)

// guard runs one step of the pipeline; a panic in it is a failure.
func (e *exit) guard(step func() error) {
	if e.err != nil {
		return
	}
	defer func() {
		if v := recover(); v != nil {
			e.err = e.call.panicked(v)
		}
	}()
	if err := step(); e.err == nil { // a step inside may have failed first
		e.err = err
	}
}

func (e *exit) text(s string) string {
	if e.err != nil {
		return ""
	}
	if e.pass == nil || s == "" {
		return s
	}
	var out string
	e.guard(func() (err error) {
		out, err = e.pass.Text(s)
		return err
	})
	return out
}

func (e *exit) json(doc jsontext.Value) jsontext.Value {
	if e.err != nil {
		return nil
	}
	if e.pass == nil || doc == nil {
		return doc
	}
	var out jsontext.Value
	e.guard(func() (err error) {
		if out, err = e.pass.JSON(doc); err == nil && !sameBytes(out, doc) && !isJSON(out) {
			err = errors.New("the output pipeline returned what is not JSON")
		}
		return err
	})
	return out
}

func isJSON(doc jsontext.Value) bool {
	return doc.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// value encodes any value and transforms it; nil stays nil. Without a pipeline a
// raw document passes as it is.
func (e *exit) value(v any) any {
	if v == nil || e.err != nil {
		return nil
	}
	doc, err := encode(v, nil)
	if err == nil {
		err = result.CheckDepth(doc)
	}
	if err != nil {
		e.err = err
		return nil
	}
	return json.RawMessage(e.json(doc))
}

// meta transforms metadata as one object.
func (e *exit) meta(m mcp.Meta) mcp.Meta {
	if e.err != nil {
		return nil
	}
	if len(m) == 0 || e.pass == nil {
		return m
	}
	doc, err := encode(map[string]any(m), nil)
	if err != nil {
		e.err = err
		return nil
	}
	var members map[string]json.RawMessage
	e.guard(func() error { return json.Unmarshal(e.json(doc), &members) })
	out := make(mcp.Meta, len(members))
	for key, value := range members {
		out[key] = value
	}
	return out
}

// report tells what the pipeline did.
func (e *exit) report() Report {
	if e.pass == nil {
		return e.countDropped(nil)
	}
	var r Report
	e.guard(func() error {
		r = e.countDropped(e.pass.Report())
		return result.CheckMeta(mcp.Meta(r))
	})
	if e.err != nil {
		return nil
	}
	return r
}

// changed reports whether the pipeline did anything to the data, as far as it can tell.
func (e *exit) changed() bool {
	changed := true
	if c, ok := e.pass.(Changer); ok {
		e.guard(func() error {
			changed = c.Changed()
			return nil
		})
	}
	return changed
}

// transform leads a draft through the output pipeline and returns its report.
// Blocks are copied before they change.
func (c *call) transform(info CallInfo, d *draft) (Report, error) {
	if !c.access.transforms() {
		return nil, nil
	}
	e := c.beginExit(info)
	d.res.Structured = e.json(d.res.Structured)
	if !d.plain {
		d.res.Content = e.content(d.res.Content)
	}
	d.res.Meta = e.meta(d.res.Meta)
	d.links = e.content(d.links)
	d.meta = e.meta(d.meta)
	report := e.report()
	d.hints = e.hints()
	return report, e.end()
}

func (e *exit) content(blocks []mcp.Content) []mcp.Content {
	if blocks == nil {
		return nil
	}
	out := make([]mcp.Content, len(blocks))
	for i, block := range blocks {
		out[i] = e.block(block)
	}
	return out
}

func (e *exit) block(block mcp.Content) mcp.Content {
	switch b := block.(type) {
	case *mcp.TextContent:
		c := *b
		c.Text, c.Meta = e.text(b.Text), e.meta(b.Meta)
		c.Annotations = e.annotations(b.Annotations)
		return &c
	case *mcp.ImageContent:
		c := *b
		c.Data, c.MIMEType, c.Meta = e.bytes(b.Data), e.text(b.MIMEType), e.meta(b.Meta)
		c.Annotations = e.annotations(b.Annotations)
		return e.media(&c, b.Data, c.MIMEType)
	case *mcp.AudioContent:
		c := *b
		c.Data, c.MIMEType, c.Meta = e.bytes(b.Data), e.text(b.MIMEType), e.meta(b.Meta)
		c.Annotations = e.annotations(b.Annotations)
		return e.media(&c, b.Data, c.MIMEType)
	case *mcp.ResourceLink:
		return e.link(b)
	case *mcp.EmbeddedResource:
		c := *b
		c.Resource, c.Meta = e.contents(b.Resource), e.meta(b.Meta)
		c.Annotations = e.annotations(b.Annotations)
		return &c
	case *mcp.ToolResultContent:
		c := *b
		c.Content, c.Meta = e.content(b.Content), e.meta(b.Meta)
		c.StructuredContent = e.value(b.StructuredContent)
		return &c
	case *mcp.ToolUseContent:
		c := *b
		c.Name, c.Input, c.Meta = e.text(b.Name), map[string]any(e.meta(b.Input)), e.meta(b.Meta)
		return &c
	}
	return block
}

// link transforms every field of a link that can hold text.
func (e *exit) link(link *mcp.ResourceLink) *mcp.ResourceLink {
	c := result.CloneLink(link)
	for _, field := range []*string{&c.URI, &c.Name, &c.Title, &c.Description, &c.MIMEType} {
		*field = e.text(*field)
	}
	for i := range c.Icons {
		e.icon(&c.Icons[i])
	}
	c.Annotations, c.Meta = e.annotations(c.Annotations), e.meta(c.Meta)
	return c
}

func (e *exit) icon(icon *mcp.Icon) {
	icon.Source, icon.MIMEType = e.text(icon.Source), e.text(icon.MIMEType)
	icon.Sizes, icon.Theme = e.texts(icon.Sizes), mcp.IconTheme(e.text(string(icon.Theme)))
}

// annotations transforms what of them is text.
func (e *exit) annotations(a *mcp.Annotations) *mcp.Annotations {
	if e.err != nil {
		return nil
	}
	if a == nil || e.pass == nil {
		return a
	}
	c := *a
	c.LastModified = e.text(a.LastModified)
	c.Audience = slices.Clone(a.Audience)
	for i, role := range c.Audience {
		c.Audience[i] = mcp.Role(e.text(string(role)))
	}
	return &c
}

func (e *exit) contents(contents *mcp.ResourceContents) *mcp.ResourceContents {
	c := *contents
	c.URI, c.Text, c.Meta = e.text(contents.URI), e.text(contents.Text), e.meta(contents.Meta)
	c.MIMEType = e.text(contents.MIMEType)
	return e.blob(&c)
}

// exitText leads the text of a message through the output pipeline.
func (c *call) exitText(s string) (string, error) {
	e := c.beginExit(c.info)
	out := e.text(s)
	return out, e.end()
}

// exitJSON leads the data of a message through the output pipeline. A text
// passes as a text.
func (c *call) exitJSON(data any) (jsontext.Value, error) {
	e := c.beginExit(c.info)
	if s, ok := data.(string); ok {
		text := e.text(s)
		if err := e.end(); err != nil {
			return nil, err
		}
		return encode(text, nil)
	}
	doc, err := encode(data, c.layer.omit)
	if err != nil {
		return nil, err
	}
	doc = e.json(doc)
	return doc, e.end()
}
