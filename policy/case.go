package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cloudg/mcplayer"
)

// Case is a decision that a policy is expected to make.
type Case struct {
	// Name tells it in failures. Of a case that was read without one it is its path.
	Name string
	// File and Line are where it was read. Empty and 0: made in Go.
	File string
	Line int
	// Principal is who asks.
	Principal *mcplayer.Principal
	// Primitive is tool:NAME, resource:URI, resource_template:TEMPLATE or prompt:NAME, one of those that
	// the cases are run with; it is empty if Spec describes the primitive.
	Primitive string
	// Spec describes the primitive. Nil: the one that Primitive names.
	Spec *mcplayer.Spec
	// Allowed is what the decision must be.
	Allowed bool
	// Reason is the reason of a denial, exactly. Empty: any.
	Reason string
}

// Decider decides. It is implemented by [Policy].
type Decider interface {
	Decide(spec *mcplayer.Spec, who *mcplayer.Principal) Decision
}

// Test returns what a policy decides otherwise than cases expect. The specs are the primitives
// that cases name. It is for tests:
//
//	for _, failure := range policy.Test(p, specs, cases) {
//		t.Error(failure)
//	}
func Test(d Decider, specs []*mcplayer.Spec, cases []Case) (failures []Problem) {
	for i := range cases {
		c := &cases[i]
		if message := c.run(d, specs); message != "" {
			failures = append(failures, Problem{c.File, c.Line, c.Name, message})
		}
	}
	return failures
}

func (c *Case) run(d Decider, specs []*mcplayer.Spec) (failure string) {
	spec := c.Spec
	if spec == nil {
		i := slices.IndexFunc(specs, func(s *mcplayer.Spec) bool { return s.Kind.Key(s.Name) == c.Primitive })
		if i < 0 {
			return fmt.Sprintf("there is no %s", c.Primitive)
		}
		spec = specs[i]
	}
	switch got := d.Decide(spec, c.Principal); {
	case got.Allowed && !c.Allowed:
		return "is allowed, not denied"
	case !got.Allowed && c.Allowed:
		return "is denied: " + got.Reason
	case c.Reason != "" && got.Reason != c.Reason:
		return fmt.Sprintf("is denied with the reason %q, not %q", got.Reason, c.Reason)
	}
	return ""
}

// ParseCases reads cases, YAML or JSON:
//
//	cases:
//	  - name: analysts do not export
//	    principal: {id: ada, roles: [default, analyst]}  # or anonymous, local, or an id alone
//	    primitive: tool:export_all
//	    expect: denied                                   # or allowed
//	    reason: tool denied by rule 'role:analyst'       # may be left out
//	  - principal: anonymous                             # the primitive is made up, as ParseSpecs reads it
//	    primitive: {kind: tool, name: run, category: live, tags: [slow], sensitivity: internal, capabilities: [exec]}
//	    expect: denied
//
// The error tells all mistakes.
func ParseCases(data []byte, name string) ([]Case, error) {
	n, bad := readNode(data, name)
	if n == nil {
		return nil, bad.err()
	}
	r := reader{bad}
	var cases []Case
	r.object(n, "", []field{{key: "cases", value: objectsField[Case]{&cases, (*Case).fields, finishCase}}})
	if err := r.bad.err(); err != nil {
		return nil, err
	}
	return cases, nil
}

func (c *Case) fields() []field {
	return []field{
		{key: "name", value: textField{&c.Name}},
		{key: "principal", value: principalField{c}, noNull: true},
		{key: "primitive", value: primitiveField{c}, noNull: true},
		{key: "expect", value: expectField{c}, noNull: true},
		{key: "reason", value: textField{&c.Reason}},
	}
}

// finishCase checks what belongs together.
func finishCase(r *reader, c *Case, n *node, path string) {
	for _, key := range []string{"principal", "primitive", "expect"} {
		if n.member(key) == nil {
			r.wrong(n, path, "%s is missing", key)
		}
	}
	if c.Allowed && c.Reason != "" {
		r.wrong(n, path, "what is allowed has no reason")
	}
	c.File, c.Line = n.at.file, n.at.line
	if c.Name == "" {
		c.Name = path
	}
}

// The fields of cases are not written out.

type principalField struct{ to *Case }

func (f principalField) write() *node { return nil }

func (f principalField) read(r *reader, n *node, path string) {
	if n.kind != objectNode {
		id, _ := r.scalar(n, path)
		switch id {
		case "anonymous":
			f.to.Principal = mcplayer.Anonymous()
		case "local":
			f.to.Principal = mcplayer.Local()
		default:
			f.to.Principal = mcplayer.NewPrincipal(id, "default")
		}
		return
	}
	id, roles := "somebody", []string{"default"}
	r.object(n, path, []field{
		{key: "id", value: textField{&id}},
		{key: "roles", value: textsField{&roles}, noNull: true},
	})
	f.to.Principal = mcplayer.NewPrincipal(id, roles...)
}

type primitiveField struct{ to *Case }

func (f primitiveField) write() *node { return nil }

func (f primitiveField) read(r *reader, n *node, path string) {
	if n.kind == objectNode {
		f.to.Spec = new(mcplayer.Spec)
		specField{f.to.Spec}.read(r, n, path)
		return
	}
	text, ok := r.scalar(n, path)
	kind, _, named := strings.Cut(text, ":")
	if _, err := mcplayer.ParseKind(kind); ok && (!named || err != nil) {
		r.wrong(n, path, "must be tool:NAME, resource:URI, resource_template:TEMPLATE, prompt:NAME or an object")
	}
	f.to.Primitive = text
}

type expectField struct{ to *Case }

func (f expectField) write() *node { return nil }

func (f expectField) read(r *reader, n *node, path string) {
	var word string
	wordField{&word, []string{"allowed", "denied"}}.read(r, n, path)
	f.to.Allowed = word == "allowed"
}
