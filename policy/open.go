package policy

import (
	"context"

	"github.com/cloudg/mcplayer"
)

// Open returns a policy that shows and allows everything to everybody and
// transforms nothing. It keeps no record.
func Open() mcplayer.Policy { return open{} }

type open struct{}

var openAccess = &mcplayer.Access{
	Visible: true,
	Check:   func(context.Context, mcplayer.CallInfo) (mcplayer.Ticket, error) { return nil, nil },
	Version: 1,
}

func (open) Admit(*mcplayer.Spec) error { return nil }

func (open) Bind(*mcplayer.Spec, *mcplayer.Principal) *mcplayer.Access { return openAccess }

func (open) NotFound(context.Context, mcplayer.CallInfo) {}
