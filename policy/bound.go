package policy

import (
	"fmt"
	"log/slog"
	"sync"

	"github.com/cloudg/mcplayer"
)

// boundKey tells apart who is decided about: callers of the same roles are alike
// unless some rule looks at ids.
type boundKey struct {
	spec  *mcplayer.Spec
	roles mcplayer.RoleSet
	id    string
}

// bound is what holds for one primitive and alike callers.
type bound struct {
	rev      *revision
	plan     *plan
	decision Decision
	matched  []int // rules
	denying  []int // rules that match for denials
	granted  bool  // the policy's lists are skipped

	limits, completions []*limit // for calls of the primitive's kind, and for completions

	once   sync.Once
	access *mcplayer.Access // nil: its pipelines cannot be built
}

func (r *revision) bound(spec *mcplayer.Spec, who *mcplayer.Principal) *bound {
	key := boundKey{spec: spec, roles: who.RoleSet()}
	if r.principals {
		key.id = who.ID()
	}
	if known, ok := r.known.get(key); ok {
		return known
	}
	q := r.inquire(r.plan(spec), who)
	b := &bound{rev: r, plan: q.plan}
	b.decision, _ = q.decide()
	b.matched, b.denying, b.granted = q.matched, q.denying, q.granted
	b.limits, b.completions = r.limitsFor(q)
	return r.known.put(key, b)
}

// bind returns what the layer needs; nil, which denies, if that cannot be built.
func (b *bound) bind() *mcplayer.Access {
	b.once.Do(b.build)
	return b.access
}

func (b *bound) build() {
	a := &mcplayer.Access{
		Visible: b.decision.Allowed || !b.rev.hide,
		Check:   b.check,
		Version: b.rev.version,
		Binary:  b.rev.doc.binary(),
	}
	if a.Visible {
		var err error
		if a.Input, a.Output, err = b.rev.pipes.of(b.plan.spec, b.matched); err != nil {
			b.rev.logger.Error("pipelines cannot be built; access denied", slog.String("kind", b.plan.spec.Kind.String()),
				slog.String("name", b.plan.spec.Name), slog.String("error", err.Error()))
			return
		}
	}
	if b.plan.spec.Kind == mcplayer.KindResourceTemplate {
		if b.rev.hide {
			a.Hides = func(uri string) bool { return !b.decideURI(uri).Allowed }
		}
		a.Denies = b.denies
	}
	b.access = a
}

// decideURI decides about a concrete URI of a template.
func (b *bound) decideURI(uri string) Decision {
	if !b.decision.Allowed {
		return b.decision
	}
	names := spellings(uri)
	for _, i := range b.denying {
		if r := &b.rev.rules[i]; r.resources.denies(names) {
			return Decision{Reason: r.deniesName(b.plan.word), Check: "explicit denials", Rule: r.name}
		}
	}
	if !b.granted && b.rev.resources.denies(names) {
		return Decision{Reason: fmt.Sprintf("%s denied by policy '%s'", b.plan.word, b.rev.name), Check: "deny list"}
	}
	return b.decision
}

// denies refuses a concrete URI that a call came to after its check.
func (b *bound) denies(info mcplayer.CallInfo, uri string) error {
	if d := b.decideURI(uri); !d.Allowed {
		return b.rev.refusal(&info, d.Reason)
	}
	return nil
}

// decide decides a call.
func (b *bound) decide(info *mcplayer.CallInfo) Decision {
	if info.Kind == mcplayer.KindResource && b.plan.spec.Kind == mcplayer.KindResourceTemplate {
		return b.decideURI(info.Name)
	}
	return b.decision
}
