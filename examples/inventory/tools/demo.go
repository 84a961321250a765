package tools

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// RegisterDemo adds tools that show what the layer makes of them: one that panics,
// one that was written for the SDK, one that tells who is calling, and one that
// undoes protection.
func RegisterDemo(reg *mcplayer.Registry, inv *catalog.Inventory) {
	mcplayer.AddTool(reg, mcplayer.Tool{
		Name:        "crash",
		Description: "Panic, to show that the server survives.",
		Category:    "demo",
		Sensitivity: mcplayer.Public,
	}, crash)
	mcplayer.AddSDKTool(reg, mcplayer.Tool{
		Name:         "legacy_lookup",
		Description:  "Find the assets that have a network address.",
		Category:     "demo",
		Tags:         []string{"assets", "network"},
		Capabilities: mcplayer.ReadState,
	}, LegacyLookup(inv))
	mcplayer.AddTool(reg, whoami, tellCaller)
	mcplayer.AddTool(reg, rawAsset, (&desk{inv: inv}).get)
}

func crash(context.Context, *mcplayer.ToolContext, struct{}) (any, error) {
	panic("a bug in the tool crash")
}

// LookupArgs are the arguments of legacy_lookup.
type LookupArgs struct {
	Address string `json:"address" jsonschema:"IPv4 or IPv6 address"`
}

// LookupResult is the result of legacy_lookup.
type LookupResult struct {
	IDs []string `json:"ids"`
}

// LegacyLookup returns a handler for the SDK's own mcp.AddTool. It knows nothing
// of the layer, which takes it as it is.
func LegacyLookup(inv *catalog.Inventory) mcp.ToolHandlerFor[LookupArgs, LookupResult] {
	return func(_ context.Context, _ *mcp.CallToolRequest, in LookupArgs) (*mcp.CallToolResult, LookupResult, error) {
		addr, err := netip.ParseAddr(in.Address)
		if err != nil {
			return nil, LookupResult{}, errors.New("the address is neither IPv4 nor IPv6")
		}
		var names []string
		res := LookupResult{IDs: []string{}}
		for _, a := range inv.AtAddress(addr) {
			names = append(names, a.Name)
			res.IDs = append(res.IDs, a.ID)
		}
		text := fmt.Sprintf("%d found: %s", len(names), strings.Join(names, ", "))
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, res, nil
	}
}
