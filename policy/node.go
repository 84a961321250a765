package policy

import (
	"fmt"
	"strconv"
)

// node is a value of a document as it was read, whether from YAML or JSON. Objects
// keep the order of their members and scalars their text: an account id with leading
// zeros is no number.
type node struct {
	kind    nodeKind
	text    string   // of a scalar; the digits of a number as they were written
	list    []*node  // of a list
	members []member // of an object
	at      place
	// dropped says of a document that it replaced transforms with a redact by some without.
	dropped bool
}

type nodeKind uint8

const (
	nullNode nodeKind = iota
	boolNode
	numberNode
	textNode
	listNode
	objectNode
)

// member is a named value of an object.
type member struct {
	key   string
	at    place
	value *node
}

// place is where something was written. The zero place is unknown.
type place struct {
	file string
	line int
}

// member returns the value of a name; nil if there is none.
func (n *node) member(key string) *node {
	for _, m := range n.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// set adds a member or replaces its value.
func (n *node) set(key string, value *node) {
	for i := range n.members {
		if n.members[i].key == key {
			n.members[i].value, n.members[i].at = value, value.at
			return
		}
	}
	n.members = append(n.members, member{key: key, at: value.at, value: value})
}

// described says what a node is, for messages; it never repeats the value.
func (n *node) described() string {
	return [...]string{"null", "a truth value", "a number", "a text", "a list", "an object"}[n.kind]
}

// under returns the path of a member: a.b, or a["x.y"] if the name could be taken for a path.
func under(path, key string) string {
	if !plainKey(key) {
		return path + "[" + strconv.Quote(key) + "]"
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

func plainKey(key string) bool {
	for _, r := range key {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && r != '_' && r != '-' && r != '/' && r != '*' {
			return false
		}
	}
	return key != ""
}

// at returns the path of an element.
func at(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// walk calls f for a node and all that is in it, with paths.
func (n *node) walk(path string, f func(path string, n *node)) {
	f(path, n)
	for i, element := range n.list {
		element.walk(at(path, i), f)
	}
	for _, m := range n.members {
		m.value.walk(under(path, m.key), f)
	}
}
