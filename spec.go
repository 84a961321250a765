package mcplayer

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cloudg/mcplayer/internal/jsontree"
	"github.com/cloudg/mcplayer/internal/uri"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Spec is what is known of a primitive before anybody calls it: a deep copy of
// what its author registered, with defaults filled in. Specs are shared and
// must not be changed; the address of a Spec is its identity.
type Spec struct {
	Kind Kind
	// Name is the primitive's name without the layer's prefix. Of a resource it
	// is the URI, of a resource template the template text.
	Name        string
	Title       string
	Description string
	// Label is the display name of a resource or template; elsewhere empty.
	Label    string
	Category string   // "general" unless the author set one
	Tags     []string // sorted, each once, never nil
	// Sensitivity is never zero.
	Sensitivity  Sensitivity
	Capabilities Capabilities
	Annotations  Annotations
	Hints        Hints
	// Timeout is the handler's own: 0 inherits the layer's, a negative one
	// means none.
	Timeout time.Duration
	// Host marks a primitive that the server's owner registered on the SDK
	// server and that the layer wraps.
	Host bool
	// MIMEType is that of a resource or template.
	MIMEType string
	// Arguments are those of a prompt.
	Arguments []PromptArgument

	size         int64
	audience     *mcp.Annotations
	meta         mcp.Meta
	icons        []mcp.Icon
	inputSchema  jsontext.Value // the author's own; nil: from the types
	outputSchema jsontext.Value
	template     *uri.Template
}

// Annotations are a tool's hints for clients. A nil hint is unset.
type Annotations struct {
	Title                                        string
	ReadOnly, Destructive, Idempotent, OpenWorld *bool
}

// Hints tell the policy how a tool's own pipelines may differ. What of them is
// honoured is the policy's decision.
type Hints struct {
	Skip           []string        // output transforms to leave out, by type or id
	SkipInput      []string        // the same for input transforms
	Pseudonymize   *bool           // false: never turn values into pseudonyms
	Depseudonymize *bool           // false: never turn pseudonyms back
	InputGuard     *bool           // false: do not look for secrets in arguments
	Project        map[string]any  // options of an additional projection
	Transforms     []TransformSpec // additional output transforms
}

// TransformSpec names a transform by type, with its options.
type TransformSpec struct {
	Type    string
	ID      string
	Options map[string]any
}

// IsReadOnly reports whether the primitive says that it changes nothing. All
// kinds but tools are read-only.
func (s *Spec) IsReadOnly() bool {
	return s.Kind != KindTool || isTrue(s.Annotations.ReadOnly)
}

// IsIdempotent reports whether repeating a call has no further effect. A tool
// of the host also counts when it says that it is read-only and not open-world.
func (s *Spec) IsIdempotent() bool {
	a := s.Annotations
	return s.Kind != KindTool || isTrue(a.Idempotent) ||
		s.Host && isTrue(a.ReadOnly) && a.OpenWorld != nil && !*a.OpenWorld
}

func isTrue(b *bool) bool { return b != nil && *b }

// derive fills the hints that the author left unset from the capabilities; no
// capabilities, no hints.
func (a *Annotations) derive(c Capabilities) {
	if c == 0 {
		return
	}
	writes := c&(WriteState|WriteFS|Exec) != 0
	setDefault(&a.ReadOnly, !writes)
	setDefault(&a.Destructive, false)
	setDefault(&a.OpenWorld, c&(Exec|CloudAccess) != 0)
	if !writes && c&CloudAccess == 0 {
		setDefault(&a.Idempotent, true)
	}
}

func setDefault(hint **bool, value bool) {
	if *hint == nil {
		*hint = &value
	}
}

// setDefaults fills in what the author left out.
func (s *Spec) setDefaults() {
	if s.Category == "" {
		s.Category = "general"
	}
	if s.Tags == nil {
		s.Tags = []string{}
	}
	slices.Sort(s.Tags)
	s.Tags = slices.Compact(s.Tags)
	if s.Sensitivity == 0 {
		s.Sensitivity = Confidential
		if s.Kind == KindPrompt {
			s.Sensitivity = Internal
		}
	}
	switch s.Kind {
	case KindTool:
		s.Annotations.derive(s.Capabilities)
	case KindResource, KindResourceTemplate:
		if s.MIMEType == "" && !s.Host {
			s.MIMEType = "application/json"
		}
	}
}

// commonProblems checks what the specs of all kinds have in common.
func commonProblems(s *Spec, noHandler bool) []error {
	var problems []error
	if noHandler {
		problems = append(problems, errors.New("has no handler"))
	}
	if s.Sensitivity > Restricted {
		problems = append(problems, fmt.Errorf("unknown sensitivity %d", s.Sensitivity))
	}
	if s.Capabilities&^allCapabilities != 0 {
		problems = append(problems, fmt.Errorf("unknown capability in %#b", uint8(s.Capabilities)))
	}
	if err := result.CheckMeta(s.meta); err != nil {
		problems = append(problems, err)
	}
	return problems
}

func cloneHints(h Hints) Hints {
	h.Skip = slices.Clone(h.Skip)
	h.SkipInput = slices.Clone(h.SkipInput)
	h.Pseudonymize = clonePointer(h.Pseudonymize)
	h.Depseudonymize = clonePointer(h.Depseudonymize)
	h.InputGuard = clonePointer(h.InputGuard)
	h.Project = cloneOptions(h.Project)
	h.Transforms = slices.Clone(h.Transforms)
	for i := range h.Transforms {
		h.Transforms[i].Options = cloneOptions(h.Transforms[i].Options)
	}
	return h
}

func cloneAnnotations(a Annotations) Annotations {
	a.ReadOnly = clonePointer(a.ReadOnly)
	a.Destructive = clonePointer(a.Destructive)
	a.Idempotent = clonePointer(a.Idempotent)
	a.OpenWorld = clonePointer(a.OpenWorld)
	return a
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

// cloneOptions copies the containers of which option values are made.
func cloneOptions(options map[string]any) map[string]any {
	if options == nil {
		return nil
	}
	return jsontree.Clone(options).(map[string]any)
}

func cloneIcons(icons []mcp.Icon) []mcp.Icon {
	c := slices.Clone(icons)
	for i := range c {
		c[i].Sizes = slices.Clone(c[i].Sizes)
	}
	return c
}

func cloneAudience(a *mcp.Annotations) *mcp.Annotations {
	if a == nil {
		return nil
	}
	c := *a
	c.Audience = slices.Clone(a.Audience)
	return &c
}
