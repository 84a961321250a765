package policy

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"weak"

	"github.com/cloudg/mcplayer"
)

// Reload puts another document in force, in whole or not at all: if anything is wrong
// with it, or if it refuses a primitive that is already served, the old one stays and
// the error tells why. Calls that run end under the document they began with. Rate
// limits that both documents have go on counting, and the trail goes on. So does the
// vault if both say the same of it; else the new document begins with another one,
// which does not know the pseudonyms of the old. A vault that is kept in a file keeps
// its options: others need a new policy.
//
// Clients are told to ask for their lists again if the documents may show something
// else.
func (p *Policy) Reload(doc *Document) error {
	old, rev, err := p.replace(doc)
	if err != nil {
		p.logger.Error("policy not reloaded; the old one stays", slog.String("policy", old.name), slog.String("error", err.Error()))
		return err
	}
	p.logger.Info("policy reloaded", slog.String("policy", rev.name))
	for _, kind := range changedLists(old.doc, rev.doc) {
		p.listeners.tell(kind)
	}
	return nil
}

// replace puts another document in force and returns both revisions.
func (p *Policy) replace(doc *Document) (old, rev *revision, err error) {
	p.reloading.Lock()
	defer p.reloading.Unlock()
	old = p.current.Load()
	if p.closed {
		return old, nil, errors.New("policy: closed")
	}
	if rev, err = compile(doc, p.shared, old.version+1, old.names); err != nil {
		return old, nil, err
	}
	if err := p.admitAll(rev); err != nil {
		return old, nil, errors.Join(err, rev.names.closeUnless(old.names))
	}
	p.put(rev)
	if err := old.names.closeUnless(rev.names); err != nil {
		p.logger.Error("the vault of the old policy is not kept", slog.String("error", err.Error()))
	}
	return old, rev, nil
}

// Version returns the version of the document in force. It changes with each reload;
// those of two policies differ.
func (p *Policy) Version() uint64 { return p.current.Load().version }

// firstVersion is a random number, so that what was kept under one policy is not taken
// for what was kept under another.
func firstVersion() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return binary.LittleEndian.Uint64(b[:])>>1 + 1
}

// admitAll asks a new revision about all that is served.
func (p *Policy) admitAll(rev *revision) error {
	var errs []error
	for _, spec := range p.admitted.all() {
		if err := rev.admit(spec); err != nil {
			errs = append(errs, fmt.Errorf("%s %q: %w", spec.Kind, spec.Name, err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("policy: what is served does not fit the document:\n%w", err)
	}
	for _, spec := range p.admitted.all() {
		rev.warn(spec)
	}
	return nil
}

// changedLists returns the kinds whose lists may differ under two documents: all, if
// who may see what is not written alike; tools, if pipelines are not, since a tool
// whose results are transformed is listed without its output schema.
func changedLists(old, doc *Document) []mcplayer.Kind {
	switch {
	case !reflect.DeepEqual(visible(old), visible(doc)):
		return []mcplayer.Kind{mcplayer.KindTool, mcplayer.KindResource, mcplayer.KindResourceTemplate, mcplayer.KindPrompt}
	case !reflect.DeepEqual(transformed(old), transformed(doc)):
		return []mcplayer.Kind{mcplayer.KindTool}
	}
	return nil
}

// visible returns the parts of a document that tell who may see what.
func visible(d *Document) any {
	type part struct {
		match  Match
		access Access
	}
	parts := []part{{access: d.Access}}
	for _, r := range slices.Concat(d.Roles, d.Rules) {
		parts = append(parts, part{r.Match, r.Access})
	}
	return struct {
		hide  bool
		parts []part
	}{isNotFalse(d.HideDenied), parts}
}

// transformed returns the parts of a document that tell what is transformed: all but
// what certainly is none of them.
func transformed(d *Document) any {
	rest := *d
	rest.Name, rest.Description, rest.Extends = "", "", ""
	rest.HideDenied, rest.Audit, rest.AuditSize, rest.RateLimits = nil, nil, nil, nil
	rest.Roles, rest.Rules = withoutLimits(d.Roles), withoutLimits(d.Rules)
	return rest
}

func withoutLimits(rules []Rule) []Rule {
	rest := slices.Clone(rules)
	for i := range rest {
		rest[i].Name, rest[i].Description, rest[i].RateLimits = "", "", nil
	}
	return rest
}

// specs are primitives that are served by some layer; one that nobody has any more
// is forgotten.
type specs struct {
	mu   sync.Mutex
	refs map[weak.Pointer[mcplayer.Spec]]struct{}
}

func (s *specs) add(spec *mcplayer.Spec) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ref := weak.Make(spec)
	if _, known := s.refs[ref]; known {
		return
	}
	if s.refs == nil {
		s.refs = map[weak.Pointer[mcplayer.Spec]]struct{}{}
	}
	s.refs[ref] = struct{}{}
	runtime.AddCleanup(spec, s.forget, ref)
}

func (s *specs) forget(ref weak.Pointer[mcplayer.Spec]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.refs, ref)
}

func (s *specs) all() []*mcplayer.Spec {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*mcplayer.Spec
	for ref := range s.refs {
		if spec := ref.Value(); spec != nil {
			all = append(all, spec)
		}
	}
	slices.SortFunc(all, compareSpecs)
	return all
}
