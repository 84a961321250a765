package pipeline

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cloudg/mcplayer/internal/glob"
	"github.com/cloudg/mcplayer/internal/nearest"
	"github.com/cloudg/mcplayer/pipeline/detect"
)

// redact finds entities in strings, in names of members and by the names of
// members, and does to each what its strategy says.
type redact struct {
	builder    *BuilderOptions
	scanner    *detect.Scanner
	found      map[foundKind]*outcome
	rules      *detect.KeyRules
	ruled      map[*detect.KeyRule]*ruled
	person     *outcome
	tag        *outcome
	tagAllowed map[string]bool // normalised names
	skip       *glob.List
	scanKeys   bool
	tags       bool
	siblings   map[string]uint64 // normalised names that rules ask for, with the bits of the rules
	marks      uint64            // of all rules that ask for a sibling
	own        markers
	pseudonyms bool // it may pseudonymise something
	mentions   bool // names are looked for in texts, too
}

// foundKind is a kind of finding.
type foundKind struct {
	detector *detect.Detector
	entity   string
}

// ruled is what becomes of the values that a key rule is about.
type ruled struct {
	rule   *detect.KeyRule
	to     *outcome
	shapes map[string]*outcome // by entity, if the rule looks at the shape
	mark   uint64              // the bit of a rule that asks for a sibling; 0: it does not
}

// defaultTagKeys are the tags whose values are only scanned.
var defaultTagKeys = []string{
	"env", "environment", "stage", "tier", "managed_by", "terraform", "cost_center", "project_type", "application_tier",
	"criticality", "data_classification", "compliance", "backup", "patch_group",
}

// defaultSkipKeys are names under which only secrets are looked for.
var defaultSkipKeys = []string{"_meta", "_annotations", "cursor", "next_cursor"}

// newRedact reads the options:
//
//	strategies         what to do, by entity, detector, key rule or category: the name of a
//	                   strategy, or an object with strategy and its options
//	default            what to do with what detectors find and strategies do not name (keep)
//	custom_detectors   further detectors, see [detect.Rule]
//	disabled_detectors detectors that are not to run; one that is off by default runs if
//	                   strategies name it or its entity
//	min_confidence     how sure detectors must be (0)
//	key_rules          the rules about names: names of built-in ones, and rules as below
//	                   (all built-in ones)
//	extra_key_rules    rules before these: name, keys (globs over normalised names), entity
//	                   (the name), category (identifier), siblings
//	scan_keys          whether names of members are looked at (true)
//	tags               whether tags are (true); tag_key_allowlist: whose values are only scanned
//	skip_keys          names under which only secrets are looked for
//	allow_pseudonymize true; false or hash: what would be pseudonymised is hashed; keep: it
//	                   stays, but for secrets and credentials
//	redact_template    what stands for a value ([REDACTED:{entity}]); hash_template
//	                   ({entity}:{digest})
//	name_mentions      whether names that are pseudonymised under a key are replaced in
//	                   texts, too (true)
func newRedact(o *Options) (Transform, error) {
	r := &redact{
		builder:    o.builder,
		scanKeys:   o.Bool("scan_keys", true),
		tags:       o.Bool("tags", true),
		tagAllowed: map[string]bool{},
		skip:       globs(o, "skip_keys", stringsOr(o, "skip_keys", defaultSkipKeys)),
	}
	for _, key := range stringsOr(o, "tag_key_allowlist", defaultTagKeys) {
		r.tagAllowed[string(detect.AppendKey(nil, []byte(key)))] = true
	}
	mentions := o.Bool("name_mentions", true)
	rules := keyRules(o)
	s := newStrategies(o)
	r.rules = rules
	r.chooseRules(o, s)
	r.person, r.tag = s.ofPerson(), s.ofTag()
	r.buildScanner(o, s)
	checkNames(o, s, r)
	for to := range r.outcomes {
		r.own.add(to)
		r.pseudonyms = r.pseudonyms || to.action == doPseudonymize
	}
	r.mentions = mentions && r.namesPseudonyms()
	return r, nil
}

// stringsOr returns an option that is a list of texts, or what stands for an absent
// one.
func stringsOr(o *Options, name string, byDefault []string) []string {
	if list := o.Strings(name); list != nil {
		return list
	}
	return byDefault
}

func newStrategies(o *Options) *strategies {
	s := &strategies{reader: newStrategyReader(o), by: map[string]*strategy{}}
	table := o.Map("strategies")
	for _, name := range slices.Sorted(maps.Keys(table)) {
		s.by[name] = s.reader.read(o, "strategies."+name, table[name])
	}
	if v, ok := o.value("default"); ok {
		s.byDefault = s.reader.read(o, "default", v)
	}
	return s
}

