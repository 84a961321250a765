package policy

// matchField is an object of conditions.
type matchField struct{ to *Match }

func (f matchField) read(r *reader, n *node, path string) { r.object(n, path, f.to.fields()) }

func (f matchField) write() *node { return writeFields(f.to.fields()) }

// rolesField is an object of rules by the role that they match.
type rolesField struct{ to *[]Rule }

func (f rolesField) read(r *reader, n *node, path string) {
	if n.kind != objectNode {
		r.wrong(n, path, "must be an object of rules by role, not %s", n.described())
		return
	}
	list := []Rule{}
	for _, m := range n.members {
		list = append(list, readRole(r, m, under(path, m.key)))
	}
	*f.to = list
}

func readRole(r *reader, m member, path string) (u Rule) {
	if m.value.kind != nullNode {
		r.object(m.value, path, u.fields())
	}
	if m.key == "" {
		r.bad.add(m.at, path, "a role must have a name")
	}
	if u.Match.Roles != nil {
		r.wrong(m.value, path+".match.roles", "the role is the key; a rule for other roles belongs under rules")
	}
	u.Match.Roles = []string{m.key}
	return u
}

func (f rolesField) write() *node {
	if *f.to == nil {
		return nil
	}
	n := &node{kind: objectNode}
	for _, u := range *f.to {
		role := roleOf(&u)
		u.Match.Roles = nil
		value := writeFields(u.fields())
		if value == nil {
			value = &node{kind: objectNode}
		}
		n.members = append(n.members, member{key: role, value: value})
	}
	return n
}

// roleOf returns the role that a rule under roles is for.
func roleOf(u *Rule) string {
	if len(u.Match.Roles) == 0 {
		return ""
	}
	return u.Match.Roles[0]
}
