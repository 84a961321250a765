package policy_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// attempt is a call of a table, and how it ends: ok, or the text of its limit.
type attempt struct {
	kind mcplayer.Kind // 0: that of the primitive
	spec *mcplayer.Spec
	who  *mcplayer.Principal
	want string
}

func (a attempt) info() mcplayer.CallInfo {
	info := mcplayer.CallInfo{Kind: callKind(a.spec), Name: a.spec.Name, Spec: a.spec, Principal: a.who}
	if a.kind != 0 {
		info.Kind = a.kind
	}
	return info
}

func TestScopesAndKinds(t *testing.T) {
	x, y := toolSpec("x"), toolSpec("y")
	resource, template, prompt := specOf(mcplayer.KindResource, "x"), specOf(mcplayer.KindResourceTemplate, "x{a}"), specOf(mcplayer.KindPrompt, "x")
	ann, bo := mcplayer.NewPrincipal("ann"), mcplayer.NewPrincipal("bo", "other")
	const no = "1/minute"
	for _, tt := range []struct {
		name  string
		limit policy.RateLimit
		calls []attempt
	}{
		{"each caller and primitive is the default", policy.RateLimit{Rate: 1}, []attempt{
			{0, x, ann, "ok"},
			{0, x, ann, no},
			{0, y, ann, "ok"},
			{0, x, bo, "ok"},
			{0, prompt, ann, "ok"},
			{0, resource, ann, "ok"},
			{mcplayer.KindCompletion, prompt, ann, "ok"},
			{mcplayer.KindCompletion, prompt, ann, no},
		}},
		{"principal", policy.RateLimit{Rate: 1, Scope: "principal"}, []attempt{{0, x, ann, "ok"}, {0, y, ann, no}, {0, prompt, ann, no}, {0, y, bo, "ok"}}},
		{"tool", policy.RateLimit{Rate: 1, Scope: "tool"}, []attempt{{0, x, ann, "ok"}, {0, x, bo, no}, {0, y, bo, "ok"}, {0, prompt, bo, "ok"}}},
		{"principal_tool", policy.RateLimit{Rate: 1, Scope: "principal_tool"}, []attempt{{0, x, ann, "ok"}, {0, x, bo, "ok"}, {0, x, ann, no}}},
		{"global", policy.RateLimit{Rate: 1, Scope: "global"}, []attempt{{0, x, ann, "ok"}, {0, y, bo, no}, {0, resource, bo, no}}},
		{"names", policy.RateLimit{Rate: 1, Scope: "global", Tools: []string{"x*"}}, []attempt{{0, y, ann, "ok"}, {0, x, ann, "ok"}, {0, template, ann, no}, {0, y, ann, "ok"}}},
		{"tools", policy.RateLimit{Rate: 1, Scope: "global", Kinds: []mcplayer.Kind{mcplayer.KindTool}}, []attempt{{0, prompt, ann, "ok"}, {0, x, ann, "ok"}, {0, x, ann, no}, {0, prompt, ann, "ok"}}},
		{"resource covers templates", policy.RateLimit{Rate: 1, Scope: "global", Kinds: []mcplayer.Kind{mcplayer.KindResource}}, []attempt{
			{0, template, ann, "ok"},
			{0, resource, ann, no},
			{0, x, ann, "ok"},
			{mcplayer.KindCompletion, template, ann, "ok"},
		}},
		{"templates", policy.RateLimit{Rate: 1, Scope: "global", Kinds: []mcplayer.Kind{mcplayer.KindResourceTemplate}}, []attempt{{0, resource, ann, "ok"}, {0, template, ann, "ok"}, {0, template, ann, no}}},
		{"completions", policy.RateLimit{Rate: 1, Scope: "global", Kinds: []mcplayer.Kind{mcplayer.KindCompletion}}, []attempt{
			{0, prompt, ann, "ok"},
			{mcplayer.KindCompletion, prompt, ann, "ok"},
			{mcplayer.KindCompletion, template, ann, no},
			{0, prompt, ann, "ok"},
		}},
		{"a prompt's do not count its completions", policy.RateLimit{Rate: 1, Scope: "global", Kinds: []mcplayer.Kind{mcplayer.KindPrompt}}, []attempt{
			{mcplayer.KindCompletion, prompt, ann, "ok"},
			{mcplayer.KindCompletion, prompt, ann, "ok"},
			{0, prompt, ann, "ok"},
			{0, prompt, ann, no},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := put(t, &policy.Document{Name: "l", RateLimits: []policy.RateLimit{tt.limit}}, nil)
			for i, c := range tt.calls {
				_, err := ticketOf(t, p, c.info())
				got := "ok"
				if err != nil {
					got = err.(*mcplayer.Error).Data.(map[string]any)["limit"].(string)
				}
				if got != c.want {
					t.Errorf("call %d: %s, want %s", i, got, c.want)
				}
			}
		})
	}
}

