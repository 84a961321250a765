package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/glob"
)

// What of a document is held against the primitives of a server.

// patterns looks for names, patterns and tags that belong to no primitive.
func (l *linter) patterns() {
	if len(l.specs) == 0 {
		return
	}
	l.eachAccess(func(path string, a *Access) {
		for _, list := range append(allowedIn(a), deniedIn(a)...) {
			l.each(under(path, list.key), list.patterns, func(p *glob.Pattern, text string) bool {
				return l.matchesSome(list, p, text)
			})
		}
	})
	for i := range l.written {
		path, m := l.doc.rulePath(i)+".match", &l.written[i].Match
		l.each(path+".names", m.Names, func(p *glob.Pattern, _ string) bool { return l.some(0xff, p) })
		l.each(path+".categories", m.Categories, func(p *glob.Pattern, _ string) bool { return l.some(0, p) })
		for j, tag := range m.Tags {
			if !slices.ContainsFunc(l.specs, func(s *mcplayer.Spec) bool { return slices.Contains(s.Tags, tag) }) {
				l.add(LintMatchesNothing, at(path+".tags", j), "no primitive has the tag %q", tag)
			}
		}
		l.limitPatterns(l.doc.rulePath(i), l.written[i].RateLimits)
	}
	l.limitPatterns("", l.doc.RateLimits)
}

func (l *linter) limitPatterns(path string, limits []RateLimit) {
	for i := range limits {
		l.each(at(under(path, "rate_limits"), i)+".tools", limits[i].Tools, func(p *glob.Pattern, _ string) bool { return l.some(0xff, p) })
	}
}

// each reports the patterns that match nothing.
func (l *linter) each(path string, patterns []string, matches func(p *glob.Pattern, text string) bool) {
	for i, text := range patterns {
		text = strings.TrimPrefix(text, "!")
		if p, err := glob.Compile(text); err == nil && !matches(p, text) {
			l.add(LintMatchesNothing, at(path, i), "%q matches nothing that this server has", patterns[i])
		}
	}
}

// some reports whether a pattern matches the name of a primitive of a kind, of any kind with
// 0xff, or a category with 0.
func (l *linter) some(kind mcplayer.Kind, p *glob.Pattern) bool {
	return slices.ContainsFunc(l.specs, func(s *mcplayer.Spec) bool {
		switch {
		case kind == 0:
			return p.Match(s.Category)
		case kind == 0xff, coversKind([]mcplayer.Kind{kind}, s.Kind):
			return slices.ContainsFunc(newSubject(s).names, p.Match)
		}
		return false
	})
}

// matchesSome also takes what a denial may match when a template is read.
func (l *linter) matchesSome(list named, p *glob.Pattern, text string) bool {
	if l.some(list.kind, p) {
		return true
	}
	fixed, _, _ := strings.Cut(text, "*")
	if i := strings.IndexAny(fixed, "?["); i >= 0 {
		fixed = fixed[:i]
	}
	return list.deny && list.kind == mcplayer.KindResource && slices.ContainsFunc(l.specs, func(s *mcplayer.Spec) bool {
		start, _, _ := strings.Cut(s.Name, "{")
		return s.Kind == mcplayer.KindResourceTemplate && (strings.HasPrefix(fixed, start) || strings.HasPrefix(start, fixed))
	})
}

// grants looks for what a rule allows and what is denied anyway.
func (l *linter) grants() {
	for i := range l.written {
		l.grantedCapabilities(i)
		if len(l.specs) > 0 {
			l.grantedLists(i)
		}
	}
}

// grantedCapabilities looks for capabilities that rules for the same or more callers and
// primitives deny.
func (l *linter) grantedCapabilities(i int) {
	given := l.written[i].AllowCapabilities
	for j := range l.written {
		denied := l.written[j].DenyCapabilities & given
		if denied != 0 && covers(&l.written[j].Match, &l.written[i].Match) {
			l.add(LintUselessGrant, l.doc.rulePath(i)+".allow_capabilities", "rule '%s' denies %s anyway", l.rev.rules[j].name, denied)
			given &^= denied
		}
	}
}

// covers reports whether one condition surely holds where another does.
func covers(wide, narrow *Match) bool {
	everywhere := wide.Principals == nil && wide.Names == nil && wide.Categories == nil && wide.Tags == nil &&
		wide.Kinds == nil && wide.Sensitivity == nil && wide.Capabilities == 0
	if wide == narrow {
		return true
	}
	return everywhere && (wide.Roles == nil || slices.Contains(wide.Roles, "*") || narrow.Roles != nil &&
		!slices.ContainsFunc(narrow.Roles, func(role string) bool { return !slices.Contains(wide.Roles, role) }))
}

