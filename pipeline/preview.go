package pipeline

// Change is one thing that a step did to a value.
type Change struct{}
