package pipeline

import (
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline/detect"
)

// Spec asks for one step of a pipeline.
type Spec struct {
	// Type is the name or an alias of a registered type.
	Type string
	// ID tells steps of one type apart; empty means Type.
	ID string
	// Options are those of the type. They are not changed and not kept.
	Options map[string]any
}

// Factory makes a transform from its options. It need not return errors that o
// keeps.
type Factory func(o *Options) (Transform, error)

// Builder builds pipelines from specs. Types are registered with it alone: two
// builders share nothing. It is safe for concurrent use once all is registered.
type Builder struct {
	options BuilderOptions
	types   map[string]Factory
	aliases map[string]string
}

// BuilderOptions are what pipelines need beyond the options of their steps.
type BuilderOptions struct {
	// Pseudonyms turns values into pseudonyms. Nil: they are hashed instead, and reports
	// say so.
	Pseudonyms Pseudonyms
	// HashKey is the key of hashes. Nil: a random one, so that hashes of two processes
	// differ.
	HashKey []byte
	// Rules are detectors that redact and guard_secrets have besides the built-in ones and
	// those of their options: those of a gitleaks file, say, see [detect.LoadGitleaks].
	Rules []detect.Rule
}

// NewBuilder returns a builder that knows the types of this package. Nil options
// mean the defaults.
func NewBuilder(o *BuilderOptions) *Builder {
	b := &Builder{types: map[string]Factory{}, aliases: map[string]string{}}
	if o != nil {
		b.options = *o
	}
	if b.options.HashKey == nil {
		b.options.HashKey = []byte(rand.Text())
	}
	for _, t := range builtin {
		if err := b.Register(t.name, t.factory, t.aliases...); err != nil {
			panic(err) // the table below is wrong
		}
	}
	return b
}

// With returns a builder with the types of b, registered so far, and other options.
// Those that are nil are as in b.
func (b *Builder) With(o BuilderOptions) *Builder {
	other := &Builder{options: b.options, types: maps.Clone(b.types), aliases: maps.Clone(b.aliases)}
	if o.Pseudonyms != nil {
		other.options.Pseudonyms = o.Pseudonyms
	}
	if o.HashKey != nil {
		other.options.HashKey = o.HashKey
	}
	if o.Rules != nil {
		other.options.Rules = o.Rules
	}
	return other
}

// Pseudonyms returns where pipelines take pseudonyms from; nil: they have none.
func (b *Builder) Pseudonyms() Pseudonyms { return b.options.Pseudonyms }

// Rules returns the detectors that pipelines have besides those of this package and of
// their options.
func (b *Builder) Rules() []detect.Rule { return slices.Clone(b.options.Rules) }

// TypeOf returns the name of a type of this package by its name or alias; "" if there is
// none. Types that were registered [Builder.TypeOf] knows.
func TypeOf(name string) string {
	for _, t := range builtin {
		if t.name == name || slices.Contains(t.aliases, name) {
			return t.name
		}
	}
	return ""
}

// builtin are the types of this package.
var builtin = []struct {
	name    string
	factory Factory
	aliases []string
}{
	{"sanitize", newSanitize, []string{"sanitise", "untrusted", "untrusted_text"}},
	{"redact", newRedact, []string{"redaction", "redactor", "dlp"}},
	{"project", newProject, []string{"projection", "shape"}},
	{"annotate", newAnnotate, []string{"annotation", "annotations", "annotator"}},
	{"substitute", newSubstitute, []string{"substitution"}},
	{"alias", newAlias, []string{"aliases"}},
	{"regex_replace", newRegexReplace, nil},
	{"rename_keys", newRename, []string{"rename"}},
	{"template", newTemplate, []string{"templates"}},
	{"guard_secrets", newGuard, []string{"secret_guard", "reject_secrets"}},
	{"depseudonymize", newDepseudonymize, []string{"depseudonymise", "depseudonymizer"}},
}

// Register adds a type under a name and aliases. A name that is taken is an error.
func (b *Builder) Register(name string, f Factory, aliases ...string) error {
	if f == nil {
		return fmt.Errorf("transform type %q: no factory", name)
	}
	names := append([]string{name}, aliases...)
	for _, n := range names {
		if n == "" || b.aliases[n] != "" {
			return fmt.Errorf("transform type %q: the name %q is empty or taken", name, n)
		}
	}
	b.types[name] = f
	for _, n := range names {
		b.aliases[n] = name
	}
	return nil
}

// TypeOf returns the name of a type by its name or alias; "" if there is none.
func (b *Builder) TypeOf(name string) string { return b.aliases[name] }

// Types returns the names of all types, sorted, without aliases.
func (b *Builder) Types() []string { return slices.Sorted(maps.Keys(b.types)) }

// Build makes a pipeline of the specs, in their order; nil, which costs nothing,
// if there are none. The error tells all mistakes, each with the step and the
// option.
func (b *Builder) Build(specs []Spec) (mcplayer.Pipeline, error) {
	if len(specs) == 0 {
		return nil, nil
	}
	p := &Pipeline{}
	var errs []error
	for i, spec := range specs {
		t, bad := b.step(spec)
		for _, err := range bad {
			errs = append(errs, fmt.Errorf("step %d (%s): %w", i+1, spec.name(), err))
		}
		all, ok := t.(several)
		if !ok {
			all = several{t}
		}
		for _, t := range all {
			p.steps = append(p.steps, step{name: spec.name(), transform: t})
		}
	}
	if errs == nil {
		errs = append(errs, linkAliases(p.steps))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if len(p.steps) == 0 {
		return nil, nil
	}
	p.steps = noted(settled(p.steps))
	p.input = slices.ContainsFunc(p.steps, func(s step) bool { return isInput(s.transform) })
	return p, nil
}

// settled adds the step that does what a sanitize left to do: in front of the first
// projection or annotation behind all that looks into texts.
func settled(steps []step) []step {
	var last *step // the sanitize
	at := 0
	for i := range steps {
		switch steps[i].transform.(type) {
		case *sanitize:
			last, at = &steps[i], i+1
		case *project, *annotate:
		default:
			at = i + 1
		}
	}
	if last == nil {
		return steps
	}
	return slices.Insert(steps, at, step{last.name, last.transform.(*sanitize).later()})
}

func (s Spec) name() string {
	if s.ID != "" {
		return s.ID
	}
	return s.Type
}

// step makes one step, or tells all that is wrong with it.
func (b *Builder) step(spec Spec) (Transform, []error) {
	f := b.types[b.aliases[spec.Type]]
	if f == nil {
		return nil, []error{fmt.Errorf("unknown type %q; there are %s", spec.Type, strings.Join(b.Types(), ", "))}
	}
	o := newOptions(&b.options, spec.Options)
	t, err := f(o)
	errs := o.finish()
	if err != nil {
		errs = append(errs, err)
	}
	if len(errs) == 0 && t == nil {
		errs = append(errs, errors.New("the factory returned no transform"))
	}
	return t, errs
}
