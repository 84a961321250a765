package policy

import (
	"github.com/cloudg/mcplayer"
	"github.com/go-json-experiment/json/jsontext"
)

// ParseSpecs reads what a policy knows of the primitives of a server, YAML or JSON:
//
//	primitives:
//	  - kind: tool                # the default; resource, resource_template, prompt
//	    name: run_query           # of a resource the URI, of a template its text
//	    category: live            # general
//	    tags: [slow]
//	    sensitivity: internal     # confidential; of a prompt internal
//	    capabilities: [exec]      # none is declared
//	    read_only: false          # annotations; those that are left out are unset
//	    destructive: true
//	    idempotent: false
//	    open_world: true
//	    hints: {skip: [sanitize], pseudonymize: false, transforms: [annotate]}
//
// A server writes its own with [MarshalSpecs]. The error tells all mistakes.
func ParseSpecs(data []byte, name string) ([]*mcplayer.Spec, error) {
	n, bad := readNode(data, name)
	if n == nil {
		return nil, bad.err()
	}
	r := reader{bad}
	specs := []*mcplayer.Spec{}
	r.object(n, "", []field{{key: "primitives", value: specsField{&specs}, noNull: true}})
	if n.kind == objectNode && n.member("primitives") == nil {
		r.wrong(n, "", "primitives is missing")
	}
	if err := r.bad.err(); err != nil {
		return nil, err
	}
	return specs, nil
}

// MarshalSpecs writes specs, such as those of [mcplayer.Registry.Specs], as JSON that
// [ParseSpecs] reads.
func MarshalSpecs(specs []*mcplayer.Spec) (jsontext.Value, error) {
	n := &node{kind: objectNode, members: []member{{key: "primitives", value: specsField{&specs}.write()}}}
	return n.json()
}

// specsField is a list of primitives, each once.
type specsField struct{ to *[]*mcplayer.Spec }

func (f specsField) read(r *reader, n *node, path string) {
	known := map[string]bool{}
	r.elements(n, path, func(n *node, path string) {
		spec := new(mcplayer.Spec)
		specField{spec}.read(r, n, path)
		if key := spec.Kind.Key(spec.Name); spec.Name != "" && known[key] {
			r.wrong(n, path, "%s is there twice", key)
		} else {
			known[key] = true
		}
		*f.to = append(*f.to, spec)
	})
}

func (f specsField) write() *node {
	n := &node{kind: listNode, list: []*node{}}
	for _, spec := range *f.to {
		n.list = append(n.list, specField{spec}.write())
	}
	return n
}

// specField is one primitive.
type specField struct{ to *mcplayer.Spec }

func (f specField) read(r *reader, n *node, path string) {
	kind := "tool"
	f.to.Category = "general"
	r.object(n, path, specFields(f.to, &kind))
	if f.to.Name == "" && n.kind == objectNode {
		r.wrong(n, path, "name is missing")
	}
	f.to.Kind, _ = mcplayer.ParseKind(kind)
	if f.to.Sensitivity == 0 {
		f.to.Sensitivity = mcplayer.Confidential
		if f.to.Kind == mcplayer.KindPrompt {
			f.to.Sensitivity = mcplayer.Internal
		}
	}
}

func (f specField) write() *node {
	return writeFields(specFields(f.to, new(f.to.Kind.String())))
}

func specFields(s *mcplayer.Spec, kind *string) []field {
	return []field{
		{key: "kind", value: wordField{kind, kinds()[:4]}},
		{key: "name", value: textField{&s.Name}},
		{key: "category", value: textField{&s.Category}},
		{key: "tags", value: textsField{&s.Tags}},
		{key: "sensitivity", value: levelField{&s.Sensitivity}},
		{key: "capabilities", value: capabilitiesField{to: &s.Capabilities}},
		{key: "read_only", value: flagField{&s.Annotations.ReadOnly}},
		{key: "destructive", value: flagField{&s.Annotations.Destructive}},
		{key: "idempotent", value: flagField{&s.Annotations.Idempotent}},
		{key: "open_world", value: flagField{&s.Annotations.OpenWorld}},
		{key: "hints", value: hintsField{&s.Hints}},
	}
}

// hintsField is what a tool says of its pipelines.
type hintsField struct{ to *mcplayer.Hints }

func (f hintsField) read(r *reader, n *node, path string) { r.object(n, path, f.fields()) }

func (f hintsField) write() *node { return writeFields(f.fields()) }

func (f hintsField) fields() []field {
	return []field{
		{key: "skip", value: textsField{&f.to.Skip}},
		{key: "skip_input", value: textsField{&f.to.SkipInput}},
		{key: "pseudonymize", value: flagField{&f.to.Pseudonymize}},
		{key: "depseudonymize", value: flagField{&f.to.Depseudonymize}},
		{key: "input_guard", value: flagField{&f.to.InputGuard}},
		{key: "project", value: optionsField{&f.to.Project}},
		{key: "transforms", value: hintTransformsField{&f.to.Transforms}},
	}
}

// hintTransformsField is a list of steps as hints have them.
type hintTransformsField struct{ to *[]mcplayer.TransformSpec }

func (f hintTransformsField) read(r *reader, n *node, path string) {
	var list []Transform
	transformsField{&list}.read(r, n, path)
	for _, t := range list {
		*f.to = append(*f.to, mcplayer.TransformSpec(t))
	}
}

func (f hintTransformsField) write() *node {
	var list []Transform
	for _, t := range *f.to {
		list = append(list, Transform(t))
	}
	return transformsField{&list}.write()
}
