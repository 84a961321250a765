package catalog

import (
	"net/netip"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Asset is one thing in a cloud, with the facts that all providers have in
// common. Raw is all the rest: each provider has members of its own.
type Asset struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Type        string    `json:"asset_type"`
	Provider    string    `json:"provider"`
	AccountID   string    `json:"account_id"`
	Region      string    `json:"region"`
	Status      string    `json:"status"`
	Criticality string    `json:"criticality"`
	CreatedAt   time.Time `json:"created_at"`
	Dataset     string    `json:"dataset"`
	Description string    `json:"-"`
	Owner       *Owner    `json:"owner"` // nil: nobody is known
	Tags        Tags      `json:"tags"`

	// Addresses are the network addresses that Raw mentions, private and public.
	Addresses []netip.Addr `json:"-"`
	// Raw is the asset as the collector wrote it, to be shared and not changed.
	Raw jsontext.Value `json:"-"`
}

// Owner is who answers for an asset.
type Owner struct {
	Name  string `json:"name"`
	Email string `json:"email"`
	Team  string `json:"team"`
}

// record is what of an asset is spelt differently from [Asset]: GCP calls tags
// labels, and addresses are two levels down.
type record struct {
	Description string `json:"description"`
	Labels      Tags   `json:"labels"`
	Network     struct {
		Private []netip.Addr `json:"private_ips"`
		Public  []netip.Addr `json:"public_ips"`
		IPv6    []netip.Addr `json:"ipv6_addresses"`
	} `json:"network"`
}

// parseAsset reads one asset, which keeps raw.
func parseAsset(raw jsontext.Value) (*Asset, error) {
	var (
		a = &Asset{Raw: raw}
		r record
	)
	if err := json.Unmarshal(raw, a); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, err
	}
	a.Description = r.Description
	a.Addresses = slices.Concat(r.Network.Private, r.Network.Public, r.Network.IPv6)
	if len(a.Tags) == 0 {
		a.Tags = r.Labels
	}
	return a, nil
}
