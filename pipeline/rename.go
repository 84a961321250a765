package pipeline

import (
	"context"

	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// rename gives members other names, at every depth.
type rename struct{ names map[string]string }

func newRename(o *Options) (Transform, error) {
	r := &rename{names: o.Texts("keys")}
	for old, name := range r.names {
		if name == "" || old == name {
			o.Fail("keys", "%q needs another name", old)
		}
	}
	return r, nil
}

// Begin returns the step.
func (r *rename) Begin(_ context.Context, p *Pass) Step { return &renamer{r, p} }

type renamer struct {
	*rename
	pass *Pass
}

func (r *renamer) Wants() jsondoc.Kind { return jsondoc.Any }

// Value makes renamer a [Step]; the engine calls Do.
func (r *renamer) Value(c *Cursor) error { return r.Do(c.v) }

// Do renames a member, unless the object has one of that name already: two of one
// name would hide one of them from some readers.
func (r *renamer) Do(v *jsondoc.Value) error {
	name, ok := r.names[string(v.Key())]
	if !ok || !v.Named() {
		return nil
	}
	if _, taken := v.Sibling(name); taken {
		return nil
	}
	v.Because("keys")
	v.Rename([]byte(name))
	r.pass.Count("keys_renamed", "", 1)
	return nil
}
