package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// template adds members that are built from others.
type template struct{ fields []field }

// field is a member to add: literals around the members to show.
type field struct {
	name     string
	literals []string // one more than members
	members  []string
}

func newTemplate(o *Options) (Transform, error) {
	t := &template{}
	texts := o.Texts("templates")
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f, err := parseField(name, texts[name])
		if err != nil {
			o.Fail("templates", "%q: %w", name, err)
		}
		t.fields = append(t.fields, f)
	}
	return t, nil
}

// parseField reads a text in which {name} stands for a member; {{ and }} are
// braces.
func parseField(name, text string) (field, error) {
	f := field{name: name}
	var literal strings.Builder
	for text != "" {
		switch {
		case strings.HasPrefix(text, "{{"), strings.HasPrefix(text, "}}"):
			literal.WriteByte(text[0])
			text = text[2:]
		case text[0] == '{':
			member, rest, ok := strings.Cut(text[1:], "}")
			if !ok || member == "" {
				return f, fmt.Errorf("no member is named at %q", text)
			}
			f.literals, f.members = append(f.literals, literal.String()), append(f.members, member)
			literal.Reset()
			text = rest
		case text[0] == '}':
			return f, fmt.Errorf("the brace at %q was not opened", text)
		default:
			literal.WriteByte(text[0])
			text = text[1:]
		}
	}
	f.literals = append(f.literals, literal.String())
	if len(f.members) == 0 {
		return f, errors.New("no member is named")
	}
	return f, nil
}

// Begin returns the step.
func (t *template) Begin(_ context.Context, p *Pass) Step { return &templater{template: t, pass: p} }

type templater struct {
	*template
	pass *Pass
	text []byte // scratch
}

func (t *templater) Wants() jsondoc.Kind { return jsondoc.Object }

// Value makes templater a [Step]; the engine calls Do.
func (t *templater) Value(c *Cursor) error { return t.Do(c.v) }

// Do asks for the object again when it is complete: what is shown of a member is
// what all steps left of it.
func (t *templater) Do(v *jsondoc.Value) error {
	v.Revisit()
	return nil
}

// Leave adds the members whose parts the object has.
func (t *templater) Leave(o *jsondoc.Made) error {
	for _, f := range t.fields {
		if !o.Has(f.name) && t.fill(o, f) {
			o.Add(f.name, t.text)
			t.pass.Count("templated", "", 1)
		}
	}
	return nil
}

func (t *templater) fill(o *jsondoc.Made, f field) bool {
	t.text = append(t.text[:0], f.literals[0]...)
	for i, name := range f.members {
		text, ok := o.Scalar(name)
		if !ok {
			return false
		}
		t.text = append(append(t.text, text...), f.literals[i+1]...)
	}
	return true
}
