package pipeline

import (
	"context"
	"maps"
	"slices"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/glob"
)

// project chooses what of a document is shown and how much.
type project struct {
	include, exclude *pathSet
	allow            *glob.List
	allowBy          map[mcplayer.Sensitivity]*glob.List
	maxDepth         int // 0: no limit
	maxList          int // -1: no limit
	maxString        int // -1: no limit
	maxChars         int // 0: no limit
	minList          int
	minString        int
	listMarker       bool
	dropNulls        bool
	dropEmpty        bool
}

// newProject reads the options of the type project.
func newProject(o *Options) (Transform, error) {
	p := &project{
		include:    paths(o, "include"),
		exclude:    paths(o, "exclude"),
		allow:      globs(o, "allow_keys", o.Strings("allow_keys")),
		maxDepth:   o.Int("max_depth", 0, 1),
		maxList:    o.Int("max_list", -1, 0),
		maxString:  o.Int("max_string", -1, 0),
		maxChars:   o.Int("max_chars", 0, 1),
		minList:    o.Int("min_list", 1, 0),
		minString:  o.Int("min_string", 64, 0),
		listMarker: o.Bool("list_marker", true),
		dropNulls:  o.Bool("drop_nulls", false),
		dropEmpty:  o.Bool("drop_empty", false),
	}
	by := o.Map("allow_keys_by_sensitivity")
	for _, name := range slices.Sorted(maps.Keys(by)) {
		p.allowAt(o, name, by[name])
	}
	return p, nil
}

func (p *project) allowAt(o *Options, name string, value any) {
	const option = "allow_keys_by_sensitivity"
	level, err := mcplayer.ParseSensitivity(name)
	if err != nil {
		o.Fail(option, "%w", err)
		return
	}
	list, ok := asStrings(value)
	if !ok {
		o.Fail(option, "%q must be a list of texts", name)
		return
	}
	if p.allowBy == nil {
		p.allowBy = map[mcplayer.Sensitivity]*glob.List{}
	}
	p.allowBy[level] = globs(o, option, list)
}

func paths(o *Options, name string) *pathSet {
	s, err := newPathSet(o.Strings(name))
	if err != nil {
		o.Fail(name, "%w", err)
	}
	return s
}

// globs compiles a list of globs; an option that is not given is no list at all.
func globs(o *Options, name string, patterns []string) *glob.List {
	if patterns == nil {
		return nil
	}
	list, err := glob.CompileList(patterns)
	if err != nil {
		o.Fail(name, "%w", err)
	}
	return list
}

// Begin returns a step with the limits of the options.
func (p *project) Begin(_ context.Context, pass *Pass) Step {
	s := room(pass.out != nil && pass.out.shaper.project == nil, func() *shaper { return &pass.out.shaper })
	s.project, s.facts = p, pass.remembered(newFactTable).(*factTable)
	if spec := pass.info.Spec; spec != nil && p.allowBy[spec.Sensitivity] != nil {
		s.sensitivity = spec.Sensitivity
	}
	for level := range s.position.allowed {
		s.position.allowed[level] = true
	}
	s.relax()
	return s
}
