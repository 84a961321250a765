package policy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
)

// Finding is something in a document that is probably not meant, or that its author should know.
type Finding struct {
	// ID tells findings of one sort: one of the Lint constants.
	ID   string
	File string // where it stands, if that is known
	Line int
	Path string // in the document; empty: it is about a primitive
	// Message is one sentence.
	Message string
}

// String writes the finding like a mistake of a document.
func (f Finding) String() string {
	return Problem{f.File, f.Line, f.Path, f.Message + " (" + f.ID + ")"}.Error()
}

// What [Lint] finds. The texts are stable.
const (
	LintNeverMatches    = "never-matches"     // a rule that no call can match
	LintMatchesNothing  = "matches-nothing"   // a name, pattern or tag of no primitive
	LintUnknownRole     = "unknown-role"      // a role that the document does not have
	LintUselessGrant    = "useless-grant"     // allowed by a rule, and denied anyway
	LintAllowsNothing   = "allows-nothing"    // an allow list that is empty in effect
	LintUnreachable     = "unreachable-limit" // a rate limit that no call counts for
	LintDroppedRedact   = "dropped-redact"    // transforms replaced by some that hide no secrets
	LintReversesOutside = "reverses-outside"  // pseudonyms turned back for an open-world tool
	LintNoCapabilities  = "no-capabilities"   // a tool that does not say what it can do
	LintAnonymous       = "anonymous-changes" // anonymous callers may run or change something
	LintOpenGrant       = "open-grant"        // allowed by a rule, and not closed to others
	LintRoleAlone       = "denied-role-alone" // denied to a role, and allowed without it
	LintIdleRedact      = "idle-redact"       // a redact without strategies
	LintIdleDetector    = "idle-detector"     // a detector that no strategy is for
)

// Lint looks through a document for what is probably not meant. Without specs it leaves out what
// depends on the primitives of a server. The error tells what is wrong with the document, but
// not with its transforms.
func Lint(doc *Document, specs []*mcplayer.Spec) ([]Finding, error) {
	d, err := doc.resolved()
	if err != nil {
		return nil, err
	}
	r, err := decisions(d, &shared{}, 1)
	if err != nil {
		return nil, err
	}
	l := &linter{rev: r, doc: d, specs: specs, written: slices.Concat(d.Roles, d.Rules)}
	b := pipeline.NewBuilder(nil)
	l.pipes = &pipelines{doc: d, builder: b, rules: l.written, protected: newProtected(d, b)}
	for _, look := range []func(){
		l.rules, l.patterns, l.roles, l.grants, l.allowLists, l.limits, l.redacts, l.idleRedacts, l.reversals, l.primitives,
		l.openGrants, l.strangers, l.detectors,
	} {
		look()
	}
	slices.SortStableFunc(l.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return l.found, nil
}

// linter is the work on one document.
type linter struct {
	rev     *revision
	doc     *Document
	written []Rule // as rev.rules
	specs   []*mcplayer.Spec
	pipes   *pipelines
	found   []Finding
}

func (l *linter) add(id, path, format string, args ...any) {
	where := place{}
	if path != "" {
		where = l.doc.source.place(path)
	}
	l.found = append(l.found, Finding{id, where.file, where.line, path, fmt.Sprintf(format, args...)})
}

// rules looks for rules that no call can match.
func (l *linter) rules() {
	for i := range l.written {
		path := l.doc.rulePath(i) + ".match"
		if condition := impossible(&l.written[i].Match); condition != "" {
			l.add(LintNeverMatches, path+"."+condition, "no call can meet this condition, so the rule never matches")
			continue
		}
		fits := func(spec *mcplayer.Spec) bool { return l.rev.plan(spec).fits[i].fails == "" }
		if len(l.specs) > 0 && !slices.ContainsFunc(l.specs, fits) {
			l.add(LintNeverMatches, path, "no primitive fits, so the rule never matches")
		}
	}
}

// impossible returns a condition that nothing can meet.
func impossible(m *Match) string {
	onlyCompletion := func(k mcplayer.Kind) bool { return k == mcplayer.KindCompletion }
	switch {
	case m.Roles != nil && len(m.Roles) == 0:
		return "roles"
	case m.Principals != nil && !includes(m.Principals):
		return "principals"
	case m.Names != nil && !includes(m.Names):
		return "names"
	case m.Categories != nil && !includes(m.Categories):
		return "categories"
	case m.Tags != nil && len(m.Tags) == 0:
		return "tags"
	case m.Kinds != nil && len(slices.DeleteFunc(slices.Clone(m.Kinds), onlyCompletion)) == 0:
		return "kinds"
	case m.Sensitivity != nil && len(m.Sensitivity) == 0:
		return "sensitivity"
	}
	return ""
}

// includes reports whether a list of patterns has one that is no exclusion.
func includes(patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return p == "" || p[0] != '!' })
}

