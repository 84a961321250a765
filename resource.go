package mcplayer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/cloudg/mcplayer/internal/uri"
	"github.com/cloudg/mcplayer/result"
	"github.com/cloudg/mcplayer/validate"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Resource describes a resource to register under one URI. Everything but URI is
// optional.
type Resource struct {
	URI         string
	Name        string // a short name for people; the URI if empty
	Title       string
	Description string
	Category    string
	Tags        []string
	// Sensitivity is confidential if it is not set.
	Sensitivity Sensitivity
	// Capabilities say what reading it takes; none counts as [ReadState].
	Capabilities Capabilities
	Hints        Hints
	MIMEType     string // "application/json" if empty
	Size         int64  // in bytes, if known
	Annotations  *mcp.Annotations
	Icons        []mcp.Icon
	Meta         mcp.Meta
	// Replace makes the resource take the place of one with the same URI.
	Replace bool
}

// ResourceTemplate describes resources whose URIs follow a template (RFC 6570)
// with the expressions {name}, which stands for one path segment or a part of
// one, and {+name}, which stands for anything. Everything but URITemplate is
// optional.
type ResourceTemplate struct {
	URITemplate string
	Name        string // a short name for people; the template if empty
	Title       string
	Description string
	Category    string
	Tags        []string
	// Sensitivity is confidential if it is not set.
	Sensitivity Sensitivity
	// Capabilities say what reading takes; none counts as [ReadState].
	Capabilities Capabilities
	Hints        Hints
	MIMEType     string // "application/json" if empty
	Annotations  *mcp.Annotations
	Icons        []mcp.Icon
	Meta         mcp.Meta
	// Complete proposes values for variables, by name.
	Complete map[string]CompletionFunc
	// Replace makes the template take the place of one with the same text.
	Replace bool
}

// ResourceHandler reads a resource. Vars holds the variables of its template,
// percent-decoded once; it is empty for a resource without one. What it returns
// becomes the contents:
//
//   - nil: none;
//   - a string: text with the resource's MIME type;
//   - a []byte: a blob;
//   - *mcp.ResourceContents, a slice of them, *mcp.ReadResourceResult or
//     *[result.Resource]: kept;
//   - anything else: encoded as encoding/json does, indented by two spaces.
//
// A [ReferenceNotFound] error says that there is no such resource.
type ResourceHandler func(ctx context.Context, tc *ToolContext, vars map[string]string) (any, error)

// AddResource registers a resource.
func AddResource(r *Registry, res Resource, h ResourceHandler) {
	s := &Spec{
		Kind:         KindResource,
		Name:         res.URI,
		Label:        cmp.Or(res.Name, res.URI),
		Title:        res.Title,
		Description:  res.Description,
		Category:     res.Category,
		Tags:         append([]string{}, res.Tags...),
		Sensitivity:  res.Sensitivity,
		Capabilities: res.Capabilities,
		Hints:        cloneHints(res.Hints),
		MIMEType:     res.MIMEType,
		size:         res.Size,
		meta:         cloneOptions(res.Meta),
		icons:        cloneIcons(res.Icons),
		audience:     cloneAudience(res.Annotations),
	}
	normal, err := uri.Normalize(res.URI)
	problems := append(commonProblems(s, h == nil), err)
	r.add(&entry{spec: s, bind: func(l *Layer) (*primitive, error) {
		p := &primitive{spec: s, uri: normal, read: h}
		p.listing.resource = wireResource(s, l.meta)
		return p, nil
	}}, res.Replace, problems...)
}

// AddResourceTemplate registers a template.
func AddResourceTemplate(r *Registry, t ResourceTemplate, h ResourceHandler) {
	s := &Spec{
		Kind:         KindResourceTemplate,
		Name:         t.URITemplate,
		Label:        cmp.Or(t.Name, t.URITemplate),
		Title:        t.Title,
		Description:  t.Description,
		Category:     t.Category,
		Tags:         append([]string{}, t.Tags...),
		Sensitivity:  t.Sensitivity,
		Capabilities: t.Capabilities,
		Hints:        cloneHints(t.Hints),
		MIMEType:     t.MIMEType,
		meta:         cloneOptions(t.Meta),
		icons:        cloneIcons(t.Icons),
		audience:     cloneAudience(t.Annotations),
	}
	complete := cloneCompletions(t.Complete)
	template, err := uri.Compile(t.URITemplate)
	problems := append(commonProblems(s, h == nil), err)
	if err == nil {
		s.template = template
		problems = append(problems, checkCompletions("variable", template.Names(), complete)...)
	}
	r.add(&entry{spec: s, bind: func(l *Layer) (*primitive, error) {
		p := &primitive{spec: s, read: h, complete: complete}
		p.listing.template = wireTemplate(s, l.meta)
		return p, nil
	}}, t.Replace, problems...)
}

