package mcplayer_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

const contactSchema = `{"type":"object","properties":{"name":{"type":"string","minLength":2},"age":{"type":"integer","maximum":150},
	"address":{"type":"object","properties":{"zip":{"type":"string","pattern":"^[0-9]+$"}}}},
	"additionalProperties":false,"required":["name"],"anyOf":[{"required":["age"]},{"required":["address"]}]}`

// A schema of the author's own holds for the arguments, whatever the handler
// takes; what was sent is not repeated.
func TestOwnInputSchemaIsChecked(t *testing.T) {
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "raw", InputSchema: jsontext.Value(contactSchema)},
		func(_ context.Context, _ *mcplayer.ToolContext, args jsontext.Value) (*result.ToolResult, error) {
			return result.Text(string(args)), nil
		})
	l := newLab(t, mcplayer.Options{Registry: reg})
	tests := []struct{ name, args, want string }{
		{"fits", `{"name":"hunter2","age":7}`, `{"name":"hunter2","age":7}`},
		{"type", `{"name":"ab","age":"hunter2"}`, "Invalid arguments: age: does not match the tool's input schema (type)"},
		{"bound", `{"name":"ab","age":151}`, "Invalid arguments: age: does not match the tool's input schema (maximum)"},
		{"length", `{"name":"h","age":1}`, "Invalid arguments: name: does not match the tool's input schema (minLength)"},
		{"inside", `{"name":"ab","address":{"zip":"hunter2"}}`, "Invalid arguments: address.zip: does not match the tool's input schema (pattern)"},
		{"missing", `{"age":1}`, "Invalid arguments: does not match the tool's input schema (required)"},
		{"choice", `{"name":"ab"}`, "Invalid arguments: does not match the tool's input schema (anyOf)"},
		{"unknown", `{"name":"ab","age":1,"hunter2":1}`, "Invalid arguments: does not match the tool's input schema (additionalProperties)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := l.call(t, "raw", []byte(tt.args))
			if got := textOf(t, res); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if res.IsError && strings.Contains(wireOf(t, res), "hunter2") {
				t.Errorf("the answer repeats what was sent: %s", wireOf(t, res))
			}
		})
	}
}

func TestOwnInputSchemaThatIsNone(t *testing.T) {
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "bad", InputSchema: jsontext.Value(`{"type":"object","properties":{"a":{"$ref":"#/$defs/none"}}}`)}, rawEcho)
	_, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open()})
	if err == nil || !strings.HasPrefix(err.Error(), "mcplayer: 1 configuration error:\ntool \"bad\": InputSchema: ") {
		t.Errorf("got %v", err)
	}
}
