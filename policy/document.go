package policy

import "github.com/cloudg/mcplayer"

// Document is a policy as it is written. In lists of what is allowed nil and empty
// differ: nil does not restrict, an empty list allows nothing.
type Document struct {
	// Name is shown in reasons and annotations. Empty: custom.
	Name        string
	Description string
	// Extends is the profile or the file that the document is laid over, as [Derive] does.
	// Empty: none.
	Extends string
	// HideDenied leaves what is denied out of lists and answers calls of it as if it were
	// unknown; false lists it and denies the calls. Nil: true.
	HideDenied *bool
	// HonorHints lets the hints of a tool relax its pipelines. Nil: true.
	HonorHints *bool
	// Audit logs allowed calls, too, and keeps hashes of their arguments. Nil: false.
	Audit *bool
	// AuditSize is how many entries the trail keeps; 0 keeps none. Nil: [DefaultAuditSize].
	AuditSize *int
	// Access is what holds for everybody. What it denies is denied unless a rule grants it.
	Access
	// Transforms are the steps that results pass, in this order, InputTransforms those of
	// arguments.
	Transforms      []Transform
	InputTransforms []Transform
	// TransformOptions are laid over the options of steps, by their type, then by their id.
	TransformOptions map[string]map[string]any
	// Binary is what happens to bytes in results: pass, scan those that are text, or
	// withhold what is no text. Empty: scan.
	Binary string
	// Depseudonymize is whether pseudonyms, aliases and fences in arguments are turned back
	// without a step that says so: auto, closed_world (not for tools that may reach what is
	// outside) or off. Empty: auto.
	Depseudonymize string

	// Detectors are further ones for all steps that redact or guard, with the options of
	// custom_detectors. They change nothing until a strategy is for what they find.
	Detectors []map[string]any
	// DisabledDetectors are names of detectors that do not run.
	DisabledDetectors []string
	// Roles are rules, in document order, each for the one role in its Match.
	Roles []Rule
	// Rules hold after the roles, in document order.
	Rules []Rule
	// RateLimits are those of all callers. Nil: none.
	RateLimits []RateLimit
	// Vault holds the options key, key_env, previous_keys, namespace, file, ttl_seconds and
	// max_entries; see Options of package pipeline/vault. A file is relative to the working directory.
	Vault map[string]any

	source *source // nil: made in Go
}

// Access is what a policy or one of its rules allows and denies. Lists are globs.
//
// What a rule allows is a grant: it opens what the policy's lists close and restricts
// nobody. What a rule denies is final, whatever else allows it.
type Access struct {
	AllowTools, DenyTools []string
	// AllowResources and DenyResources match URIs and the texts of templates.
	AllowResources, DenyResources []string
	AllowPrompts, DenyPrompts     []string
	// AllowCategories and DenyCategories are for primitives of all kinds.
	AllowCategories, DenyCategories []string
	// AllowCapabilities grants in a rule what the policy denies. In a document it takes
	// away from what the extended one denies.
	AllowCapabilities, DenyCapabilities mcplayer.Capabilities
	// MaxSensitivity is the ceiling. The highest one of the matching rules takes the place
	// of the policy's. 0: not set.
	MaxSensitivity mcplayer.Sensitivity
}

// Transform is a step of a pipeline.
type Transform struct {
	// Type is the name or an alias of a type of transforms.
	Type string
	// ID tells steps of one type apart. It may be empty.
	ID string
	// Options are those of the type. Nil: the defaults.
	Options map[string]any
}

// Rule refines a policy for some callers and primitives.
type Rule struct {
	// Name is shown in reasons. Empty: role:ROLE or rule[INDEX].
	Name        string
	Description string
	// Match says for whom and what the rule holds. The zero Match: always.
	Match Match
	// Access grants and denies, see there.
	Access
	// Transforms change the list of steps of results. Nil: they stay.
	Transforms []Transform
	// TransformsMode is append, prepend or replace. Empty: append, behind all others: what
	// such a step adds is not redacted.
	TransformsMode string
	// TransformOptions are laid over those of the policy.
	TransformOptions map[string]map[string]any
	// InputTransforms come behind those of the policy.
	InputTransforms []Transform
	// RateLimits hold besides those of the policy.
	RateLimits []RateLimit
	// HonorHints is as in a document; the last matching rule that has it decides. Nil: as
	// the others say.
	HonorHints *bool
}

// Match says for which callers and primitives a rule holds: where every condition
// that is given does. A nil list is no condition; an empty one is never met.
type Match struct {
	// Roles are those of which the caller must have one; "*" is anybody.
	Roles []string
	// Principals are globs over the ids of callers.
	Principals []string
	// Names are globs over the names of primitives: of resources the URI, of templates the
	// text.
	Names []string
	// Categories are globs over those of primitives.
	Categories []string
	// Tags are those of which the primitive must have one.
	Tags []string
	// Kinds are those of primitives; resource covers templates. Completion is none.
	Kinds []mcplayer.Kind
	// Sensitivity lists levels. It is no ceiling: the primitive must be of one of them.
	Sensitivity []mcplayer.Sensitivity
	// Capabilities are those of which the primitive must declare one. A tool that declares
	// none is matched for denials only. 0: no condition.
	Capabilities mcplayer.Capabilities
}

// RateLimit is a token bucket for each caller, primitive, both or all together. It
// starts full, and a call takes a token.
type RateLimit struct {
	// Rate is how many tokens a bucket gets in what Per says. It must be positive.
	Rate float64
	// Per is second, minute, hour or day. Empty: minute.
	Per string
	// Burst is how many tokens a bucket holds, 1 or more. 0: Rate, rounded up, at least 1.
	Burst float64
	// Scope is what has buckets of its own: principal, tool (each primitive), principal_tool
	// (each pair) or global. Empty: principal_tool.
	Scope string
	// Tools are globs over the names of primitives of all kinds whose calls count. Nil: all.
	Tools []string
	// Kinds are those whose calls count; resource covers templates, and completions are a
	// kind of their own. Nil: all.
	Kinds []mcplayer.Kind
}
