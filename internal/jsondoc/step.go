package jsondoc

import "fmt"

// Step looks at values and may change them. It is used by one goroutine.
type Step interface {
	// Wants tells the kinds of values to offer. With Shallow what stands in
	// JSON inside strings is not offered. It is asked once for each document.
	Wants() Kind
	// Do is called for each value of those kinds in document order, containers
	// before what is in them. It sees what the steps before it made of the value.
	// V and all that it gives out are valid until Do returns.
	Do(v *Value) error
}

// Shallow keeps a step out of the JSON inside strings.
const Shallow Kind = 1 << 7

// Leaver is a step that wants to see objects again when they are complete; see
// [Value.Revisit].
type Leaver interface {
	Step
	// Leave may add members.
	Leave(o *Made) error
}

// Looker is a step that looks at the whole of a document before any step changes
// something; see [Document.Look].
type Looker interface {
	Step
	// Look is called for each value that the step wants, as it is in the document.
	// What it changes is forgotten.
	Look(v *Value) error
}

// Forker is a step that can work on parts of a large document side by side.
type Forker interface {
	Step
	// Fork returns a step for another part, in the state that this one is in.
	Fork() Step
	// Join takes over what a fork found. Forks are joined in document order.
	Join(fork Step)
}

// StepError is the failure of one step.
type StepError struct {
	Step int // its place in the run
	Err  error
}

func (e *StepError) Error() string { return fmt.Sprintf("step %d: %v", e.Step, e.Err) }

func (e *StepError) Unwrap() error { return e.Err }

// entry is a step with what it wants.
type entry struct {
	step  Step
	wants Kind
	place int
}
