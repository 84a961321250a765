package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// golden is a run of the tool and all that it prints. DIR stands for the directory of
// the files.
type golden struct {
	name, args, stdin string // arguments are separated by spaces
	code              int
	out, err          string
}

var policyFiles = map[string]string{
	"policy.yaml": `name: team
deny_resources: ["cloudg://assets/secret*"]
roles:
  analyst:
    deny_categories: [live, exports]
    max_sensitivity: internal
`,
	"good.yaml": "name: good\ndeny_tools: [scan]\n",
	"bad.yaml": `name: bad
allow_tool: [a]
max_sensitivity: high
rules:
  - match: {kinds: [toool]}
rate_limits: [{rate: 0}]
`,
	"steps.yaml": `transforms:
  - type: redact
    strategis: {}
  - nothing
rules:
  - transforms: [{type: sanitize, min_length: -3}]
`,
	"child.yaml":  "extends: parent.yaml\nallow_tools: 3\n",
	"parent.yaml": "name: parent\nextends: none.yaml\nallow_tool: [a]\n",
	"specs.yaml": `primitives:
  - {name: get_asset, category: assets, sensitivity: internal, capabilities: [read_state], open_world: false}
  - {name: scan, category: live, sensitivity: internal, capabilities: [cloud_access], hints: {skip: [sanitize]}}
  - {kind: resource_template, name: "cloudg://assets/{id}", sensitivity: public}
`,
	"hints.yaml":     "primitives: [{name: a, capabilities: [read_state], hints: {skip: [nothing]}}]\n",
	"bad-specs.yaml": "primitives:\n  - {nam: a}\n",
	"cases.yaml": `cases:
  - name: analysts stay away
    principal: {id: ada, roles: [default, analyst]}
    primitive: tool:scan
    expect: denied
    reason: category 'live' denied by rule 'role:analyst'
  - principal: anonymous
    primitive: {name: run, capabilities: [exec]}
    expect: allowed
`,
	"failing.yaml": `cases:
  - name: all may look
    principal: {id: ada, roles: [analyst]}
    primitive: resource_template:cloudg://assets/{id}
    expect: denied
  - principal: local
    primitive: tool:gone
    expect: allowed
`,
	"text":           "write to ada@corp.io\n",
	"bad-cases.yaml": "cases:\n  - {principal: a}\n",
}

func checkGolden(t *testing.T, tests []golden) {
	dir := t.TempDir()
	for name, content := range policyFiles {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	placed := func(text string) string { return strings.ReplaceAll(text, "DIR", dir) }
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			args := strings.Fields(placed(tt.args))
			if code := run(args, strings.NewReader(placed(tt.stdin)), &stdout, &stderr); code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if got, want := stdout.String(), placed(tt.out); got != want {
				t.Errorf("printed\n%s\nwant\n%s", got, want)
			}
			if got, want := stderr.String(), placed(tt.err); !strings.HasPrefix(got, want) || want == "" && got != "" {
				t.Errorf("complained\n%s\nwant\n%s", got, want)
			}
		})
	}
}
