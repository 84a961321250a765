package catalog

import (
	"slices"
	"strings"
	"time"
)

// Filter selects assets: those that meet every condition. A zero field is no
// condition.
type Filter struct {
	Provider, AccountID, Dataset string
	Status, Criticality          string
	Types, Regions               []string // one of them
	Tags                         []Tag    // all of them
	// Text is looked for in id, name and description, whatever the case.
	Text string
	// CreatedAfter and CreatedBefore leave out their own moment.
	CreatedAfter, CreatedBefore time.Time
}

// Tag is a tag to look for. An empty Value stands for any.
type Tag struct{ Key, Value string }

func (f Filter) matches(a *Asset) bool {
	return is(f.Provider, a.Provider) && is(f.AccountID, a.AccountID) && is(f.Dataset, a.Dataset) &&
		is(f.Status, a.Status) && is(f.Criticality, a.Criticality) &&
		oneOf(f.Types, a.Type) && oneOf(f.Regions, a.Region) &&
		f.created(a.CreatedAt) && f.tagged(a.Tags) && f.mentioned(a)
}

func is(want, value string) bool { return want == "" || want == value }

func oneOf(want []string, value string) bool { return len(want) == 0 || slices.Contains(want, value) }

func (f Filter) created(at time.Time) bool {
	return (f.CreatedAfter.IsZero() || at.After(f.CreatedAfter)) &&
		(f.CreatedBefore.IsZero() || at.Before(f.CreatedBefore))
}

func (f Filter) tagged(tags Tags) bool {
	for _, want := range f.Tags {
		value, ok := tags[want.Key]
		if !ok || !is(want.Value, value) {
			return false
		}
	}
	return true
}

func (f Filter) mentioned(a *Asset) bool {
	text := strings.ToLower(f.Text)
	return slices.ContainsFunc([]string{a.ID, a.Name, a.Description}, func(s string) bool {
		return strings.Contains(strings.ToLower(s), text)
	})
}
