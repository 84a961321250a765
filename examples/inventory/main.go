// Command inventory is an MCP server over a collected cloud inventory.
//
// For now it prints the tools that it would serve.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
	"github.com/cloudg/mcplayer/examples/inventory/tools"
	"github.com/cloudg/mcplayer/policy"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	inv, err := catalog.Load()
	if err != nil {
		return err
	}
	reg := mcplayer.NewRegistry()
	tools.Register(reg, inv, nil)
	layer, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open()})
	if err != nil {
		return err
	}
	for _, spec := range reg.Specs() {
		fmt.Printf("%-12s  %s\n", spec.Name, spec.Description)
	}
	return layer.Close(ctx)
}
