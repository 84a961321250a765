package main

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/uri"
	"github.com/cloudg/mcplayer/policy"
)

// caller is who asks.
type caller struct{ id, roles string }

func (c *caller) addTo(flags *flag.FlagSet) {
	flags.StringVar(&c.id, "as", "anonymous", "`id` of the caller; anonymous and local are those that the library knows")
	flags.StringVar(&c.roles, "roles", "", "the caller's roles, all of them, joined by `commas`; over a transport everybody has default (without it: default)")
}

func (c *caller) principal() *mcplayer.Principal {
	switch {
	case c.roles != "":
		return mcplayer.NewPrincipal(c.id, strings.Split(c.roles, ",")...)
	case c.id == "anonymous":
		return mcplayer.Anonymous()
	case c.id == "local":
		return mcplayer.Local()
	}
	return mcplayer.NewPrincipal(c.id, "default")
}

const primitiveHelp = `PRIMITIVE is tool:NAME, prompt:NAME, resource:URI or resource_template:TEMPLATE, one of
the specs. A URI that is no resource of theirs is read through a template.`

// subject is a primitive, with the concrete URI of a template.
type subject struct {
	name string // as it was asked for
	spec *mcplayer.Spec
	uri  string // empty: none was asked for
}

// findSubject looks for a primitive as a layer does: of templates the longest counts.
func findSubject(specs []*mcplayer.Spec, name string) (subject, error) {
	for _, spec := range specs {
		if spec.Kind.Key(spec.Name) == name {
			return subject{name: name, spec: spec}, nil
		}
	}
	raw, isResource := strings.CutPrefix(name, "resource:")
	normal, err := uri.Normalize(raw)
	if isResource && err == nil {
		for _, spec := range specs {
			if spec.Kind == mcplayer.KindResource && isURI(spec.Name, normal) {
				return subject{name: name, spec: spec}, nil
			}
		}
		for _, spec := range templates(specs) {
			if matches(spec.Name, normal) {
				return subject{name, spec, normal}, nil
			}
		}
	}
	return subject{}, fmt.Errorf("the specs have no %s", name)
}

// isURI reports whether the URI of a resource is a normal one, or the same but for the case
// of its host.
func isURI(name, normal string) bool {
	own, err := uri.Normalize(name)
	return err == nil && uri.FoldHost(own) == uri.FoldHost(normal)
}

func templates(specs []*mcplayer.Spec) []*mcplayer.Spec {
	found := slices.DeleteFunc(slices.Clone(specs), func(s *mcplayer.Spec) bool { return s.Kind != mcplayer.KindResourceTemplate })
	slices.SortFunc(found, func(a, b *mcplayer.Spec) int {
		return cmp.Or(cmp.Compare(len(b.Name), len(a.Name)), cmp.Compare(a.Name, b.Name))
	})
	return found
}

func matches(template, normal string) bool {
	t, err := uri.CompileAny(template)
	if err != nil {
		return false
	}
	_, _, ok := t.Match(normal)
	return ok
}

// call describes a call of the primitive.
func (s subject) call(who *mcplayer.Principal) mcplayer.CallInfo {
	info := mcplayer.CallInfo{Kind: s.spec.Kind, Name: s.spec.Name, Spec: s.spec, Principal: who}
	if info.Kind == mcplayer.KindResourceTemplate {
		info.Kind, info.Name = mcplayer.KindResource, cmp.Or(s.uri, info.Name)
	}
	return info
}

// decide tells whether a caller may use the primitive, and the URI.
func (s subject) decide(p *policy.Policy, who *mcplayer.Principal) policy.Decision {
	if s.uri != "" {
		return p.DecideURI(s.spec, who, s.uri)
	}
	return p.Decide(s.spec, who)
}
