package validate

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// A compiler turns types into nodes. It collects mistakes and goes on, so that all are reported at once.
type compiler struct {
	set   *ruleSet
	opts  Options
	top   reflect.Type
	nodes map[nodeKey]*node
	after []func() // what needs complete nodes
	errs  []error
	said  map[string]bool
	chain []reflect.Type // the types around the current one, up to the struct that holds them
}

// nodeKey: a struct below validate:"-" has a plan without rules.
type nodeKey struct {
	t    reflect.Type
	bare bool
}

func (c *compiler) fail(err error) {
	if !c.said[err.Error()] {
		c.said[err.Error()] = true
		c.errs = append(c.errs, err)
	}
}

// node returns the node of t. It may still be incomplete if t contains itself.
func (c *compiler) node(t reflect.Type, bare bool) (*node, error) {
	key := nodeKey{t, bare}
	if slices.Contains(c.chain, t) {
		return nil, fmt.Errorf("%s holds itself without a struct in between", t)
	}
	if n := c.nodes[key]; n != nil {
		return n, n.err
	}
	n := &node{t: t}
	c.nodes[key] = n
	if n.simple() {
		if _, described := c.opts.Schemas[t]; described && opaque(t) {
			n.nullOK = false // other than for a type of which nothing is known
		}
		return n, nil
	}
	if t.Kind() == reflect.Struct {
		outer := c.chain
		c.chain = nil
		defer func() { c.chain = outer }()
	} else {
		c.chain = append(c.chain, t)
		defer func() { c.chain = c.chain[:len(c.chain)-1] }()
	}
	n.err = c.composite(n, bare)
	return n, n.err
}

func (c *compiler) composite(n *node, bare bool) (err error) {
	t := n.t
	switch t.Kind() {
	case reflect.Pointer:
		if n.elem, err = c.node(t.Elem(), bare); err == nil {
			n.shape, n.want, n.read = shapePointer, n.elem.want, readPointer(n.elem)
			n.nullOK = n.elem.nullOK
			if n.want == "" {
				n.want = "an object" // a type that contains itself
			}
		}
	case reflect.Slice:
		if n.elem, err = c.node(t.Elem(), bare); err == nil {
			n.shape, n.want, n.read = shapeList, "a list", readList(t, n.elem)
		}
	case reflect.Array:
		if n.elem, err = c.node(t.Elem(), bare); err == nil {
			n.shape, n.want, n.read = shapeArray, "a list", readArray(t, n.elem)
		}
	case reflect.Map:
		err = c.mapNode(n, bare)
	case reflect.Struct:
		n.shape, n.want = shapeStruct, "an object"
		n.plan = c.plan(t, bare)
		n.read = n.plan.read
	default:
		err = fmt.Errorf("values of %s cannot be read from JSON", t)
	}
	return err
}

func (c *compiler) mapNode(n *node, bare bool) error {
	key, err := c.node(n.t.Key(), bare)
	if err != nil || key.shape != shapeString && key.shape != shapeText && key.shape != shapeInt && key.shape != shapeUint {
		return fmt.Errorf("%s is no key for a map in JSON", n.t.Key())
	}
	elem, err := c.node(n.t.Elem(), bare)
	if err != nil {
		return err
	}
	n.key, n.elem = key, elem
	n.shape, n.want, n.read = shapeMap, "an object", readMap(n.t, key, elem)
	return nil
}

// plan makes the plan of a struct. It is filled in before its fields are, for types that contain themselves.
func (c *compiler) plan(t reflect.Type, bare bool) *plan {
	p := &plan{t: t, index: map[string]int{}, root: t == c.top}
	fields, extra, errs := flatten(t, false)
	for _, err := range errs {
		c.fail(err)
	}
	c.nodes[nodeKey{t, bare}].plan = p
	c.nodes[nodeKey{t, bare}].read = func(d *decoder, v reflect.Value) bool { return p.read(d, v) }
	for _, f := range fields {
		if pf, ok := c.field(f, bare); ok {
			p.index[f.name] = len(p.fields)
			p.names = append(p.names, f.name)
			p.fields = append(p.fields, pf)
		}
	}
	if extra != nil {
		p.extra = c.extra(*extra, bare)
	}
	c.link(p)
	return p
}