// grantedLists looks for names and categories whose primitives are all denied to whom the rule
// allows them.
func (l *linter) grantedLists(i int) {
	for _, list := range allowedIn(&l.written[i].Access) {
		allow, err := glob.CompileList(list.patterns)
		if err != nil || len(list.patterns) == 0 {
			continue
		}
		reason := ""
		useless := true
		for _, spec := range l.grantedSpecs(i, list, allow) {
			for _, who := range l.callers(i) {
				d := l.rev.bound(spec, who).decision
				useless = useless && !d.Allowed && (d.Check == "explicit denials" || d.Check == "sensitivity")
				reason = d.Reason
			}
		}
		if useless && reason != "" {
			l.add(LintUselessGrant, under(l.doc.rulePath(i), list.key), "what it allows is denied anyway: %s", reason)
		}
	}
}

func (l *linter) grantedSpecs(i int, list named, allow *glob.List) (specs []*mcplayer.Spec) {
	for _, spec := range l.specs {
		name := spec.Category
		if list.kind != 0 {
			if !coversKind([]mcplayer.Kind{list.kind}, spec.Kind) {
				continue
			}
			name = spec.Name
		}
		if f := l.rev.plan(spec).fits[i]; f.fails == "" && !f.presumed && allow.Match(name) {
			specs = append(specs, spec)
		}
	}
	return specs
}

// callers returns principals whom a rule matches, each with one role of it.
func (l *linter) callers(i int) (who []*mcplayer.Principal) {
	roles := l.written[i].Match.Roles
	if roles == nil || slices.Contains(roles, "*") {
		roles = []string{"default"}
	}
	id := "somebody"
	if names := l.written[i].Match.Principals; len(names) > 0 {
		id = strings.NewReplacer("*", "x", "?", "x").Replace(names[0])
	}
	for _, role := range roles {
		who = append(who, mcplayer.NewPrincipal(id, role))
	}
	return who
}

// limits looks for limits that no call counts for.
func (l *linter) limits() {
	l.unreachable("", l.rev.limits, nil)
	for i := range l.rev.rules {
		fits := func(spec *mcplayer.Spec) bool { return l.rev.plan(spec).fits[i].fails == "" }
		l.unreachable(l.doc.rulePath(i), l.rev.rules[i].limits, fits)
	}
}

func (l *linter) unreachable(path string, limits []limit, fits func(*mcplayer.Spec) bool) {
	for i := range limits {
		counts := func(spec *mcplayer.Spec) bool {
			completes := spec.Kind == mcplayer.KindPrompt || spec.Kind == mcplayer.KindResourceTemplate
			return (fits == nil || fits(spec)) && (limits[i].counts(spec, spec.Kind) || completes && limits[i].counts(spec, mcplayer.KindCompletion))
		}
		none := limits[i].kinds != nil && len(limits[i].kinds) == 0
		if none || len(l.specs) > 0 && !slices.ContainsFunc(l.specs, counts) {
			l.add(LintUnreachable, at(under(path, "rate_limits"), i), "no call counts for this limit of %s", limits[i].text)
		}
	}
}

// reversals looks for open-world tools that get real values for names without anybody having
// asked for it.
func (l *linter) reversals() {
	for _, spec := range l.specs {
		if role, ok := l.reversedFor(spec); ok {
			l.add(LintReversesOutside, "depseudonymize", "pseudonyms and aliases are turned back for %s '%s'%s, which may reach what is outside", spec.Kind, spec.Name, role)
		}
	}
}

// reversedFor returns the first role with which it happens.
func (l *linter) reversedFor(spec *mcplayer.Spec) (role string, ok bool) {
	if !openWorld(spec) {
		return "", false
	}
	callers := map[string]*mcplayer.Principal{"": mcplayer.Anonymous()}
	order := []string{""}
	for i := range l.doc.Roles {
		role := roleOf(&l.doc.Roles[i])
		name := fmt.Sprintf(" when role '%s' calls", role)
		callers[name] = mcplayer.NewPrincipal("somebody", "default", role)
		order = append(order, name)
	}
	for _, name := range order {
		b := l.rev.bound(spec, callers[name])
		if b.decision.Allowed && l.pipes.reverses(spec, b.matched) {
			return name, true
		}
	}
	return "", false
}

// reverses reports whether names are turned back for a primitive without being asked for.
func (p *pipelines) reverses(spec *mcplayer.Spec, matched []int) bool {
	asked := slices.ContainsFunc(p.inputOf(matched), func(s step) bool { return s.typ == typeDepseudonymize })
	back, err := p.turnsBack(p.withOptions(p.outputOf(matched), matched))
	h := hinted{p, spec, p.honors(matched)}
	in := h.input(nil, back)
	return err == nil && !asked && back.hides() && len(in) > 0
}
