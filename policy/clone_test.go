package policy_test

import (
	"slices"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

// TestADocumentMayBeUsedAgain changes a document after it was put in force, at every
// depth: what is in force stays, until it is reloaded.
func TestADocumentMayBeUsedAgain(t *testing.T) {
	redact := []policy.Transform{{Type: "redact", Options: map[string]any{"strategies": map[string]any{"secret": "redact"}}}}
	doc := &policy.Document{
		Name: "d", HideDenied: new(true), HonorHints: new(false),
		Access:           policy.Access{DenyTools: []string{"a"}, AllowTools: []string{}},
		Transforms:       redact,
		TransformOptions: map[string]map[string]any{"redact": {"strategies": map[string]any{"email": "redact"}}},
		Detectors:        []map[string]any{{"name": "n", "entity": "e", "pattern": "xyz[0-9]+"}},
		Roles:            []policy.Rule{forRole("admin", policy.Access{AllowTools: []string{"b"}})},
		Rules: []policy.Rule{{
			Match:      policy.Match{Roles: []string{"admin"}, Kinds: []mcplayer.Kind{mcplayer.KindTool}},
			Transforms: redact, HonorHints: new(false), RateLimits: []policy.RateLimit{{Rate: 1, Tools: []string{"b"}}},
		}},
		RateLimits: []policy.RateLimit{{Rate: 5, Tools: []string{"b"}}},
	}
	p := put(t, doc, nil)
	before, err := p.Describe()
	if err != nil {
		t.Fatal(err)
	}

	*doc.HideDenied, *doc.HonorHints = false, true
	doc.DenyTools[0] = "none"
	doc.Transforms[0].Options["strategies"].(map[string]any)["secret"] = "keep"
	doc.TransformOptions["redact"]["strategies"] = "keep"
	doc.Detectors[0]["name"] = "m"
	doc.Roles[0].AllowTools[0], doc.Roles[0].Match.Roles[0] = "*", "*"
	doc.Rules[0].Match.Kinds[0], *doc.Rules[0].HonorHints = mcplayer.KindPrompt, true
	doc.Rules[0].RateLimits[0].Tools[0], doc.RateLimits[0].Tools[0] = "none", "none"
	after, err := p.Describe()
	if err != nil {
		t.Fatal(err)
	}
	same(t, string(after), string(before))
	same(t, verdict(p.Decide(toolSpec("b"), anyone)), "tool not in the allow list of policy 'd'")
	same(t, verdict(p.Decide(toolSpec("b"), admin)), "allowed")
	same(t, verdict(p.Decide(toolSpec("a"), admin)), "tool denied by policy 'd'")
	if p.Bind(toolSpec("b"), admin).Output == nil {
		t.Error("the output is not transformed any more")
	}
}

// TestReloadOfTheSameDocument reloads a document that was changed in place.
func TestReloadOfTheSameDocument(t *testing.T) {
	doc := &policy.Document{Name: "d", Access: policy.Access{DenyTools: []string{"a"}}}
	p := put(t, doc, nil)
	var told []mcplayer.Kind
	defer p.OnChange(func(kind mcplayer.Kind) { told = append(told, kind) })()
	doc.DenyTools = []string{"b"}
	if err := p.Reload(doc); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(told, mcplayer.KindTool) {
		t.Errorf("told %v, want tools among them", told)
	}
}
