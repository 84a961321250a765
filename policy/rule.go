package policy

import (
	"fmt"

	"github.com/cloudg/mcplayer"
)

// rule is a compiled [Rule].
type rule struct {
	name string
	match
	access
	limits []limit
}

// rules compiles a document's rules in the order in which they hold: roles, then
// rules.
func (c *compiler) rules(d *Document) []rule {
	var all []rule
	for i := range d.Roles {
		all = append(all, c.rule(d.roleName(i), &d.Roles[i]))
	}
	for i := range d.Rules {
		all = append(all, c.rule(d.ruleName(i), &d.Rules[i]))
	}
	return all
}

// rule compiles one.
func (c *compiler) rule(name string, r *Rule) rule {
	return rule{
		name:   name,
		match:  c.match(name+": match.", &r.Match),
		access: c.access(name+": ", &r.Access),
		limits: c.limits(name+": rate_limits", name, r.RateLimits),
	}
}

// denial returns why the rule denies a primitive whoever else allows it, empty if it
// does not.
func (r *rule) denial(s *subject) string {
	switch denied := r.deny & s.presumed; {
	case r.of(s).denies(s.names):
		return r.deniesName(s.word)
	case r.categories.deny.Match(s.spec.Category):
		return fmt.Sprintf("category '%s' denied by rule '%s'", s.spec.Category, r.name)
	case denied != 0:
		return fmt.Sprintf("capability '%s' denied by rule '%s'", first(denied), r.name)
	}
	return ""
}

func (r *rule) deniesName(word string) string {
	return fmt.Sprintf("%s denied by rule '%s'", word, r.name)
}

// first returns the first of a set in the order of the constants.
func first(set mcplayer.Capabilities) mcplayer.Capabilities { return set & -set }
