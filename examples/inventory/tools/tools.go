// Package tools registers the tools of the inventory example: what a server of
// one's own would have in this place. Each file holds one tool, its arguments
// and its result.
package tools

import (
	"sync/atomic"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
)

// Options configure the tools; nil means the defaults.
type Options struct {
	// Step is how long one step of collect takes. 0 means 150 ms.
	Step time.Duration
}

// desk is what the handlers share.
type desk struct {
	inv  *catalog.Inventory
	reg  *mcplayer.Registry // to link to resources
	step time.Duration
	runs atomic.Int64 // of collect, dry runs not counted
}

// Register adds the tools of an inventory to a registry, which must get the
// resources too: some tools link to them.
func Register(reg *mcplayer.Registry, inv *catalog.Inventory, opts *Options) {
	d := &desk{inv: inv, reg: reg, step: 150 * time.Millisecond}
	if opts != nil && opts.Step > 0 {
		d.step = opts.Step
	}
	mcplayer.AddTool(reg, findAssets, d.find)
	mcplayer.AddTool(reg, getAsset, d.get)
	mcplayer.AddTool(reg, countAssets, d.count)
	mcplayer.AddTool(reg, loadDataset, d.dataset)
	mcplayer.AddTool(reg, collect, d.collect)
}
