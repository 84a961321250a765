package tools

import (
	"context"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
)

var collect = mcplayer.Tool{
	Name:         "collect",
	Title:        "Collect from a cloud",
	Description:  "Read the current state of a provider's assets again. Takes a few steps and reports progress. With dry_run it only tells what it would read.",
	Category:     "collection",
	Tags:         []string{"assets", "slow"},
	Sensitivity:  mcplayer.Internal,
	Capabilities: mcplayer.CloudAccess | mcplayer.WriteState,
	Timeout:      2 * time.Second,
}

// CollectArgs are the arguments of collect.
type CollectArgs struct {
	Provider string   `json:"provider" jsonschema:"cloud provider" validate:"required,oneof=aws azure gcp"`
	Regions  []string `json:"regions,omitempty" jsonschema:"regions to read; all if left out" validate:"omitempty,max=8,unique,dive,min=2,max=64"`
	Only     Scope    `json:"only,omitzero" jsonschema:"which assets to read; all if left out"`
	Steps    int      `json:"steps,omitempty" jsonschema:"how many requests to split the work into" validate:"min=1,max=10" default:"4"`
	DryRun   bool     `json:"dry_run,omitempty" jsonschema:"change nothing"`
	Slow     bool     `json:"slow,omitempty" jsonschema:"take ten times as long, to see a timeout"`
}

// Scope narrows down what is collected.
type Scope struct {
	AssetTypes []string `json:"asset_types,omitempty" jsonschema:"types such as compute.instance" validate:"omitempty,max=10,unique,dive,min=1,max=64"`
	Created
}

// CollectResult is the result of collect.
type CollectResult struct {
	Provider string          `json:"provider"`
	DryRun   bool            `json:"dry_run"`
	Run      int64           `json:"run,omitempty"` // number of the run; dry runs have none
	Assets   int             `json:"assets"`
	Regions  []catalog.Group `json:"regions"`
}

func (d *desk) collect(ctx context.Context, tc *mcplayer.ToolContext, in CollectArgs) (CollectResult, error) {
	if err := d.checkRegions(in); err != nil {
		return CollectResult{}, err
	}
	found := d.inv.Find(catalog.Filter{
		Provider:      in.Provider,
		Regions:       in.Regions,
		Types:         in.Only.AssetTypes,
		CreatedAfter:  in.Only.CreatedAfter,
		CreatedBefore: in.Only.CreatedBefore,
	})
	tc.Log("info", map[string]any{"event": "started", "provider": in.Provider, "assets": len(found)})
	if err := d.read(ctx, tc, in, len(found)); err != nil {
		return CollectResult{}, err
	}
	tc.Log("info", map[string]any{"event": "finished", "provider": in.Provider})
	regions, err := catalog.Count(found, "region")
	res := CollectResult{Provider: in.Provider, DryRun: in.DryRun, Assets: len(found), Regions: regions}
	if !in.DryRun {
		res.Run = d.runs.Add(1)
	}
	return res, err
}
