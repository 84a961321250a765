package mcplayer

import (
	"fmt"
	"strings"
)

// Capabilities is a set of things a primitive can do, combined with |. The
// zero set means that its author declared none.
type Capabilities uint8

// The capabilities. [Reveal] is undoing the protection of a value.
const (
	ReadState Capabilities = 1 << iota
	WriteState
	ReadFS
	WriteFS
	CloudAccess
	Exec
	Reveal

	allCapabilities = 1<<iota - 1
)

var capabilityNames = [...]string{
	"read_state", "write_state", "read_fs", "write_fs", "cloud_access", "exec", "reveal",
}

// Has reports whether c contains all of the capabilities in other.
func (c Capabilities) Has(other Capabilities) bool { return c&other == other }

// Names returns the names of the set's members, in the order of the constants.
func (c Capabilities) Names() []string {
	names := []string{}
	for i, name := range capabilityNames {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String returns the names joined by commas.
func (c Capabilities) String() string { return strings.Join(c.Names(), ",") }

// ParseCapability returns the set with the one capability of that name.
func ParseCapability(name string) (Capabilities, error) {
	for i, known := range capabilityNames {
		if known == name {
			return 1 << i, nil
		}
	}
	return 0, fmt.Errorf("unknown capability %q; allowed are %s", name, quotedList(capabilityNames[:]))
}

// quotedList writes names for an error message: "a", "b".
func quotedList(names []string) string {
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", name)
	}
	return b.String()
}
