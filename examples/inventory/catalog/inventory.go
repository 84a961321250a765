package catalog

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/cloudg/mcplayer/examples/inventory/data"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Inventory is what one run of a collector found. It never changes, so it is
// safe for concurrent use.
type Inventory struct {
	assets   []*Asset // in the collector's order
	datasets []*Dataset
	byID     map[string]*Asset
	byName   map[string]*Dataset
}

// Dataset is a named part of the inventory.
type Dataset struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	CreatedAt   time.Time      `json:"created_at"`
	AssetCount  int            `json:"asset_count"`
	SizeBytes   int64          `json:"size_bytes"` // above 2^53: not for a float64
	Source      jsontext.Value `json:"source"`     // as the collector wrote it
}

// Load reads the inventory that comes with the example.
func Load() (*Inventory, error) { return Parse([]byte(data.Inventory)) }

// Parse reads an inventory.
func Parse(doc []byte) (*Inventory, error) {
	var file struct {
		Datasets []*Dataset       `json:"datasets"`
		Assets   []jsontext.Value `json:"assets"`
	}
	if err := json.Unmarshal(doc, &file); err != nil {
		return nil, fmt.Errorf("read inventory: %w", err)
	}
	inv := &Inventory{datasets: file.Datasets, byID: map[string]*Asset{}, byName: map[string]*Dataset{}}
	for i, raw := range file.Assets {
		a, err := parseAsset(raw)
		if err != nil {
			return nil, fmt.Errorf("read inventory: asset %d: %w", i, err)
		}
		inv.assets = append(inv.assets, a)
		inv.byID[a.ID] = a
	}
	for _, d := range file.Datasets {
		inv.byName[d.Name] = d
	}
	return inv, nil
}

// Asset returns the asset with that id.
func (inv *Inventory) Asset(id string) (*Asset, bool) {
	a, ok := inv.byID[id]
	return a, ok
}

// AtAddress returns the assets that have the network address.
func (inv *Inventory) AtAddress(addr netip.Addr) []*Asset {
	return slices.DeleteFunc(slices.Clone(inv.assets), func(a *Asset) bool {
		return !slices.Contains(a.Addresses, addr)
	})
}

// Dataset returns the dataset of that name.
func (inv *Inventory) Dataset(name string) (*Dataset, bool) {
	d, ok := inv.byName[name]
	return d, ok
}

// DatasetNames returns the names of all datasets in the collector's order.
func (inv *Inventory) DatasetNames() []string {
	names := make([]string, len(inv.datasets))
	for i, d := range inv.datasets {
		names[i] = d.Name
	}
	return names
}

// Find returns the assets that match, in the collector's order.
func (inv *Inventory) Find(f Filter) []*Asset {
	return slices.DeleteFunc(slices.Clone(inv.assets), func(a *Asset) bool { return !f.matches(a) })
}
