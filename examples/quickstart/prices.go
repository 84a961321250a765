package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"syscall"

	"github.com/cloudg/mcplayer"
)

// addPrices adds a tool whose first call fails as networks do.
func addPrices(reg *mcplayer.Registry) {
	var calls atomic.Int64
	mcplayer.AddTool(reg, mcplayer.Tool{
		Name:         "get_prices",
		Description:  "Return what a month of a running instance costs.",
		Category:     "inventory",
		Sensitivity:  mcplayer.Public,
		Capabilities: mcplayer.ReadState,
	}, func(context.Context, *mcplayer.ToolContext, struct{}) (map[string]float64, error) {
		if calls.Add(1) == 1 {
			return nil, fmt.Errorf("read the price list: %w", syscall.ECONNRESET)
		}
		return map[string]float64{"small": 31.2, "large": 249.6}, nil
	})
}