// field makes the plan of one field.
func (c *compiler) field(f structField, bare bool) (planField, bool) {
	fail := func(err error) (planField, bool) {
		c.fail(fieldError(f.owner, f.Name, err))
		return planField{}, false
	}
	pf := planField{name: f.name, goName: f.Name, index: f.index, owner: f.owner}
	var err error
	if pf.about, err = description(f); err != nil {
		return fail(err)
	}
	l := &level{valueType: deref(f.Type)}
	if tag := f.tags["validate"]; tag != "" {
		sc := scope{set: c.set, parent: f.owner, top: c.top}
		if l, err = sc.parseLevel(tag, f.Type); err != nil {
			return fail(err)
		}
	}
	if pf.node, err = c.node(f.Type, bare || l.isBare()); err != nil {
		return fail(err)
	}
	pf.node = pf.node.refine(l)
	pf.level = l
	pf.missing = "required, " + cmp.Or(l.allowed(), "must be "+pf.node.want)
	if !bare {
		pf.check = newCheck(l, c.set.engine, f.index[:len(f.index)-1])
	}
	text, hasDefault := f.tags["default"]
	optional := f.omitempty || l.optional || f.Type.Kind() == reflect.Pointer || len(l.presence) > 0
	pf.required = !hasDefault && (l.required || !optional)
	if hasDefault {
		if pf.def, err = newDefault(text, f.Type); err != nil {
			return fail(err)
		}
		c.after = append(c.after, func() { c.tryDefault(f, pf) })
		pf.def.node = pf.node
	}
	return pf, true
}

// isBare reports whether what is inside the value is not to be checked.
func (l *level) isBare() bool { return l != nil && (l.bare || l.elem.isBare()) }

func (c *compiler) extra(f structField, bare bool) *extraField {
	x := &extraField{goName: f.Name, index: f.index, t: f.Type}
	if isRaw(f.Type) {
		if f.tags["validate"] != "" {
			c.fail(fieldError(f.owner, f.Name, errors.New("raw JSON has no rules")))
		}
		return x
	}
	n, err := c.node(f.Type.Elem(), bare)
	if err == nil && f.tags["validate"] != "" {
		sc := scope{set: c.set, parent: f.owner, top: c.top}
		if x.level, err = sc.parseLevel(f.tags["validate"], f.Type); err == nil {
			x.check = newCheck(x.level, c.set.engine, f.index[:len(f.index)-1])
		}
	}
	if err != nil {
		c.fail(fieldError(f.owner, f.Name, err))
		return nil
	}
	x.elem = n
	return x
}

// link turns the names of fields in rules into positions.
func (c *compiler) link(p *plan) {
	for i := range p.fields {
		f := &p.fields[i]
		f.level.link(p, f.owner, false)
		for j := range f.level.presence {
			rule := &f.level.presence[j]
			for _, name := range rule.fields {
				at := p.position(f.owner, name)
				if at < 0 {
					c.fail(fieldError(f.owner, f.goName, fmt.Errorf("%s is not a field of the same object", name)))
					continue
				}
				rule.siblings = append(rule.siblings, at)
			}
		}
	}
}

// link finds the fields that terms look at: those of the outermost struct with top set, else those beside them.
func (l *level) link(p *plan, owner reflect.Type, top bool) {
	if l == nil {
		return
	}
	for i := range l.terms {
		if t := &l.terms[i]; t.other != "" && t.top == top {
			t.sibling = p.position(owner, t.other) + 1
		}
	}
	l.keys.link(p, owner, top)
	l.elem.link(p, owner, top)
}

// linkTop does what [level.link] does once the outermost struct is complete.
func (c *compiler) linkTop(root *plan) {
	for _, n := range c.nodes {
		if n.plan == nil {
			continue
		}
		for i := range n.plan.fields {
			n.plan.fields[i].level.link(root, c.top, true)
		}
	}
}

// position returns the place of a field that owner declares, -1 if it is not in the plan.
func (p *plan) position(owner reflect.Type, goName string) int {
	return slices.IndexFunc(p.fields, func(f planField) bool { return f.owner == owner && f.goName == goName })
}

// rootNode makes the node of the arguments as a whole.
func (c *compiler) rootNode(t reflect.Type) (*node, error) {
	switch {
	case t.Kind() == reflect.Struct && !opaque(t):
		c.top = t
		return c.node(t, false)
	case t.Kind() == reflect.Map && !opaque(t), isRaw(t), isAny(t), t.Kind() == reflect.Struct && !isText(t):
		return c.node(t, false)
	}
	return nil, fmt.Errorf("%s: arguments must be a struct, a map or raw JSON", t)
}
