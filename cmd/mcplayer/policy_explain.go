package main

import (
	"cmp"
	"strings"
	"text/tabwriter"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

func policyExplain() command {
	c := command{
		name:    "policy explain",
		usage:   "SOURCE PRIMITIVE -specs FILE [-as ID] [-roles ROLES] [-json]",
		summary: "tell whether a caller may use a primitive, and how that was decided",
		details: "It exits with 1 if the caller may not.\n\n" + primitiveHelp + "\n\n" + sourceHelp + "\n\n" + specsHelp,
	}
	c.run = func(args []string, std streams) int {
		m := newMatter(c, std)
		var who caller
		who.addTo(m.flags)
		args, code, ok := m.load(args, 1, 1, noNames{})
		if !ok {
			return code
		}
		s, err := findSubject(m.specs, args[0])
		if err != nil {
			return m.failed(err)
		}
		e := explain(m.policy, s, who.principal())
		if m.json {
			printJSON(std.out, e)
		} else {
			e.print(std)
		}
		return exitCode(e.Allowed)
	}
	return c
}

// explanation is a decision as it is printed.
type explanation struct {
	Primitive  string   `json:"primitive"`
	Through    string   `json:"through,omitempty"` // the template
	Principal  string   `json:"principal"`
	Roles      []string `json:"roles"`
	Policy     string   `json:"policy"` // its fingerprint
	Allowed    bool     `json:"allowed"`
	Reason     string   `json:"reason,omitempty"`
	Check      string   `json:"check,omitempty"`
	Rule       string   `json:"rule,omitempty"`
	Rules      []string `json:"rules"`
	Steps      []step   `json:"steps"`
	NotReached []string `json:"not_reached"`
}

type step struct {
	Check   string `json:"check"`
	Rule    string `json:"rule,omitempty"` // empty: the policy itself
	Outcome string `json:"outcome"`
}

func explain(p *policy.Policy, s subject, who *mcplayer.Principal) explanation {
	e := p.Explain(s.spec, who)
	out := explanation{Primitive: s.name, Principal: who.ID(), Roles: who.Roles(), Policy: p.Fingerprint()}
	if s.uri != "" {
		out.Through = s.spec.Name
	}
	if d := s.decide(p, who); e.Allowed && !d.Allowed {
		e.Decision = d
		e.Steps = append(e.Steps, policy.Step{Check: d.Check, Rule: d.Rule, Outcome: "denies the URI: " + d.Reason})
	}
	out.Allowed, out.Reason, out.Check, out.Rule = e.Allowed, e.Reason, e.Check, e.Decision.Rule
	out.Rules, out.NotReached = append([]string{}, e.Rules...), append([]string{}, e.NotReached...)
	for _, s := range e.Steps {
		out.Steps = append(out.Steps, step(s))
	}
	return out
}

func (e *explanation) print(std streams) {
	if e.Allowed {
		say(std.out, "allowed")
	} else {
		say(std.out, "denied: %s", e.Reason)
	}
	w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	through := ""
	if e.Through != "" {
		through = ", through " + e.Through
	}
	say(w, "primitive\t%s%s", e.Primitive, through)
	say(w, "principal\t%s, roles %s", e.Principal, listed(e.Roles))
	say(w, "policy\t%s", e.Policy)
	say(w, "rules\t%s", listed(e.Rules))
	say(w, "not reached\t%s", listed(e.NotReached))
	_ = w.Flush()
	say(std.out, "steps")
	for _, s := range e.Steps {
		say(w, "  %s\t%s\t%s", s.Check, cmp.Or(s.Rule, "the policy"), s.Outcome)
	}
	_ = w.Flush()
}

func listed(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
