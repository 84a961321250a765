package tools

import (
	"context"

	"github.com/cloudg/mcplayer"
)

var whoami = mcplayer.Tool{
	Name:         "whoami",
	Description:  "Tell who is calling, as the server knows it.",
	Category:     "demo",
	Sensitivity:  mcplayer.Public,
	Capabilities: mcplayer.ReadState,
}

// WhoamiResult is the result of whoami.
type WhoamiResult struct {
	ID    string   `json:"id"`
	Roles []string `json:"roles"`
}

// tellCaller reads what the layer found out about the caller before anything
// else happened: from the transport, or from a token that was validated.
func tellCaller(_ context.Context, tc *mcplayer.ToolContext, _ struct{}) (WhoamiResult, error) {
	p := tc.Principal()
	return WhoamiResult{ID: p.ID(), Roles: p.Roles()}, nil
}
