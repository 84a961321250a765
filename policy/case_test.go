package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

const someCases = `
cases:
  - name: analysts do not export
    principal: {id: ada, roles: [analyst]}
    primitive: {name: report, category: export, sensitivity: public, capabilities: [read_state]}
    expect: denied
    reason: category 'export' denied by rule 'role:analyst'
  - principal: anonymous
    primitive: tool:get_asset
    expect: allowed
  - name: wrong
    principal: local
    primitive: tool:get_asset
    expect: denied
  - name: wrong, too
    principal: bob
    primitive: {kind: tool, name: run, capabilities: [exec], open_world: true, read_only: false, tags: [a]}
    expect: allowed
  - name: for another reason
    principal: {roles: []}
    primitive: {name: run, sensitivity: restricted}
    expect: denied
    reason: because
  - name: of nothing
    principal: {id: x}
    primitive: prompt:get_asset
    expect: allowed
`

func TestTest(t *testing.T) {
	cases, err := policy.ParseCases([]byte(someCases), "cases.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Load(socAnalyst, &policy.Options{Builder: builder(t)})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, failure := range policy.Test(p, inventory(), cases) {
		lines = append(lines, failure.Error())
	}
	const want = `cases.yaml:11: wrong: is allowed, not denied
cases.yaml:15: wrong, too: is denied: capability 'exec' is denied by policy 'soc-analyst'
cases.yaml:19: for another reason: is denied with the reason "sensitivity 'restricted' exceeds the allowed 'confidential'", not "because"
cases.yaml:24: of nothing: there is no prompt:get_asset`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestParseCases(t *testing.T) {
	cases, err := policy.ParseCases([]byte(`{"cases": [{"principal": "x", "primitive": {"kind": "prompt", "name": "p"}, "expect": "allowed"}]}`), "c.json")
	if err != nil {
		t.Fatal(err)
	}
	c := cases[0]
	if c.Name != "cases[0]" || c.Principal.ID() != "x" || c.Spec.Kind != mcplayer.KindPrompt || c.Spec.Sensitivity != mcplayer.Internal || !c.Allowed {
		t.Errorf("got %+v, %+v", c, c.Spec)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"all is missing", "cases: [{}]", "c:1: cases[0]: principal is missing\nc:1: cases[0]: primitive is missing\nc:1: cases[0]: expect is missing"},
		{"unknown key", "case: []", `c:1: case: unknown key; did you mean "cases"? allowed are cases`},
		{"expectation", "cases: [{principal: x, primitive: 'tool:x', expect: deny}]", `c:1: cases[0].expect: unknown value "deny"; allowed are allowed, denied`},
		{"reason of what is allowed", "cases: [{principal: x, primitive: 'tool:x', expect: allowed, reason: y}]", "c:1: cases[0]: what is allowed has no reason"},
		{"primitive without a kind", "cases: [{principal: x, primitive: x, expect: allowed}]", "c:1: cases[0].primitive: must be tool:NAME, resource:URI, resource_template:TEMPLATE, prompt:NAME or an object"},
		{"primitive without a name", "cases: [{principal: x, primitive: {kind: tool}, expect: allowed}]", "c:1: cases[0].primitive: name is missing"},
		{"empty", "", "c: is empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := policy.ParseCases([]byte(tt.text), "c")
			if got := fmt.Sprint(err); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
