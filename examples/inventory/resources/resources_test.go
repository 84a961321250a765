package resources_test

import (
	"encoding/json"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
	"github.com/cloudg/mcplayer/examples/inventory/resources"
	"github.com/cloudg/mcplayer/policy"
)

func newLayer(t *testing.T) (*mcplayer.Layer, *mcplayer.Registry, *catalog.Inventory) {
	t.Helper()
	inv, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	reg := mcplayer.NewRegistry()
	resources.Register(reg, inv)
	layer, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open()})
	if err != nil {
		t.Fatal(err)
	}
	return layer, reg, inv
}

// read reads a resource that is JSON.
func read(t *testing.T, layer *mcplayer.Layer, uri string, into any) {
	t.Helper()
	res, err := layer.ReadResource(t.Context(), uri)
	if err != nil {
		t.Fatalf("%s: %v", uri, err)
	}
	if got := res.Contents[0]; got.MIMEType != "application/json" || got.URI != uri {
		t.Errorf("%s: %s %s", uri, got.URI, got.MIMEType)
	}
	if err := json.Unmarshal([]byte(res.Contents[0].Text), into); err != nil {
		t.Fatalf("%s: %v", uri, err)
	}
}

// TestDatasets follows every link of the list.
func TestDatasets(t *testing.T) {
	layer, _, _ := newLayer(t)
	var list []resources.DatasetEntry
	read(t, layer, "cloudg://datasets", &list)
	if len(list) != 4 {
		t.Errorf("%d datasets", len(list))
	}
	for _, set := range list {
		var got resources.Summary
		read(t, layer, set.Summary, &got)
		if got.Name != set.Name || got.Assets != set.AssetCount {
			t.Errorf("%s has %d assets; %s has %d", set.Name, set.AssetCount, got.Name, got.Assets)
		}
	}
}

// TestAssets reads every asset by its id, as the template writes it.
func TestAssets(t *testing.T) {
	layer, reg, inv := newLayer(t)
	spec, ok := reg.Lookup(mcplayer.KindResourceTemplate, "cloudg://assets/{+ref}")
	if !ok {
		t.Fatal("no such template")
	}
	for _, a := range inv.Find(catalog.Filter{}) {
		uri, err := spec.Expand(map[string]string{"ref": a.ID})
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ ID string }
		if read(t, layer, uri, &got); got.ID != a.ID {
			t.Errorf("%s: %s", uri, got.ID)
		}
	}
}

func TestSummaryURI(t *testing.T) {
	_, reg, _ := newLayer(t)
	if got, err := resources.SummaryURI(reg, "a b?ü"); err != nil || got != "cloudg://datasets/a%20b%3F%C3%BC/summary" {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := resources.SummaryURI(reg, "a/b"); err == nil {
		t.Errorf("%s: {name} stands for one segment", got)
	}
	if _, err := resources.SummaryURI(mcplayer.NewRegistry(), "x"); err == nil {
		t.Error("a registry without the template gives no error")
	}
}
