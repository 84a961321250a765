package policy

import (
	"cmp"
	"fmt"
)

// name returns the name of the document, or the one that stands for none.
func (d *Document) name() string { return cmp.Or(d.Name, "custom") }

// roleName returns the name of a rule under roles, or the one that stands for none.
func (d *Document) roleName(i int) string {
	r := &d.Roles[i]
	if len(r.Match.Roles) == 1 {
		return cmp.Or(r.Name, "role:"+r.Match.Roles[0])
	}
	return cmp.Or(r.Name, fmt.Sprintf("roles[%d]", i))
}

// ruleName does for a rule under rules.
func (d *Document) ruleName(i int) string { return cmp.Or(d.Rules[i].Name, fmt.Sprintf("rule[%d]", i)) }
