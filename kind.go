package mcplayer

import (
	"fmt"
	"strings"
)

// Kind tells what a primitive is, or what a call is for.
type Kind uint8

// The kinds of primitives and calls. A call is never of kind
// [KindResourceTemplate]: reading through a template is a call of kind
// [KindResource]. No primitive is of kind [KindCompletion].
const (
	KindTool Kind = iota + 1
	KindResource
	KindResourceTemplate
	KindPrompt
	KindCompletion
)

var kindNames = [...]string{
	KindTool:             "tool",
	KindResource:         "resource",
	KindResourceTemplate: "resource_template",
	KindPrompt:           "prompt",
	KindCompletion:       "completion",
}

// String returns the kind's name as policies and audit lines write it.
func (k Kind) String() string {
	if k == 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// Key names a primitive of the kind among those of all kinds, as tool:get_asset.
func (k Kind) Key(name string) string { return k.String() + ":" + name }

// title returns the kind's name at the start of a sentence.
func (k Kind) title() string {
	name := k.String()
	return strings.ToUpper(name[:1]) + name[1:]
}

// MarshalText implements [encoding.TextMarshaler].
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// ParseKind returns the kind of that name.
func ParseKind(name string) (Kind, error) {
	for k := KindTool; int(k) < len(kindNames); k++ {
		if kindNames[k] == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("unknown kind %q; allowed are %s", name, quotedList(kindNames[KindTool:]))
}

// Sensitivity ranks how much harm a primitive's data can do. The zero value
// stands for the default of its kind: internal for prompts, confidential for
// everything else.
type Sensitivity uint8

// The sensitivities in rising order.
const (
	Public Sensitivity = iota + 1
	Internal
	Confidential
	Restricted
)

var sensitivityNames = [...]string{
	Public:       "public",
	Internal:     "internal",
	Confidential: "confidential",
	Restricted:   "restricted",
}

// String returns the name that policies and metadata use.
func (s Sensitivity) String() string {
	if s == 0 || int(s) >= len(sensitivityNames) {
		return fmt.Sprintf("Sensitivity(%d)", uint8(s))
	}
	return sensitivityNames[s]
}

// MarshalText implements [encoding.TextMarshaler].
func (s Sensitivity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ParseSensitivity returns the sensitivity of that name.
func ParseSensitivity(name string) (Sensitivity, error) {
	for s := Public; int(s) < len(sensitivityNames); s++ {
		if sensitivityNames[s] == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("unknown sensitivity %q; allowed are %s", name, quotedList(sensitivityNames[Public:]))
}
