package policy

import (
	"fmt"

	"github.com/cloudg/mcplayer"
)

// How many answers a revision remembers, in each half of a [cache].
const (
	maxPlans = 4096
	maxBound = 16384
)

// revision is a compiled document. It is never changed, only replaced. What it
// remembers goes with it.
type revision struct {
	*shared
	doc     *Document
	version uint64

	name       string
	hide       bool // what is denied
	audit      bool // what is allowed
	auditSize  int
	rules      []rule
	access     // the policy's own
	limits     []limit
	principals bool // some rule looks at ids

	pipes *pipelines
	names *names // nil: the host has its own
	plans *cache[*mcplayer.Spec, *plan]
	known *cache[boundKey, *bound]
}

// compile makes a revision of a document, or tells all that is wrong with it. The names
// are those of the revision that it replaces, which it goes on with if it can.
func compile(d *Document, s *shared, version uint64, before *names) (*revision, error) {
	if d == nil {
		return nil, errMissing
	}
	d, err := d.clone().resolved() // its owner may go on with it
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	r, err := decisions(d, s, version)
	if err != nil {
		return nil, err
	}
	if _, err := decode(d.node(), "", nil); err != nil { // words that were set in Go
		return nil, fmt.Errorf("policy: configuration errors:\n%w", err)
	}
	if r.names, err = s.namesOf(d, before); err != nil {
		return nil, fmt.Errorf("policy: configuration errors:\n%w", err)
	}
	if r.pipes, err = newPipelines(d, r.names.builder(s.build)); err != nil {
		return nil, fmt.Errorf("policy: configuration errors:\n%w", err)
	}
	if d.Vault != nil || pseudonymizesSomewhere(d) {
		if err := r.names.open(before); err != nil {
			return nil, fmt.Errorf("policy: configuration errors:\n%w", err)
		}
	}
	return r, nil
}

// decisions makes a revision that decides, without pipelines.
func decisions(d *Document, s *shared, version uint64) (*revision, error) {
	var c compiler
	r := &revision{
		shared:  s,
		doc:     d,
		version: version,
		name:    d.name(),
		hide:    isNotFalse(d.HideDenied),
		audit:   isTrue(d.Audit),
		rules:   c.rules(d),
		access:  c.access("", &d.Access),
		limits:  c.limits("rate_limits", "", d.RateLimits),
		plans:   newCache[*mcplayer.Spec, *plan](maxPlans),
		known:   newCache[boundKey, *bound](maxBound),
	}
	r.auditSize = c.auditSize(d)
	for i := range r.rules {
		r.principals = r.principals || r.rules[i].Principals != nil
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	return r, nil
}

func (c *compiler) auditSize(d *Document) int {
	if d.AuditSize == nil {
		return DefaultAuditSize
	}
	if *d.AuditSize < 0 {
		c.fail("audit_size", "is %d; it must be positive, or 0 to keep none", *d.AuditSize)
	}
	return *d.AuditSize
}

func isNotFalse(b *bool) bool { return b == nil || *b }

// admit reports what is wrong with the hints of a primitive.
func (r *revision) admit(spec *mcplayer.Spec) error {
	if err := r.pipes.checkHints(spec); err != nil {
		return err
	}
	for _, t := range spec.Hints.Transforms {
		if mentionsPseudonyms(nodeOf(t.Options)) {
			return r.names.open(nil)
		}
	}
	return nil
}

// plan is what can be said of a primitive before anybody asks for it.
type plan struct {
	subject
	fits []fit // for each rule

	key, completionKey string // of its buckets
}

// fit is what a rule says of a primitive.
type fit struct {
	fails    string // the condition that the primitive fails; empty: it fits
	presumed bool   // it fits for denials only
	denial   string // why the rule denies it; empty: it does not
	grants   bool   // the rule's lists allow it
}

func (r *revision) plan(spec *mcplayer.Spec) *plan {
	if known, ok := r.plans.get(spec); ok {
		return known
	}
	return r.plans.put(spec, r.newPlan(spec))
}

func (r *revision) newPlan(spec *mcplayer.Spec) *plan {
	p := &plan{subject: newSubject(spec), fits: make([]fit, len(r.rules))}
	p.key, p.completionKey = spec.Kind.Key(spec.Name), mcplayer.KindCompletion.Key(spec.Name)
	for i := range r.rules {
		rule, f := &r.rules[i], &p.fits[i]
		if f.fails, f.presumed = rule.fits(&p.subject); f.fails == "" {
			f.denial = rule.denial(&p.subject)
			f.grants = rule.grants(&p.subject)
		}
	}
	return p
}

func (r *revision) inquire(p *plan, who *mcplayer.Principal) *inquiry {
	return &inquiry{rev: r, plan: p, who: who}
}
