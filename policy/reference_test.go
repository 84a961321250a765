package policy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
	"github.com/cloudg/mcplayer/policy"
)

// The reference decides as the documentation of policies words it, without thought of
// speed, and shares no code with the package.

// refMatches reports whether a rule matches, and whether it does so for denials only.
func refMatches(r policy.Rule, s *mcplayer.Spec, p *mcplayer.Principal) (matches, denialsOnly bool) {
	m := r.Match
	holds := []bool{
		m.Roles == nil || anyOf(m.Roles, func(role string) bool { return role == "*" || slices.Contains(p.Roles(), role) }),
		m.Principals == nil || refGlobs(m.Principals, p.ID()),
		m.Names == nil || refGlobs(m.Names, s.Name),
		m.Categories == nil || refGlobs(m.Categories, s.Category),
		m.Tags == nil || anyOf(m.Tags, func(tag string) bool { return slices.Contains(s.Tags, tag) }),
		m.Kinds == nil || anyOf(m.Kinds, func(k mcplayer.Kind) bool {
			return k == s.Kind || k == mcplayer.KindResource && s.Kind == mcplayer.KindResourceTemplate
		}),
		m.Sensitivity == nil || slices.Contains(m.Sensitivity, s.Sensitivity),
	}
	if slices.Contains(holds, false) {
		return false, false
	}
	if m.Capabilities == 0 || m.Capabilities&refDeclared(s) != 0 {
		return true, false
	}
	return m.Capabilities&refCounted(s) != 0, true
}

func anyOf[T any](list []T, f func(T) bool) bool { return slices.ContainsFunc(list, f) }

func refDeclared(s *mcplayer.Spec) mcplayer.Capabilities {
	if s.Kind != mcplayer.KindTool && s.Capabilities == 0 {
		return mcplayer.ReadState
	}
	return s.Capabilities
}

func refCounted(s *mcplayer.Spec) mcplayer.Capabilities {
	if s.Kind != mcplayer.KindTool || s.Capabilities != 0 {
		return refDeclared(s)
	}
	if s.Annotations.ReadOnly != nil && *s.Annotations.ReadOnly && s.Annotations.OpenWorld != nil && !*s.Annotations.OpenWorld {
		return 0
	}
	return mcplayer.ReadState | mcplayer.WriteState | mcplayer.ReadFS | mcplayer.WriteFS | mcplayer.CloudAccess | mcplayer.Exec
}

// refGlobs knows the globs that the test makes: a star at the end, and exclusions.
func refGlobs(patterns []string, name string) bool {
	in, out := false, false
	for _, p := range patterns {
		body, not := strings.CutPrefix(p, "!")
		prefix, star := strings.CutSuffix(body, "*")
		if hit := name == body || star && strings.HasPrefix(name, prefix); hit && not {
			out = true
		} else if hit {
			in = true
		}
	}
	return in && !out
}

func refLists(a policy.Access, kind mcplayer.Kind) (word string, allow, deny []string) {
	switch kind {
	case mcplayer.KindTool:
		return "tool", a.AllowTools, a.DenyTools
	case mcplayer.KindPrompt:
		return "prompt", a.AllowPrompts, a.DenyPrompts
	}
	return "resource", a.AllowResources, a.DenyResources
}

func refFirst(c mcplayer.Capabilities) string { return c.Names()[0] }

func refRules(d *policy.Document) []policy.Rule {
	var all []policy.Rule
	for _, r := range d.Roles {
		r.Name = "role:" + r.Match.Roles[0]
		all = append(all, r)
	}
	for i, r := range d.Rules {
		if r.Name == "" {
			r.Name = fmt.Sprintf("rule[%d]", i)
		}
		all = append(all, r)
	}
	return all
}

