package policy

import (
	"slices"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/glob"
	"github.com/cloudg/mcplayer/internal/uri"
)

// access is a compiled [Access].
type access struct {
	tools, resources, prompts, categories lists
	allow, deny                           mcplayer.Capabilities
	ceiling                               mcplayer.Sensitivity // 0: none
}

// lists are what is allowed and denied of one kind. A nil list matches nothing; one
// that allows and is nil is not there.
type lists struct{ allow, deny *glob.List }

func (c *compiler) access(path string, a *Access) access {
	c.capabilities(path+"allow_capabilities", a.AllowCapabilities)
	c.capabilities(path+"deny_capabilities", a.DenyCapabilities)
	c.sensitivity(path+"max_sensitivity", a.MaxSensitivity)
	return access{
		tools:      c.lists(path, "tools", a.AllowTools, a.DenyTools),
		resources:  c.lists(path, "resources", a.AllowResources, normalForms(a.DenyResources)),
		prompts:    c.lists(path, "prompts", a.AllowPrompts, a.DenyPrompts),
		categories: c.lists(path, "categories", a.AllowCategories, a.DenyCategories),
		allow:      a.AllowCapabilities,
		deny:       a.DenyCapabilities,
		ceiling:    a.MaxSensitivity,
	}
}

func (c *compiler) lists(path, key string, allow, deny []string) lists {
	return lists{c.globs(path+"allow_"+key, allow), c.globs(path+"deny_"+key, deny)}
}

// normalForms adds to patterns for URIs their normal forms: a URI that a pattern stands for
// is denied however either is written (RFC 3986, section 6.2.2). Exclusions stay as they
// are.
func normalForms(patterns []string) []string {
	all := patterns
	for _, p := range patterns {
		if _, err := glob.Compile(p); err != nil || p[0] == '!' {
			continue
		}
		if normal, err := uri.Normalize(p); err == nil && normal != p {
			all = append(slices.Clip(all), normal)
			p = normal
		}
		if folded := uri.FoldHost(p); folded != p {
			all = append(slices.Clip(all), folded)
		}
	}
	return all
}

// of returns the lists for a primitive's name.
func (a *access) of(s *subject) *lists {
	switch s.spec.Kind {
	case mcplayer.KindTool:
		return &a.tools
	case mcplayer.KindPrompt:
		return &a.prompts
	}
	return &a.resources
}

// denies reports whether a primitive is denied under one of its names.
func (l *lists) denies(names []string) bool { return slices.ContainsFunc(names, l.deny.Match) }

// grants reports whether a rule's lists allow a primitive.
func (a *access) grants(s *subject) bool {
	return a.of(s).allow.Match(s.spec.Name) || a.categories.allow.Match(s.spec.Category)
}
