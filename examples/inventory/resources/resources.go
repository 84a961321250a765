// Package resources registers the resources of the inventory example: a static
// list, and two templates that show the two kinds of variables, {name} for one
// path segment and {+ref} for anything. Each file holds one.
package resources

import (
	"context"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
)

// shelf is what the handlers share.
type shelf struct {
	inv *catalog.Inventory
	reg *mcplayer.Registry
}

// Register adds the resources of an inventory to a registry.
func Register(reg *mcplayer.Registry, inv *catalog.Inventory) {
	s := &shelf{inv, reg}
	mcplayer.AddResource(reg, datasets, s.datasets)
	mcplayer.AddResourceTemplate(reg, summary(inv), s.summary)
	mcplayer.AddResourceTemplate(reg, asset(inv), s.asset)
}

// Propose returns a completion function: those of the names that contain what
// has been typed so far.
func Propose(names []string) mcplayer.CompletionFunc {
	return func(_ context.Context, _ *mcplayer.ToolContext, in mcplayer.CompletionInput) ([]string, error) {
		var found []string
		for _, name := range names {
			if strings.Contains(name, in.Value) {
				found = append(found, name)
			}
		}
		return found, nil
	}
}
