package main

import "testing"

func TestPolicyTest(t *testing.T) {
	checkGolden(t, []golden{
		{"all hold", "policy test DIR/policy.yaml DIR/cases.yaml -specs DIR/specs.yaml", "", 0, "ok: 2 cases\n", ""},
		{"all hold, for machines", "policy test DIR/policy.yaml DIR/cases.yaml -specs DIR/specs.yaml -json", "", 0, "{\n  \"cases\": 2,\n  \"failures\": []\n}\n", ""},
		{
			"some fail", "policy test DIR/policy.yaml DIR/cases.yaml DIR/failing.yaml -specs DIR/specs.yaml", "", 1,
			`DIR/failing.yaml:2: all may look: is allowed, not denied
DIR/failing.yaml:6: cases[1]: there is no tool:gone
2 of 4 cases failed
`, "",
		},
		{
			"some fail, for machines", "policy test -json DIR/policy.yaml DIR/failing.yaml -specs DIR/specs.yaml", "", 1, `{
  "cases": 2,
  "failures": [
    {
      "file": "DIR/failing.yaml",
      "line": 2,
      "name": "all may look",
      "message": "is allowed, not denied"
    },
    {
      "file": "DIR/failing.yaml",
      "line": 6,
      "name": "cases[1]",
      "message": "there is no tool:gone"
    }
  ]
}
`, "",
		},
		{
			"made up, from the standard input", "policy test strict -", "cases: [{principal: local, primitive: {name: run, capabilities: [exec]}, expect: allowed}]", 1,
			"stdin:1: cases[0]: is denied: capability 'exec' is denied by policy 'strict'\n1 of 1 cases failed\n", "",
		},
		{
			"bad cases", "policy test standard DIR/bad-cases.yaml", "", 2, "",
			"DIR/bad-cases.yaml:2: cases[0]: primitive is missing\nDIR/bad-cases.yaml:2: cases[0]: expect is missing\n",
		},
		{"bad document", "policy test DIR/bad.yaml DIR/cases.yaml", "", 2, "", "DIR/bad.yaml:2: allow_tool: unknown key"},
		{"bad specs", "policy test standard DIR/cases.yaml -specs DIR/bad-specs.yaml", "", 2, "", "DIR/bad-specs.yaml:2: "},
		{"no such file", "policy test standard DIR/none", "", 2, "", "mcplayer policy test: open DIR/none: "},
		{"no cases", "policy test standard", "", 2, "", "mcplayer policy test: arguments are missing\nusage: mcplayer policy test SOURCE CASES..."},
	})
}
