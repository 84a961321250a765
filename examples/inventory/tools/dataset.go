package tools

import (
	"context"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
	"github.com/cloudg/mcplayer/examples/inventory/resources"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var loadDataset = mcplayer.Tool{
	Name:         "load_dataset",
	Title:        "Load a dataset",
	Description:  "Return the facts of one dataset and the ids of its assets, with a link to its summary.",
	Category:     "inventory",
	Tags:         []string{"datasets"},
	Sensitivity:  mcplayer.Internal,
	Capabilities: mcplayer.ReadState | mcplayer.ReadFS,
}

// DatasetArgs are the arguments of load_dataset.
type DatasetArgs struct {
	Name string `json:"name" jsonschema:"name of the dataset" validate:"required,min=1,max=64"`
}

// DatasetResult is the result of load_dataset.
type DatasetResult struct {
	*catalog.Dataset
	AssetIDs []string `json:"asset_ids"`
}

func (d *desk) dataset(_ context.Context, tc *mcplayer.ToolContext, in DatasetArgs) (DatasetResult, error) {
	set, ok := d.inv.Dataset(in.Name)
	if !ok {
		known := d.inv.DatasetNames()
		return DatasetResult{}, mcplayer.ReferenceNotFound("No such dataset; there are "+strings.Join(known, ", "),
			map[string]any{"datasets": known})
	}
	ids := []string{}
	for _, a := range d.inv.Find(catalog.Filter{Dataset: set.Name}) {
		ids = append(ids, a.ID)
	}
	uri, err := resources.SummaryURI(d.reg, set.Name)
	if err != nil {
		return DatasetResult{}, err
	}
	tc.Link(summaryLink(uri, set))
	return DatasetResult{Dataset: set, AssetIDs: ids}, nil
}

// summaryLink points to the resource that tells more about a dataset.
func summaryLink(uri string, set *catalog.Dataset) *mcp.ResourceLink {
	return &mcp.ResourceLink{
		URI:         uri,
		Name:        set.Name,
		Title:       "Summary of " + set.Name,
		Description: set.Description,
		MIMEType:    "application/json",
	}
}
