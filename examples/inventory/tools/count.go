package tools

import (
	"context"
	"slices"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
)

var countAssets = mcplayer.Tool{
	Name:         "count_assets",
	Title:        "Count assets",
	Description:  "Count assets by one of their members, the largest group first. Counts all assets unless where narrows them down.",
	Category:     "inventory",
	Tags:         []string{"assets", "statistics"},
	Sensitivity:  mcplayer.Internal,
	Capabilities: mcplayer.ReadState,
}

// CountArgs are the arguments of count_assets.
type CountArgs struct {
	By       string `json:"by" jsonschema:"member to count by" validate:"required,oneof=provider asset_type status criticality region dataset account_id"`
	Where    Filter `json:"where,omitzero" jsonschema:"which assets to count"`
	MinCount int    `json:"min_count,omitempty" jsonschema:"leave out groups that are smaller" validate:"min=1,max=1000" default:"1"`
}

// CountResult is the result of count_assets.
type CountResult struct {
	By     string          `json:"by"`
	Total  int             `json:"total"` // of all groups, small ones included
	Counts []catalog.Group `json:"counts"`
}

func (d *desk) count(_ context.Context, _ *mcplayer.ToolContext, in CountArgs) (CountResult, error) {
	found := d.inv.Find(in.Where.query())
	groups, err := catalog.Count(found, in.By)
	if err != nil {
		return CountResult{}, err
	}
	groups = slices.DeleteFunc(groups, func(g catalog.Group) bool { return g.Count < in.MinCount })
	return CountResult{By: in.By, Total: len(found), Counts: groups}, nil
}
