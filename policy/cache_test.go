package policy_test

import (
	"fmt"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// Callers of the same roles are remembered as one, unless a rule looks at ids.
func TestWhatIsRemembered(t *testing.T) {
	spec := toolSpec("x")
	for _, tt := range []struct {
		name  string
		match policy.Match
		want  int
	}{
		{"roles", policy.Match{Roles: []string{"admin"}}, 2},
		{"ids", policy.Match{Principals: []string{"a*"}}, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := put(t, &policy.Document{Name: "c", Rules: []policy.Rule{{Name: "r", Match: tt.match, Access: policy.Access{DenyTools: []string{"*"}}}}}, nil)
			for range 2 {
				for i := range 100 {
					a := p.Decide(spec, mcplayer.NewPrincipal(fmt.Sprint("a", i), "admin"))
					b := p.Decide(spec, mcplayer.NewPrincipal(fmt.Sprint("b", i)))
					if a.Allowed || !b.Allowed {
						t.Fatalf("decided %+v and %+v", a, b)
					}
				}
			}
			if got := p.Remembered(); got != tt.want {
				t.Errorf("%d remembered, want %d", got, tt.want)
			}
		})
	}
}

func TestWhatIsRememberedIsBounded(t *testing.T) {
	p := put(t, &policy.Document{Rules: []policy.Rule{{Match: policy.Match{Principals: []string{"bad*"}}, Access: policy.Access{DenyTools: []string{"*"}}}}}, nil)
	spec := toolSpec("x")
	for i := range 3 * policy.MaxRemembered {
		if !p.Decide(spec, mcplayer.NewPrincipal(fmt.Sprint(i))).Allowed || i%1000 == 0 && p.Decide(spec, mcplayer.NewPrincipal("bad")).Allowed {
			t.Fatalf("after %d callers a decision is wrong", i)
		}
	}
	if got := p.Remembered(); got > policy.MaxRemembered {
		t.Errorf("%d remembered, want at most %d", got, policy.MaxRemembered)
	}
}
