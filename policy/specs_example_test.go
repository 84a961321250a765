package policy_test

import (
	"context"
	"fmt"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// What mcplayer policy lint, test and explain read with -specs.
func ExampleMarshalSpecs() {
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "find", Category: "assets", Capabilities: mcplayer.ReadState},
		func(context.Context, *mcplayer.ToolContext, struct{}) (any, error) { return nil, nil })
	doc, err := policy.MarshalSpecs(reg.Specs())
	fmt.Println(string(doc), err)
	// Output: {"primitives":[{"kind":"tool","name":"find","category":"assets","tags":[],"sensitivity":"confidential","capabilities":["read_state"],"read_only":true,"destructive":false,"idempotent":true,"open_world":false}]} <nil>
}
