package validate

import "strings"

// refine returns a node that says what a oneof rule allows where a type with texts of its own refuses a text
// before any rule can. It is n if the level says nothing about that.
func (n *node) refine(l *level) *node {
	if l == nil {
		return n
	}
	switch n.shape {
	case shapeText:
		want, ok := strings.CutPrefix(l.allowed(), "must be ")
		if !ok {
			return n
		}
		c := *n
		c.want, c.read = want, readText(want, TypeEnum, true)
		return &c
	case shapePointer, shapeList, shapeArray, shapeMap:
		inner := l
		if n.shape != shapePointer {
			inner = l.elem
		}
		if elem := n.elem.refine(inner); elem != n.elem {
			return n.of(elem)
		}
	}
	return n
}

// of returns a copy of a pointer, list or map node with other items.
func (n *node) of(elem *node) *node {
	c := *n
	c.elem = elem
	switch n.shape {
	case shapePointer:
		c.want, c.read = elem.want, readPointer(elem)
	case shapeList:
		c.read = readList(n.t, elem)
	case shapeArray:
		c.read = readArray(n.t, elem)
	case shapeMap:
		c.read = readMap(n.t, n.key, elem)
	}
	return &c
}

// allowed is the message of the oneof rule, "" if there is none.
func (l *level) allowed() string {
	for _, t := range l.terms {
		if t.typ == TypeEnum && strings.HasPrefix(t.message, "must be one of: ") {
			return t.message
		}
	}
	return ""
}
