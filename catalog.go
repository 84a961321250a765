package mcplayer

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/cloudg/mcplayer/internal/uri"
)

// primitive is a registered primitive, bound to one layer. Which handler it has
// depends on its kind.
type primitive struct {
	spec  *Spec
	entry *entry // nil: a primitive of the host's

	tool     *toolBinding
	read     ResourceHandler
	render   PromptHandler
	complete map[string]CompletionFunc
	uri      string // of a resource, normalised

	listing listing
}

// completes reports whether anybody proposes values for the argument. What a
// host's primitive completes, only the host's handler knows.
func (p *primitive) completes(argument string) bool {
	return p.spec.Host || p.complete[argument] != nil
}

// target is what a name led to: a primitive, the name that policy and middleware
// see, and the variables in it. The zero target is nothing.
type target struct {
	prim *primitive
	name string
	vars map[string]string
}

// catalog is what a layer serves. It is never changed, only replaced.
type catalog struct {
	all       map[*entry]*primitive
	tools     map[string]*primitive
	prompts   map[string]*primitive
	resources map[string]*primitive // by normalised URI, host in lower case
	templates []*primitive          // longest text first
}

// bindAll makes a catalogue of entries. Primitives that old has already are
// taken from it; each that cannot be bound gives an error.
func (l *Layer) bindAll(entries []*entry, old *catalog) (*catalog, []error) {
	cat := &catalog{
		all:       map[*entry]*primitive{},
		tools:     map[string]*primitive{},
		prompts:   map[string]*primitive{},
		resources: map[string]*primitive{},
	}
	maps.DeleteFunc(l.refused, func(e, twin *entry) bool {
		return !slices.Contains(entries, e) || twin != nil && !slices.Contains(entries, twin)
	})
	var errs []error
	for _, e := range entries {
		if _, refused := l.refused[e]; refused || !l.filter.admits(e.spec) {
			continue
		}
		p := old.of(e)
		if p == nil {
			var err error
			if p, err = l.bindEntry(e); err != nil {
				l.refused[e] = nil
				errs = append(errs, fmt.Errorf("%s: %w", e, err))
				continue
			}
		}
		if other := cat.twin(p); other != nil {
			l.refused[e] = other.entry
			errs = append(errs, fmt.Errorf("%s: is the same URI as %s", e, other.entry))
			continue
		}
		cat.put(p)
	}
	slices.SortFunc(cat.templates, compareTemplates)
	return cat, errs
}

// compareTemplates puts the longest text first: it is the most specific.
func compareTemplates(a, b *primitive) int {
	return cmp.Or(cmp.Compare(len(b.spec.Name), len(a.spec.Name)), cmp.Compare(a.spec.Name, b.spec.Name))
}

func (c *catalog) of(e *entry) *primitive {
	if c == nil {
		return nil
	}
	return c.all[e]
}

// twin returns the resource whose URI is another spelling of p's.
func (c *catalog) twin(p *primitive) *primitive {
	if p.spec.Kind != KindResource {
		return nil
	}
	return c.resources[uri.FoldHost(p.uri)]
}

func (c *catalog) put(p *primitive) {
	c.all[p.entry] = p
	switch p.spec.Kind {
	case KindTool:
		c.tools[p.spec.Name] = p
	case KindPrompt:
		c.prompts[p.spec.Name] = p
	case KindResource:
		c.resources[uri.FoldHost(p.uri)] = p
	case KindResourceTemplate:
		c.templates = append(c.templates, p)
	}
}

// find returns what clients know by that name: of tools and prompts with the
// prefix.
func (c *catalog) find(kind Kind, prefix, exposed string) target {
	switch kind {
	case KindTool:
		return named(c.tools, prefix, exposed)
	case KindPrompt:
		return named(c.prompts, prefix, exposed)
	case KindResourceTemplate:
		for _, p := range c.templates {
			if p.spec.Name == exposed {
				return target{prim: p, name: exposed}
			}
		}
	case KindResource:
		return c.findResource(exposed)
	}
	return target{}
}

func named(primitives map[string]*primitive, prefix, exposed string) target {
	name, ok := strings.CutPrefix(exposed, prefix)
	if p := primitives[name]; ok && p != nil {
		return target{prim: p, name: name}
	}
	return target{}
}

// findResource looks for the exact URI, then through the templates.
func (c *catalog) findResource(raw string) target {
	if found := c.findExact(raw); found.prim != nil {
		return found
	}
	return c.findThroughTemplate(raw, nil)
}

func (c *catalog) findExact(raw string) target {
	normal, err := uri.Normalize(raw)
	if err != nil {
		return target{}
	}
	if p := c.resources[uri.FoldHost(normal)]; p != nil {
		return target{prim: p, name: p.spec.Name}
	}
	return target{}
}

// findThroughTemplate looks among the templates that are served; nil: all are.
func (c *catalog) findThroughTemplate(raw string, served func(*primitive) bool) target {
	normal, err := uri.Normalize(raw)
	if err != nil {
		return target{}
	}
	for _, p := range c.templates {
		if served != nil && !served(p) {
			continue
		}
		if vars, canonical, ok := p.spec.template.Match(normal); ok {
			return target{prim: p, name: canonical, vars: vars}
		}
	}
	return target{}
}

// bindEntry makes a registered primitive ready to be called by this layer. A panic
// of the policy leaves out that one.
func (l *Layer) bindEntry(e *entry) (p *primitive, err error) {
	defer func() {
		if v := recover(); v != nil {
			p, err = nil, l.panicked(v, slog.String("primitive", e.String()))
		}
	}()
	if e.spec.Kind == KindTool || e.spec.Kind == KindPrompt {
		if err := checkExposedName(l.prefix + e.spec.Name); err != nil {
			return nil, err
		}
	}
	if err := l.policy.Admit(e.spec); err != nil {
		return nil, err
	}
	if p, err = e.bind(l); err != nil {
		return nil, err
	}
	p.entry = e
	return p, nil
}

// refresh makes the catalogue follow the registry and tells of the kinds that
// changed. A primitive that cannot be bound is left out and remembered by the
// registry.
func (l *Layer) refresh() {
	l.mu.Lock()
	entries, _ := l.registry.snapshot()
	old := l.catalog.Load()
	cat, errs := l.bindAll(entries, old)
	l.catalog.Store(cat)
	l.mu.Unlock()
	for _, err := range errs {
		l.registry.remember(err)
		l.logger.Error("primitive left out", errorAttr(err))
	}
	for kind := range changedKinds(old, cat) {
		l.NotifyChange(kind, "")
	}
}

func changedKinds(old, cat *catalog) map[Kind]bool {
	kinds := map[Kind]bool{}
	for e := range old.all {
		if cat.all[e] == nil {
			kinds[e.spec.Kind] = true
		}
	}
	for e := range cat.all {
		if old.all[e] == nil {
			kinds[e.spec.Kind] = true
		}
	}
	return kinds
}
