package policy

import "github.com/cloudg/mcplayer"

// Explanation tells how a decision came about.
type Explanation struct {
	Decision
	// Rules are the names of the rules that match, in the order in which they hold.
	Rules []string
	// Steps are all steps that were taken.
	Steps []Step
	// NotReached are the checks that came after the one that denied.
	NotReached []string
}

// Step is a step of a decision.
type Step struct {
	Check   string // one of [Checks]
	Rule    string // that was looked at; empty: the policy itself
	Outcome string // such as "matches", "does not match: roles", "denies: REASON"
}

// Decide tells whether a caller may use a primitive. Of a template it tells whether
// it may be used at all: a concrete URI may still be denied (see [Policy.DecideURI]).
func (p *Policy) Decide(spec *mcplayer.Spec, who *mcplayer.Principal) Decision {
	if spec == nil || who == nil {
		return Decision{}
	}
	return p.current.Load().bound(spec, who).decision
}

// DecideURI tells whether a caller may read a concrete URI through a template.
func (p *Policy) DecideURI(template *mcplayer.Spec, who *mcplayer.Principal, uri string) Decision {
	if template == nil || who == nil {
		return Decision{}
	}
	return p.current.Load().bound(template, who).decideURI(uri)
}

// Explain tells what [Policy.Decide] decides, and how.
func (p *Policy) Explain(spec *mcplayer.Spec, who *mcplayer.Principal) Explanation {
	if spec == nil || who == nil {
		return Explanation{NotReached: Checks()}
	}
	return p.current.Load().explain(spec, who)
}

func (r *revision) explain(spec *mcplayer.Spec, who *mcplayer.Principal) Explanation {
	var e Explanation
	q := r.inquire(r.plan(spec), who)
	q.steps = &e.Steps
	var reached int
	e.Decision, reached = q.decide()
	for _, i := range q.matched {
		e.Rules = append(e.Rules, r.rules[i].name)
	}
	e.NotReached = Checks()[reached:]
	return e
}
