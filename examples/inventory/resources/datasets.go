package resources

import (
	"context"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
)

var datasets = mcplayer.Resource{
	URI:         "cloudg://datasets",
	Name:        "datasets",
	Title:       "All datasets",
	Description: "The datasets of the inventory, each with the URI of its summary.",
	Category:    "inventory",
	Tags:        []string{"datasets"},
	Sensitivity: mcplayer.Internal,
}

// DatasetEntry is one line of the list.
type DatasetEntry struct {
	*catalog.Dataset
	Summary string `json:"summary"` // URI
}

// datasets returns a plain value, which the client gets as JSON text.
func (s *shelf) datasets(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
	list := []DatasetEntry{}
	for _, name := range s.inv.DatasetNames() {
		set, _ := s.inv.Dataset(name)
		link, err := SummaryURI(s.reg, name)
		if err != nil {
			return nil, err
		}
		list = append(list, DatasetEntry{set, link})
	}
	return list, nil
}
