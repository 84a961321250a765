package mcplayer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unique"

	"github.com/cloudg/mcplayer/internal/jsontree"
	"github.com/go-json-experiment/json"
)

// Principal is who makes a call. It is immutable and safe for concurrent use.
type Principal struct {
	id         string
	roles      []string // sorted, each once
	set        RoleSet
	attributes map[string]any
	encoded    string // attributes as JSON, sorted keys
}

// RoleSet identifies a set of roles, whatever their order. It is comparable and
// costs nothing to compare or to use as a map key.
type RoleSet struct{ handle unique.Handle[string] }

// NewPrincipal returns a principal with the given roles and no others: "default",
// which callers through transports have, is not added.
func NewPrincipal(id string, roles ...string) *Principal {
	sorted := slices.Compact(slices.Sorted(slices.Values(roles)))
	return &Principal{id: id, roles: sorted, set: newRoleSet(sorted)}
}

// newRoleSet writes each role with its length, so that no two different sets
// run into each other.
func newRoleSet(sorted []string) RoleSet {
	var b strings.Builder
	for _, role := range sorted {
		b.WriteString(strconv.Itoa(len(role)))
		b.WriteByte(':')
		b.WriteString(role)
	}
	return RoleSet{unique.Make(b.String())}
}

// WithAttributes returns a copy of p with the given attributes, which must be
// encodable as JSON: they are part of what tells callers apart.
func (p *Principal) WithAttributes(attributes map[string]any) (*Principal, error) {
	if len(attributes) == 0 {
		c := *p
		c.attributes, c.encoded = nil, ""
		return &c, nil
	}
	encoded, err := json.Marshal(attributes, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("attributes of principal %q: %w", p.id, err)
	}
	c := *p
	c.attributes = cloneOptions(attributes)
	c.encoded = string(encoded)
	return &c, nil
}

// ID returns the principal's id.
func (p *Principal) ID() string { return p.id }

// Roles returns a sorted copy of the principal's roles.
func (p *Principal) Roles() []string { return slices.Clone(p.roles) }

// HasRole reports whether the principal has the role.
func (p *Principal) HasRole(role string) bool {
	_, found := slices.BinarySearch(p.roles, role)
	return found
}

// RoleSet returns the identity of the principal's set of roles.
func (p *Principal) RoleSet() RoleSet { return p.set }

// Attribute returns the attribute of that name, nil if there is none.
func (p *Principal) Attribute(name string) any { return jsontree.Clone(p.attributes[name]) }

// Attributes returns a copy of all attributes.
func (p *Principal) Attributes() map[string]any {
	if p.attributes == nil {
		return map[string]any{}
	}
	return cloneOptions(p.attributes)
}

// AttributesJSON returns the attributes as JSON with sorted keys, empty if there
// are none. Callers that differ in it must not share cached results.
func (p *Principal) AttributesJSON() string { return p.encoded }

const (
	localID     = "local"
	anonymousID = "anonymous"
	roleDefault = "default"
)

var (
	localPrincipal     = NewPrincipal(localID, roleDefault, "local")
	anonymousPrincipal = NewPrincipal(anonymousID, roleDefault)
)

// Local returns the principal of callers on the same machine: id "local", roles
// "default" and "local".
func Local() *Principal { return localPrincipal }

// Anonymous returns the principal of unknown callers: id "anonymous", role
// "default".
func Anonymous() *Principal { return anonymousPrincipal }