// refDecide returns the reason, or "allowed".
func refDecide(d *policy.Document, s *mcplayer.Spec, p *mcplayer.Principal) string {
	var matched, denying []policy.Rule
	for _, r := range refRules(d) {
		if ok, denialsOnly := refMatches(r, s, p); ok {
			denying = append(denying, r)
			if !denialsOnly {
				matched = append(matched, r)
			}
		}
	}
	for _, r := range denying {
		word, _, deny := refLists(r.Access, s.Kind)
		switch {
		case refGlobs(deny, s.Name):
			return word + " denied by rule '" + r.Name + "'"
		case refGlobs(r.DenyCategories, s.Category):
			return "category '" + s.Category + "' denied by rule '" + r.Name + "'"
		case r.DenyCapabilities&refCounted(s) != 0:
			return "capability '" + refFirst(r.DenyCapabilities&refCounted(s)) + "' denied by rule '" + r.Name + "'"
		}
	}
	ceiling := mcplayer.Sensitivity(0)
	for _, r := range matched {
		ceiling = max(ceiling, r.MaxSensitivity)
	}
	if ceiling == 0 {
		ceiling = d.MaxSensitivity
	}
	if ceiling != 0 && s.Sensitivity > ceiling {
		return "sensitivity '" + s.Sensitivity.String() + "' exceeds the allowed '" + ceiling.String() + "'"
	}
	granted := anyOf(matched, func(r policy.Rule) bool {
		_, allow, _ := refLists(r.Access, s.Kind)
		return refGlobs(allow, s.Name) || refGlobs(r.AllowCategories, s.Category)
	})
	if word, allow, deny := refLists(d.Access, s.Kind); !granted {
		switch {
		case refGlobs(deny, s.Name):
			return word + " denied by policy '" + d.Name + "'"
		case refGlobs(d.DenyCategories, s.Category):
			return "category '" + s.Category + "' denied by policy '" + d.Name + "'"
		case allow != nil && !refGlobs(allow, s.Name):
			return word + " not in the allow list of policy '" + d.Name + "'"
		case d.AllowCategories != nil && !refGlobs(d.AllowCategories, s.Category):
			return "category '" + s.Category + "' not allowed by policy '" + d.Name + "'"
		}
	}
	for _, name := range refCounted(s).Names() {
		c, _ := mcplayer.ParseCapability(name)
		if d.DenyCapabilities.Has(c) && !anyOf(matched, func(r policy.Rule) bool { return r.AllowCapabilities.Has(c) }) {
			return "capability '" + name + "' is denied by policy '" + d.Name + "'"
		}
	}
	return "allowed"
}

// dice makes random documents, primitives and callers of few words, so that they meet.
type dice struct{ *rand.Rand }

func (d dice) chance(percent int) bool { return d.IntN(100) < percent }

func (d dice) pick(words ...string) string { return words[d.IntN(len(words))] }

// some returns some of the words; nil mostly, empty at times.
func (d dice) some(percent int, words ...string) []string {
	if !d.chance(percent) {
		return nil
	}
	list := []string{}
	for _, w := range words {
		if d.chance(40) {
			list = append(list, w)
		}
	}
	return list
}

func (d dice) capabilities(percent int) mcplayer.Capabilities {
	var set mcplayer.Capabilities
	if d.chance(percent) {
		for i := range 7 {
			if d.chance(25) {
				set |= 1 << i
			}
		}
	}
	return set
}

func (d dice) sensitivity(percent int) mcplayer.Sensitivity {
	if !d.chance(percent) {
		return 0
	}
	return mcplayer.Sensitivity(1 + d.IntN(4))
}

var (
	diceNames   = []string{"a:x", "a:y", "b:x", "a:*", "b*", "*", "!a:x", "!b:x"}
	diceGroups  = []string{"general", "live", "l*", "*", "!live"}
	diceRoles   = []string{"admin", "analyst", "lead"}
	diceSources = []string{"p1", "p2", "p*", "!p1"}
)

func (d dice) access(percent int) policy.Access {
	return policy.Access{
		AllowTools: d.some(percent, diceNames...), DenyTools: d.some(percent, diceNames...),
		AllowResources: d.some(percent, diceNames...), DenyResources: d.some(percent, diceNames...),
		AllowPrompts: d.some(percent, diceNames...), DenyPrompts: d.some(percent, diceNames...),
		AllowCategories: d.some(percent, diceGroups...), DenyCategories: d.some(percent/2, diceGroups...),
		AllowCapabilities: d.capabilities(percent), DenyCapabilities: d.capabilities(percent),
		MaxSensitivity: d.sensitivity(percent),
	}
}

