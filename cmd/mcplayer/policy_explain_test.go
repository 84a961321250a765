package main

import "testing"

func TestPolicyExplain(t *testing.T) {
	checkGolden(t, []golden{
		{
			"denied", "policy explain DIR/policy.yaml tool:scan -specs DIR/specs.yaml -as ada -roles default,analyst", "", 1,
			`denied: category 'live' denied by rule 'role:analyst'
primitive    tool:scan
principal    ada, roles analyst, default
policy       3332eb752e5e7049
rules        role:analyst
not reached  sensitivity, grants, deny list, deny categories, allow list, allow categories, capabilities
steps
  matching rules    role:analyst  matches
  explicit denials  role:analyst  denies: category 'live' denied by rule 'role:analyst'
`, "",
		},
		{
			"allowed", "policy explain DIR/good.yaml tool:get_asset -specs DIR/specs.yaml", "", 0,
			`allowed
primitive    tool:get_asset
principal    anonymous, roles default
policy       fedee7626f3631a8
rules        none
not reached  none
steps
  sensitivity       the policy  passes: no ceiling
  deny list         the policy  passes
  deny categories   the policy  passes
  allow list        the policy  passes
  allow categories  the policy  passes
  capabilities      the policy  passes
`, "",
		},
		{
			"denied, for machines", "policy explain DIR/good.yaml tool:scan -specs DIR/specs.yaml -as local -json", "", 1, `{
  "primitive": "tool:scan",
  "principal": "local",
  "roles": [
    "default",
    "local"
  ],
  "policy": "fedee7626f3631a8",
  "allowed": false,
  "reason": "tool denied by policy 'good'",
  "check": "deny list",
  "rules": [],
  "steps": [
    {
      "check": "sensitivity",
      "outcome": "passes: no ceiling"
    },
    {
      "check": "deny list",
      "outcome": "denies: tool denied by policy 'good'"
    }
  ],
  "not_reached": [
    "deny categories",
    "allow list",
    "allow categories",
    "capabilities"
  ]
}
`, "",
		},
		{
			"a URI of a template", `policy explain {"deny_resources":["cloudg://assets/secret*"]} resource:cloudg://assets/secret1 -specs DIR/specs.yaml`, "", 1,
			`denied: resource denied by policy 'custom'
primitive    resource:cloudg://assets/secret1, through cloudg://assets/{id}
principal    anonymous, roles default
policy       a0e0f700ee4d309f
rules        none
not reached  none
steps
  sensitivity       the policy  passes: no ceiling
  deny list         the policy  passes
  deny categories   the policy  passes
  allow list        the policy  passes
  allow categories  the policy  passes
  capabilities      the policy  passes
  deny list         the policy  denies the URI: resource denied by policy 'custom'
`, "",
		},
		{"unknown", "policy explain DIR/good.yaml tool:gone -specs DIR/specs.yaml", "", 2, "", "mcplayer policy explain: the specs have no tool:gone\n"},
		{"of no template", "policy explain DIR/good.yaml resource:other://x -specs DIR/specs.yaml", "", 2, "", "mcplayer policy explain: the specs have no resource:other://x\n"},
		{"without specs", "policy explain DIR/good.yaml tool:scan", "", 2, "", "mcplayer policy explain: the specs have no tool:scan\n"},
		{"bad document", "policy explain DIR/bad.yaml tool:scan -specs DIR/specs.yaml", "", 2, "", "DIR/bad.yaml:2: allow_tool: unknown key"},
		{"bad specs", "policy explain DIR/good.yaml tool:scan -specs DIR/bad-specs.yaml", "", 2, "", "DIR/bad-specs.yaml:2: "},
		{"no primitive", "policy explain DIR/good.yaml", "", 2, "", "mcplayer policy explain: arguments are missing\n"},
	})
}
