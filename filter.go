package mcplayer

import (
	"slices"
	"strings"

	"github.com/cloudg/mcplayer/internal/glob"
)

// Filter leaves primitives of a registry out of a layer, as if they had never
// been registered. Patterns are globs (* ? [abc] [!abc], and !pattern to
// exclude); one that matches nothing in the registry is an error of [New], so
// that a typo cannot leave a primitive in.
type Filter struct {
	// Categories and Tools keep what they match; nil keeps everything. Tools
	// apply to tools only.
	Categories, Tools []string
	// ExcludeCategories and ExcludeTools leave out what they match, even if it
	// is included.
	ExcludeCategories, ExcludeTools []string
	// ReadOnly leaves out the tools that do not say that they change nothing.
	ReadOnly bool
}

// filter is a compiled Filter.
type filter struct {
	categories, excludeCategories, tools, excludeTools *glob.List
	readOnly                                           bool
}

// newFilter compiles f and checks that each pattern matches something.
func newFilter(f Filter, entries []*entry, bad *configErrors) *filter {
	var categories, tools []string
	for _, e := range entries {
		categories = append(categories, e.spec.Category)
		if e.spec.Kind == KindTool {
			tools = append(tools, e.spec.Name)
		}
	}
	return &filter{
		categories:        compileFilter("Categories", f.Categories, categories, bad),
		excludeCategories: compileFilter("ExcludeCategories", f.ExcludeCategories, categories, bad),
		tools:             compileFilter("Tools", f.Tools, tools, bad),
		excludeTools:      compileFilter("ExcludeTools", f.ExcludeTools, tools, bad),
		readOnly:          f.ReadOnly,
	}
}

func compileFilter(field string, patterns, known []string, bad *configErrors) *glob.List {
	include := !strings.HasPrefix(field, "Exclude")
	if patterns == nil {
		return nil
	}
	list, err := glob.CompileList(patterns)
	if err != nil {
		bad.add("Filter.%s: %w", field, err)
		return nil
	}
	if include && len(patterns) > 0 && !slices.ContainsFunc(patterns, func(p string) bool { return p[0] != '!' }) {
		bad.add("Filter.%s has exclusions only and would keep nothing; use Filter.Exclude%s", field, field)
	}
	for i, text := range patterns {
		if text[0] == '!' {
			text = text[1:]
		}
		p, _ := glob.Compile(text) // compiled once above
		if !slices.ContainsFunc(known, p.Match) {
			slices.Sort(known)
			bad.add("Filter.%s[%d]: %q matches nothing; %s", field, i, patterns[i], thereAre(slices.Compact(known)))
		}
	}
	return list
}

func thereAre(names []string) string {
	if len(names) == 0 {
		return "there is nothing to match"
	}
	return "there are " + quotedList(names)
}

func (f *filter) admits(s *Spec) bool {
	if f.categories != nil && !f.categories.Match(s.Category) || f.excludeCategories.Match(s.Category) {
		return false
	}
	if s.Kind != KindTool {
		return true
	}
	if f.tools != nil && !f.tools.Match(s.Name) || f.excludeTools.Match(s.Name) {
		return false
	}
	return !f.readOnly || s.IsReadOnly()
}