// Expand returns the URI that a template stands for with these variables: what a
// handler puts into a link.
func (s *Spec) Expand(vars map[string]string) (string, error) {
	if s.template == nil {
		return "", fmt.Errorf("%s %q is no template", s.Kind, s.Name)
	}
	return s.template.Expand(vars)
}

// contents makes a resource result of what a handler returned, after the output
// pipeline.
func (c *call) contents(value any) (*result.Resource, error) {
	e := c.beginExit(c.info)
	res, err := c.draftContents(e, value)
	if err != nil {
		return nil, err
	}
	if report := e.report(); len(report) > 0 && e.err == nil {
		for _, contents := range res.Contents {
			if contents.Meta == nil {
				contents.Meta = mcp.Meta{}
			}
			contents.Meta[c.layer.meta.transforms] = map[string]any(report)
		}
	}
	if err := e.end(); err != nil {
		return nil, c.withhold(err)
	}
	return res, nil
}

// isPiece reports whether a value of a resource's handler is taken as it is; any
// other is encoded.
func isPiece(value any) bool {
	switch value.(type) {
	case nil, string, []byte, *mcp.ResourceContents, []*mcp.ResourceContents, *mcp.ReadResourceResult, *result.Resource:
		return true
	}
	return false
}

// draftContents sorts a handler's value and leads its pieces through e.
func (c *call) draftContents(e *exit, value any) (*result.Resource, error) {
	switch v := value.(type) {
	case nil:
		return &result.Resource{}, nil
	case string:
		return c.single(&mcp.ResourceContents{Text: e.text(v)}), nil
	case []byte:
		res := c.single(&mcp.ResourceContents{Blob: nonNil(v)})
		res.Contents[0] = e.blob(res.Contents[0])
		return res, nil
	case *encoded:
		text, _ := jsondoc.AppendIndent(nil, e.json(v.Structured), -1)
		return c.single(&mcp.ResourceContents{Text: string(text)}), nil
	case *mcp.ResourceContents:
		return c.keepContents(e, &result.Resource{Contents: []*mcp.ResourceContents{v}})
	case []*mcp.ResourceContents:
		return c.keepContents(e, &result.Resource{Contents: v})
	case *mcp.ReadResourceResult:
		if v == nil {
			return &result.Resource{}, nil
		}
		return c.keepContents(e, result.ResourceFromWire(v))
	case *result.Resource:
		if v == nil {
			return &result.Resource{}, nil
		}
		return c.keepContents(e, v)
	}
	return nil, fmt.Errorf("a resource gave %T", value)
}

func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// single fills in what a handler need not say.
func (c *call) single(contents *mcp.ResourceContents) *result.Resource {
	contents.URI = c.requested
	contents.MIMEType = c.prim.spec.MIMEType
	return &result.Resource{Contents: []*mcp.ResourceContents{contents}}
}

// keepContents leads contents that a handler built through e, as copies.
func (c *call) keepContents(e *exit, res *result.Resource) (*result.Resource, error) {
	kept := *res
	kept.Contents = nil
	if err := result.CheckMeta(res.Meta); err != nil {
		return nil, err
	}
	kept.Meta = e.meta(c.ownMeta(res.Meta))
	var err error
	if kept.Requests, err = c.askInput(res.Requests); err != nil || kept.NeedsInput() {
		return &kept, err // the protocol allows no contents beside it
	}
	if err := result.CheckContents(res.Contents); err != nil {
		return nil, err
	}
	kept.Contents = make([]*mcp.ResourceContents, len(res.Contents))
	for i, contents := range res.Contents {
		kept.Contents[i] = e.contents(contents)
		kept.Contents[i].Meta = c.ownMeta(kept.Contents[i].Meta)
		kept.Contents[i].URI = cmp.Or(kept.Contents[i].URI, c.requested)
		kept.Contents[i].MIMEType = cmp.Or(kept.Contents[i].MIMEType, c.prim.spec.MIMEType)
	}
	return &kept, nil
}

// variables decodes the arguments of a resource or prompt: an object of strings.
func variables(args jsontext.Value) (map[string]string, error) {
	vars := map[string]string{}
	if err := json.Unmarshal(args, &vars); err != nil {
		return nil, InvalidArguments("Invalid arguments: every argument must be a string", []validate.Problem{{Msg: "every argument must be a string", Type: validate.TypeType}})
	}
	return vars, nil
}
