package policy

import (
	"slices"
	"strings"

	"github.com/cloudg/mcplayer/pipeline"
)

// Derive lays a child over a parent, as extends does: what the child sets replaces what the
// parent says, objects are merged, what is denied is united with the parent first, and rules,
// detectors, rate_limits and disabled_detectors come behind the parent's. The parent's
// transforms, input_transforms and allow lists are replaced as a whole. Capabilities that the
// child allows are taken out of those that the parent denies.
//
// Neither document is changed, and neither's extends is followed.
func Derive(parent, child *Document) (*Document, error) {
	if parent == nil || child == nil {
		return nil, errMissing
	}
	name := ""
	if child.source != nil {
		name = child.source.name
	}
	return decode(merge(parent.node(), child.node()), name, nil)
}

// merge returns child over parent and shares what it need not change.
func merge(parent, child *node) *node {
	if parent.kind != objectNode || child.kind != objectNode {
		return child
	}
	allowed := texts(child.member("allow_capabilities"))
	out := mergeAccess(parent, child)
	if denied := out.member("deny_capabilities"); denied != nil && denied.kind != nullNode {
		own := texts(child.member("deny_capabilities"))
		left := slices.DeleteFunc(slices.Clone(elements(denied)), func(n *node) bool {
			return slices.Contains(allowed, n.text) && !slices.Contains(own, n.text)
		})
		out.set("deny_capabilities", &node{kind: listNode, list: left, at: denied.at})
	}
	if child.member("transforms") != nil {
		out.dropped = (parent.dropped || hasRedact(parent)) && !hasRedact(out)
	}
	return out.without("allow_capabilities").without("extends")
}

// hasRedact reports whether a redact is among the transforms of a document.
func hasRedact(n *node) bool {
	list := n.member("transforms")
	return list != nil && slices.ContainsFunc(list.list, func(t *node) bool {
		if t.kind == objectNode && t.member("type") != nil {
			t = t.member("type")
		}
		return isRedact(t.text)
	})
}

// isRedact reports whether a type of transforms is redact, by any of its names.
func isRedact(typ string) bool { return pipeline.TypeOf(typ) == typeRedact }

// mergeAccess merges policies or rules.
func mergeAccess(parent, child *node) *node {
	out := parent.copied()
	for _, m := range child.members {
		old := out.member(m.key)
		switch {
		case m.value.kind == nullNode: // the same as absent
		case old == nil || old.kind == nullNode:
			out.set(m.key, m.value)
		case strings.HasPrefix(m.key, "deny_"):
			out.set(m.key, united(old, m.value))
		case slices.Contains([]string{"rules", "detectors", "rate_limits", "disabled_detectors"}, m.key):
			out.set(m.key, joined(old, m.value))
		case m.key == "roles":
			out.set(m.key, mergeRoles(old, m.value))
		case m.key == "transform_options":
			out.set(m.key, mergeStepOptions(old, m.value))
		default:
			out.set(m.key, mergeAny(old, m.value))
		}
	}
	return out
}

func mergeRoles(parent, child *node) *node {
	if parent.kind != objectNode || child.kind != objectNode {
		return child
	}
	out := parent.copied()
	for _, m := range child.members {
		old := out.member(m.key)
		switch {
		case old == nil || old.kind == nullNode:
			out.set(m.key, m.value)
		case m.value.kind == objectNode:
			out.set(m.key, mergeAccess(old, m.value))
		}
	}
	return out
}

// mergeStepOptions merges options by type or id. Two spellings of a type are one, and a
// null in place of options or of an option is as if it were absent.
func mergeStepOptions(parent, child *node) *node {
	if parent.kind != objectNode || child.kind != objectNode {
		return child
	}
	out := parent.copied()
	for _, m := range child.members {
		old := sameType(out, m.key)
		switch {
		case m.value.kind == nullNode:
		case old == nil || old.value.kind != objectNode || m.value.kind != objectNode:
			out.set(m.key, m.value)
		default:
			out.set(old.key, mergeAny(old.value, withoutNulls(m.value)))
		}
	}
	return out
}

// sameType returns the member of that name, or else the one that names the same type.
func sameType(n *node, key string) *member {
	for i := range n.members {
		if n.members[i].key == key {
			return &n.members[i]
		}
	}
	typ := pipeline.TypeOf(key)
	for i := range n.members {
		if m := &n.members[i]; typ != "" && pipeline.TypeOf(m.key) == typ {
			return m
		}
	}
	return nil
}

func withoutNulls(n *node) *node {
	out := n.copied()
	out.members = slices.DeleteFunc(out.members, func(m member) bool { return m.value.kind == nullNode })
	return out
}

// mergeAny merges objects at every depth and replaces all else. An object that names another
// strategy or type than the one it is laid over has other options, too: it replaces it.
func mergeAny(parent, child *node) *node {
	if parent.kind != objectNode || child.kind != objectNode || differ(parent, child, "strategy") || differ(parent, child, "type") {
		return child
	}
	out := parent.copied()
	for _, m := range child.members {
		if old := out.member(m.key); old != nil {
			out.set(m.key, mergeAny(old, m.value))
			continue
		}
		out.set(m.key, m.value)
	}
	return out
}

func differ(a, b *node, key string) bool {
	x, y := a.member(key), b.member(key)
	return x != nil && y != nil && x.kind == textNode && y.kind == textNode && x.text != y.text
}

// joined returns the elements of both; a text alone is a list of one.
func joined(parent, child *node) *node {
	return &node{kind: listNode, list: slices.Concat(elements(parent), elements(child)), at: child.at}
}

// united returns the elements of both, each once.
func united(parent, child *node) *node {
	out := &node{kind: listNode, list: []*node{}, at: child.at}
	for _, n := range slices.Concat(elements(parent), elements(child)) {
		if !slices.ContainsFunc(out.list, func(have *node) bool { return have.text == n.text }) {
			out.list = append(out.list, n)
		}
	}
	return out
}

func elements(n *node) []*node {
	if n.kind == listNode {
		return n.list
	}
	return []*node{n}
}

func texts(n *node) []string {
	if n == nil {
		return nil
	}
	var out []string
	for _, element := range elements(n) {
		out = append(out, element.text)
	}
	return out
}

// copied returns an object that can be given other members.
func (n *node) copied() *node {
	c := *n
	c.members = slices.Clone(n.members)
	return &c
}

func (n *node) without(key string) *node {
	n.members = slices.DeleteFunc(n.members, func(m member) bool { return m.key == key })
	return n
}