// roles looks for roles in conditions that the document does not have.
func (l *linter) roles() {
	known := []string{"*", "default", "local"}
	for i := range l.doc.Roles {
		known = append(known, roleOf(&l.doc.Roles[i]))
	}
	if len(l.doc.Roles) == 0 {
		return // roles come from outside
	}
	for i := range l.doc.Rules {
		for j, role := range l.doc.Rules[i].Match.Roles {
			if !slices.Contains(known, role) {
				l.add(LintUnknownRole, at(fmt.Sprintf("rules[%d].match.roles", i), j), "the document has no role %q; %s", role, offered(role, known[1:]))
			}
		}
	}
}

// allowLists looks for lists that allow nothing.
func (l *linter) allowLists() {
	l.eachAccess(func(path string, a *Access) {
		for _, list := range allowedIn(a) {
			if list.patterns != nil && !includes(list.patterns) {
				l.add(LintAllowsNothing, under(path, list.key), "the list allows nothing")
			}
		}
	})
}

// eachAccess calls f for the policy's own lists and those of its rules.
func (l *linter) eachAccess(f func(path string, a *Access)) {
	f("", &l.doc.Access)
	for i := range l.written {
		f(l.doc.rulePath(i), &l.written[i].Access)
	}
}

// redacts looks for transforms that replaced some with a redact.
func (l *linter) redacts() {
	has := func(list []Transform) bool {
		return slices.ContainsFunc(list, func(t Transform) bool { return isRedact(t.Type) })
	}
	if l.doc.source != nil && l.doc.source.dropped {
		l.add(LintDroppedRedact, "transforms", "the transforms replace inherited ones that redact, and do not redact themselves")
	}
	for i := range l.written {
		r := &l.written[i]
		if r.TransformsMode == "replace" && r.Transforms != nil && has(l.doc.Transforms) && !has(r.Transforms) {
			l.add(LintDroppedRedact, l.doc.rulePath(i)+".transforms", "the transforms replace the policy's, which redact, and do not redact themselves")
		}
	}
}

// idleRedacts looks for redacts that keep everything, whichever rules match.
func (l *linter) idleRedacts() {
	for i, t := range l.doc.Transforms {
		l.idleRedact(t, fmt.Sprintf("transforms[%d]", i))
	}
	for i := range l.written {
		for j, t := range l.written[i].Transforms {
			l.idleRedact(t, fmt.Sprintf("%s.transforms[%d]", l.doc.rulePath(i), j))
		}
	}
}

func (l *linter) idleRedact(t Transform, path string) {
	if !isRedact(t.Type) || hides(t.Options) {
		return
	}
	layers := []map[string]map[string]any{l.doc.TransformOptions}
	for i := range l.written {
		layers = append(layers, l.written[i].TransformOptions)
	}
	for _, layer := range layers {
		for key, options := range layer {
			if (key == t.ID || isRedact(key)) && hides(options) {
				return
			}
		}
	}
	l.add(LintIdleRedact, path, "the redact has no strategies: it keeps everything")
}

// hides reports whether the options of a redact have a strategy that does not keep.
func hides(options map[string]any) bool {
	given, _ := options["strategies"].(map[string]any)
	for _, strategy := range given {
		if !keeps(strategy) {
			return true
		}
	}
	return !keeps(options["default"])
}

// primitives looks for tools that say too little or can too much.
func (l *linter) primitives() {
	for _, spec := range l.specs {
		if s := newSubject(spec); s.presumed != s.has {
			l.add(LintNoCapabilities, "", "%s '%s' declares no capabilities and counts as having all of them but reveal", spec.Kind, spec.Name)
		}
		if able := l.rev.openToAll(spec); able != 0 {
			l.add(LintAnonymous, "", "anonymous callers may use %s '%s', which has the capabilities %s", spec.Kind, spec.Name, able)
		}
	}
}

// named is a list of patterns with its key.
type named struct {
	key      string
	kind     mcplayer.Kind // of which they match names; 0: categories
	patterns []string
	deny     bool
}

func allowedIn(a *Access) []named {
	return []named{
		{"allow_tools", mcplayer.KindTool, a.AllowTools, false},
		{"allow_resources", mcplayer.KindResource, a.AllowResources, false},
		{"allow_prompts", mcplayer.KindPrompt, a.AllowPrompts, false},
		{"allow_categories", 0, a.AllowCategories, false},
	}
}

func deniedIn(a *Access) []named {
	return []named{
		{"deny_tools", mcplayer.KindTool, a.DenyTools, true},
		{"deny_resources", mcplayer.KindResource, a.DenyResources, true},
		{"deny_prompts", mcplayer.KindPrompt, a.DenyPrompts, true},
		{"deny_categories", 0, a.DenyCategories, true},
	}
}
