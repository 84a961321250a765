package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// scenes show what one server is to callers under three policies.
func (c cast) scenes() []scene {
	return []scene{
		{"What each caller sees", "yes: may be called; denied: is listed, but refused; -: does not exist for the caller.", c.sees},
		{"Why", "The reasons, as the operator reads them with Policy.Explain.", c.reasons},
		{"What the caller is told", "Nothing where what is denied is hidden, the reason where it stays listed.", c.told},
		{"A decision, step by step", "May the auditor collect? The checks are always made in this order.", c.steps},
	}
}

func (c cast) sees(ctx context.Context, s *stage) error {
	s.say("%-14s%s", "policy", c.columns(func(m member) string { return m.name }))
	s.say("%-14s%s", "caller", c.columns(func(m member) string { return m.as.ID() }))
	s.say("%-14s%s", "role", c.columns(func(m member) string { return m.as.Roles()[0] }))
	for _, tool := range c[0].tools() {
		s.say("%-14s%s", tool, c.columns(func(m member) string { return m.sees(ctx, tool) }))
	}
	return nil
}

// columns puts what each of the cast has to say side by side.
func (c cast) columns(say func(member) string) string {
	var b strings.Builder
	for _, m := range c {
		fmt.Fprintf(&b, "%-10s", say(m))
	}
	return strings.TrimSpace(b.String())
}

func (c cast) reasons(_ context.Context, s *stage) error {
	for _, m := range c {
		for _, tool := range m.tools() {
			if d := m.explain(tool); !d.Allowed {
				s.say("%-8s  %-8s  %-13s  %s", m.name, m.as.Roles()[0], tool, d.Reason)
			}
		}
	}
	return nil
}

// tools returns the names of all tools, whoever may see them.
func (m member) tools() []string {
	var names []string
	for _, spec := range m.layer.Registry().Specs() {
		if spec.Kind == mcplayer.KindTool {
			names = append(names, spec.Name)
		}
	}
	return names
}

// sees tells what a tool is to a caller.
func (m member) sees(ctx context.Context, tool string) string {
	switch {
	case !slices.ContainsFunc(m.layer.ListTools(ctx, m.options()...), func(t *mcp.Tool) bool { return t.Name == tool }):
		return "-"
	case !m.explain(tool).Allowed:
		return "denied"
	}
	return "yes"
}

// explain tells why a caller may use a tool, or not.
func (m member) explain(tool string) policy.Explanation {
	spec, _ := m.layer.Registry().Lookup(mcplayer.KindTool, tool)
	return m.policy.Explain(spec, m.as)
}
