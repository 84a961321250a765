package tools_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/examples/inventory/catalog"
	"github.com/go-json-experiment/json/jsontext"
)

func TestGetAssetBigNumbers(t *testing.T) {
	layer := newLayer(t)
	for id, want := range map[string]string{
		"aws:s3:example-orders-archive":                     `"total":11258999068426247`,
		"aws:rds:db/orders-primary":                         `"wal_bytes_since":9214364837600034817`,
		"gcp:bigquery:datasets/shipments_eu":                `"max_bytes_billed":9223372036854775807`,
		"gcp:storage:buckets/example-lantern-lake-raw":      `"live":9007199254740993`,
		"aws:ec2:volume/vol-0a7c4e19b52df8036":              `"iops":1e3,`,
		"azure:storage:storageAccounts/exampleerpfiles":     `"last_sequence":8444732965739290427`,
		"gcp:compute:instances/europe-west3-a/etl-runner-2": `"resource_id":6482910375518820417`,
	} {
		res := call(t, layer, "get_asset", object{"id": id})
		if !strings.Contains(string(res.Structured), want) {
			t.Errorf("%s: no %s in the structured value", id, want)
		}
		if !strings.Contains(text(res), strings.ReplaceAll(want, ":", ": ")) {
			t.Errorf("%s: no %s in the text", id, want)
		}
	}
}

// TestGetAssetAsCollected compares every asset token by token with the
// collector's file: numbers and the order of members are the same. Raw data is
// what the layer leaves out, so assets with it are left to the next test.
func TestGetAssetAsCollected(t *testing.T) {
	layer, inv := newLayer(t), load(t)
	for _, a := range inv.Find(catalog.Filter{}) {
		if bytes.Contains(a.Raw, []byte(`"raw_data"`)) {
			continue
		}
		res := call(t, layer, "get_asset", object{"id": a.ID})
		got, want := tokens(t, res.Structured), tokens(t, a.Raw)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v\nwant %v", a.ID, got, want)
		}
	}
}

func TestGetAssetLeavesRawDataOut(t *testing.T) {
	res := call(t, newLayer(t), "get_asset", object{"id": "aws:ec2:instance/i-0f3a9c27d1b84e655"})
	if doc := string(res.Structured); strings.Contains(doc, "raw_data") || !strings.Contains(doc, `"name":"orders-api-01"`) {
		t.Error(doc)
	}
}

func TestGetAssetNotFound(t *testing.T) {
	layer := newLayer(t)
	for id, want := range map[string]string{
		"aws:s3:nowhere":  `No asset has the id "aws:s3:nowhere"; find_assets returns ids that exist`,
		"tab\tand\u200bx": `No asset has the id "tab\tand\u200bx"; find_assets returns ids that exist`,
	} {
		checkFailure(t, call(t, layer, "get_asset", object{"id": id}), invalidParams, want)
	}
}

func load(t *testing.T) *catalog.Inventory {
	t.Helper()
	inv, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

// tokens returns the tokens of a document: strings decoded, numbers as written.
func tokens(t *testing.T, doc jsontext.Value) []string {
	t.Helper()
	var list []string
	dec := jsontext.NewDecoder(bytes.NewReader(doc))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return list // at the end
		}
		list = append(list, token.String())
	}
}
