package policy_test

import (
	"testing"

	"github.com/cloudg/mcplayer/policy"
)

func TestDerive(t *testing.T) {
	for _, tt := range []struct{ name, parent, child, want string }{
		{"scalars replace", "{name: p, audit: true, audit_size: 5, binary: pass}", "{name: c, audit: false}", "{name: c, audit: false, audit_size: 5, binary: pass}"},
		{"null keeps", "{name: p, deny_tools: [a], roles: {a: {max_sensitivity: public}}}", "{name: , deny_tools: , roles: {a: }}", "{name: p, deny_tools: [a], roles: {a: {max_sensitivity: public}}}"},
		{"denials are united, parent first", "{deny_tools: [b, a], deny_categories: x}", "{deny_tools: [c, b], deny_categories: y}", "{deny_tools: [b, a, c], deny_categories: [x, y]}"},
		{"denials of one only", "{deny_tools: [b]}", "{deny_prompts: [p]}", "{deny_tools: [b], deny_prompts: [p]}"},
		{"allow lists replace", "{allow_tools: [a], allow_prompts: [p], allow_resources: [r]}", "{allow_tools: [b], allow_prompts: []}", "{allow_tools: [b], allow_prompts: [], allow_resources: [r]}"},
		{"rules are concatenated", "{rules: [{name: a}], rate_limits: [{rate: 1}], detectors: [{name: d}], disabled_detectors: [uuid]}", "{rules: [{name: b}], rate_limits: [{rate: 1}], detectors: [{name: e}], disabled_detectors: uuid}", "{rules: [{name: a}, {name: b}], rate_limits: [{rate: 1}, {rate: 1}], detectors: [{name: d}, {name: e}], disabled_detectors: [uuid, uuid]}"},
		{"transforms replace", "{transforms: [redact, project], input_transforms: [guard_secrets]}", "{transforms: [project]}", "{transforms: [project], input_transforms: [guard_secrets]}"},
		{"no transforms replace", "{transforms: [redact]}", "{transforms: []}", "{transforms: []}"},
		{"options are merged", "{transform_options: {redact: {strategies: {secret: redact, uuid: keep}, tags: false}, a: {b: 1}}}", "{transform_options: {redact: {strategies: {uuid: hash}, skip_keys: [x]}}}", "{transform_options: {redact: {strategies: {secret: redact, uuid: hash}, tags: false, skip_keys: [x]}, a: {b: 1}}}"},
		{"another strategy brings its own options", "{transform_options: {redact: {strategies: {secret: {strategy: mask, keep_last: 4}}}}}", "{transform_options: {redact: {strategies: {secret: {strategy: hash, length: 8}}}}}", "{transform_options: {redact: {strategies: {secret: {strategy: hash, length: 8}}}}}"},
		{"the same strategy keeps them", "{transform_options: {redact: {strategies: {secret: {strategy: mask, keep_last: 4}}}}}", "{transform_options: {redact: {strategies: {secret: {strategy: mask, char: x}}}}}", "{transform_options: {redact: {strategies: {secret: {strategy: mask, keep_last: 4, char: x}}}}}"},
		{"a null option replaces", "{transform_options: {redact: {strategies: {uuid: hash}}}}", "{transform_options: {redact: {strategies: {uuid: null}}}}", "{transform_options: {redact: {strategies: {uuid: null}}}}"},
		{"the vault is merged", "{vault: {namespace: global, ttl_seconds: 1}}", "{vault: {ttl_seconds: 2}}", "{vault: {namespace: global, ttl_seconds: 2}}"},
		{
			"roles are merged, in the parent's order",
			"{roles: {b: {deny_tools: [x], allow_tools: [u], match: {names: [n]}, rate_limits: [{rate: 1}]}, a: {}}}",
			"{roles: {c: {}, a: {max_sensitivity: public}, b: {deny_tools: [y], allow_tools: [v], match: {tags: [t]}, rate_limits: [{rate: 2}]}}}",
			"{roles: {b: {deny_tools: [x, y], allow_tools: [v], match: {names: [n], tags: [t]}, rate_limits: [{rate: 1}, {rate: 2}]}, a: {max_sensitivity: public}, c: {}}}",
		},
		{"a role's grants are replaced", "{roles: {a: {allow_capabilities: [reveal], deny_capabilities: [exec]}}}", "{roles: {a: {allow_capabilities: [exec], deny_capabilities: [read_fs]}}}", "{roles: {a: {allow_capabilities: [exec], deny_capabilities: [exec, read_fs]}}}"},
		{"a role's grants are taken away", "{roles: {a: {allow_capabilities: [reveal]}, b.c: {allow_capabilities: [reveal]}}}", "{roles: {a: {allow_capabilities: []}, b.c: {allow_capabilities: []}}}", "{roles: {a: {allow_capabilities: []}, b.c: {allow_capabilities: []}}}"},
		{"capabilities are allowed again", "{deny_capabilities: [reveal, exec]}", "{allow_capabilities: [exec]}", "{deny_capabilities: [reveal]}"},
		{"one capability alone", "{deny_capabilities: [reveal, exec]}", "{allow_capabilities: exec, deny_capabilities: read_fs}", "{deny_capabilities: [reveal, read_fs]}"},
		{"capabilities are allowed and denied", "{deny_capabilities: [reveal, exec]}", "{allow_capabilities: [exec], deny_capabilities: [exec]}", "{deny_capabilities: [reveal, exec]}"},
		{"all capabilities are allowed again", "{deny_capabilities: [exec]}", "{allow_capabilities: [exec]}", "{deny_capabilities: []}"},
		{"what a parent allowed is not allowed in what it denies next", "{allow_capabilities: [exec]}", "{deny_capabilities: [exec]}", "{deny_capabilities: [exec]}"},
		{"nothing over something", "{name: p, allow_tools: []}", "{}", "{name: p, allow_tools: []}"},
		{"something over nothing", "{}", "{name: c, allow_tools: []}", "{name: c, allow_tools: []}"},
		{"extends is done with", "{extends: a, name: p}", "{extends: b}", "{name: p}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parent, child := parsed(t, tt.parent), parsed(t, tt.child)
			was := written(t, parent) + written(t, child)
			d, err := policy.Derive(parent, child)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := written(t, d), written(t, parsed(t, tt.want)); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if written(t, parent)+written(t, child) != was {
				t.Error("a document was changed")
			}
		})
	}
}

func TestNoDocument(t *testing.T) {
	_, ofLint := policy.Lint(nil, nil)
	_, ofParent := policy.Derive(nil, &policy.Document{})
	_, ofChild := policy.Derive(&policy.Document{}, nil)
	_, ofNew := policy.New(nil, nil)
	for i, err := range []error{ofLint, ofParent, ofChild, ofNew} {
		if err == nil || err.Error() != "policy: the document is missing" {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func TestDeriveFromGo(t *testing.T) {
	parent := &policy.Document{Access: policy.Access{DenyTools: []string{"a"}}, Vault: map[string]any{"max_entries": 5, "x": []string{"y"}}}
	d, err := policy.Derive(parent, &policy.Document{Access: policy.Access{DenyTools: []string{"b"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := written(t, d), `{"deny_tools":["a","b"],"vault":{"max_entries":5,"x":["y"]}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := policy.Derive(parent, &policy.Document{Binary: "x"}); err == nil || err.Error() != `binary: unknown value "x"; allowed are pass, scan, withhold` {
		t.Errorf("got %v", err)
	}
}