// chooseRules chooses what becomes of what key rules find; those with nothing to do
// are left out.
func (r *redact) chooseRules(o *Options, s *strategies) {
	r.ruled, r.siblings = map[*detect.KeyRule]*ruled{}, map[string]uint64{}
	if r.rules == nil {
		return
	}
	list := r.rules.Rules()
	for i := range list {
		rule := &list[i]
		k := &ruled{rule: rule, to: s.ofRule(rule, rule.Entity)}
		if rule.ByShape {
			k.shapes = map[string]*outcome{}
			for _, entity := range detect.AccountEntities() {
				if to := s.ofRule(rule, entity); to != nil {
					k.shapes[entity] = to
				}
			}
		}
		if k.to == nil && len(k.shapes) == 0 {
			continue
		}
		if len(rule.Siblings) > 0 {
			k.mark = r.marks + 1 // a bit for each
			if k.mark == 0 {
				o.Fail("extra_key_rules", "more than 64 rules ask for siblings")
			}
			r.marks |= k.mark
			for _, name := range rule.Siblings {
				r.siblings[name] |= k.mark
			}
		}
		r.ruled[rule] = k
	}
}

// outcomeOf returns what becomes of a value; nil if it stays.
func (k *ruled) outcomeOf(text []byte) *outcome {
	if k.shapes == nil {
		return k.to
	}
	return k.shapes[detect.AccountEntity(text)]
}

// buildScanner makes the scanner for what has a strategy.
func (r *redact) buildScanner(o *Options, s *strategies) {
	r.found = map[foundKind]*outcome{}
	d := detectors(o, 0)
	d.Enabled = optional(s.by)
	d.Want = func(d *detect.Detector, entity string) bool {
		to := s.ofDetector(d, entity)
		if to != nil {
			r.found[foundKind{d, entity}] = to
		}
		return to != nil
	}
	r.scanner = newScanner(o, d)
}

// optional returns the detectors that run only where there is a strategy for just
// what they find.
func optional(by map[string]*strategy) (names []string) {
	for _, d := range detect.Detectors() {
		if d.Optional && (by[d.Name] != nil || by[d.Entity] != nil) {
			names = append(names, d.Name)
		}
	}
	return names
}

// keyRules reads the rules about names.
func keyRules(o *Options) *detect.KeyRules {
	rules := extraKeyRules(o, "extra_key_rules")
	if _, ok := o.value("key_rules"); ok {
		rules = append(rules, chosenKeyRules(o)...)
	} else {
		rules = append(rules, detect.BuiltinKeyRules()...)
	}
	slices.SortStableFunc(rules, func(a, b detect.KeyRule) int { // secrets first
		switch {
		case a.Secret() == b.Secret():
			return 0
		case a.Secret():
			return -1
		}
		return 1
	})
	k, err := detect.NewKeyRules(rules)
	if err != nil {
		o.Fail("key_rules", "%w", err)
	}
	return k
}

// meant suggests a known name in place of one that is not.
func meant(name string, known map[string]bool) string {
	if near := nearest.Name(name, slices.Sorted(maps.Keys(known))); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// checkNames reports strategies for what nothing finds: a slip of the pen would
// leave a secret where it is.
func checkNames(o *Options, s *strategies, r *redact) {
	known := map[string]bool{entityPerson: true, entityTag: true, "free_text": true, detect.CategoryPII: true}
	add := func(names ...string) {
		for _, name := range names {
			known[name] = true
			for _, parent := range detect.Parents(name) {
				known[parent] = true
			}
		}
	}
	for _, d := range detect.Detectors() {
		add(append(d.Entities, d.Name, d.Entity, d.Category)...)
	}
	for _, rule := range detect.VendorRules() {
		add(rule.Name)
	}
	for kind := range r.found {
		add(kind.entity, kind.detector.Name, kind.detector.Category)
	}
	for _, rule := range append(detect.BuiltinKeyRules(), r.rules.Rules()...) {
		add(rule.Name, rule.Entity, rule.Category)
	}
	add(detect.AccountEntities()...)
	for _, name := range slices.Sorted(maps.Keys(s.by)) {
		if !known[name] && !isCustom(o, name) {
			o.Fail("strategies", "%q is no entity, detector, key rule or category%s", name, meant(name, known))
		}
	}
}

// outcomes yields all that can become of something.
func (r *redact) outcomes(yield func(*outcome) bool) {
	for _, to := range r.found {
		if !yield(to) {
			return
		}
	}
	for _, k := range r.ruled {
		for _, to := range k.shapes {
			if !yield(to) {
				return
			}
		}
		if k.to != nil && !yield(k.to) {
			return
		}
	}
	for _, to := range []*outcome{r.person, r.tag} {
		if to != nil && !yield(to) {
			return
		}
	}
}

// namesPseudonyms reports whether names are pseudonymised by key.
func (r *redact) namesPseudonyms() bool {
	for _, k := range r.ruled {
		if k.to != nil && isName(k.to) {
			return true
		}
	}
	return r.person != nil && isName(r.person)
}

// findsNames reports whether a value that the rule is about may be replaced as a name.
func (k *ruled) findsNames() bool {
	for _, to := range k.shapes {
		if isName(to) {
			return true
		}
	}
	return k.to != nil && isName(k.to)
}

// reversible reports whether something it makes has to be turned back.
func (r *redact) reversible() bool { return r.pseudonyms && r.builder.Pseudonyms != nil }

// Begin returns the step.
func (r *redact) Begin(_ context.Context, p *Pass) Step {
	s := newRedacter(r, p)
	if r.mentions {
		return &nameRedacter{redacter: s}
	}
	return s
}
