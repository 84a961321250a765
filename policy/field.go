package policy

import (
	"strings"

	"github.com/cloudg/mcplayer/internal/nearest"
)

// field is a key of an object in a document with the Go value that it stands for. The
// same table reads and writes an object.
type field struct {
	key   string
	value codec
	// noNull refuses null, which would mean the same as leaving the key out: no
	// restriction, where the author may have meant an empty list.
	noNull bool
}

// codec reads a node into a Go value and writes the value out again.
type codec interface {
	read(r *reader, n *node, path string)
	// write returns nil for a value that is not set.
	write() *node
}

// reader collects what is wrong with a document while it is read.
type reader struct{ bad problems }

func (r *reader) wrong(n *node, path, format string, args ...any) {
	r.bad.add(n.at, path, format, args...)
}

// object reads the members of an object.
func (r *reader) object(n *node, path string, fields []field) {
	if n.kind != objectNode {
		r.wrong(n, path, "must be an object, not %s", n.described())
		return
	}
	for _, m := range n.members {
		f := find(fields, m.key)
		switch where := under(path, m.key); {
		case f == nil:
			r.bad.add(m.at, where, "unknown key; %s", offered(m.key, keysOf(fields)))
		case m.value.kind != nullNode:
			f.value.read(r, m.value, where)
		case f.noNull:
			r.wrong(m.value, where, "must not be null; leave it out, or write what it holds")
		}
	}
}

// elements reads the elements of a list.
func (r *reader) elements(n *node, path string, read func(n *node, path string)) {
	if n.kind != listNode {
		r.wrong(n, path, "must be a list, not %s", n.described())
		return
	}
	for i, element := range n.list {
		read(element, at(path, i))
	}
}

// scalar returns the text of a scalar as it was written.
func (r *reader) scalar(n *node, path string) (string, bool) {
	switch n.kind {
	case textNode, numberNode, boolNode:
		return n.text, true
	}
	r.wrong(n, path, "must be a text, not %s", n.described())
	return "", false
}

func find(fields []field, key string) *field {
	for i := range fields {
		if fields[i].key == key {
			return &fields[i]
		}
	}
	return nil
}

func keysOf(fields []field) []string {
	keys := make([]string, len(fields))
	for i, f := range fields {
		keys[i] = f.key
	}
	return keys
}

// offered says what may be written instead of a name.
func offered(name string, allowed []string) string {
	list := "allowed are " + strings.Join(allowed, ", ")
	if meant := nearest.Name(name, allowed); meant != "" {
		return `did you mean "` + meant + `"? ` + list
	}
	return list
}

// writeFields returns the object of what is set; nil if nothing is.
func writeFields(fields []field) *node {
	n := &node{kind: objectNode}
	for _, f := range fields {
		if value := f.value.write(); value != nil {
			n.members = append(n.members, member{key: f.key, value: value})
		}
	}
	if n.members == nil {
		return nil
	}
	return n
}

func textOf(s string) *node { return &node{kind: textNode, text: s} }
