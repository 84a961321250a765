package validate

import (
	stdjson "encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// A describer makes schemas. Types that contain themselves become definitions, all others are written where
// they are used.
type describer struct {
	types map[reflect.Type]*jsonschema.Schema // from the host
	defs  map[string]*jsonschema.Schema
	names map[*plan]string
}

// document makes the schema of the arguments as a whole.
func (c *compiler) document(root *node) (jsontext.Value, error) {
	d := &describer{types: c.opts.Schemas, defs: map[string]*jsonschema.Schema{}, names: map[*plan]string{}}
	s := d.node(root, nil)
	if s.Ref != "" {
		s = d.object(root.plan)
	}
	if root.shape == shapeAny {
		s = &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{}}
		if host := d.types[root.t]; host != nil {
			s = host.CloneSchemas()
		}
	}
	if s.Properties == nil {
		s.Properties = map[string]*jsonschema.Schema{}
	}
	return finish(s, d.defs)
}

// finish adds the definitions and writes the schema.
func finish(s *jsonschema.Schema, defs map[string]*jsonschema.Schema) (jsontext.Value, error) {
	if len(defs) > 0 {
		s.Defs = defs
	}
	if _, err := s.CloneSchemas().Resolve(nil); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	doc, err := stdjson.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return jsontext.AppendFormat(nil, doc) // as short as can be: encoding/json escapes for HTML
}

// node describes a type, and the rules of a level for it.
func (d *describer) node(n *node, l *level) *jsonschema.Schema {
	if host := d.types[n.t]; host != nil {
		s := host.CloneSchemas()
		d.rules(s, l)
		return s
	}
	s := d.shape(n, l)
	if n.shape != shapePointer {
		d.rules(s, l)
	}
	return s
}

// rules adds the rules of a level, but not those of items and keys.
func (d *describer) rules(s *jsonschema.Schema, l *level) {
	if l == nil {
		return
	}
	for _, t := range l.terms {
		if t.schema != nil {
			t.schema(s)
		}
	}
	if l.mustZero && !isText(l.valueType) {
		onlyEmpty(s)
	}
	tidy(s)
}

// onlyEmpty narrows a schema to the value that a field has without being sent.
func onlyEmpty(s *jsonschema.Schema) {
	var zero any
	none := 0
	switch s.Type {
	case "boolean":
		zero = false
	case "integer", "number":
		zero = 0
	case "string":
		zero = ""
	case "array":
		s.MaxItems = &none
		return
	case "object":
		s.MaxProperties = &none
		return
	default:
		return
	}
	s.Const = &zero
}

// tidy drops the bounds of a type that a rule makes useless.
func tidy(s *jsonschema.Schema) {
	if s.Minimum != nil && s.ExclusiveMinimum != nil && *s.ExclusiveMinimum >= *s.Minimum {
		s.Minimum = nil
	}
	if s.Maximum != nil && s.ExclusiveMaximum != nil && *s.ExclusiveMaximum <= *s.Maximum {
		s.Maximum = nil
	}
}

// structure describes a struct: as a reference if it contains itself.
func (d *describer) structure(p *plan) *jsonschema.Schema {
	if !p.contains(p, map[*plan]bool{}) {
		return d.object(p)
	}
	name, done := d.names[p]
	if !done {
		name = d.name(p)
		d.names[p] = name
		d.defs[name] = nil // taken
		d.defs[name] = d.object(p)
	}
	return &jsonschema.Schema{Ref: "#/$defs/" + name}
}

var notName = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

func (d *describer) name(p *plan) string {
	base := notName.ReplaceAllString(p.t.Name(), "_")
	if base == "" {
		base = "object"
	}
	name := base
	for i := 2; ; i++ {
		if _, taken := d.defs[name]; !taken {
			return name
		}
		name = base + strconv.Itoa(i)
	}
}

// contains reports whether a value of p can hold one of q.
func (p *plan) contains(q *plan, seen map[*plan]bool) bool {
	if seen[p] {
		return false
	}
	seen[p] = true
	for _, f := range p.fields {
		if f.node.contains(q, seen) {
			return true
		}
	}
	return p.extra != nil && p.extra.elem != nil && p.extra.elem.contains(q, seen)
}

func (n *node) contains(q *plan, seen map[*plan]bool) bool {
	if n == nil {
		return false
	}
	return n.plan == q && q != nil || n.elem.contains(q, seen) || n.plan != nil && n.plan.contains(q, seen)
}

// object describes a struct.
func (d *describer) object(p *plan) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type:                 "object",
		Properties:           map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
		PropertyOrder:        p.names,
	}
	for i := range p.fields {
		f := &p.fields[i]
		property := d.node(f.node, f.level)
		if f.about != "" {
			property.Description = f.about
		}
		if f.def != nil {
			property.Default = stdjson.RawMessage(f.def.doc)
		}
		if f.required {
			s.Required = append(s.Required, f.name)
		}
		s.Properties[f.name] = property
	}
	if x := p.extra; x != nil {
		s.AdditionalProperties = &jsonschema.Schema{}
		if x.elem != nil {
			s.AdditionalProperties = d.item(x.elem, x.level.inner())
		}
	}
	return s
}
