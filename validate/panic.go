package validate

import (
	"fmt"
	"reflect"
)

// A PanicError says that code of somebody else's panicked while arguments were read: an UnmarshalJSON, an
// UnmarshalText or a custom rule. Value and Stack are for a log: they may hold what the caller sent.
type PanicError struct {
	Type  reflect.Type // of the arguments
	Value any
	Stack []byte
}

// Error names the type, not the value.
func (e *PanicError) Error() string {
	return fmt.Sprintf("validate: panic while reading arguments for %s", e.Type)
}