func (d dice) match() policy.Match {
	m := policy.Match{
		Roles: d.some(40, append(diceRoles, "*")...), Principals: d.some(15, diceSources...), Names: d.some(25, diceNames...),
		Categories: d.some(20, diceGroups...), Tags: d.some(20, "t1", "t2"), Capabilities: d.capabilities(25),
	}
	if d.chance(20) {
		m.Kinds = []mcplayer.Kind{mcplayer.Kind(1 + d.IntN(4)), mcplayer.Kind(1 + d.IntN(4))}
	}
	if d.chance(20) {
		m.Sensitivity = []mcplayer.Sensitivity{d.sensitivity(100), d.sensitivity(100)}
	}
	return m
}

func (d dice) document() *policy.Document {
	doc := &policy.Document{Name: "dice", Access: d.access(15)}
	for _, role := range diceRoles {
		if d.chance(40) {
			doc.Roles = append(doc.Roles, policy.Rule{Match: policy.Match{Roles: []string{role}}, Access: d.access(20)})
		}
	}
	for range d.IntN(4) {
		r := policy.Rule{Match: d.match(), Access: d.access(20)}
		if d.chance(50) {
			r.Name = d.pick("one", "two")
		}
		doc.Rules = append(doc.Rules, r)
	}
	return doc
}

func (d dice) spec() *mcplayer.Spec {
	s := &mcplayer.Spec{
		Kind: mcplayer.Kind(1 + d.IntN(4)), Name: d.pick("a:x", "a:y", "b:x", "c:z"), Category: d.pick("general", "live", "lab"),
		Tags: d.some(50, "t1", "t2", "t3"), Sensitivity: d.sensitivity(100), Capabilities: d.capabilities(60),
	}
	if d.chance(50) {
		s.Annotations.ReadOnly = new(d.chance(70))
	}
	if d.chance(50) {
		s.Annotations.OpenWorld = new(d.chance(40))
	}
	return s
}

func (d dice) principal() *mcplayer.Principal {
	return mcplayer.NewPrincipal(d.pick("p1", "p2", "q"), d.some(80, diceRoles...)...)
}

func TestDecisionsAreThoseOfTheReference(t *testing.T) {
	const documents = 20_000
	d := dice{rand.New(rand.NewPCG(8, 15))}
	reasons := map[string]int{}
	build := pipeline.NewBuilder(nil)
	for n := range documents {
		doc := d.document()
		p := put(t, doc, &policy.Options{Builder: build})
		for range 3 {
			spec, who := d.spec(), d.principal()
			want := refDecide(doc, spec, who)
			e := p.Explain(spec, who)
			visible := p.Bind(spec, who).Visible
			decided := p.Decide(spec, who)
			if verdict(decided) != want || e.Decision != decided || visible != decided.Allowed {
				t.Fatalf("document %d:\n%+v\n%+v\n%s %q\ndecided %q, explained %q, visible %v, want %q",
					n, doc, spec, who.ID(), who.Roles(), verdict(decided), verdict(e.Decision), visible, want)
			}
			reasons[strings.Join(strings.FieldsFunc(want, func(r rune) bool { return r == '\'' })[:1], "")]++
		}
	}
	if len(reasons) < 10 {
		t.Errorf("only these reasons came up: %v", reasons)
	}
}

// One policy is asked about many: what it remembers of one question does not answer
// another.
func TestRememberedDecisionsAreThoseOfTheReference(t *testing.T) {
	d := dice{rand.New(rand.NewPCG(16, 23))}
	for range 50 {
		doc := d.document()
		p := put(t, doc, nil)
		var specs []*mcplayer.Spec
		var callers []*mcplayer.Principal
		for range 12 {
			specs, callers = append(specs, d.spec()), append(callers, d.principal())
		}
		for range 500 {
			spec, who := specs[d.IntN(12)], callers[d.IntN(12)]
			if got, want := verdict(p.Decide(spec, who)), refDecide(doc, spec, who); got != want {
				t.Fatalf("%+v\n%+v\n%s %q\ndecided %q, want %q", doc, spec, who.ID(), who.Roles(), got, want)
			}
		}
	}
}
