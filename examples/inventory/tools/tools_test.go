package tools_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
	"github.com/cloudg/mcplayer/examples/inventory/resources"
	"github.com/cloudg/mcplayer/examples/inventory/tools"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newLayer returns a layer with all tools of the example.
func newLayer(t *testing.T) *mcplayer.Layer {
	t.Helper()
	layer, err := mcplayer.New(&mcplayer.Options{
		Registry: newRegistry(t),
		Policy:   policy.Open(),
		Logger:   slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return layer
}

func newRegistry(t *testing.T) *mcplayer.Registry {
	t.Helper()
	inv, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	reg := mcplayer.NewRegistry()
	tools.Register(reg, inv, &tools.Options{Step: 100 * time.Millisecond})
	tools.RegisterDemo(reg, inv)
	resources.Register(reg, inv)
	return reg
}

type object = map[string]any

func call(t *testing.T, layer *mcplayer.Layer, tool string, args any, opts ...mcplayer.CallOption) *result.ToolResult {
	t.Helper()
	res, err := layer.CallTool(t.Context(), tool, args, opts...)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return res
}

// value returns the structured value of a call that must succeed.
func value[T any](t *testing.T, layer *mcplayer.Layer, tool string, args any) T {
	t.Helper()
	res := call(t, layer, tool, args)
	if res.IsError {
		t.Fatalf("%s failed: %s", tool, text(res))
	}
	var v T
	if err := json.Unmarshal(res.Structured, &v); err != nil {
		t.Fatalf("%s: %v in %s", tool, err, res.Structured)
	}
	return v
}

func text(res *result.ToolResult) string {
	block, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		return fmt.Sprintf("%T", res.Content[0])
	}
	return block.Text
}

// checkFailure checks code and text of a call that must fail.
func checkFailure(t *testing.T, res *result.ToolResult, code any, want string) {
	t.Helper()
	if got := res.Meta["cloudg/error_code"]; !res.IsError || got != code || text(res) != want {
		t.Errorf("isError %t, code %v: %s\nwant %v: %s", res.IsError, got, text(res), code, want)
	}
}

var invalidParams = int64(mcplayer.CodeInvalidParams)

func TestSpecs(t *testing.T) {
	want := []struct {
		name, category, capabilities string
		sensitivity                  mcplayer.Sensitivity
		readOnly, idempotent         bool
	}{
		{"find_assets", "inventory", "read_state", mcplayer.Confidential, true, true},
		{"get_asset", "inventory", "read_state", mcplayer.Confidential, true, true},
		{"count_assets", "inventory", "read_state", mcplayer.Internal, true, true},
		{"load_dataset", "inventory", "read_state,read_fs", mcplayer.Internal, true, true},
		{"collect", "collection", "write_state,cloud_access", mcplayer.Internal, false, false},
		{"crash", "demo", "", mcplayer.Public, false, false},
		{"legacy_lookup", "demo", "read_state", mcplayer.Confidential, true, true},
		{"whoami", "demo", "read_state", mcplayer.Public, true, true},
		{"raw_asset", "demo", "read_state,reveal", mcplayer.Restricted, true, true},
	}
	specs := slices.DeleteFunc(newRegistry(t).Specs(), func(s *mcplayer.Spec) bool { return s.Kind != mcplayer.KindTool })
	if len(specs) != len(want) {
		t.Fatalf("%d tools, want %d", len(specs), len(want))
	}
	for i, s := range specs {
		w := want[i]
		if s.Name != w.name || s.Category != w.category || s.Capabilities.String() != w.capabilities ||
			s.Sensitivity != w.sensitivity || s.IsReadOnly() != w.readOnly || s.IsIdempotent() != w.idempotent {
			t.Errorf("%s %s %s %s read-only %t idempotent %t\nwant %+v",
				s.Name, s.Category, s.Capabilities, s.Sensitivity, s.IsReadOnly(), s.IsIdempotent(), w)
		}
		if s.Description == "" {
			t.Errorf("%s: no description", s.Name)
		}
	}
}

func TestFindAssets(t *testing.T) {
	layer := newLayer(t)
	for _, tt := range []struct {
		name  string
		args  any
		total int
		first []string // names
		page  int
	}{
		{"defaults", nil, 50, []string{"Ludovic Ferrand-Maes (ext.)", "agw-erp-portal", "aks-shared-weu"}, 20},
		{"last page", object{"offset": 40}, 50, nil, 10},
		{"past the end", object{"offset": 60}, 50, nil, 0},
		{"limit", object{"limit": 2, "sort": "-name"}, 50, []string{"vnet-erp-gwc", "vm-jump-weu"}, 2},
		{"filters", object{"provider": "gcp", "criticality": "critical", "sort": "criticality"}, 2, []string{"tracking-https", "etl-writer"}, 2},
		{"account", object{"account_id": "444455556666"}, 2, nil, 2},
		{"region and status", object{"region": "westeurope", "status": "running"}, 2, []string{"aks-shared-weu", "func-edi-bridge"}, 2},
		{"tags", object{"tags": []object{{"key": "env", "value": "prod"}, {"key": "managed-by"}}}, 2, []string{"petrel-prod", "petrel-prod-vpc"}, 2},
		{"text", object{"text": "frankfurt"}, 1, []string{"petrel-prod-vpc"}, 1},
		{"time", object{"created_after": "2026-01-01T00:00:00Z", "created_before": "2026-02-19T09:14:00+01:00", "sort": "created_at"}, 2, []string{"stg-basket-cache", "etl-runner-2-scratch"}, 2},
		{"nothing", object{"provider": "aws", "region": "westeurope"}, 0, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := value[tools.FindResult](t, layer, "find_assets", tt.args)
			if got.Total != tt.total || len(got.Assets) != tt.page {
				t.Errorf("%d of %d, want %d of %d", len(got.Assets), got.Total, tt.page, tt.total)
			}
			for i, want := range tt.first {
				if i < len(got.Assets) && got.Assets[i].Name != want {
					t.Errorf("asset %d is %q, want %q", i, got.Assets[i].Name, want)
				}
			}
		})
	}
}

