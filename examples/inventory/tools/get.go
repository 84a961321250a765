package tools

import (
	"context"
	"fmt"

	"github.com/cloudg/mcplayer"
	"github.com/go-json-experiment/json/jsontext"
)

var getAsset = mcplayer.Tool{
	Name:         "get_asset",
	Title:        "Get one asset",
	Description:  "Return everything that was collected about one asset, in the provider's own shape.",
	Category:     "inventory",
	Tags:         []string{"assets"},
	Sensitivity:  mcplayer.Confidential,
	Capabilities: mcplayer.ReadState,
	OutputSchema: jsontext.Value(`{"type":"object","required":["id","asset_type","provider"]}`),
}

// GetArgs are the arguments of get_asset.
type GetArgs struct {
	ID string `json:"id" jsonschema:"id of the asset, as find_assets returns it" validate:"required,min=1,max=256"`
}

// get returns raw JSON, which the layer passes on as it is but for white space
// and the members that it leaves out: no number is read into a float64 on the
// way.
func (d *desk) get(_ context.Context, _ *mcplayer.ToolContext, in GetArgs) (jsontext.Value, error) {
	a, ok := d.inv.Asset(in.ID)
	if !ok {
		return nil, mcplayer.ReferenceNotFound(fmt.Sprintf("No asset has the id %q; find_assets returns ids that exist", in.ID), nil)
	}
	return a.Raw, nil
}
