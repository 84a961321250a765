package policy

import (
	"slices"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/glob"
)

// match is a compiled [Match].
type match struct {
	Match
	ids, named, inCategory *glob.List
}

func (c *compiler) match(path string, m *Match) match {
	c.kinds(path+"kinds", m.Kinds, mcplayer.KindPrompt)
	c.capabilities(path+"capabilities", m.Capabilities)
	for _, s := range m.Sensitivity {
		if s == 0 {
			c.fail(path+"sensitivity", "has a sensitivity that is not set")
		}
		c.sensitivity(path+"sensitivity", s)
	}
	return match{
		Match:      *m,
		ids:        c.globs(path+"principals", m.Principals),
		named:      c.globs(path+"names", m.Names),
		inCategory: c.globs(path+"categories", m.Categories),
	}
}

// admits returns the condition that a caller fails, empty if there is none.
func (m *match) admits(p *mcplayer.Principal) (fails string) {
	switch {
	case m.Roles != nil && !slices.ContainsFunc(m.Roles, func(role string) bool { return role == "*" || p.HasRole(role) }):
		return "roles"
	case m.Principals != nil && !m.ids.Match(p.ID()):
		return "principals"
	}
	return ""
}

// fits returns the condition that a primitive fails, empty if there is none. With
// presumed the primitive fits only by what it counts as being able to do: that is
// enough for denials, and for nothing else.
func (m *match) fits(s *subject) (fails string, presumed bool) {
	switch {
	case m.Names != nil && !m.named.Match(s.spec.Name):
		return "names", false
	case m.Categories != nil && !m.inCategory.Match(s.spec.Category):
		return "categories", false
	case m.Tags != nil && !slices.ContainsFunc(m.Tags, func(tag string) bool { return slices.Contains(s.spec.Tags, tag) }):
		return "tags", false
	case m.Kinds != nil && !coversKind(m.Kinds, s.spec.Kind):
		return "kinds", false
	case m.Sensitivity != nil && !slices.Contains(m.Sensitivity, s.spec.Sensitivity):
		return "sensitivity", false
	case m.Capabilities == 0 || m.Capabilities&s.has != 0:
		return "", false
	case m.Capabilities&s.presumed != 0:
		return "", true
	}
	return "capabilities", false
}

// coversKind reports whether kinds hold a kind; resource covers templates.
func coversKind(kinds []mcplayer.Kind, kind mcplayer.Kind) bool {
	return slices.Contains(kinds, kind) || kind == mcplayer.KindResourceTemplate && slices.Contains(kinds, mcplayer.KindResource)
}
