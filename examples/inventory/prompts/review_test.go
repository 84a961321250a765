package prompts_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/examples/inventory/catalog"
	"github.com/cloudg/mcplayer/examples/inventory/prompts"
	"github.com/cloudg/mcplayer/policy"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestReviewAsset(t *testing.T) {
	inv, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	reg := mcplayer.NewRegistry()
	prompts.Register(reg, inv)
	layer, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open()})
	if err != nil {
		t.Fatal(err)
	}
	const id = "aws:sqs:order-events"
	for _, tt := range []struct {
		name       string
		args       map[string]string
		text, fail string
	}{
		{"without focus", map[string]string{"asset_id": id}, "Look at anything that deserves a second look.", ""},
		{"focus", map[string]string{"asset_id": id, "focus": "cost"}, "Look at what it costs and whether that is needed.", ""},
		{"unknown focus", map[string]string{"asset_id": id, "focus": "love"}, "", "focus: must be one of cost, exposure, owner"},
		{"unknown asset", map[string]string{"asset_id": "x"}, "", `No asset has the id "x"`},
		{"nothing", nil, "", "Missing required prompt arguments: asset_id"},
		{"blank", map[string]string{"asset_id": ""}, "", "Missing required prompt arguments: asset_id"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, err := layer.GetPrompt(t.Context(), "review_asset", tt.args)
			if err != nil {
				e, ok := errors.AsType[*mcplayer.Error](err)
				if !ok || tt.fail == "" || e.Message != tt.fail {
					t.Errorf("%v, want %s", err, tt.fail)
				}
				return
			}
			if block, ok := res.Messages[0].Content.(*mcp.TextContent); !ok || tt.text == "" || !strings.Contains(block.Text, tt.text) {
				t.Errorf("%+v, want %s", res.Messages[0].Content, tt.text)
			}
		})
	}
}
