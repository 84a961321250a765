package validate

import (
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"

	"github.com/go-json-experiment/json/jsontext"
)

// Args is what a tool accepts: a schema, and a check that means the same. It is immutable and safe for
// concurrent use.
type Args struct {
	t      reflect.Type
	root   *node
	rules  *ruleSet
	schema jsontext.Value
}

// Compile reads the type of a tool's arguments: a struct, a map, raw JSON ([jsontext.Value] or
// [encoding/json.RawMessage]) or any; pointers to these are followed. The error holds all mistakes of all
// fields that can be reached, joined with [errors.Join], each naming type, field and tag.
func Compile(t reflect.Type, opts *Options) (*Args, error) {
	if t == nil {
		return nil, errors.New("validate: no type")
	}
	set, err := newRuleSet(opts)
	if err != nil {
		return nil, fmt.Errorf("validate: %w", err)
	}
	c := &compiler{set: set, nodes: map[nodeKey]*node{}, said: map[string]bool{}}
	if opts != nil {
		c.opts = *opts
	}
	a := &Args{t: deref(t), rules: set}
	if a.root, err = c.rootNode(a.t); err != nil {
		c.fail(err)
	}
	if a.root != nil && a.root.plan != nil {
		c.linkTop(a.root.plan)
	}
	for _, f := range c.after {
		f()
	}
	for _, n := range c.nodes {
		if n.plan != nil {
			n.plan.fills = n.plan.hasDefaults()
		}
	}
	if len(c.errs) == 0 {
		if a.schema, err = c.document(a.root); err != nil {
			c.fail(err)
		}
	}
	if len(c.errs) > 0 {
		return nil, fmt.Errorf("validate: %w", errors.Join(c.errs...))
	}
	return a, nil
}

// Schema returns the JSON schema of the arguments, made once. It is shared: do not write to it.
func (a *Args) Schema() jsontext.Value { return a.schema }

// Decode reads doc into the value that into points to, which must be of the type that was compiled, fills in
// defaults and checks the rules. No document, an empty one and null are {}. The value keeps nothing of doc.
//
// If doc is not as it should be, the error is an [*Error]. Any other error is a mistake of the host: a wrong
// type, or a panic in a method or rule of the host. After an error, what into points to is undefined.
func (a *Args) Decode(doc jsontext.Value, into any) (err error) {
	v, err := a.target(into)
	if err != nil {
		return err
	}
	if len(doc) == 0 {
		doc = jsontext.Value("{}")
	}
	d := newDecoder(a, doc)
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Type: a.t, Value: p, Stack: debug.Stack()}
		}
	}()
	v.SetZero()
	d.root = v.Addr()
	d.document(v)
	switch {
	case d.syntax != nil:
		err = &Error{Problems: []Problem{{Msg: malformed(d), Type: TypeJSON}}}
	case d.problems != nil:
		err = &Error{Problems: d.problems}
	}
	d.release() // not after a panic: the state is unknown then
	return err
}

// target returns the value to fill, making it where pointers on the way are nil.
func (a *Args) target(into any) (reflect.Value, error) {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return v, fmt.Errorf("validate: Decode into %T, not a pointer", into)
	}
	for v = v.Elem(); v.Type() != a.t && v.Kind() == reflect.Pointer; v = v.Elem() {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
	}
	if v.Type() != a.t {
		return v, fmt.Errorf("validate: Decode into %T, want a pointer to %s", into, a.t)
	}
	return v, nil
}

// document reads the whole document.
func (d *decoder) document(v reflect.Value) {
	switch d.dec.PeekKind() {
	case 'n':
		if d.token() && d.end() {
			d.nested([]byte("{}"), func() bool { return d.object(v) })
		}
	case '{', '"':
		d.container('{', "an object", v, (*decoder).object)
		if d.syntax == nil {
			d.end()
		}
	default:
		d.skip(TypeType, "must be an object")
		if d.syntax == nil {
			d.end()
		}
	}
}

// object reads the outermost object.
func (d *decoder) object(v reflect.Value) bool {
	if d.args.root.plan != nil {
		return d.args.root.plan.object(d, v)
	}
	return d.args.root.read(d, v)
}

var errTrailing = errors.New("trailing data")

func (d *decoder) end() bool {
	if !d.atEnd() {
		return d.broken(errTrailing)
	}
	return true
}

func malformed(d *decoder) string {
	if errors.Is(d.syntax, errTrailing) {
		return "must be one JSON object with nothing behind it"
	}
	at := d.outer.InputOffset()
	if e := (*jsontext.SyntacticError)(nil); errors.As(d.syntax, &e) {
		at = e.ByteOffset
	}
	return fmt.Sprintf("must be valid JSON (it is not at byte %d)", at)
}
