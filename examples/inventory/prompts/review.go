// Package prompts registers the prompt of the inventory example, with a required
// argument that a client can complete and an optional one.
package prompts

import (
	"context"
	"fmt"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
	"github.com/cloudg/mcplayer/examples/inventory/resources"
)

// focuses are what a review can look at, and how the request is put.
var focuses = map[string]string{
	"":         "anything that deserves a second look",
	"cost":     "what it costs and whether that is needed",
	"exposure": "who can reach it from outside",
	"owner":    "whether somebody answers for it",
}

// Register adds the prompt to a registry.
func Register(reg *mcplayer.Registry, inv *catalog.Inventory) {
	var ids []string
	for _, a := range inv.Find(catalog.Filter{}) {
		ids = append(ids, a.ID)
	}
	mcplayer.AddPrompt(reg, mcplayer.Prompt{
		Name:        "review_asset",
		Title:       "Review an asset",
		Description: "Ask for a short review of one asset.",
		Category:    "inventory",
		Tags:        []string{"assets"},
		Arguments: []mcplayer.PromptArgument{
			{Name: "asset_id", Description: "id of the asset", Required: true, Complete: resources.Propose(ids)},
			{Name: "focus", Description: "what to look at", Complete: resources.Propose([]string{"cost", "exposure", "owner"})},
		},
	}, review(inv))
}

// review returns a string, which becomes one message of the user.
func review(inv *catalog.Inventory) mcplayer.PromptHandler {
	return func(_ context.Context, _ *mcplayer.ToolContext, args map[string]string) (any, error) {
		a, ok := inv.Asset(args["asset_id"])
		if !ok {
			return nil, mcplayer.ReferenceNotFound(fmt.Sprintf("No asset has the id %q", args["asset_id"]), nil)
		}
		what, ok := focuses[args["focus"]]
		if !ok {
			return nil, mcplayer.InvalidArguments("focus: must be one of cost, exposure, owner", nil)
		}
		return fmt.Sprintf("Review the %s %s (%s, %s). Look at %s. Read it with get_asset, id %q, and answer in three sentences.",
			a.Type, a.Name, a.Provider, a.Region, what, a.ID), nil
	}
}