func TestSummary(t *testing.T) {
	res := call(t, newLayer(t), "find_assets", object{"text": "nsg-app"})
	const want = `{"total":1,"assets":[{"id":"azure:network:networkSecurityGroups/nsg-app","name":"nsg-app","asset_type":"network.firewall",` +
		`"provider":"azure","account_id":"3f8a2d61-5b0c-4e97-a1d4-92c7be60f315","region":"germanywestcentral","status":"available","criticality":"medium",` +
		`"created_at":"2022-03-14T08:20:55Z","dataset":"prod-core-2026-11","owner":null,"tags":{"Umgebung":"Produktion"}}]}`
	if string(res.Structured) != want {
		t.Errorf("%s\nwant %s", res.Structured, want)
	}
}

func TestCountAssets(t *testing.T) {
	layer := newLayer(t)
	for _, tt := range []struct {
		name, args, want string
	}{
		{"provider", `{"by":"provider"}`, `{"by":"provider","total":50,"counts":[{"value":"aws","count":20},{"value":"azure","count":16},{"value":"gcp","count":14}]}`},
		{"status", `{"by":"status"}`, `{"by":"status","total":50,"counts":[{"value":"available","count":34},{"value":"running","count":10},{"value":"stopped","count":3},{"value":"deleted","count":2},{"value":"unknown","count":1}]}`},
		{"criticality", `{"by":"criticality"}`, `{"by":"criticality","total":50,"counts":[{"value":"high","count":22},{"value":"critical","count":12},{"value":"medium","count":10},{"value":"low","count":6}]}`},
		{"dataset", `{"by":"dataset","min_count":7}`, `{"by":"dataset","total":50,"counts":[{"value":"prod-core-2026-11","count":28},{"value":"data-platform-2026-11","count":10},{"value":"shared-services-2026-11","count":7}]}`},
		{"region", `{"by":"region","min_count":6}`, `{"by":"region","total":50,"counts":[{"value":"eu-central-1","count":14},{"value":"germanywestcentral","count":9},{"value":"global","count":8},{"value":"westeurope","count":6}]}`},
		{"asset_type", `{"by":"asset_type","min_count":4}`, `{"by":"asset_type","total":50,"counts":[{"value":"compute.instance","count":6},{"value":"function","count":4},{"value":"storage.bucket","count":4}]}`},
		{"account_id", `{"by":"account_id","min_count":9}`, `{"by":"account_id","total":50,"counts":[{"value":"111122223333","count":15},{"value":"3f8a2d61-5b0c-4e97-a1d4-92c7be60f315","count":12},{"value":"lantern-data-388120","count":9}]}`},
		{"where", `{"by":"provider","where":{"criticality":"critical"}}`, `{"by":"provider","total":12,"counts":[{"value":"aws","count":8},{"value":"azure","count":2},{"value":"gcp","count":2}]}`},
		{"nested tags", `{"by":"provider","where":{"tags":[{"key":"env","value":"prod"}]}}`, `{"by":"provider","total":21,"counts":[{"value":"aws","count":13},{"value":"gcp","count":8}]}`},
		{"nothing", `{"by":"provider","where":{"text":"nowhere to be found"}}`, `{"by":"provider","total":0,"counts":[]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := call(t, layer, "count_assets", []byte(tt.args))
			if string(res.Structured) != tt.want {
				t.Errorf("%s\nwant %s", res.Structured, tt.want)
			}
		})
	}
}

func TestLoadDataset(t *testing.T) {
	layer := newLayer(t)
	res := call(t, layer, "load_dataset", object{"name": "data-platform-2026-11"})
	var got struct {
		AssetCount int      `json:"asset_count"`
		SizeBytes  int64    `json:"size_bytes"`
		AssetIDs   []string `json:"asset_ids"`
	}
	if err := json.Unmarshal(res.Structured, &got); err != nil {
		t.Fatal(err)
	}
	if got.AssetCount != 10 || got.SizeBytes != 20273997203549965 || len(got.AssetIDs) != 10 ||
		!slices.Contains(got.AssetIDs, "gcp:bigquery:datasets/shipments_eu") {
		t.Errorf("%+v", got)
	}
	if len(res.Content) != 2 {
		t.Fatalf("%d blocks, want text and link", len(res.Content))
	}
	if link, ok := res.Content[1].(*mcp.ResourceLink); !ok || link.URI != "cloudg://datasets/data-platform-2026-11/summary" {
		t.Errorf("second block %+v", res.Content[1])
	}

	res = call(t, layer, "load_dataset", object{"name": "prod"})
	checkFailure(t, res, invalidParams, "No such dataset; there are prod-core-2026-11, shared-services-2026-11, data-platform-2026-11, staging-2026-11")
}

func TestArgumentsAreChecked(t *testing.T) {
	layer := newLayer(t)
	for tool, args := range map[string]any{
		"find_assets":  object{"colour": "red"},
		"get_asset":    object{"ID": "aws:sqs:order-events"},
		"count_assets": object{"by": "provider", "where": object{"tags": []object{{"name": "env"}}}},
		"load_dataset": object{"name": []string{}},
		"collect":      object{"provider": "aws", "only": object{"asset_types": object{}}},
	} {
		res := call(t, layer, tool, args)
		if res.Meta["cloudg/error_code"] != invalidParams {
			t.Errorf("%s: %s", tool, text(res))
		}
	}
}

func Example() {
	inv, err := catalog.Load()
	if err != nil {
		log.Fatal(err)
	}
	reg := mcplayer.NewRegistry()
	tools.Register(reg, inv, nil)
	layer, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open()})
	if err != nil {
		log.Fatal(err)
	}
	res, err := layer.CallTool(context.Background(), "count_assets", map[string]any{"by": "provider"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(res.Structured))
	// Output:
	// {"by":"provider","total":50,"counts":[{"value":"aws","count":20},{"value":"azure","count":16},{"value":"gcp","count":14}]}
}
