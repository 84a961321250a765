package pipeline

import (
	"context"

	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// Transform is one step of a pipeline. It is shared by calls and must be safe for
// concurrent use; what belongs to one call is in the [Step].
//
// An error or a panic withholds the result.
type Transform interface {
	// Begin starts the work on one result. What Begin keeps of the pass is valid as
	// long as its step is used.
	Begin(ctx context.Context, p *Pass) Step
}

// Step is the work of a transform on the values of one result: its structured
// value, its texts, its metadata. It is used by one goroutine.
type Step interface {
	// Value is called for each value in document order, objects and lists before
	// what is in them. It sees what the steps before it made of the value. Under a
	// size budget (max_chars) it may see a value more than once, as it was.
	//
	// The cursor is valid until Value returns.
	Value(c *Cursor) error
}

// Func is a transform without state.
type Func func(c *Cursor) error

// Begin returns f itself.
func (f Func) Begin(context.Context, *Pass) Step { return f }

// Value calls f.
func (f Func) Value(c *Cursor) error { return f(c) }

// adapter leads values of the engine to a step of a user.
type adapter struct {
	step Step
	c    Cursor
}

func (a *adapter) Wants() jsondoc.Kind { return jsondoc.Any }

func (a *adapter) Do(v *jsondoc.Value) error {
	a.c = Cursor{v: v}
	if err := a.step.Value(&a.c); err != nil {
		return err
	}
	if a.c.err != nil || !a.c.set {
		return a.c.err
	}
	return v.LookInsideBehind()
}
