package policy

import "github.com/cloudg/mcplayer"

// Document is a policy as it is written. In lists of what is allowed nil and empty
// differ: nil does not restrict, an empty list allows nothing.
type Document struct {
	Name             string
	Description      string
	Extends          string
	HideDenied       *bool // nil: true
	HonorHints       *bool // nil: true
	Audit            *bool // nil: false
	AuditSize        *int  // nil: 1000
	Access                 // the policy's own lists and ceiling
	Transforms       []Transform
	InputTransforms  []Transform
	TransformOptions map[string]map[string]any // by type or id
	Binary           string                    // pass, scan, withhold; empty: scan
	Depseudonymize   string                    // auto, closed_world, off; empty: auto

	Detectors         []map[string]any
	DisabledDetectors []string
	Roles             []Rule // in document order; each matches its one role
	Rules             []Rule
	RateLimits        []RateLimit
	Vault             map[string]any

	source *source // nil: made in Go
}

// Access is what a policy or one of its rules allows and denies.
type Access struct {
	AllowTools, DenyTools               []string
	AllowResources, DenyResources       []string
	AllowPrompts, DenyPrompts           []string
	AllowCategories, DenyCategories     []string
	AllowCapabilities, DenyCapabilities mcplayer.Capabilities
	MaxSensitivity                      mcplayer.Sensitivity // 0: not set
}

// Transform is a step of a pipeline.
type Transform struct {
	Type, ID string
	Options  map[string]any
}

// Rule refines a policy for some callers and primitives.
type Rule struct {
	Name        string // role:ROLE or rule[INDEX] unless it is set
	Description string
	Match       Match
	Access
	Transforms       []Transform
	TransformsMode   string // append, prepend, replace; empty: append
	TransformOptions map[string]map[string]any
	InputTransforms  []Transform
	RateLimits       []RateLimit
	HonorHints       *bool
}

// Match says for which callers and primitives a rule holds: where every condition
// that is given does. A nil list is no condition.
type Match struct {
	Roles        []string // "*": anyone
	Principals   []string // globs
	Names        []string // globs
	Categories   []string // globs
	Tags         []string
	Kinds        []mcplayer.Kind
	Sensitivity  []mcplayer.Sensitivity
	Capabilities mcplayer.Capabilities
}

// RateLimit is a token bucket for each caller, primitive, both or all together.
type RateLimit struct {
	Rate  float64
	Per   string // second, minute, hour, day; empty: minute
	Burst float64
	Scope string // principal, tool, principal_tool, global; empty: principal_tool
	Tools []string
	Kinds []mcplayer.Kind
}
