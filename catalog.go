package mcplayer

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// primitive is a registered primitive, bound to one layer.
type primitive struct {
	spec  *Spec
	entry *entry
	tool  *toolBinding

	listed, unstructured *mcp.Tool // as in lists, with and without output schema
}

// catalog is what a layer serves. It is never changed, only replaced.
type catalog struct {
	all   map[*entry]*primitive
	tools map[string]*primitive
}

// bindAll makes a catalogue of entries. Primitives that old has already are
// taken from it; each that cannot be bound gives an error.
func (l *Layer) bindAll(entries []*entry, old *catalog) (*catalog, []error) {
	cat := &catalog{all: map[*entry]*primitive{}, tools: map[string]*primitive{}}
	var errs []error
	for _, e := range entries {
		if !l.filter.admits(e.spec) || l.refused[e] {
			continue
		}
		p := old.of(e)
		if p == nil {
			var err error
			if p, err = l.bindEntry(e); err != nil {
				l.refused[e] = true
				errs = append(errs, fmt.Errorf("%s: %w", e, err))
				continue
			}
		}
		cat.put(p)
	}
	return cat, errs
}

func (c *catalog) of(e *entry) *primitive {
	if c == nil {
		return nil
	}
	return c.all[e]
}

func (c *catalog) put(p *primitive) {
	c.all[p.entry] = p
	if p.spec.Kind == KindTool {
		c.tools[p.spec.Name] = p
	}
}

// find returns the primitive whose name with the prefix is exposed.
func (c *catalog) find(kind Kind, prefix, exposed string) *primitive {
	name, ok := strings.CutPrefix(exposed, prefix)
	if !ok || kind != KindTool {
		return nil
	}
	return c.tools[name]
}

// bindEntry makes a registered primitive ready to be called by this layer.
func (l *Layer) bindEntry(e *entry) (*primitive, error) {
	if e.spec.Kind == KindTool || e.spec.Kind == KindPrompt {
		if err := checkExposedName(l.prefix + e.spec.Name); err != nil {
			return nil, err
		}
	}
	if err := l.policy.Admit(e.spec); err != nil {
		return nil, err
	}
	p, err := e.bind(l)
	if err != nil {
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
		l.logger.Error("primitive left out", slog.Any("error", err))
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
