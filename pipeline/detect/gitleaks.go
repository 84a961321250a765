package detect

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// gitleaksConfidence is that of rules that were not written for this library.
const gitleaksConfidence = 0.85

// LoadGitleaks reads rules in the TOML form of gitleaks (its README, section
// "Configuration"). The category of each is "secret", its name the id, its entity the
// id with _ for what is no letter or digit. The error tells all mistakes, those of the
// form with their line, those of a rule with its name.
//
// A text has no file and no commit: paths and commits of an allowlist never apply, the
// path of a rule does not limit it, and a rule with nothing but a path is left out, as
// is one with skipReport. What stands elsewhere is an error: put the rules of [extend]
// into the file; conditions on other findings (rules.required) are not supported.
func LoadGitleaks(r io.Reader) ([]Rule, error) {
	var file gitleaksFile
	if err := toml.NewDecoder(r).DisallowUnknownFields().Decode(&file); err != nil {
		return nil, fmt.Errorf("gitleaks rules: %w", withLines(err))
	}
	rules, err := file.rules()
	if err == nil {
		_, err = newRuleSet(rules, nil, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("gitleaks rules: %w", err)
	}
	return rules, nil
}

// withLines adds the position to the errors of the TOML library.
func withLines(err error) error {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		var all []error
		for i := range unknown.Errors {
			line, _ := unknown.Errors[i].Position()
			all = append(all, fmt.Errorf("line %d: %s is unknown", line, strings.Join(unknown.Errors[i].Key(), ".")))
		}
		return errors.Join(all...)
	}
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := wrong.Position()
		return fmt.Errorf("line %d, column %d: %w", line, column, err)
	}
	return err
}

// rules translates the file.
func (f *gitleaksFile) rules() ([]Rule, error) {
	var errs []error
	if e := f.Extend; e.Path != "" || e.URL != "" || e.UseDefault || len(e.DisabledRules) > 0 {
		errs = append(errs, errors.New("extend: is not supported: put the rules into one file"))
	}
	byTarget, err := f.allowlists()
	errs = append(errs, err)
	var rules []Rule
	for i := range f.Rules {
		rule, err := f.Rules[i].translate(i)
		errs = append(errs, err)
		if from := f.Rules[i]; from.SkipReport || from.Regex == "" && from.Path != "" {
			continue
		}
		rule.Allow = append(append(rule.Allow, byTarget[""]...), byTarget[rule.Name]...)
		rules = append(rules, rule)
	}
	return rules, errors.Join(errs...)
}

// allowlists returns those for all rules under "", the others by the rule.
func (f *gitleaksFile) allowlists() (map[string][]Allow, error) {
	known := map[string]bool{"": true}
	for i := range f.Rules {
		known[f.Rules[i].ID] = true
	}
	byTarget := map[string][]Allow{}
	var errs []error
	for i, from := range joinLists(f.Allowlist, f.Allowlists) {
		label := fmt.Sprintf("allowlists[%d]", i)
		allow, err := from.translate(label)
		errs = append(errs, err)
		targets := from.TargetRules
		if len(targets) == 0 {
			targets = []string{""}
		}
		for _, target := range targets {
			byTarget[target] = append(byTarget[target], allow...)
			if !known[target] {
				errs = append(errs, fmt.Errorf("%s.targetRules: there is no rule %q", label, target))
			}
		}
	}
	return byTarget, errors.Join(errs...)
}

func (g *gitleaksRule) translate(index int) (Rule, error) {
	label := fmt.Sprintf("rule %q", g.ID)
	var errs []error
	if g.ID == "" {
		label = fmt.Sprintf("rules[%d]", index)
		errs = append(errs, fmt.Errorf("%s: id: must be set", label))
	}
	if len(g.Required) > 0 {
		errs = append(errs, fmt.Errorf("%s: required: is not supported", label))
	}
	rule := Rule{
		Name: g.ID, Entity: entityOf(g.ID), Category: "secret", Pattern: g.Regex, Group: g.SecretGroup, FirstGroup: g.SecretGroup == 0,
		Confidence: gitleaksConfidence, Hints: g.Keywords, Entropy: g.Entropy,
	}
	for i, from := range joinLists(g.Allowlist, g.Allowlists) {
		allow, err := from.translate(fmt.Sprintf("%s: allowlists[%d]", label, i))
		errs = append(errs, err)
		rule.Allow = append(rule.Allow, allow...)
	}
	return rule, errors.Join(errs...)
}

func entityOf(id string) string {
	return strings.Map(func(r rune) rune {
		if isEntityRune(r) && r != '-' && r != '.' {
			return r
		}
		return '_'
	}, id)
}
