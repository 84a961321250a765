package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Group is how many assets share a value.
type Group struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// groupings are the members that [Count] can group by.
var groupings = map[string]func(*Asset) string{
	"provider":    func(a *Asset) string { return a.Provider },
	"asset_type":  func(a *Asset) string { return a.Type },
	"status":      func(a *Asset) string { return a.Status },
	"criticality": func(a *Asset) string { return a.Criticality },
	"region":      func(a *Asset) string { return a.Region },
	"dataset":     func(a *Asset) string { return a.Dataset },
	"account_id":  func(a *Asset) string { return a.AccountID },
}

// Count groups assets by a member, the largest group first, groups of one size
// by value.
func Count(assets []*Asset, by string) ([]Group, error) {
	valueOf := groupings[by]
	if valueOf == nil {
		return nil, fmt.Errorf("assets cannot be counted by %q", by)
	}
	counts := map[string]int{}
	for _, a := range assets {
		counts[valueOf(a)]++
	}
	groups := make([]Group, 0, len(counts))
	for value, n := range counts {
		groups = append(groups, Group{value, n})
	}
	slices.SortFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Value, b.Value))
	})
	return groups, nil
}