func TestRulesOfOneNameHaveTheirOwnBuckets(t *testing.T) {
	rule := policy.Rule{Name: "twice", RateLimits: []policy.RateLimit{{Rate: 2}}}
	p := put(t, &policy.Document{Rules: []policy.Rule{rule, rule}}, nil)
	for i := range 2 {
		if err := check(t, p, toolSpec("x"), anyone); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
	}
	if err := check(t, p, toolSpec("x"), anyone); err == nil {
		t.Error("the third call passes")
	}
}

// A template has one bucket, whatever the URI, so that nobody evades a limit.
func TestATemplateHasOneBucket(t *testing.T) {
	spec := specOf(mcplayer.KindResourceTemplate, "a:{b}")
	p := put(t, &policy.Document{RateLimits: []policy.RateLimit{{Rate: 1}}}, nil)
	info := mcplayer.CallInfo{Kind: mcplayer.KindResource, Name: "a:1", Spec: spec, Principal: anyone}
	if _, err := ticketOf(t, p, info); err != nil {
		t.Fatal(err)
	}
	info.Name = "a:2"
	_, err := ticketOf(t, p, info)
	same(t, errorText(err), `Rate limit exceeded for resource 'a:2' (1/minute); retry in 60.0s {"limit":"1/minute","retry_after":60,"scope":"principal_tool"}`)
}

func TestRateLimitErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		limit  policy.RateLimit
		before int // calls that pass
		wait   time.Duration
		want   string
	}{
		{"contract", policy.RateLimit{Rate: 2}, 2, 10 * time.Millisecond, `(2/minute); retry in 30.0s {"limit":"2/minute","retry_after":29.99,"scope":"principal_tool"}`},
		{"whole", policy.RateLimit{Rate: 2, Scope: "tool"}, 2, 0, `(2/minute); retry in 30.0s {"limit":"2/minute","retry_after":30,"scope":"tool"}`},
		{"never too early", policy.RateLimit{Rate: 30, Per: "second", Burst: 1}, 1, 0, `(30/second); retry in 0.1s {"limit":"30/second","retry_after":0.04,"scope":"principal_tool"}`},
		{"hour", policy.RateLimit{Rate: 20, Per: "hour", Scope: "principal"}, 20, 0, `(20/hour); retry in 180.0s {"limit":"20/hour","retry_after":180,"scope":"principal"}`},
		{"day", policy.RateLimit{Rate: 1, Per: "day", Scope: "global"}, 1, 0, `(1/day); retry in 86400.0s {"limit":"1/day","retry_after":86400,"scope":"global"}`},
		{"a part", policy.RateLimit{Rate: 0.5}, 1, 0, `(0.5/minute); retry in 120.0s {"limit":"0.5/minute","retry_after":120,"scope":"principal_tool"}`},
		{"the burst is the rate, rounded up", policy.RateLimit{Rate: 2.5}, 3, 0, `(2.5/minute); retry in 24.0s {"limit":"2.5/minute","retry_after":24,"scope":"principal_tool"}`},
		{"burst", policy.RateLimit{Rate: 240, Burst: 5}, 5, 0, `(240/minute); retry in 0.3s {"limit":"240/minute","retry_after":0.25,"scope":"principal_tool"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				spec := toolSpec("x")
				p := put(t, &policy.Document{RateLimits: []policy.RateLimit{tt.limit}}, nil)
				for i := range tt.before {
					if err := check(t, p, spec, anyone); err != nil {
						t.Fatalf("call %d: %v", i, err)
					}
				}
				time.Sleep(tt.wait)
				err := check(t, p, spec, anyone)
				same(t, errorText(err), "Rate limit exceeded for tool 'x' "+tt.want)
				if mcplayer.CodeOf(err) != mcplayer.CodeRateLimited || !errors.Is(err, mcplayer.ErrRateLimited) {
					t.Errorf("code %v", mcplayer.CodeOf(err))
				}
				wait := err.(*mcplayer.Error).Data.(map[string]any)["retry_after"].(float64)
				time.Sleep(time.Duration(wait * float64(time.Second)))
				if err := check(t, p, spec, anyone); err != nil {
					t.Errorf("after the time that was told: %v", err)
				}
			})
		})
	}
}

// The limits of matching rules count besides the policy's, and none of them counts a
// call that another refuses.
func TestLimitsOfRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		role := forRole("admin", policy.Access{})
		role.RateLimits = []policy.RateLimit{{Rate: 1, Scope: "principal", Tools: []string{"x"}}}
		p := put(t, &policy.Document{Name: "l", RateLimits: []policy.RateLimit{{Rate: 3, Per: "hour", Scope: "principal"}}, Roles: []policy.Rule{role}}, nil)
		x, y := toolSpec("x"), toolSpec("y")
		for i, c := range []attempt{
			{0, x, admin, ""},
			{0, x, admin, "1/minute"},
			{0, x, admin, "1/minute"},
			{0, y, admin, ""},
			{0, y, admin, ""},
			{0, x, admin, "3/hour"}, // which takes longer
			{0, x, anyone, ""},
			{0, x, anyone, ""},
		} {
			if err := check(t, p, c.spec, c.who); c.want == "" && err != nil || c.want != "" && !strings.Contains(errorText(err), c.want) {
				t.Errorf("call %d: %v, want %q", i, err, c.want)
			}
		}
	})
}

// Access comes first: a denied call takes no token.
func TestADeniedCallTakesNoToken(t *testing.T) {
	hide := false
	p := put(t, &policy.Document{Name: "l", HideDenied: &hide, Access: policy.Access{DenyTools: []string{"bad"}}, RateLimits: []policy.RateLimit{{Rate: 1, Scope: "global"}}}, nil)
	for range 3 {
		same(t, errorText(check(t, p, toolSpec("bad"), anyone)), `Access to tool 'bad' denied: tool denied by policy 'l' {"policy":"l","reason":"tool denied by policy 'l'"}`)
	}
	if err := check(t, p, toolSpec("good"), anyone); err != nil {
		t.Error(err)
	}
}

// failing is a store that is out of reach.
type failing struct{ err error }

func (f failing) Take(context.Context, time.Time, []policy.Bucket) (policy.Taken, error) {
	return policy.Taken{OK: true}, f.err
}

func TestAStoreThatFailsRefuses(t *testing.T) {
	cause := errors.New("connection to 10.0.0.7 refused")
	p := put(t, &policy.Document{RateLimits: []policy.RateLimit{{Rate: 1}}}, &policy.Options{Store: failing{cause}})
	err := check(t, p, toolSpec("x"), anyone)
	same(t, errorText(err), "Rate limit for tool 'x' cannot be checked null")
	if !errors.Is(err, cause) || !errors.Is(err, mcplayer.ErrRateLimited) {
		t.Errorf("%v", err)
	}
	if c := p.Counters(); c.RateLimited != 1 || c.Allowed != 0 {
		t.Errorf("counted %+v", c)
	}
	p = put(t, &policy.Document{}, &policy.Options{Store: failing{cause}})
	if err := check(t, p, toolSpec("x"), anyone); err != nil {
		t.Errorf("without limits the store does not matter: %v", err)
	}
}

// odd is a store that refuses, and names a bucket that was not asked for.
type odd struct{}

func (odd) Take(context.Context, time.Time, []policy.Bucket) (policy.Taken, error) {
	return policy.Taken{Empty: 7, RetryAfter: time.Second}, nil
}

func TestAStoreThatErrsRefuses(t *testing.T) {
	p := put(t, &policy.Document{RateLimits: []policy.RateLimit{{Rate: 1}}}, &policy.Options{Store: odd{}})
	same(t, errorText(check(t, p, toolSpec("x"), anyone)),
		`Rate limit exceeded for tool 'x' (1/minute); retry in 1.0s {"limit":"1/minute","retry_after":1,"scope":"principal_tool"}`)
}

func TestConfigurationErrors(t *testing.T) {
	bad := &policy.Document{
		AuditSize: new(-1),
		Access:    policy.Access{AllowTools: []string{"[a"}, DenyCapabilities: 0x80, MaxSensitivity: 9},
		Roles:     []policy.Rule{forRole("admin", policy.Access{DenyCategories: []string{""}})},
		Rules: []policy.Rule{{
			Match:      policy.Match{Kinds: []mcplayer.Kind{mcplayer.KindCompletion}, Sensitivity: []mcplayer.Sensitivity{0}, Names: []string{"[]"}},
			RateLimits: []policy.RateLimit{{Rate: 1, Kinds: []mcplayer.Kind{9}}},
		}},
		RateLimits: []policy.RateLimit{{Rate: 0}, {Rate: math.NaN()}, {Rate: 1, Per: "week"}, {Rate: 1, Scope: "tools"}, {Rate: 1, Burst: 0.5}, {Rate: math.Inf(1)}, {Rate: 1, Tools: []string{"[z-a]"}}, {Rate: 5e-324, Per: "day"}},
	}
	_, err := policy.New(bad, nil)
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"audit_size is -1; it must be positive, or 0 to keep none",
		`allow_tools has a bad pattern: pattern "[a": `,
		"deny_capabilities has an unknown capability in 0b10000000",
		"max_sensitivity is the unknown sensitivity 9; allowed are public, internal, confidential, restricted",
		`role:admin: deny_categories has a bad pattern: pattern "" is empty`,
		"rule[0]: match.kinds has the kind completion; allowed are those from tool to prompt",
		"rule[0]: match.sensitivity has a sensitivity that is not set",
		`rule[0]: match.names has a bad pattern`,
		"rule[0]: rate_limits[0] kinds has the kind Kind(9); allowed are those from tool to completion",
		"rate_limits[0] has the rate 0; it must be positive",
		"rate_limits[1] has the rate NaN; it must be positive",
		`rate_limits[2] is per "week"; allowed are second, minute, hour, day`,
		`rate_limits[3] has the scope "tools"; allowed are principal, tool, principal_tool, global`,
		"rate_limits[4] has the burst 0.5; it must be 1 or more",
		"rate_limits[5] has the rate +Inf; it must be positive",
		"rate_limits[6] tools has a bad pattern",
		"rate_limits[7] has the rate 5e-324; it must be positive",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not tell %q:\n%v", want, err)
		}
	}
	if _, err := policy.New(nil, nil); err == nil {
		t.Error("no document, and no error")
	}
}
