package detect

import (
	"fmt"
	"strings"
)

// gitleaksFile is a configuration of gitleaks 8. Fields that nothing here needs are
// known all the same, so that a misspelt one is an error.
type gitleaksFile struct {
	Title, Description, MinVersion string
	Extend                         gitleaksExtend
	Rules                          []gitleaksRule
	Allowlist                      *gitleaksAllowlist // before gitleaks 8.25
	Allowlists                     []gitleaksAllowlist
}

type gitleaksExtend struct {
	Path, URL     string
	UseDefault    bool
	DisabledRules []string
}

type gitleaksRule struct {
	ID, Description string
	Path, Regex     string
	SecretGroup     int
	Entropy         float64
	Keywords, Tags  []string
	Allowlist       *gitleaksAllowlist // before gitleaks 8.21
	Allowlists      []gitleaksAllowlist
	Required        []map[string]any
	SkipReport      bool
}

type gitleaksAllowlist struct {
	Description    string
	Condition      string
	Commits, Paths []string
	RegexTarget    string
	Regexes        []string
	StopWords      []string
	TargetRules    []string // not in the list of a rule
}

// joinLists returns the list of the old form with those of the new one.
func joinLists(old *gitleaksAllowlist, lists []gitleaksAllowlist) []gitleaksAllowlist {
	if old == nil {
		return lists
	}
	return append([]gitleaksAllowlist{*old}, lists...)
}

// translate returns the list, or none where only files and commits could make it apply.
func (g *gitleaksAllowlist) translate(label string) ([]Allow, error) {
	a := Allow{Regexes: g.Regexes, StopWords: g.StopWords, Target: g.RegexTarget}
	switch strings.ToUpper(g.Condition) {
	case "", "OR", "||":
	case "AND", "&&":
		a.All = true
	default:
		return nil, fmt.Errorf("%s.condition: %q: must be OR or AND", label, g.Condition)
	}
	elsewhere := len(g.Commits)+len(g.Paths) > 0
	switch {
	case len(g.Regexes)+len(g.StopWords) > 0 && !(a.All && elsewhere):
		return []Allow{a}, nil
	case elsewhere:
		return nil, nil
	}
	return nil, fmt.Errorf("%s: must list regexes, stopwords, paths or commits", label)
}
