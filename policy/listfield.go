package policy

import (
	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/glob"
)

// textsField is a list of texts; one text alone is a list of one. An empty list is set, nil
// is not.
type textsField struct{ to *[]string }

func (f textsField) read(r *reader, n *node, path string) {
	f.each(r, n, path, func(*node, string, string) bool { return true })
}

// each reads texts and keeps those that are good.
func (f textsField) each(r *reader, n *node, path string, good func(n *node, text, path string) bool) {
	list := []string{}
	add := func(n *node, path string) {
		if text, ok := r.scalar(n, path); ok && good(n, text, path) {
			list = append(list, text)
		}
	}
	if n.kind == textNode {
		add(n, path)
	} else {
		r.elements(n, path, add)
	}
	*f.to = list
}

func (f textsField) write() *node { return listOf(*f.to, textOf) }

// listOf writes a list; nil is not set.
func listOf[T any](values []T, write func(T) *node) *node {
	if values == nil {
		return nil
	}
	n := &node{kind: listNode, list: []*node{}}
	for _, v := range values {
		n.list = append(n.list, write(v))
	}
	return n
}

// globsField is a list of patterns.
type globsField struct{ to *[]string }

func (f globsField) read(r *reader, n *node, path string) {
	textsField(f).each(r, n, path, func(n *node, text, path string) bool {
		_, err := glob.CompileList([]string{text})
		if err != nil {
			r.wrong(n, path, "%v", err)
		}
		return err == nil
	})
}

func (f globsField) write() *node { return textsField(f).write() }

// wordsField is a list of values that have names.
type wordsField[T interface{ String() string }] struct {
	to      *[]T
	allowed []string
	parse   func(string) (T, error)
}

func (f wordsField[T]) read(r *reader, n *node, path string) {
	values, texts := []T{}, []string{}
	textsField{&texts}.each(r, n, path, func(n *node, text, path string) bool {
		v, err := f.parse(text)
		if err != nil {
			r.wrong(n, path, "unknown value %q; %s", text, offered(text, f.allowed))
		}
		values = append(values, v)
		return true
	})
	*f.to = values
}

func (f wordsField[T]) write() *node {
	return listOf(*f.to, func(v T) *node { return textOf(v.String()) })
}

// capabilitiesField is a list of capabilities. An empty one is the same as none.
type capabilitiesField struct {
	to *mcplayer.Capabilities
	// some refuses an empty list, where it would read as a condition that nothing meets.
	some bool
}

func (f capabilitiesField) read(r *reader, n *node, path string) {
	all := ^mcplayer.Capabilities(0)
	var list []mcplayer.Capabilities
	wordsField[mcplayer.Capabilities]{&list, all.Names(), mcplayer.ParseCapability}.read(r, n, path)
	if f.some && n.kind == listNode && len(n.list) == 0 {
		r.wrong(n, path, "must not be empty; leave it out, or write what it holds")
	}
	*f.to = 0
	for _, c := range list {
		*f.to |= c
	}
}

func (f capabilitiesField) write() *node {
	if *f.to == 0 {
		return nil
	}
	return listOf(f.to.Names(), textOf)
}

// objectsField is a list of objects with fields.
type objectsField[T any] struct {
	to *[]T
	// fields returns the table of an object.
	fields func(*T) []field
	check  func(r *reader, v *T, n *node, path string)
}

func (f objectsField[T]) read(r *reader, n *node, path string) {
	list := []T{}
	r.elements(n, path, func(n *node, path string) {
		var v T
		r.object(n, path, f.fields(&v))
		if f.check != nil && n.kind == objectNode {
			f.check(r, &v, n, path)
		}
		list = append(list, v)
	})
	*f.to = list
}

func (f objectsField[T]) write() *node {
	return listOf(*f.to, func(v T) *node {
		if n := writeFields(f.fields(&v)); n != nil {
			return n
		}
		return &node{kind: objectNode}
	})
}
