package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// inventory is what the server of the tests has.
func inventory() []*mcplayer.Spec {
	spec := func(kind mcplayer.Kind, name, category string, c mcplayer.Capabilities, openWorld bool, tags ...string) *mcplayer.Spec {
		s := &mcplayer.Spec{Kind: kind, Name: name, Category: category, Sensitivity: mcplayer.Internal, Capabilities: c, Tags: tags}
		s.Annotations.OpenWorld = &openWorld
		return s
	}
	return []*mcplayer.Spec{
		spec(mcplayer.KindTool, "get_asset", "assets", mcplayer.ReadState, false, "fast"),
		spec(mcplayer.KindTool, "scan", "live", mcplayer.CloudAccess, true),
		spec(mcplayer.KindResourceTemplate, "cloudg://assets/{id}", "assets", mcplayer.ReadState, false),
		spec(mcplayer.KindPrompt, "triage", "general", mcplayer.ReadState, false),
	}
}

const (
	restrictsNobody = "it grants what the policy does not close, and restricts nobody: only an allow list of the policy itself does (open-grant)"
	nothingActs     = "no strategy is for what detector 'd' finds: name it, its entity or its category in the strategies of a redact (idle-detector)"
)

func TestLint(t *testing.T) {
	for _, tt := range []struct{ name, doc, want string }{
		{"nothing", "{}", ""},
		{"good", "allow_tools: [get_*, scan]\ndeny_resources: ['cloudg://assets/x*']\nroles: {a: {allow_categories: [live]}}\nrules: [{match: {roles: [a, default], tags: [fast]}}]\nrate_limits: [{rate: 1, kinds: [completion]}]", ""},

		{"no roles to match", "rules: [{match: {roles: []}}]", "rules[0].match.roles: no call can meet this condition, so the rule never matches (never-matches)"},
		{"exclusions alone", "rules: [{match: {names: ['!scan']}}]", "rules[0].match.names: no call can meet this condition, so the rule never matches (never-matches)"},
		{"completions are no primitives", "rules: [{match: {kinds: [completion]}}]", "policy: configuration errors:\nrule[0]: match.kinds has the kind completion; allowed are those from tool to prompt"},
		{"no primitive fits", "rules: [{match: {kinds: [tool], categories: [general]}}]", "rules[0].match: no primitive fits, so the rule never matches (never-matches)"},

		{"a name of nothing", "deny_tools: [get_asset, get_assets]", `deny_tools[1]: "get_assets" matches nothing that this server has (matches-nothing)`},
		{"an exclusion of nothing", "allow_tools: ['*', '!x']", `allow_tools[1]: "!x" matches nothing that this server has (matches-nothing)`},
		{"a tool among the prompts", "deny_prompts: [scan]", `deny_prompts[0]: "scan" matches nothing that this server has (matches-nothing)`},
		{"a category of nothing", "roles: {a: {deny_categories: [lve]}}", `roles.a.deny_categories[0]: "lve" matches nothing that this server has (matches-nothing)`},
		{"a resource that no template gives", "deny_resources: ['cloudg://other/*']", `deny_resources[0]: "cloudg://other/*" matches nothing that this server has (matches-nothing)`},
		{"a tag of nothing", "rules: [{match: {tags: [fast, slow]}}]", `rules[0].match.tags[1]: no primitive has the tag "slow" (matches-nothing)`},
		{"a limit of nothing", "rate_limits: [{rate: 1, tools: [scn]}]", `rate_limits[0].tools[0]: "scn" matches nothing that this server has (matches-nothing)
rate_limits[0]: no call counts for this limit of 1/minute (unreachable-limit)`},

		{"unknown role", "roles: {analyst: {}}\nrules: [{match: {roles: [analist]}}]", `rules[0].match.roles[0]: the document has no role "analist"; did you mean "analyst"? allowed are default, local, analyst (unknown-role)`},
		{"roles from outside", "rules: [{match: {roles: [analist]}}]", ""},

		{"a ceiling above a grant", "max_sensitivity: public\ndeny_tools: [scan]\nrules: [{allow_tools: [scan]}]", "rules[0].allow_tools: what it allows is denied anyway: sensitivity 'internal' exceeds the allowed 'public' (useless-grant)"},
		{"an explicit denial of a grant", "deny_categories: [live]\nroles: {a: {allow_categories: [live]}}\nrules: [{name: n, deny_tools: [scan]}]", "roles.a.allow_categories: what it allows is denied anyway: tool denied by rule 'n' (useless-grant)"},
		{"a grant that is denied in part", "deny_tools: [get_asset]\nroles: {a: {allow_tools: ['*']}}\nrules: [{name: n, deny_tools: [scan]}]", ""},
		{"a capability denied to all", "roles: {a: {allow_capabilities: [exec, reveal]}}\nrules: [{name: n, deny_capabilities: [reveal]}]", "roles.a.allow_capabilities: rule 'n' denies reveal anyway (useless-grant)"},
		{"a capability denied to others", "roles: {a: {allow_capabilities: [reveal]}}\nrules: [{match: {roles: [default]}, deny_capabilities: [reveal]}]", ""},
		{"a capability denied elsewhere", "roles: {a: {allow_capabilities: [reveal]}}\nrules: [{match: {categories: [live]}, deny_capabilities: [reveal]}]", ""},

		{"an empty allow list", "allow_tools: []", "allow_tools: the list allows nothing (allows-nothing)"},
		{"an allow list of exclusions", "roles: {a: {allow_categories: ['!live']}}", "roles.a.allow_categories: the list allows nothing (allows-nothing)"},

		{"a limit of no kind", "rate_limits: [{rate: 1, kinds: []}]", "rate_limits[0]: no call counts for this limit of 1/minute (unreachable-limit)"},
		{"a limit of a rule", "rules: [{match: {kinds: [tool]}, rate_limits: [{rate: 5, per: hour, kinds: [prompt]}]}]", "rules[0].rate_limits[0]: no call counts for this limit of 5/hour (unreachable-limit)"},

		{"a rule drops a redact", "transforms: [{type: redact, default: mask}]\nrules: [{transforms: [project], transforms_mode: replace}]", "rules[0].transforms: the transforms replace the policy's, which redact, and do not redact themselves (dropped-redact)"},
		{"a rule replaces a redact", "transforms: [{type: redact, default: mask}]\nrules: [{transforms: [{type: dlp, default: hash}], transforms_mode: replace}]", ""},

		{"a bare redact", "transforms: [redact, annotate]", "transforms[0]: the redact has no strategies: it keeps everything (idle-redact)"},
		{"a redact that keeps", "transforms: [{type: redact, strategies: {secret: keep, pii: {strategy: none}}}]", "transforms[0]: the redact has no strategies: it keeps everything (idle-redact)"},
		{"a bare redact of a role", "roles: {a: {transforms: [project, redaction]}}", "roles.a.transforms[1]: the redact has no strategies: it keeps everything (idle-redact)"},
		{"a bare redact with options elsewhere", "transforms: [redact]\ntransform_options: {dlp: {strategies: {secret: mask}}}", ""},
		{"a bare redact with options by id", "transforms: [{type: redact, id: own}]\nroles: {a: {transform_options: {own: {default: mask}}}}", ""},

		{"a grant of what nobody is denied", "roles: {a: {allow_tools: [get_*]}}", "roles.a.allow_tools: " + restrictsNobody},
		{"a grant of other than what is denied", "deny_tools: [scan]\nrules: [{allow_tools: [get_*]}]", "rules[0].allow_tools: " + restrictsNobody},
		{"a grant of a category beside a list of it", "allow_categories: [assets]\nroles: {a: {allow_tools: [scan]}}", ""},
		{"a grant of tools beside a list of prompts", "allow_prompts: [triage]\nroles: {a: {allow_tools: [scan]}}", "roles.a.allow_tools: " + restrictsNobody},
		{"a grant from a list", "allow_tools: []\nroles: {a: {allow_tools: [scan]}}", "allow_tools: the list allows nothing (allows-nothing)"},
		{"a grant of a denied category", "deny_categories: [live]\nroles: {a: {allow_tools: [scan]}}", ""},
		{"a grant of a template whose URIs are denied", "deny_resources: ['cloudg://assets/x']\nroles: {a: {allow_resources: ['cloudg://*']}}", ""},

		{"a tool denied to a role alone", "roles: {a: {deny_tools: [scan]}}", "roles.a: the role is denied tool 'scan', which anonymous callers may use (denied-role-alone)"},
		{"a ceiling for a role alone", "roles: {a: {max_sensitivity: public}}", "roles.a: the role is denied tool 'get_asset' and 3 more, which anonymous callers may use (denied-role-alone)"},
		{"a tool denied to a role and to others", "deny_tools: [scan]\nroles: {a: {deny_tools: [scan]}}", ""},
		{"a tool denied to everybody", "roles: {default: {deny_tools: [scan]}}", ""},

		{"a detector without a strategy", "detectors: [{name: d, pattern: abcd}]\ntransforms: [{type: redact, strategies: {email: mask}}]", "detectors[0]: " + nothingActs},
		{"a detector without a redact", "detectors: [{name: d, pattern: abcd, category: secret}]", "detectors[0]: " + nothingActs},
		{"a detector that is kept", "detectors: [{name: d, pattern: abcd}]\ntransforms: [{type: redact, strategies: {d: keep, secret: mask}}]", "detectors[0]: " + nothingActs},
		{"a detector of a step", "transforms: [{type: dlp, strategies: {email: mask}, custom_detectors: [{name: d, pattern: abcd}]}]", "transforms[0].custom_detectors[0]: " + nothingActs},
		{"a detector with a strategy by name", "detectors: [{name: d, pattern: abcd, entity: e}]\ntransforms: [{type: redact, strategies: {d: mask}}]", ""},
		{"a detector with a strategy by entity", "detectors: [{name: d, pattern: abcd, entity: e}]\ntransforms: [{type: redact, strategies: {e: {strategy: mask}}}]", ""},
		{"a detector with a strategy by category", "detectors: [{name: d, pattern: abcd}]\ntransforms: [{type: redact, strategies: {custom: mask}}]", ""},
		{"a detector with a strategy by default", "detectors: [{name: d, pattern: abcd}]\ntransforms: [{type: redact, default: hash}]", ""},
		{"a detector with a strategy of a role", "detectors: [{name: d, pattern: abcd}]\ntransforms: [redact]\nroles: {a: {transform_options: {redact: {strategies: {d: hash}}}}}", ""},
		{"a detector of the guard", "detectors: [{name: d, pattern: abcd, category: secret}]\ninput_transforms: [guard_secrets]", ""},
		{"a detector of another guard", "detectors: [{name: d, pattern: abcd, category: c}]\ninput_transforms: [{type: guard_secrets, categories: [secret, c]}]", ""},
		{"a detector that is off", "detectors: [{name: d, pattern: abcd, enabled: false}]", ""},
		{"a detector that is disabled", "detectors: [{name: d, pattern: abcd}]\ndisabled_detectors: [d]\ntransforms: [{type: redact, strategies: {email: mask}}]", ""},

		{"pseudonyms for the outside", "transforms: [{type: redact, default: pseudonymize}]", "depseudonymize: pseudonyms and aliases are turned back for tool 'scan', which may reach what is outside (reverses-outside)"},
		{"aliases for the outside", "transforms: [{type: alias, aliases: {a: b}}]", "depseudonymize: pseudonyms and aliases are turned back for tool 'scan', which may reach what is outside (reverses-outside)"},
		{"pseudonyms for a role", "transforms: [redact]\nroles: {a: {transform_options: {redact: {default: tokenize}}}}", "depseudonymize: pseudonyms and aliases are turned back for tool 'scan' when role 'a' calls, which may reach what is outside (reverses-outside)"},
		{"pseudonyms for a closed world", "depseudonymize: closed_world\ntransforms: [{type: redact, default: pseudonymize}]", ""},
		{"pseudonyms that are asked for", "input_transforms: [depseudonymize]\ntransforms: [{type: redact, default: pseudonymize}]", ""},
		{"pseudonyms for whom the tool is denied", "deny_tools: [scan]\ntransforms: [{type: redact, default: pseudonymize}]", ""},
		{"fences", "transforms: [sanitize]", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found, err := policy.Lint(parsed(t, tt.doc), inventory())
			var lines []string
			for _, f := range found {
				_, text, _ := strings.Cut(f.String(), ": ")
				lines = append(lines, text)
			}
			got := strings.Join(lines, "\n")
			if err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestLintOfPrimitives(t *testing.T) {
	specs := []*mcplayer.Spec{
		{Kind: mcplayer.KindTool, Name: "bare", Sensitivity: mcplayer.Public},
		{Kind: mcplayer.KindTool, Name: "run", Sensitivity: mcplayer.Public, Capabilities: mcplayer.Exec | mcplayer.ReadState},
		{Kind: mcplayer.KindPrompt, Name: "p", Sensitivity: mcplayer.Public},
		{Kind: mcplayer.KindTool, Name: "safe", Sensitivity: mcplayer.Public, Annotations: mcplayer.Annotations{ReadOnly: new(true), OpenWorld: new(false)}},
	}
	found, err := policy.Lint(parsed(t, "{}"), specs)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[tool 'bare' declares no capabilities and counts as having all of them but reveal (no-capabilities)` +
		` anonymous callers may use tool 'run', which has the capabilities exec (anonymous-changes)]`
	if got := fmt.Sprint(found); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLintPlaces(t *testing.T) {
	dir := files(t, map[string]string{
		"a.yaml": "extends: b.yaml\ntransforms: [project]\nallow_tools: []\n",
		"b.yaml": "extends: standard\nrules:\n- match: {roles: []}\n",
		"c.yaml": "extends: a.yaml\ntransforms:\n- {type: dlp, default: mask}\n",
	})
	for name, want := range map[string][]policy.Finding{
		"a.yaml": {
			{policy.LintDroppedRedact, "a.yaml", 2, "transforms", "the transforms replace inherited ones that redact, and do not redact themselves"},
			{policy.LintAllowsNothing, "a.yaml", 3, "allow_tools", "the list allows nothing"},
			{policy.LintNeverMatches, "b.yaml", 3, "rules[0].match.roles", "no call can meet this condition, so the rule never matches"},
		},
		"c.yaml": {
			{policy.LintAllowsNothing, "a.yaml", 3, "allow_tools", "the list allows nothing"},
			{policy.LintNeverMatches, "b.yaml", 3, "rules[0].match.roles", "no call can meet this condition, so the rule never matches"},
		},
	} {
		found, err := policy.Lint(loaded(t, dir+"/"+name), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range found {
			found[i].File = strings.TrimPrefix(found[i].File, dir+"/")
		}
		if got, want := fmt.Sprintf("%+q", found), fmt.Sprintf("%+q", want); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestProfilesHaveNoFindings but one: collectors are granted a category that nobody is denied.
func TestProfilesHaveNoFindings(t *testing.T) {
	for _, source := range append(policy.Profiles(), socAnalyst) {
		found, err := policy.Lint(loaded(t, source), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if f.ID == policy.LintOpenGrant && f.Path == "roles.collector.allow_categories" {
				continue
			}
			t.Errorf("%s: %s", source, f)
		}
	}
}
