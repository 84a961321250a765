package resources

import (
	"context"
	"fmt"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
)

// asset describes a template whose variable may contain slashes, as the ids of
// assets do.
func asset(inv *catalog.Inventory) mcplayer.ResourceTemplate {
	var ids []string
	for _, a := range inv.Find(catalog.Filter{}) {
		ids = append(ids, a.ID)
	}
	return mcplayer.ResourceTemplate{
		URITemplate: "cloudg://assets/{+ref}",
		Name:        "asset",
		Title:       "One asset",
		Description: "Everything that was collected about one asset; ref is its id.",
		Category:    "inventory",
		Tags:        []string{"assets"},
		Sensitivity: mcplayer.Confidential,
		Complete:    map[string]mcplayer.CompletionFunc{"ref": Propose(ids)},
	}
}

func (s *shelf) asset(_ context.Context, _ *mcplayer.ToolContext, vars map[string]string) (any, error) {
	a, ok := s.inv.Asset(vars["ref"])
	if !ok {
		return nil, mcplayer.ReferenceNotFound(fmt.Sprintf("No asset has the id %q", vars["ref"]), nil)
	}
	return a.Raw, nil
}
