package mcplayer

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
)

// Registry holds primitives. Mistakes in what is added are remembered, each
// with the name of its primitive, and come back from [New], all at once; later
// ones from [Registry.Err].
//
// A registry may be changed while calls run and may belong to several layers.
// It is safe for concurrent use; the zero Registry is empty and ready.
type Registry struct {
	mu      sync.Mutex
	entries []*entry // in the order of registration
	index   map[entryKey]*entry
	errs    []error
	watch   map[*Layer]struct{}
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry { return &Registry{} }

// entry is a registered primitive, not yet bound to a layer.
type entry struct {
	spec *Spec
	bind func(*Layer) (*primitive, error)
}

type entryKey struct {
	kind Kind
	name string
}

func (e *entry) key() entryKey { return entryKey{e.spec.Kind, e.spec.Name} }

func (e *entry) String() string { return fmt.Sprintf("%s %q", e.spec.Kind, e.spec.Name) }

// add registers a primitive, with defaults for what its author left out. Problems
// with it are remembered instead.
func (r *Registry) add(e *entry, replace bool, problems ...error) {
	e.spec.setDefaults()
	r.mu.Lock()
	if errors.Join(problems...) == nil {
		problems = []error{r.insert(e, replace)}
	}
	for _, problem := range problems {
		if problem != nil {
			r.errs = append(r.errs, fmt.Errorf("%s: %w", e, problem))
		}
	}
	r.mu.Unlock()
	r.changed()
}

func (r *Registry) insert(e *entry, replace bool) error {
	old := r.index[e.key()]
	if old != nil && !replace {
		return errors.New("is registered already; set Replace to replace it")
	}
	if r.index == nil {
		r.index = map[entryKey]*entry{}
	}
	r.index[e.key()] = e
	if old != nil {
		r.entries[slices.Index(r.entries, old)] = e
		return nil
	}
	r.entries = append(r.entries, e)
	return nil
}

// Remove takes a primitive out and reports whether it was there. The name of a
// resource is its URI, that of a template its text.
func (r *Registry) Remove(kind Kind, name string) bool {
	r.mu.Lock()
	key := entryKey{kind, name}
	e := r.index[key]
	if e != nil {
		delete(r.index, key)
		r.entries = slices.DeleteFunc(r.entries, func(other *entry) bool { return other == e })
	}
	r.mu.Unlock()
	if e != nil {
		r.changed()
	}
	return e != nil
}

// Merge adds everything that other holds now, with its remembered mistakes.
// Names that both have are mistakes.
func (r *Registry) Merge(other *Registry) {
	if other == nil {
		r.remember(errors.New("Merge: the other registry is nil"))
		return
	}
	entries, errs := other.snapshot()
	r.mu.Lock()
	r.errs = append(r.errs, errs...)
	for _, e := range entries {
		if err := r.insert(e, false); err != nil {
			r.errs = append(r.errs, fmt.Errorf("%s: %w", e, err))
		}
	}
	r.mu.Unlock()
	r.changed()
}

// Lookup returns the spec of a primitive.
func (r *Registry) Lookup(kind Kind, name string) (*Spec, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.index[entryKey{kind, name}]; e != nil {
		return e.spec, true
	}
	return nil, false
}

// Specs returns the specs of all primitives in the order of registration.
func (r *Registry) Specs() []*Spec {
	entries, _ := r.snapshot()
	specs := make([]*Spec, len(entries))
	for i, e := range entries {
		specs[i] = e.spec
	}
	return specs
}

// Err returns all mistakes so far, nil if there are none.
func (r *Registry) Err() error {
	_, errs := r.snapshot()
	return errors.Join(errs...)
}

func (r *Registry) snapshot() ([]*entry, []error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.entries), slices.Clone(r.errs)
}

func (r *Registry) remember(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errs = append(r.errs, err)
}

// attach makes changes reach l.
func (r *Registry) attach(l *Layer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.watch == nil {
		r.watch = map[*Layer]struct{}{}
	}
	r.watch[l] = struct{}{}
}

func (r *Registry) detach(l *Layer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.watch, l)
}

// changed tells the layers. It runs without the lock: they read the registry.
func (r *Registry) changed() {
	r.mu.Lock()
	layers := make([]*Layer, 0, len(r.watch))
	for l := range r.watch {
		layers = append(layers, l)
	}
	r.mu.Unlock()
	for _, l := range layers {
		l.refresh()
	}
}

// exposedName is what clients may see as the name of a tool or prompt.
var exposedName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

func checkExposedName(name string) error {
	if !exposedName.MatchString(name) {
		return fmt.Errorf("the name %q is not 1 to 128 of A-Z a-z 0-9 _ . -", name)
	}
	return nil
}
