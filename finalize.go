package mcplayer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// encoded is a handler's value as JSON: of the result that it may become, the
// structured value.
type encoded result.ToolResult

// isResult reports whether a handler's value is a result already: one of the
// result types, a value that is encoded, or nil, the empty result.
func isResult(value any) bool {
	switch value.(type) {
	case nil, *encoded, *result.ToolResult, *mcp.CallToolResult:
		return true
	}
	return false
}

// normalise makes a result of what a handler gave. A result type is kept; nil is
// an empty result; an encoded value becomes the structured value, wrapped as
// {"result": value} unless it is a JSON object.
func (c *call) normalise(value any) (draft, error) {
	switch v := value.(type) {
	case *encoded:
		if v.Structured.Kind() != '{' {
			v.Structured = wrap(v.Structured)
		}
		return draft{res: (*result.ToolResult)(v), plain: true}, nil
	case *result.ToolResult:
		if v != nil {
			return c.adopt(*v)
		}
	case *mcp.CallToolResult:
		if v != nil {
			return c.adoptWire(v)
		}
	}
	return draft{res: &result.ToolResult{}}, nil
}

// wrap returns {"result": doc}.
func wrap(doc jsontext.Value) jsontext.Value {
	wrapped := make(jsontext.Value, 0, len(doc)+12)
	wrapped = append(wrapped, `{"result":`...)
	wrapped = append(wrapped, doc...)
	return append(wrapped, '}')
}

// adopt takes over a result that a handler built: a copy, since the handler may
// return the same one again. The layer's own metadata keys are not the
// handler's to set.
func (c *call) adopt(res result.ToolResult) (draft, error) {
	if err := checkResult(&res); err != nil {
		return draft{}, err
	}
	res.Meta = c.ownMeta(res.Meta)
	if res.NeedsInput() {
		if err := c.finishInput(&res); err != nil {
			c.logger().Error("request for input withheld", c.attr(), errorAttr(err))
			return draft{}, &failure{code: CodeHandlerError, message: withheldText, cause: err}
		}
	}
	return draft{res: &res, plain: res.Content == nil && res.Structured != nil}, nil
}

func (c *call) adoptWire(wire *mcp.CallToolResult) (draft, error) {
	res, err := result.FromWire(wire)
	if err != nil {
		return draft{}, err
	}
	return c.adopt(*res)
}

// checkResult finds what the SDK could not encode: it would never answer.
func checkResult(res *result.ToolResult) error {
	if res.Structured != nil {
		if err := result.CheckJSON(res.Structured); err != nil {
			return fmt.Errorf("structured value: %w", err)
		}
	}
	return checkBesides(res)
}

// checkBesides is checkResult without the structured value. The protocol has no
// result that asks and answers: what stands beside a question passes no pipeline.
func checkBesides(res *result.ToolResult) error {
	if res.NeedsInput() && (len(res.Content) > 0 || res.Structured != nil) {
		return errors.New("a request for input cannot hold an answer too")
	}
	return cmp.Or(result.CheckContent(res.Content), result.CheckRequests(res.Requests), result.CheckMeta(res.Meta))
}

// finish runs the output pipeline and adds the text of a structured value, links
// and metadata. A result that asks for input passes untouched.
func (c *call) finish(ctx context.Context, info CallInfo, d draft) (*result.ToolResult, error) {
	res := d.res
	if res.NeedsInput() {
		return res, nil
	}
	var err error
	if res.Meta, err = freezeMeta(res.Meta); err != nil {
		return nil, c.handlerError(ctx, fmt.Errorf("encode the result: %w", err))
	}
	if d.meta, err = freezeMeta(d.meta); err != nil {
		return nil, c.handlerError(ctx, fmt.Errorf("encode the result: %w", err))
	}
	res.State = "" // it belongs to a request for input and passes no pipeline
	report, err := c.transform(info, &d)
	if err != nil {
		return nil, err
	}
	if err := result.CheckDepth(res.Structured); err != nil { // a pipeline may have cut what was too deep
		return nil, c.handlerError(ctx, fmt.Errorf("encode the result: %w", err))
	}
	if d.plain {
		res.Content, report = c.renderText(res.Structured, report)
	}
	res.Content = append(slices.Clip(res.Content), d.links...)
	annotateBlocks(res.Content, d.hints)
	meta := res.MetaMap()
	maps.Copy(meta, d.meta)
	if len(report) > 0 {
		meta[c.layer.meta.transforms] = map[string]any(report)
	}
	c.made.set(res.Structured)
	meta[c.layer.meta.durationMS] = time.Since(c.info.Started).Milliseconds()
	return res, nil
}

// freezeMeta encodes metadata whose type encodes itself: the SDK would run that code
// again, on a goroutine where a panic ends the process. What was plain stays.
func freezeMeta(meta map[string]any) (map[string]any, error) {
	var frozen map[string]any
	for key, value := range meta {
		if isPlainTree(value) {
			continue
		}
		if frozen == nil {
			frozen = maps.Clone(meta)
		}
		doc, err := encode(value, nil)
		if err != nil {
			return nil, fmt.Errorf("metadata %q: %w", key, err)
		}
		frozen[key] = json.RawMessage(doc)
	}
	if frozen == nil {
		return meta, nil
	}
	return frozen, nil
}

const truncatedMarker = "... [truncated by cloudg mcp layer]"

// renderText returns the text block of a structured value: indented, cut at the
// layer's limit. What was cut is counted in the report.
func (c *call) renderText(doc jsontext.Value, report Report) ([]mcp.Content, Report) {
	scratch := texts.Get().(*[]byte)
	defer keepText(scratch)
	text, total := jsondoc.AppendIndent((*scratch)[:0], doc, c.layer.maxOutput)
	if cut := total - c.layer.maxOutput; c.layer.maxOutput >= 0 && cut > 0 {
		text = append(text, truncatedMarker...)
		report = addCount(report, "truncated_chars", cut)
	}
	*scratch = text
	one := &struct { // one allocation
		list  [1]mcp.Content
		block mcp.TextContent
	}{block: mcp.TextContent{Text: string(text)}}
	one.list[0] = &one.block
	return one.list[:], report
}

// texts holds the memory in which texts are rendered.
var texts = sync.Pool{New: func() any { return new([]byte) }}

// maxKeptText is the size up to which that memory is kept for the next text.
const maxKeptText = 64 << 10

func keepText(text *[]byte) {
	if cap(*text) <= maxKeptText {
		texts.Put(text)
	}
}

// addCount returns the report with one more member; a report belongs to the
// pipeline and is not written into.
func addCount(report Report, key string, n int) Report {
	report = maps.Clone(report)
	if report == nil {
		report = Report{}
	}
	report[key] = n
	return report
}
