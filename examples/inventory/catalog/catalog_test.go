package catalog_test

import (
	"fmt"
	"log"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/cloudg/mcplayer/examples/inventory/catalog"
)

func load(t *testing.T) *catalog.Inventory {
	t.Helper()
	inv, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func TestAsset(t *testing.T) {
	inv := load(t)
	jonas := catalog.Owner{Name: "Jonas Albrecht", Email: "jonas.albrecht@example.com", Team: "network"}
	for _, tt := range []struct {
		name, id, tag, value string
		tags                 int
		owner                catalog.Owner // zero: none
	}{
		{"tags as a list", "aws:ec2:vpc/vpc-0d41f7c29ab3e6508", "cost-center", "4410", 4, jonas},
		{"tags as an object", "aws:ec2:subnet/subnet-07be1c94f2d83a610", "tier", "app", 4, jonas},
		{"labels", "gcp:bigquery:datasets/shipments_eu", "env", "prod", 0, catalog.Owner{}},
		{"null tags, no owner", "azure:network:subnets/vnet-erp-gwc/snet-app", "", "", 0, catalog.Owner{}},
		{"null owner", "aws:ec2:instance/i-08d2b61e7fa0c4931", "env", "prod", 3, catalog.Owner{}},
	} {
		a, ok := inv.Asset(tt.id)
		if !ok {
			t.Errorf("%s: no asset", tt.name)
			continue
		}
		if a.Tags[tt.tag] != tt.value || tt.tags > 0 && len(a.Tags) != tt.tags {
			t.Errorf("%s: tags %v", tt.name, a.Tags)
		}
		if tt.owner != (catalog.Owner{}) && (a.Owner == nil || *a.Owner != tt.owner) {
			t.Errorf("%s: owner %v", tt.name, a.Owner)
		}
	}
	if a, ok := inv.Asset("aws:ec2:instance/i-08d2b61e7fa0c4931"); !ok || a.Owner != nil {
		t.Errorf("owner null became %v", a.Owner)
	}
	if _, ok := inv.Asset("nothing"); ok {
		t.Error("found an asset that is not there")
	}
}

func TestFind(t *testing.T) {
	inv := load(t)
	day := time.Date(2026, 2, 19, 8, 13, 58, 2_000_000, time.UTC) // when the scratch disk was made
	for _, tt := range []struct {
		name   string
		filter catalog.Filter
		want   int
	}{
		{"all", catalog.Filter{}, 50},
		{"provider", catalog.Filter{Provider: "aws"}, 20},
		{"provider and status", catalog.Filter{Provider: "azure", Status: "running"}, 4},
		{"region", catalog.Filter{Regions: []string{"westeurope"}}, 6},
		{"one of two regions", catalog.Filter{Regions: []string{"westeurope", "europe-west3"}}, 11},
		{"types", catalog.Filter{Types: []string{"disk", "queue"}}, 6},
		{"account", catalog.Filter{AccountID: "444455556666"}, 2},
		{"dataset", catalog.Filter{Dataset: "data-platform-2026-11"}, 10},
		{"tag in all three shapes", catalog.Filter{Tags: []catalog.Tag{{Key: "env", Value: "prod"}}}, 21},
		{"tag with any value", catalog.Filter{Tags: []catalog.Tag{{Key: "env"}}}, 25},
		{"two tags", catalog.Filter{Tags: []catalog.Tag{{Key: "env", Value: "prod"}, {Key: "managed-by", Value: "terraform"}}}, 2},
		{"text, whatever the case", catalog.Filter{Text: "ORDERS"}, 11},
		{"after", catalog.Filter{CreatedAfter: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}, 4},
		{"after leaves its moment out", catalog.Filter{CreatedAfter: day}, 2},
		{"before leaves its moment out", catalog.Filter{CreatedBefore: day}, 47},
	} {
		if got := len(inv.Find(tt.filter)); got != tt.want {
			t.Errorf("%s: %d assets, want %d", tt.name, got, tt.want)
		}
	}
}

func TestSort(t *testing.T) {
	inv := load(t)
	for _, tt := range []struct {
		order string
		want  []string // ids of the first ones
	}{
		{"created_at", []string{"aws:route53:hostedzone/Z08EXAMPLE4QK7TN2VJC", "aws:s3:example-orders-archive"}},
		{"-created_at", []string{"gcp:compute:instances/asia-northeast1-b/label-reader-gpu", "gcp:compute:instances/europe-west3-a/etl-runner-2"}},
		{"name", []string{"azure:entra:users/7d35c90e-b841-4f2a-96e7-c3a05d81f274", "azure:network:applicationGateways/agw-erp-portal"}},
	} {
		assets := inv.Find(catalog.Filter{})
		if err := catalog.Sort(assets, tt.order); err != nil {
			t.Errorf("%s: %v", tt.order, err)
		}
		var got []string
		for _, a := range catalog.Page(assets, 0, len(tt.want)) {
			got = append(got, a.ID)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.order, got, tt.want)
		}
	}
	if err := catalog.Sort(nil, "size"); err == nil {
		t.Error("sorted by a member that is not there")
	}
}

func TestPage(t *testing.T) {
	assets := load(t).Find(catalog.Filter{})
	for _, tt := range []struct{ offset, limit, want int }{
		{0, 20, 20}, {45, 20, 5}, {50, 20, 0}, {999, 20, 0}, {0, 999, 50}, {-1, 3, 3}, {3, -1, 0},
	} {
		if got := len(catalog.Page(assets, tt.offset, tt.limit)); got != tt.want {
			t.Errorf("%+v: %d assets", tt, got)
		}
	}
}

func TestAtAddress(t *testing.T) {
	inv := load(t)
	for address, want := range map[string]string{
		"10.20.11.34":    "orders-api-01",
		"203.0.113.240":  "tracking-https",
		"2001:DB8:1::42": "",
	} {
		found := inv.AtAddress(netip.MustParseAddr(address))
		if want == "" && len(found) == 0 {
			continue
		}
		if len(found) != 1 || found[0].Name != want {
			t.Errorf("%s: %d assets, want %q", address, len(found), want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, doc := range []string{``, `[]`, `{"assets":[7]}`, `{"assets":[{"tags":"x"}]}`, `{"assets":[{"network":{"public_ips":["x"]}}]}`} {
		if _, err := catalog.Parse([]byte(doc)); err == nil {
			t.Errorf("%s: no error", doc)
		}
	}
}

func ExampleCount() {
	inv, err := catalog.Load()
	if err != nil {
		log.Fatal(err)
	}
	critical := inv.Find(catalog.Filter{Criticality: "critical"})
	groups, err := catalog.Count(critical, "provider")
	if err != nil {
		log.Fatal(err)
	}
	for _, g := range groups {
		fmt.Println(g.Value, g.Count)
	}
	// Output:
	// aws 8
	// azure 2
	// gcp 2
}
