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
func (r *rename) Begin(_ context.Context, p *Pass) Step { return &renamer{r, p.counter()} }

type renamer struct {
	*rename
	counter
}

func (r *renamer) Wants() jsondoc.Kind { return jsondoc.Any }

// Value makes renamer a [Step]; the engine calls Do.
func (r *renamer) Value(c *Cursor) error { return r.Do(c.v) }

// Fork returns a step for another part of the same document.
func (r *renamer) Fork() jsondoc.Step { return &renamer{r.rename, newCounter()} }

// Join adds what a fork counted.
func (r *renamer) Join(fork jsondoc.Step) { r.join(fork.(*renamer).counter) }

// Do renames a member, unless the object has one of that name already: two of one
// name would hide one of them from some readers.
func (r *renamer) Do(v *jsondoc.Value) error {
	name, ok := r.names[string(v.Key())]
	if !ok || !v.Named() {
		return nil
	}
	becomes := func(_ int, old []byte) string { return r.names[string(old)] }
	if clashes(v, name, becomes) {
		return nil
	}
	v.Because("keys")
	v.Rename([]byte(name))
	r.add("keys_renamed", 1)
	return nil
}
