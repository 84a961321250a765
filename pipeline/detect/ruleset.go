package detect

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/cloudg/mcplayer/internal/automaton"
)

// ruleSet runs declarative rules behind one automaton of their hints. It is safe for
// concurrent use.
type ruleSet struct {
	rules  []*rule
	rank   map[*Detector]int
	always []int               // the rules without hints
	hints  *automaton.Keywords // nil: none
	least  int                 // texts that are shorter hold nothing of the rules with hints
	owners [][]int             // the rules that wait for each hint
	runs   sync.Pool           // of *ruleRun
}

// newRuleSet compiles rules. It leaves out those that are disabled, less sure than
// minConfidence, or not wanted; a nil want wants all. The error tells all mistakes.
func newRuleSet(rules []Rule, want func(*Detector, string) bool, minConfidence float64) (*ruleSet, error) {
	s := &ruleSet{rank: map[*Detector]int{}}
	seen := map[string]bool{}
	var errs []error
	for i := range rules {
		r, err := rules[i].compile(i)
		errs = append(errs, err)
		if name := rules[i].Name; seen[name] && name != "" {
			errs = append(errs, fmt.Errorf("rule %q: name: another rule has it", name))
		}
		seen[rules[i].Name] = true
		if err == nil && rules[i].enabled() && r.detector.Confidence >= minConfidence && (want == nil || want(r.detector, r.detector.Entity)) {
			s.rank[r.detector] = len(s.rules)
			s.rules = append(s.rules, r)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	s.waitForHints()
	return s, nil
}

func (s *ruleSet) waitForHints() {
	ids := map[string]int{}
	var words []string
	for i, r := range s.rules {
		if len(r.hints) == 0 {
			s.always = append(s.always, i)
			continue
		}
		if len(words) == 0 || r.least < s.least {
			s.least = r.least
		}
		for _, word := range r.hints {
			id, known := ids[word]
			if !known {
				id = len(words)
				ids[word] = id
				words, s.owners = append(words, word), append(s.owners, nil)
			}
			if !slices.Contains(s.owners[id], i) {
				s.owners[id] = append(s.owners[id], i)
			}
		}
	}
	if len(words) > 0 {
		s.hints = automaton.NewKeywords(words)
	}
	s.runs.New = func() any { return &ruleRun{regions: make([]region, len(s.rules))} }
}

// append appends what the rules find in text, leftmost first and at one place in the
// order of the rules. Findings of several rules may overlap. It allocates nothing
// where no pattern matches. A nil set finds nothing.
func (s *ruleSet) append(dst []Finding, text []byte) []Finding {
	if s == nil {
		return dst
	}
	before := len(dst)
	for _, i := range s.always {
		dst = s.rules[i].search(dst, text, region{0, len(text)})
	}
	dst = s.appendHinted(dst, text)
	if found := dst[before:]; len(found) > 1 {
		slices.SortStableFunc(found, func(a, b Finding) int {
			return cmp.Or(a.Start-b.Start, s.rank[a.Detector]-s.rank[b.Detector])
		})
	}
	return dst
}

func (s *ruleSet) appendHinted(dst []Finding, text []byte) []Finding {
	if s.hints == nil || len(text) < s.least {
		return dst
	}
	words, end, state := s.hints.Next(text, 0, 0)
	if words == nil {
		return dst
	}
	run := s.runs.Get().(*ruleRun)
	for ; words != nil; words, end, state = s.hints.Next(text, end, state) {
		for _, word := range words {
			for _, i := range s.owners[word] {
				dst = run.hint(dst, s.rules[i], i, text, end)
			}
		}
	}
	dst = run.finish(dst, s.rules, text)
	s.runs.Put(run)
	return dst
}

// ruleRun is what is still to be searched in a text.
type ruleRun struct {
	regions []region // by rule; end 0: none
	touched []int    // the rules that have one
}

// region is a part of a text.
type region struct{ start, end int }

// hint notes that a hint of a rule ends somewhere and goes on as it must, and searches the region before
// that once no hint can make it larger.
func (q *ruleRun) hint(dst []Finding, r *rule, i int, text []byte, end int) []Finding {
	if !r.follow.holds(text, end) {
		return dst
	}
	around, at := r.around(text, end), &q.regions[i]
	switch {
	case at.end == 0:
		q.touched = append(q.touched, i)
		*at = around
	case around.start <= at.end:
		at.end = max(at.end, around.end)
	default:
		dst = r.search(dst, text, *at)
		*at = around
	}
	return dst
}

func (q *ruleRun) finish(dst []Finding, rules []*rule, text []byte) []Finding {
	for _, i := range q.touched {
		dst = rules[i].search(dst, text, q.regions[i])
		q.regions[i] = region{}
	}
	q.touched = q.touched[:0]
	return dst
}

// around returns where a match may be that holds a hint which ends at end.
func (r *rule) around(text []byte, end int) region {
	if r.window.before < 0 {
		return region{0, len(text)}
	}
	return region{max(0, end-r.window.before), min(len(text), end+r.window.after)}
}
