package policy

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// anything returns the value of a node as options of transforms take it: nil, bool, string,
// [json.Number] with the digits as written, []any, map[string]any.
func (n *node) anything() any {
	switch n.kind {
	case boolNode:
		return n.text[0] == 't' || n.text[0] == 'T'
	case numberNode:
		return json.Number(n.text)
	case textNode:
		return n.text
	case listNode:
		list := make([]any, len(n.list))
		for i, element := range n.list {
			list[i] = element.anything()
		}
		return list
	case objectNode:
		object := make(map[string]any, len(n.members))
		for _, m := range n.members {
			object[m.key] = m.value.anything()
		}
		return object
	}
	return nil
}

// nodeOf is the way back. Members are sorted.
func nodeOf(v any) *node {
	switch v := v.(type) {
	case nil:
		return &node{}
	case bool:
		return &node{kind: boolNode, text: strconv.FormatBool(v)}
	case string:
		return textOf(v)
	case json.Number:
		return &node{kind: numberNode, text: v.String()}
	case []any:
		return listOf(append([]any{}, v...), nodeOf)
	case map[string]any:
		n := &node{kind: objectNode}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			n.members = append(n.members, member{key: key, value: nodeOf(v[key])})
		}
		return n
	}
	return nodeOfOther(v)
}

// nodeOfOther takes what JSON can express of other values, those that a host wrote in Go; what
// it cannot express is null.
func nodeOfOther(v any) *node {
	data, err := json.Marshal(v)
	if err != nil {
		return &node{}
	}
	if n, _ := readJSON(data, ""); n != nil {
		return n
	}
	return &node{}
}

// optionsField is an object of any values; an empty one is not set.
type optionsField struct{ to *map[string]any }

func (f optionsField) read(r *reader, n *node, path string) {
	if n.kind != objectNode {
		r.wrong(n, path, "must be an object, not %s", n.described())
		return
	}
	if len(n.members) > 0 {
		*f.to, _ = n.anything().(map[string]any)
	}
}

func (f optionsField) write() *node {
	if len(*f.to) == 0 {
		return nil
	}
	return nodeOf(*f.to)
}

// overridesField is an object of options.
type overridesField struct{ to *map[string]map[string]any }

func (f overridesField) read(r *reader, n *node, path string) {
	if n.kind != objectNode {
		r.wrong(n, path, "must be an object, not %s", n.described())
		return
	}
	for _, m := range n.members {
		var options map[string]any
		optionsField{&options}.read(r, m.value, under(path, m.key))
		if options == nil {
			continue
		}
		if *f.to == nil {
			*f.to = map[string]map[string]any{}
		}
		(*f.to)[m.key] = options
	}
}

func (f overridesField) write() *node {
	n := &node{kind: objectNode}
	for _, key := range slices.Sorted(maps.Keys(*f.to)) {
		if options := (*f.to)[key]; len(options) > 0 {
			n.members = append(n.members, member{key: key, value: nodeOf(options)})
		}
	}
	if n.members == nil {
		return nil
	}
	return n
}

// looseObjectsField is a list of objects of any values.
type looseObjectsField struct{ to *[]map[string]any }

func (f looseObjectsField) read(r *reader, n *node, path string) {
	list := []map[string]any{}
	r.elements(n, path, func(n *node, path string) {
		object, ok := n.anything().(map[string]any)
		if !ok {
			r.wrong(n, path, "must be an object, not %s", n.described())
			return
		}
		list = append(list, object)
	})
	*f.to = list
}

func (f looseObjectsField) write() *node {
	return listOf(*f.to, func(m map[string]any) *node { return nodeOf(m) })
}
