package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
)

// read stands for the requests to the cloud. It ends when ctx does.
func (d *desk) read(ctx context.Context, tc *mcplayer.ToolContext, in CollectArgs, assets int) error {
	steps, pause := cmp.Or(in.Steps, 4), d.step
	if in.Slow {
		pause *= 10
	}
	for step := 1; step <= steps; step++ {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
		tc.Progress(float64(step), float64(steps), fmt.Sprintf("%d of %d assets", assets*step/steps, assets))
	}
	return nil
}

// checkRegions refuses regions without assets of the provider. No tag could say
// that: the list is in the data.
func (d *desk) checkRegions(in CollectArgs) error {
	groups, err := catalog.Count(d.inv.Find(catalog.Filter{Provider: in.Provider}), "region")
	if err != nil {
		return err
	}
	known := make([]string, len(groups))
	for i, g := range groups {
		known[i] = g.Value
	}
	for i, region := range in.Regions {
		if !slices.Contains(known, region) {
			return mcplayer.ReferenceNotFound(fmt.Sprintf("regions[%d]: the provider has no assets there; it has some in %s",
				i, strings.Join(known, ", ")), nil)
		}
	}
	return nil
}
