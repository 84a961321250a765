package policy_test

import (
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

func TestOpen(t *testing.T) {
	p := policy.Open()
	spec := &mcplayer.Spec{Kind: mcplayer.KindTool, Name: "x", Sensitivity: mcplayer.Restricted, Capabilities: mcplayer.Exec}
	if err := p.Admit(spec); err != nil {
		t.Error(err)
	}
	for _, who := range []*mcplayer.Principal{mcplayer.Anonymous(), mcplayer.Local()} {
		a := p.Bind(spec, who)
		if !a.Visible || a.Input != nil || a.Output != nil || a.Version == 0 {
			t.Errorf("%s gets %+v", who.ID(), a)
		}
		if ticket, err := a.Check(t.Context(), mcplayer.CallInfo{}); ticket != nil || err != nil {
			t.Errorf("%s: %v, %v", who.ID(), ticket, err)
		}
	}
	p.NotFound(t.Context(), mcplayer.CallInfo{})
}
