package policy

import (
	"fmt"

	"github.com/cloudg/mcplayer"
)

// Decision tells whether a caller may use a primitive. The zero Decision denies.
type Decision struct {
	Allowed bool
	// Reason is why not, in one of the fixed texts of policies; empty if it is allowed.
	Reason string
	// Check is which of [Checks] denied; empty if it is allowed.
	Check string
	// Rule is the rule that denied; empty if it was the policy itself.
	Rule string
}

// Checks returns the checks of a decision in their order. The first that denies
// decides.
func Checks() []string {
	names := make([]string, len(checks))
	for i := range checks {
		names[i] = checks[i].name
	}
	return names
}

// check is a part of a decision. It returns why it denies, empty if it does not, and
// the rule that does.
type check struct {
	name string
	run  func(*inquiry) (reason, rule string)
}

var checks = [...]check{
	{"matching rules", (*inquiry).matching},
	{"explicit denials", (*inquiry).denials},
	{"sensitivity", (*inquiry).sensitivity},
	{"grants", (*inquiry).grants},
	{"deny list", (*inquiry).denyList},
	{"deny categories", (*inquiry).denyCategories},
	{"allow list", (*inquiry).allowList},
	{"allow categories", (*inquiry).allowCategories},
	{"capabilities", (*inquiry).capabilities},
}

// inquiry is the work on one decision.
type inquiry struct {
	rev     *revision
	plan    *plan
	who     *mcplayer.Principal
	matched []int // the rules that match, in their order
	denying []int // and those that match for denials
	granted bool  // a rule's lists allow the primitive: the policy's are skipped

	check string
	steps *[]Step // nil: nobody asked
}

// decide is the one function that decides: for lists, lookups, calls and
// explanations. It also tells how far it came.
func (q *inquiry) decide() (d Decision, reached int) {
	for i := range checks {
		q.check = checks[i].name
		if reason, rule := checks[i].run(q); reason != "" {
			return Decision{Reason: reason, Check: q.check, Rule: rule}, i + 1
		}
	}
	return Decision{Allowed: true}, len(checks)
}

// note tells a step, if somebody asked. The outcome is a verb with its rest.
func (q *inquiry) note(rule, outcome, rest string) {
	if q.steps == nil {
		return
	}
	if rest != "" {
		outcome += ": " + rest
	}
	*q.steps = append(*q.steps, Step{Check: q.check, Rule: rule, Outcome: outcome})
}

// deny tells the step that denies.
func (q *inquiry) deny(rule, reason string) (string, string) {
	q.note(rule, "denies", reason)
	return reason, rule
}

// matching collects the rules that match.
func (q *inquiry) matching() (reason, rule string) {
	for i := range q.rev.rules {
		r, fit := &q.rev.rules[i], &q.plan.fits[i]
		fails := fit.fails
		if fails == "" {
			fails = r.admits(q.who)
		}
		switch {
		case fails != "":
			q.note(r.name, "does not match", fails)
			continue
		case fit.presumed:
			q.note(r.name, "matches for denials", "the capabilities are not declared")
		default:
			q.note(r.name, "matches", "")
			q.matched = append(q.matched, i)
		}
		q.denying = append(q.denying, i)
	}
	return "", ""
}

// denials are final: no rule overrides another's.
func (q *inquiry) denials() (reason, rule string) {
	for _, i := range q.denying {
		name := q.rev.rules[i].name
		if denial := q.plan.fits[i].denial; denial != "" {
			return q.deny(name, denial)
		}
		q.note(name, "does not deny", "")
	}
	return "", ""
}

// sensitivity holds the primitive against the ceiling.
func (q *inquiry) sensitivity() (reason, rule string) {
	ceiling, rule := q.rev.ceiling, ""
	own := mcplayer.Sensitivity(0)
	for _, i := range q.matched {
		if r := &q.rev.rules[i]; r.ceiling > own {
			own, rule = r.ceiling, r.name
		}
	}
	if own != 0 {
		ceiling = own
	}
	s := q.plan.spec.Sensitivity
	switch {
	case ceiling == 0:
		q.note("", "passes", "no ceiling")
	case s > ceiling:
		return q.deny(rule, fmt.Sprintf("sensitivity '%s' exceeds the allowed '%s'", s, ceiling))
	default:
		q.note(rule, "passes", "within "+ceiling.String())
	}
	return "", ""
}

// grants looks for a rule whose lists allow the primitive.
func (q *inquiry) grants() (reason, rule string) {
	for _, i := range q.matched {
		name := q.rev.rules[i].name
		if q.plan.fits[i].grants {
			q.granted = true
			q.note(name, "grants", "the policy's lists are skipped")
			continue
		}
		q.note(name, "does not grant", "")
	}
	return "", ""
}

func (q *inquiry) denyList() (reason, rule string) {
	l := q.rev.of(&q.plan.subject)
	return q.list(l.denies(q.plan.names), "%s denied by policy '%s'", q.plan.word)
}

func (q *inquiry) denyCategories() (reason, rule string) {
	denied := q.rev.categories.deny.Match(q.plan.spec.Category)
	return q.list(denied, "category '%s' denied by policy '%s'", q.plan.spec.Category)
}

func (q *inquiry) allowList() (reason, rule string) {
	allow := q.rev.of(&q.plan.subject).allow
	return q.list(allow != nil && !allow.Match(q.plan.spec.Name), "%s not in the allow list of policy '%s'", q.plan.word)
}

func (q *inquiry) allowCategories() (reason, rule string) {
	allow := q.rev.categories.allow
	return q.list(allow != nil && !allow.Match(q.plan.spec.Category), "category '%s' not allowed by policy '%s'", q.plan.spec.Category)
}

// list is the outcome of one of the policy's own lists.
func (q *inquiry) list(denied bool, format, subject string) (reason, rule string) {
	switch {
	case q.granted:
		q.note("", "skipped", "granted")
	case denied:
		return q.deny("", fmt.Sprintf(format, subject, q.rev.name))
	default:
		q.note("", "passes", "")
	}
	return "", ""
}

// capabilities asks for a grant of each capability that the policy denies. What the
// policy itself allows was taken out of what it inherits when documents were merged.
func (q *inquiry) capabilities() (reason, rule string) {
	missing := q.plan.presumed & q.rev.deny
	for _, i := range q.matched {
		r := &q.rev.rules[i]
		if given := r.allow & missing; given != 0 {
			q.note(r.name, "grants", given.String())
			missing &^= given
		}
	}
	if missing != 0 {
		return q.deny("", fmt.Sprintf("capability '%s' is denied by policy '%s'", first(missing), q.rev.name))
	}
	q.note("", "passes", "")
	return "", ""
}
