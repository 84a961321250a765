package tools

import "github.com/cloudg/mcplayer"

// rawAsset is get_asset for those who may undo protection. Its hints leave out what
// a policy would do to the result; a policy honours that only because the tool says
// that it reveals, and lets only some call what reveals.
var rawAsset = mcplayer.Tool{
	Name:         "raw_asset",
	Description:  "Return one asset with everything in it, secrets too.",
	Category:     "demo",
	Tags:         []string{"assets"},
	Sensitivity:  mcplayer.Restricted,
	Capabilities: mcplayer.ReadState | mcplayer.Reveal,
	Hints:        mcplayer.Hints{Skip: []string{"sanitize", "redact"}},
}
