package mcplayer

import (
	"encoding/json"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listing holds a primitive's entries for lists: the one of its kind.
type listing struct {
	tool, bareTool *mcp.Tool // with and without output schema
	resource       *mcp.Resource
	template       *mcp.ResourceTemplate
	prompt         *mcp.Prompt
}

// addTool makes a tool's entries for lists: t with the layer's metadata, once with
// its output schema and once without.
func (l *listing) addTool(t *mcp.Tool, spec *Spec, keys metaKeys) {
	listed := *t
	listed.Meta = catalogMeta(t.Meta, spec, keys)
	listed.InputSchema, listed.OutputSchema = encodedOnce(t.InputSchema), encodedOnce(t.OutputSchema)
	bare := listed
	bare.OutputSchema = nil
	l.tool, l.bareTool = &listed, &bare
}

// encodedOnce returns a schema as raw JSON: the SDK would encode it for each list,
// which takes it sixteen times as long.
func encodedOnce(schema any) any {
	if schema == nil {
		return nil
	}
	doc, err := json.Marshal(schema)
	if err != nil {
		return schema
	}
	return json.RawMessage(doc)
}

// catalogMeta returns the metadata of a listed primitive: its own, and the
// catalogue's facts.
func catalogMeta(own mcp.Meta, spec *Spec, keys metaKeys) mcp.Meta {
	meta := mcp.Meta{}
	maps.Copy(meta, own)
	meta[keys.category] = spec.Category
	meta[keys.sensitivity] = spec.Sensitivity.String()
	meta[keys.tags] = spec.Tags
	return meta
}

// wireTool is the SDK's form of a tool of the layer's.
func wireTool(spec *Spec, b *toolBinding) *mcp.Tool {
	t := &mcp.Tool{
		Name:        spec.Name,
		Title:       spec.Title,
		Description: spec.Description,
		InputSchema: json.RawMessage(b.input),
		Meta:        spec.meta,
		Icons:       spec.icons,
		Annotations: wireAnnotations(spec.Annotations),
	}
	if b.output != nil {
		t.OutputSchema = json.RawMessage(b.output)
	}
	return t
}

// wireAnnotations returns nil if no hint is set. The SDK has no unset for the
// hints read-only and idempotent: they are false then.
func wireAnnotations(a Annotations) *mcp.ToolAnnotations {
	if a == (Annotations{}) {
		return nil
	}
	return &mcp.ToolAnnotations{
		Title:           a.Title,
		ReadOnlyHint:    isTrue(a.ReadOnly),
		IdempotentHint:  isTrue(a.Idempotent),
		DestructiveHint: a.Destructive,
		OpenWorldHint:   a.OpenWorld,
	}
}

func wireResource(s *Spec, keys metaKeys) *mcp.Resource {
	return &mcp.Resource{
		URI:         s.Name,
		Name:        s.Label,
		Title:       s.Title,
		Description: s.Description,
		MIMEType:    s.MIMEType,
		Size:        s.size,
		Icons:       s.icons,
		Annotations: s.audience,
		Meta:        catalogMeta(s.meta, s, keys),
	}
}

func wireTemplate(s *Spec, keys metaKeys) *mcp.ResourceTemplate {
	return &mcp.ResourceTemplate{
		URITemplate: s.Name,
		Name:        s.Label,
		Title:       s.Title,
		Description: s.Description,
		MIMEType:    s.MIMEType,
		Icons:       s.icons,
		Annotations: s.audience,
		Meta:        catalogMeta(s.meta, s, keys),
	}
}

func wirePrompt(s *Spec, keys metaKeys) *mcp.Prompt {
	p := &mcp.Prompt{
		Name:        s.Name,
		Title:       s.Title,
		Description: s.Description,
		Icons:       s.icons,
		Meta:        catalogMeta(s.meta, s, keys),
	}
	for _, a := range s.Arguments {
		p.Arguments = append(p.Arguments, &mcp.PromptArgument{
			Name: a.Name, Title: a.Title, Description: a.Description, Required: a.Required,
		})
	}
	return p
}
