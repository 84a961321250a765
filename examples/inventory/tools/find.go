package tools

import (
	"cmp"
	"context"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
)

var findAssets = mcplayer.Tool{
	Name:         "find_assets",
	Title:        "Find assets",
	Description:  "Find cloud assets by provider, type, status, region, tags or text. Returns one page of summaries; total counts all matches.",
	Category:     "inventory",
	Tags:         []string{"assets", "search"},
	Sensitivity:  mcplayer.Confidential, // owners are people
	Capabilities: mcplayer.ReadState,
}

// FindArgs are the arguments of find_assets.
type FindArgs struct {
	Filter
	Limit  int    `json:"limit,omitempty" jsonschema:"how many assets to return at most" validate:"min=1,max=200" default:"20"`
	Offset int    `json:"offset,omitempty" jsonschema:"how many matches to skip" validate:"min=0"`
	Sort   string `json:"sort,omitempty" jsonschema:"order; a minus sign reverses it" validate:"oneof=name -name created_at -created_at criticality -criticality" default:"name"`
}

// FindResult is the result of find_assets.
type FindResult struct {
	Total  int              `json:"total"`
	Assets []*catalog.Asset `json:"assets"`
}

func (d *desk) find(_ context.Context, _ *mcplayer.ToolContext, in FindArgs) (FindResult, error) {
	found := d.inv.Find(in.query())
	if err := catalog.Sort(found, cmp.Or(in.Sort, "name")); err != nil {
		return FindResult{}, err
	}
	return FindResult{
		Total:  len(found),
		Assets: catalog.Page(found, in.Offset, cmp.Or(in.Limit, 20)),
	}, nil
}
