package tools

import (
	"time"

	"github.com/cloudg/mcplayer/examples/inventory/catalog"
)

// Filter is the part of the arguments that selects assets: members of
// find_assets itself, a nested object of count_assets.
type Filter struct {
	Provider    string `json:"provider,omitempty" jsonschema:"cloud provider" validate:"omitempty,oneof=aws azure gcp"`
	AssetType   string `json:"asset_type,omitempty" jsonschema:"type such as compute.instance or storage.bucket" validate:"omitempty,max=64"`
	Status      string `json:"status,omitempty" jsonschema:"state at the time of collection" validate:"omitempty,oneof=available running stopped deleted unknown"`
	Criticality string `json:"criticality,omitempty" jsonschema:"how much depends on the asset" validate:"omitempty,oneof=low medium high critical"`
	Region      string `json:"region,omitempty" jsonschema:"region in the provider's own spelling" validate:"omitempty,max=64"`
	AccountID   string `json:"account_id,omitempty" jsonschema:"account, subscription or project" validate:"omitempty,max=64"`
	Tags        []Tag  `json:"tags,omitempty" jsonschema:"tags that an asset must all have" validate:"omitempty,max=10,unique=Key,dive"`
	Text        string `json:"text,omitempty" jsonschema:"text to look for in id, name and description" validate:"omitempty,min=2,max=200"`
	Created
}

// Tag is a tag to look for.
type Tag struct {
	Key   string `json:"key" jsonschema:"key in its exact spelling" validate:"required,min=1,max=128"`
	Value string `json:"value,omitempty" jsonschema:"value in its exact spelling; any value if left out" validate:"omitempty,max=256"`
}

// Created is a span of time, open at an end that is left out. It is embedded, so
// that its members stand beside the others.
type Created struct {
	CreatedAfter  time.Time `json:"created_after,omitzero" jsonschema:"created later than this moment (RFC 3339)"`
	CreatedBefore time.Time `json:"created_before,omitzero" jsonschema:"created earlier than this moment (RFC 3339)" validate:"omitempty,gtfield=CreatedAfter"`
}

// query returns the question that f puts to the catalogue.
func (f Filter) query() catalog.Filter {
	q := catalog.Filter{
		Provider:      f.Provider,
		Status:        f.Status,
		Criticality:   f.Criticality,
		AccountID:     f.AccountID,
		Text:          f.Text,
		CreatedAfter:  f.CreatedAfter,
		CreatedBefore: f.CreatedBefore,
	}
	if f.AssetType != "" {
		q.Types = []string{f.AssetType}
	}
	if f.Region != "" {
		q.Regions = []string{f.Region}
	}
	for _, tag := range f.Tags {
		q.Tags = append(q.Tags, catalog.Tag(tag))
	}
	return q
}
