package policy_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// parsed reads a document that must be good.
func parsed(t testing.TB, text string) *policy.Document {
	t.Helper()
	d, err := policy.ParseDocument([]byte(text), "p.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// written returns the JSON of a document, by which tests compare documents.
func written(t testing.TB, d *policy.Document) string {
	t.Helper()
	data, err := d.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const everything = `
name: all
description: of it
extends: standard
hide_denied: false
honor_hints: False
audit: true
audit_size: 0
allow_tools: [a*, "!ab"]
deny_tools: b
allow_resources: []
deny_resources: ["cloudg://x/*"]
allow_prompts: [p]
deny_prompts: [q]
allow_categories: [c]
deny_categories: [d]
allow_capabilities: [exec]
deny_capabilities: [reveal, read_state]
max_sensitivity: internal
transforms:
  - sanitize
  - {type: redact, id: r, strategies: {secret: true, uuid: null}, options: {min_confidence: 0.50}}
input_transforms: [guard_secrets]
transform_options: {r: {default: keep}}
binary: pass
depseudonymize: off
detectors: [{name: ticket, pattern: 'T-\d+'}]
disabled_detectors: [uuid]
roles:
  zeta: {max_sensitivity: restricted}
  alpha:
rules:
  - name: n
    description: e
    match: {roles: [x, 007], principals: ["u*"], names: [t], categories: [c], tags: [g], kinds: [tool, resource], sensitivity: [public], capabilities: [exec]}
    deny_tools: [z]
    transforms: []
    transforms_mode: replace
    transform_options: {redact: {strategies: {secret: drop}}}
    input_transforms: [x]
    rate_limits: [{rate: 0.5, per: hour, burst: 3, scope: global, tools: [t*], kinds: [completion]}]
    honor_hints: true
rate_limits: [{rate: 2}]
vault: {namespace: principal, ttl_seconds: 60}
`

func TestParseDocument(t *testing.T) {
	type o = map[string]any
	d := parsed(t, everything)
	want := &policy.Document{
		Name: "all", Description: "of it", Extends: "standard",
		HideDenied: new(false), HonorHints: new(false), Audit: new(true), AuditSize: new(0),
		Access: policy.Access{
			AllowTools: []string{"a*", "!ab"}, DenyTools: []string{"b"},
			AllowResources: []string{}, DenyResources: []string{"cloudg://x/*"},
			AllowPrompts: []string{"p"}, DenyPrompts: []string{"q"},
			AllowCategories: []string{"c"}, DenyCategories: []string{"d"},
			AllowCapabilities: mcplayer.Exec, DenyCapabilities: mcplayer.Reveal | mcplayer.ReadState,
			MaxSensitivity: mcplayer.Internal,
		},
		Transforms: []policy.Transform{{Type: "sanitize"}, {Type: "redact", ID: "r", Options: o{
			"strategies": o{"secret": true, "uuid": nil}, "min_confidence": json.Number("0.50"),
		}}},
		InputTransforms:   []policy.Transform{{Type: "guard_secrets"}},
		TransformOptions:  map[string]o{"r": {"default": "keep"}},
		Binary:            "pass",
		Depseudonymize:    "off",
		Detectors:         []o{{"name": "ticket", "pattern": `T-\d+`}},
		DisabledDetectors: []string{"uuid"},
		Roles: []policy.Rule{
			{Match: policy.Match{Roles: []string{"zeta"}}, Access: policy.Access{MaxSensitivity: mcplayer.Restricted}},
			{Match: policy.Match{Roles: []string{"alpha"}}},
		},
		Rules: []policy.Rule{{
			Name: "n", Description: "e",
			Match: policy.Match{
				Roles: []string{"x", "007"}, Principals: []string{"u*"}, Names: []string{"t"}, Categories: []string{"c"}, Tags: []string{"g"},
				Kinds:       []mcplayer.Kind{mcplayer.KindTool, mcplayer.KindResource},
				Sensitivity: []mcplayer.Sensitivity{mcplayer.Public}, Capabilities: mcplayer.Exec,
			},
			Access:           policy.Access{DenyTools: []string{"z"}},
			Transforms:       []policy.Transform{},
			TransformsMode:   "replace",
			TransformOptions: map[string]o{"redact": {"strategies": o{"secret": "drop"}}},
			InputTransforms:  []policy.Transform{{Type: "x"}},
			RateLimits:       []policy.RateLimit{{Rate: 0.5, Per: "hour", Burst: 3, Scope: "global", Tools: []string{"t*"}, Kinds: []mcplayer.Kind{mcplayer.KindCompletion}}},
			HonorHints:       new(true),
		}},
		RateLimits: []policy.RateLimit{{Rate: 2}},
		Vault:      o{"namespace": "principal", "ttl_seconds": json.Number("60")},
	}
	if got, want := written(t, d), written(t, want); got != want {
		t.Errorf("written\n%s\nwant\n%s", got, want)
	}
	policy.ForgetSource(d)
	if !reflect.DeepEqual(d, want) {
		t.Errorf("got\n%+v\nwant\n%+v", d, want)
	}
}

func TestTextStaysText(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       any
	}{
		{"leading zero", "012345678901", "012345678901"},
		{"all digits", "123456789012", json.Number("123456789012")},
		{"trailing zero", "1.10", json.Number("1.10")},
		{"hexadecimal", "0x1f", "0x1f"},
		{"underscores", "1_000", "1_000"},
		{"infinity", ".inf", ".inf"},
		{"yes", "yes", "yes"},
		{"off", "off", "off"},
		{"time of day", "12:30:45", "12:30:45"},
		{"date", "2026-10-08", "2026-10-08"},
		{"quoted digits", `"7"`, "7"},
		{"tagged digits", "!!str 7", "7"},
		{"true", "true", true},
		{"null", "null", nil},
		{"nothing", "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := parsed(t, "vault: {012345678901: "+tt.text+"}")
			want := map[string]any{"012345678901": tt.want}
			if !reflect.DeepEqual(d.Vault, want) {
				t.Errorf("got %#v, want %#v", d.Vault, want)
			}
		})
	}
	d := parsed(t, "deny_categories: [012, 1.10, True, 0x1]\nroles: {007: {}, off: {}}")
	if got, want := written(t, d), `{"deny_categories":["012","1.10","True","0x1"],"roles":{"007":{},"off":{}}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPolicyIsUnwrapped(t *testing.T) {
	for _, text := range []string{"policy:\n  name: x\n", `{"policy": {"name": "x"}}`} {
		if d := parsed(t, text); d.Name != "x" {
			t.Errorf("%q: name %q", text, d.Name)
		}
	}
}

func TestJSONDocument(t *testing.T) {
	d, err := policy.ParseDocument([]byte(`{"name":"x\ud83d\ude00","roles":{"z":{},"a":{}},"vault":{"n":1.50}}`), "p.json")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := written(t, d), `{"name":"x😀","roles":{"z":{},"a":{}},"vault":{"n":1.50}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMistakes(t *testing.T) {
	const caps = "read_state, write_state, read_fs, write_fs, cloud_access, exec, reveal"
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "# nothing\n", "p: is empty"},
		{"no object", "[a]", "p:1: must be an object, not a list"},
		{"two documents", "name: a\n---\nname: b\n", "p:2: holds more than one document"},
		{"unknown key in a match", "rules:\n- name: x\n  match:\n    role: [a]\n", `p:4: rules[0].match.role: unknown key; did you mean "roles"? allowed are roles, principals, names, categories, tags, kinds, sensitivity, capabilities`},
		{"unknown key of a limit", "rate_limits:\n- {rate: 1, zzz: 2}\n", "p:2: rate_limits[0].zzz: unknown key; allowed are rate, per, burst, scope, tools, kinds"},
		{"unknown key in a role", "roles:\n  a.b:\n    matches: {}\n", `p:3: roles["a.b"].matches: unknown key; did you mean "match"? allowed are name, description, match, allow_tools, deny_tools, allow_resources, deny_resources, allow_prompts, deny_prompts, allow_categories, deny_categories, allow_capabilities, deny_capabilities, max_sensitivity, transforms, transforms_mode, transform_options, input_transforms, rate_limits, honor_hints`},
		{"twice", "name: a\nname: b\n", "p:2: name: is there twice"},
		{"twice in options", "vault:\n  a: 1\n  a: 2\n", "p:3: vault.a: is there twice"},
		{"twice in JSON", "{\"vault\":\n{\"a\":1,\n\"a\":2}}", "p:3: vault.a: is there twice"},
		{"anchor", "deny_tools: &x [a]\n", "p:1: deny_tools: anchors and aliases are not taken; write it out"},
		{"alias", "vault:\n  a: &y 1\n  b: *y\n", "p:2: vault.a: anchors and aliases are not taken; write it out\np:3: vault.b: anchors and aliases are not taken; write it out"},
		{"unknown anchor", "name: a\nvault: {x: *y}\n", "p: yaml: line 2: unknown anchor 'y' referenced"},
		{"merge key", "vault: {<<: {a: 1}}\nroles: {<<: {a: 1}}\n", "p:2: roles[\"<<\"].a: unknown key"},
		{"tag", "name: !!binary eA==\n", "p:1: name: tags but !!str are not taken"},
		{"list as a key", "vault: {[a]: 1}\n", "p:1: vault: names must be texts"},
		{"tag of a key", "vault: {!!binary eA==: 1}\n", "p:1: vault: names must be texts"},
		{"capability", "deny_capabilities: [exce]", `p:1: deny_capabilities[0]: unknown value "exce"; did you mean "exec"? allowed are ` + caps},
		{"sensitivity", "max_sensitivity: secret", `p:1: max_sensitivity: unknown value "secret"; allowed are public, internal, confidential, restricted`},
		{"kind", "rules: [{match: {kinds: [toool]}}]", `p:1: rules[0].match.kinds[0]: unknown value "toool"; did you mean "tool"? allowed are tool, resource, resource_template, prompt, completion`},
		{"mode", "rules: [{transforms_mode: after}]", `p:1: rules[0].transforms_mode: unknown value "after"; allowed are append, prepend, replace`},
		{"binary", "binary: skip", `p:1: binary: unknown value "skip"; allowed are pass, scan, withhold`},
		{"depseudonymize", "depseudonymize: closed", `p:1: depseudonymize: unknown value "closed"; allowed are auto, closed_world, off`},
		{"allow list of null", "allow_tools:\n", "p:1: allow_tools: must not be null; leave it out, or write what it holds"},
		{"condition of null", "rules: [{match: {roles: }}]", "p:1: rules[0].match.roles: must not be null; leave it out, or write what it holds"},
		{"no capabilities as a condition", "rules: [{match: {capabilities: []}}]", "p:1: rules[0].match.capabilities: must not be empty; leave it out, or write what it holds"},
		{"match of null", "rules: [{match: }]", "p:1: rules[0].match: must not be null; leave it out, or write what it holds"},
		{"no text", "name: [a]", "p:1: name: must be a text, not a list"},
		{"no list", "deny_tools: {a: b}", "p:1: deny_tools: must be a list, not an object"},
		{"null in a list", "deny_tools: [a, ~]", "p:1: deny_tools[1]: must be a text, not null"},
		{"no truth value", "audit: yes", "p:1: audit: must be true or false, not a text"},
		{"negative size", "audit_size: -1", "p:1: audit_size: must be a whole number from 0 to 2147483647"},
		{"pattern", "allow_tools: ['[a']", `p:1: allow_tools[0]: pattern "[a": the bracket at "[a" is not closed`},
		{"empty pattern", "rules: [{match: {names: ['!']}}]", `p:1: rules[0].match.names[0]: pattern "" is empty`},
		{"rate", "rate_limits: [{rate: 0}]", "p:1: rate_limits[0].rate: must be a number above 0"},
		{"no rate", "rate_limits: [{per: day}]", "p:1: rate_limits[0]: rate is missing: how many calls per minute, or per what per says"},
		{"burst", "rate_limits: [{rate: 1, burst: 0.5}]", "p:1: rate_limits[0].burst: must be at least 1: a call takes a whole token"},
		{"scope", "rate_limits: [{rate: 1, scope: tools}]", `p:1: rate_limits[0].scope: unknown value "tools"; did you mean "tool"? allowed are principal, tool, principal_tool, global`},
		{"transform without a type", "transforms: [{id: a}]", "p:1: transforms[0]: type is missing"},
		{"transform is empty", "transforms: ['']", "p:1: transforms[0]: the type is empty"},
		{"option twice", "transforms: [{type: a, b: 1, options: {b: 2}}]", "p:1: transforms[0].options.b: stands both under options and beside them"},
		{"roles in a role", "roles: {a: {match: {roles: [b]}}}", "p:1: roles.a.match.roles: the role is the key; a rule for other roles belongs under rules"},
		{"roles are a list", "roles: [a]", "p:1: roles: must be an object of rules by role, not a list"},
		{"detector", "detectors: [a]", "p:1: detectors[0]: must be an object, not a text"},
		{"overrides", "transform_options: {redact: [a]}", "p:1: transform_options.redact: must be an object, not a list"},
		{"no JSON", `{"name": "a"]`, "p: "},
		{
			"all at once", "audit: 1\nnme: x\nrules:\n- match: {kinds: [x]}\nname: y\nname: z\n",
			"p:1: audit: must be true or false, not a number\np:2: nme: unknown key; did you mean \"name\"? allowed are",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := policy.ParseDocument([]byte(tt.text), "p")
			if err == nil {
				t.Fatalf("taken; want %s", tt.want)
			}
			if got := err.Error(); !strings.HasPrefix(got, tt.want) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if policy.Problems(err) == nil {
				t.Error("no problems")
			}
		})
	}
}

func TestBoundsOfDocuments(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"size", strings.Repeat("#", 4<<20+1), "p: is larger than 4 MiB"},
		{"depth", "vault: {a: " + strings.Repeat("[", 150) + strings.Repeat("]", 150) + "}", "p:1: is nested more than 100 deep"},
		{"depth of JSON", `{"vault": {"a": ` + strings.Repeat("[", 150) + strings.Repeat("]", 150) + "}}", "p:1: is nested more than 100 deep"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := policy.ParseDocument([]byte(tt.text), "p"); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestProblems(t *testing.T) {
	_, err := policy.ParseDocument([]byte("audit: 1\nname: [a]\n"), "p.yaml")
	want := []policy.Problem{
		{File: "p.yaml", Line: 1, Path: "audit", Message: "must be true or false, not a number"},
		{File: "p.yaml", Line: 2, Path: "name", Message: "must be a text, not a list"},
	}
	if got := policy.Problems(err); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if policy.Problems(nil) != nil {
		t.Error("nil has problems")
	}
}
