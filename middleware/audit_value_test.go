package middleware_test

import (
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

// A report is written with sorted members, whatever it is made of.
func TestAuditReports(t *testing.T) {
	circle := map[string]any{}
	circle["again"] = circle
	tests := []struct {
		name   string
		report any
		want   string
	}{
		{"counts", map[string]any{"b": 2, "a": map[string]any{"y": int64(-3), "x": 1}}, `{"a":{"x":1,"y":-3},"b":2}`},
		{"raw", map[string]any{"r": jsontext.Value(`{ "b": 1.0, "a": "\u00e9<" }`)}, `{"r":{"a":"é<","b":1}}`},
		{"nothing", map[string]any{"raw": jsontext.Value(nil), "map": map[string]any(nil), "any": nil}, `{"any":null,"map":null,"raw":null}`},
		{"empty", map[string]any{"map": map[string]any{}}, `{"map":{}}`},
		{"others", map[string]any{"l": []any{true, 1.5, "<"}, "f": 0.25, "s": struct {
			B int `json:"b"`
			A int `json:"a"`
		}{1, 2}}, `{"f":0.25,"l":[true,1.5,"<"],"s":{"a":2,"b":1}}`},
		{"names and texts", map[string]any{"a\n\"": "b\n\xff"}, `{"a\u000a\"":"b\u000a` + "\ufffd" + `"}`},
		{"deep", map[string]any{"1": map[string]any{"2": map[string]any{"3": map[string]any{"4": map[string]any{"5": 6}}}}}, `{"1":{"2":{"3":{"4":{"5":6}}}}}`},
		{"not JSON", map[string]any{"a": 1, "b": map[string]any{"c": make(chan int)}}, `null`},
		{"raw that is not JSON", map[string]any{"a": jsontext.Value(`{`)}, `null`},
		{"a circle", circle, `null`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var sink safeBuffer
			audit := newAudit(t, middleware.AuditOptions{Writer: &sink})
			_, _ = audit.Handle(t.Context(), toolInfo(`{}`), next(&result.ToolResult{Meta: result.Meta{"cloudg/transforms": tt.report}}, nil))
			_ = audit.Close(t.Context())
			_, got, _ := strings.Cut(sink.String(), `"transforms":`)
			got, _, _ = strings.Cut(got, `,"ts":`)
			equal(t, got, tt.want)
		})
	}
}
