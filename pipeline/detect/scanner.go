package detect

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/cloudg/mcplayer/internal/scan"
)

// Finding is an entity that a text holds.
type Finding struct {
	// Start and End are where it stands, in bytes.
	Start, End int
	// Entity is what it is, refined: "private_ip", not "ip_address".
	Entity string
	// Detector found it. It is shared and must not be changed.
	Detector *Detector
}

// Options configure a [Scanner].
type Options struct {
	// Custom are further detectors; they come behind the built-in ones.
	Custom []Rule
	// Enabled names built-in detectors that are off by default; Disabled those of all,
	// custom ones too, that are not to run.
	Enabled, Disabled []string
	// MinConfidence leaves out detectors that are less sure.
	MinConfidence float64
	// Want tells whether findings of a detector that are that entity matter; it is asked
	// once for each pair, at construction. What does not matter occupies no place, and a
	// detector with nothing that matters never runs. Nil: all matter.
	Want func(d *Detector, entity string) bool
}

// Scanner finds entities. It is safe for concurrent use.
type Scanner struct {
	engine   *scan.Engine
	builtIns [scan.Kinds]*Detector
	rules    *ruleSet
}

// NewScanner returns a scanner; nil options mean the defaults. The error tells all
// mistakes.
func NewScanner(o *Options) (*Scanner, error) {
	if o == nil {
		o = &Options{}
	}
	s := &Scanner{builtIns: builtIns()}
	rules, err := newRuleSet(withVendorRules(o.custom(), o.Disabled), o.Want, o.MinConfidence)
	if err := errors.Join(o.check(), err); err != nil {
		return nil, err
	}
	s.rules = rules
	s.engine = scan.New(func(k scan.Kind, e scan.Entity) bool { return o.wants(s.builtIns[k], e.String()) })
	return s, nil
}

// custom returns the custom rules that are not disabled.
func (o *Options) custom() []Rule {
	return slices.DeleteFunc(slices.Clone(o.Custom), func(r Rule) bool { return slices.Contains(o.Disabled, r.Name) })
}

// check returns what is wrong with the options, but their rules.
func (o *Options) check() error {
	var names []string
	for _, d := range Detectors() {
		names = append(names, d.Name)
	}
	errs := unknown("Enabled", o.Enabled, names, "a built-in detector")
	for _, r := range slices.Concat(VendorRules(), o.Custom) {
		names = append(names, r.Name)
	}
	errs = append(errs, unknown("Disabled", o.Disabled, names, "a detector")...)
	if !(o.MinConfidence >= 0 && o.MinConfidence <= 1) {
		errs = append(errs, fmt.Errorf("MinConfidence: %v, allowed is 0 to 1", o.MinConfidence))
	}
	return errors.Join(errs...)
}

// unknown returns an error for each name in a field that is not among those allowed.
func unknown(field string, names, allowed []string, of string) (errs []error) {
	for i, name := range names {
		if !slices.Contains(allowed, name) {
			errs = append(errs, fmt.Errorf("%s[%d]: %q is not the name of %s", field, i, name, of))
		}
	}
	return errs
}

func (o *Options) wants(d *Detector, entity string) bool {
	if d.Confidence < o.MinConfidence || slices.Contains(o.Disabled, d.Name) || d.Optional && !slices.Contains(o.Enabled, d.Name) {
		return false
	}
	return o.Want == nil || o.Want(d, entity)
}

// Append appends what text holds to dst, leftmost first; findings do not overlap.
// It allocates nothing where nothing is found.
func (s *Scanner) Append(dst []Finding, text []byte) []Finding {
	n := len(dst)
	dst = s.rules.append(dst, text)
	if len(dst) > n {
		return s.merge(dst, n, s.engine.Candidates(nil, text))
	}
	found := s.engine.Append(nil, text)
	for _, m := range found {
		dst = append(dst, s.builtIn(m))
	}
	s.engine.Release(found)
	return dst
}

func (s *Scanner) builtIn(m scan.Match) Finding {
	return Finding{m.Start, m.End, m.Entity.String(), s.builtIns[m.Kind]}
}

// merge settles the findings of rules, which are those behind the first n, and those of
// the built-in detectors.
func (s *Scanner) merge(dst []Finding, n int, found []scan.Match) []Finding {
	byRules := slices.Clone(dst[n:])
	for i, f := range byRules {
		found = append(found, scan.Match{
			Start: f.Start, End: f.End, Kind: ofRule, Ref: i,
			Secret: f.Detector.Category == "secret", Order: scan.Kinds + s.rules.rank[f.Detector],
		})
	}
	for i := range found {
		if found[i].Kind == scan.HighEntropy {
			found[i].Order = math.MaxInt // a format says more than randomness
		}
	}
	dst = dst[:n]
	for _, m := range scan.Settle(found, 0) {
		if m.Kind == ofRule {
			dst = append(dst, byRules[m.Ref])
		} else {
			dst = append(dst, s.builtIn(m))
		}
	}
	return dst
}

// ofRule marks a match that a rule found.
const ofRule = scan.Kind(scan.Kinds)
