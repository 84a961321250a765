package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

const notLookedAt = "not looked at: what depends on the primitives of a server (-specs)\n"

func TestPolicyLint(t *testing.T) {
	checkGolden(t, []golden{
		{"fine", "policy lint DIR/good.yaml -specs DIR/specs.yaml", "", 0, "ok\n", ""},
		{"fine, without specs", "policy lint DIR/good.yaml", "", 0, "ok\n" + notLookedAt, ""},
		{"profile", "policy lint read-only", "", 0, "ok\n" + notLookedAt, ""},
		{"what only a profile names", "policy lint strict -specs DIR/specs.yaml", "", 0, "ok\n", ""},
		{
			"findings", "policy lint DIR/policy.yaml -specs DIR/specs.yaml", "", 1,
			`DIR/policy.yaml:5: roles.analyst.deny_categories[1]: "exports" matches nothing that this server has (matches-nothing)
DIR/policy.yaml:5: roles.analyst: the role is denied tool 'scan', which anonymous callers may use (denied-role-alone)
`, "",
		},
		{
			"findings for machines", "policy lint DIR/policy.yaml -specs DIR/specs.yaml -json", "", 1, `{
  "findings": [
    {
      "id": "matches-nothing",
      "file": "DIR/policy.yaml",
      "line": 5,
      "path": "roles.analyst.deny_categories[1]",
      "message": "\"exports\" matches nothing that this server has"
    },
    {
      "id": "denied-role-alone",
      "file": "DIR/policy.yaml",
      "line": 5,
      "path": "roles.analyst",
      "message": "the role is denied tool 'scan', which anonymous callers may use"
    }
  ]
}
`, "",
		},
		{"none for machines", "policy lint -json DIR/good.yaml", "", 0, "{\n  \"findings\": []\n}\n", ""},
		{
			"hints", "policy lint DIR/good.yaml -specs DIR/hints.yaml", "", 1,
			`DIR/good.yaml:2: deny_tools[0]: "scan" matches nothing that this server has (matches-nothing)
tool 'a': hint skip: no transform has the type or id "nothing"; allowed are alias, annotate, depseudonymize, guard_secrets, project, redact, regex_replace, rename_keys, sanitize, substitute, template (bad-hint)
`, "",
		},
		{"standard input", "policy lint -", "roles: {a: {allow_tools: ['!x']}}", 1, "stdin:1: roles.a.allow_tools: the list allows nothing (allows-nothing)\n" + notLookedAt, ""},
		{"specs from the standard input", "policy lint DIR/good.yaml -specs -", `{"primitives": [{"name": "scan", "capabilities": ["read_state"]}]}`, 0, "ok\n", ""},
		{"inline", `policy lint {"allow_tools":["!a"]}`, "", 1, "line 1: allow_tools: the list allows nothing (allows-nothing)\n" + notLookedAt, ""},

		{
			"all mistakes of a document", "policy lint DIR/bad.yaml", "", 2, "",
			`DIR/bad.yaml:2: allow_tool: unknown key; did you mean "allow_tools"? allowed are name, description, extends, hide_denied, honor_hints, audit, audit_size, allow_tools, deny_tools, allow_resources, deny_resources, allow_prompts, deny_prompts, allow_categories, deny_categories, allow_capabilities, deny_capabilities, max_sensitivity, transforms, input_transforms, transform_options, binary, depseudonymize, detectors, disabled_detectors, roles, rules, rate_limits, vault
DIR/bad.yaml:3: max_sensitivity: unknown value "high"; allowed are public, internal, confidential, restricted
DIR/bad.yaml:5: rules[0].match.kinds[0]: unknown value "toool"; did you mean "tool"? allowed are tool, resource, resource_template, prompt, completion
DIR/bad.yaml:6: rate_limits[0].rate: must be a number above 0
`,
		},
		{
			"all mistakes of its transforms", "policy lint DIR/steps.yaml", "", 2, "",
			`DIR/steps.yaml:2: transforms[0]: option strategis: unknown; there are allow_pseudonymize, custom_detectors, default, disabled_detectors, extra_key_rules, hash_template, key_rules, min_confidence, name_mentions, redact_template, scan_keys, skip_keys, strategies, tag_key_allowlist, tags
DIR/steps.yaml:4: transforms[1]: unknown type "nothing"; there are alias, annotate, depseudonymize, guard_secrets, project, redact, regex_replace, rename_keys, sanitize, substitute, template
DIR/steps.yaml:6: rules[0].transforms[0]: option min_length: must be at least 1
`,
		},
		{
			"all mistakes of what it extends", "policy lint DIR/child.yaml", "", 2, "",
			`DIR/child.yaml:2: allow_tools: must be a list, not a number
DIR/parent.yaml:2: extends: policy "DIR/none.yaml": no profile of this name (there are airgapped, audit, open, read_only, standard, strict), and no such file: open DIR/none.yaml: no such file or directory
DIR/parent.yaml:3: allow_tool: unknown key; did you mean "allow_tools"? allowed are `,
		},
		{"the same, from the standard input", "policy lint -", "extends: DIR/parent.yaml\nallow_tools: 3", 2, "", "DIR/parent.yaml:2: extends: policy \"DIR/none.yaml\": no profile"},
		{"bad specs", "policy lint DIR/good.yaml -specs DIR/bad-specs.yaml", "", 2, "", `DIR/bad-specs.yaml:2: primitives[0].nam: unknown key; did you mean "name"?`},
		{"no specs", "policy lint DIR/good.yaml -specs DIR/none", "", 2, "", "mcplayer policy lint: open DIR/none: "},
		{"no such document", "policy lint DIR/none", "", 2, "", `mcplayer policy lint: policy "DIR/none": no profile of this name (there are airgapped, `},
		{"empty standard input", "policy lint -", "", 2, "", "stdin: is empty\n"},
		{"no source", "policy lint", "", 2, "", "mcplayer policy lint: arguments are missing\nusage: mcplayer policy lint SOURCE [-specs FILE] [-json]\n"},
		{"two sources", "policy lint a b", "", 2, "", "mcplayer policy lint: \"b\" is too much\n"},
		{"help", "policy lint -h", "", 0, "", "usage: mcplayer policy lint SOURCE"},
		{"unknown flag", "policy lint a -wrong", "", 2, "", "flag provided but not defined: -wrong\n"},
	})
}

// No command touches the vault of a server.
func TestPolicyCommandsOpenNoVault(t *testing.T) {
	dir := t.TempDir()
	doc := `{"extends":"strict","vault":{"key":"0123456789abcdef","file":"` + dir + `/vault"}}`
	for _, args := range [][]string{
		{"lint", doc},
		{"test", doc, "-"},
		{"explain", doc, "tool:x", "-specs", "-"},
		{"preview", doc},
	} {
		input := map[string]string{
			"test":    "cases: [{principal: local, primitive: {name: x, capabilities: [read_state]}, expect: allowed}]",
			"explain": "primitives: [{name: x, capabilities: [read_state]}]",
			"preview": `{"account_id":"412345678901"}`,
		}[args[0]]
		var stdout, stderr bytes.Buffer
		if code := run(append([]string{"policy"}, args...), strings.NewReader(input), &stdout, &stderr); code != 0 {
			t.Errorf("%s: exit code %d\n%s%s", args[0], code, &stdout, &stderr)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s left %v, %v", args[0], left, err)
		}
	}
}
