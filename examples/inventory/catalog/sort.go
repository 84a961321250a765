package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// orders compare assets by the names that [Sort] takes.
var orders = map[string]func(a, b *Asset) int{
	"name":        func(a, b *Asset) int { return strings.Compare(a.Name, b.Name) },
	"created_at":  func(a, b *Asset) int { return a.CreatedAt.Compare(b.CreatedAt) },
	"criticality": func(a, b *Asset) int { return cmp.Compare(rank(a), rank(b)) },
}

// rank is higher the more an asset matters.
func rank(a *Asset) int {
	return slices.Index([]string{"low", "medium", "high", "critical"}, a.Criticality)
}

// Sort puts assets in an order: "name", "created_at" or "criticality", with a
// minus sign in front for the reverse. Assets that are equal in it follow their
// ids.
func Sort(assets []*Asset, order string) error {
	name, reverse := strings.CutPrefix(order, "-")
	compare := orders[name]
	if compare == nil {
		return fmt.Errorf("assets cannot be sorted by %q", name)
	}
	slices.SortFunc(assets, func(a, b *Asset) int {
		c := compare(a, b)
		if reverse {
			c = -c
		}
		return cmp.Or(c, strings.Compare(a.ID, b.ID))
	})
	return nil
}

// Page returns at most limit assets from the offset on.
func Page(assets []*Asset, offset, limit int) []*Asset {
	rest := assets[min(max(offset, 0), len(assets)):]
	return rest[:min(max(limit, 0), len(rest))]
}
