package mcplayer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// level is a Stringer that is no struct.
type level int

func (l level) String() string { return [...]string{"low", "high"}[l] }

// point is a Stringer that is a struct.
type point struct {
	X, Y int
}

func (p point) String() string { return fmt.Sprintf("(%d,%d)", p.X, p.Y) }

// marked has a text of its own and a String.
type marked int

func (m marked) MarshalText() ([]byte, error) { return []byte("text"), nil }
func (m marked) String() string               { return "string" }

// custom has a JSON form of its own, with a member to leave out.
type custom struct{}

func (custom) MarshalJSON() ([]byte, error) {
	return []byte(`{ "raw_data" : [1, {"x":2}], "k" : {"raw\u005fdata":1,"z":"raw_data"} }`), nil
}

type embedded struct {
	ID int64 `json:"id"`
}

type asset struct {
	embedded
	Name    string            `json:"name"`
	Skip    string            `json:"-"`
	Empty   string            `json:"empty,omitempty"`
	Tags    []string          `json:"tags"`
	Labels  map[string]string `json:"labels"`
	RawData any               `json:"raw_data"`
	When    time.Time         `json:"when"`
	private int
}

var when = time.Date(2026, 10, 8, 15, 15, 37, 292e6, time.UTC)

func TestNormalise(t *testing.T) {
	var nilMap map[string]int
	var nilPointer *asset
	tests := []struct {
		name  string
		value any
		want  string // the structured value; empty for none
	}{
		{
			"struct by tags",
			asset{embedded: embedded{9007199254740993}, Name: "a<b>&", RawData: 1, When: when},
			`{"id":9007199254740993,"name":"a<b>&","tags":[],"labels":{},"when":"2026-10-08T15:15:37.292Z"}`,
		},
		{"pointer", &asset{Tags: []string{"x"}, When: when}, `{"id":0,"name":"","tags":["x"],"labels":{},"when":"2026-10-08T15:15:37.292Z"}`},
		{"map, sorted", map[string]any{"b": 1, "a": nil}, `{"a":null,"b":1}`},
		{"raw object, as it is", jsontext.Value(`{"z":1.0,"a":1E400,"n":12345678901234567890}`), `{"z":1.0,"a":1E400,"n":12345678901234567890}`},
		{"raw_data at any depth", map[string]any{"raw_data": 1, "x": []any{map[string]any{"raw_data": 2, "y": 3}}}, `{"x":[{"y":3}]}`},
		{"raw_data through a marshaler", custom{}, `{"k":{"z":"raw_data"}}`},
		{"raw_data in raw JSON", json.RawMessage(`{"raw_data":{},"a":1}`), `{"a":1}`},
		{"the word is no member", map[string]any{"a": "raw_data", "b": []string{"raw_data"}}, `{"a":"raw_data","b":["raw_data"]}`},
		{"list", []int{1, 2}, `{"result":[1,2]}`},
		{"list of structs without raw_data", []asset{{RawData: 1, When: when}}, `{"result":[{"id":0,"name":"","tags":[],"labels":{},"when":"2026-10-08T15:15:37.292Z"}]}`},
		{"nil list", []string(nil), `{"result":[]}`},
		{"nil map", nilMap, `{}`},
		{"nil pointer", nilPointer, `{"result":null}`},
		{"text", "a\n\"b\"", `{"result":"a\n\"b\""}`},
		{"number", 1.5, `{"result":1.5}`},
		{"big number", int64(math.MaxInt64), `{"result":9223372036854775807}`},
		{"bool", true, `{"result":true}`},
		{"bytes", []byte("hi"), `{"result":"aGk="}`},
		{"nested nil", map[string][]int{"a": nil}, `{"a":[]}`},
		{"TextMarshaler", netip.MustParseAddr("10.0.0.1"), `{"result":"10.0.0.1"}`},
		{"TextMarshaler before Stringer", map[string]any{"m": marked(1)}, `{"m":"text"}`},
		{"Marshaler before Stringer", big.NewInt(7), `{"result":7}`},
		{"json.Number", map[string]any{"n": json.Number("1.50")}, `{"n":1.50}`},
		{"json.Number in a struct", &struct{ N, Z json.Number }{N: "12345678901234567890"}, `{"N":12345678901234567890,"Z":0}`},
		{"json.Number behind a pointer", struct{ N, Z *json.Number }{N: new(json.Number("-1e9"))}, `{"N":-1e9,"Z":null}`},
		{"json.Number as a name", map[json.Number]json.Number{"1.50": "2.50"}, `{"1.50":2.50}`},
		{"Stringer", map[string]any{"l": level(1)}, `{"l":"high"}`},
		{"Stringer by itself", level(0), `{"result":"low"}`},
		{"Stringers in a list", []level{0, 1}, `{"result":["low","high"]}`},
		{"duration", map[string]any{"d": 90 * time.Second}, `{"d":"1m30s"}`},
		{"struct that is a Stringer", point{1, 2}, `{"X":1,"Y":2}`},
		{"pointer to such a struct", &point{1, 2}, `{"X":1,"Y":2}`},
		{"invalid UTF-8", map[string]string{"s": "a\xffb"}, "{\"s\":\"a\uFFFDb\"}"},
		{"nothing", nil, ""},
		{"nil result", (*result.ToolResult)(nil), ""},
		{"nil result of the SDK", (*mcp.CallToolResult)(nil), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, returning("get", tt.value))
			res := l.call(t, "get", nil)
			if tt.want == "" {
				same(t, wireOf(t, res), `{"_meta":{"cloudg/duration_ms":0},"content":[]}`)
				return
			}
			same(t, string(res.Structured), tt.want)
			indented, err := json.MarshalIndent(json.RawMessage(tt.want), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			got := []byte(textOf(t, res))
			same(t, unescapeHTML(string(got)), unescapeHTML(string(indented)))
		})
	}
}

// Values look as encoding/json writes them, apart from escapes for HTML.
func TestEncodingIsThatOfEncodingJSON(t *testing.T) {
	type inner struct {
		A *int           `json:"a,omitempty"`
		B any            `json:"b,omitempty"`
		C float32        `json:"c"`
		D float64        `json:"d,string"`
		E [2]bool        `json:"e"`
		F map[int]string `json:"f"`
		G time.Time      `json:"g,omitzero"`
		H uint8
		I json.RawMessage
		J interface{ M() }
		K complexKey `json:"k"`
		L []byte     `json:"l"`
		M string     `json:"m,omitempty"`
		*point
	}
	values := []any{
		inner{C: 1e21, D: 1e-7, F: map[int]string{2: "b", 10: "a"}, H: 255, I: json.RawMessage(` {"x" : [1 , 2]}`), L: []byte{1, 2}},
		inner{point: &point{3, 4}, F: map[int]string{}, B: []any{1, "x", nil, 1e6, 0.1}, I: json.RawMessage(`1`), L: []byte{}},
		map[string]any{"é": "日本 \u2028 \x7f \t", "": 0.0, "n": math.MaxUint32, "f": 1e20, "g": 123456789.0, "h": 5e-324},
		[]any{map[netip.Addr]int{netip.MustParseAddr("::1"): 1}, [0]int{}, struct{}{}},
	}
	for i, v := range values {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			want, err := json.Marshal(map[string]any{"v": v})
			if err != nil {
				t.Fatal(err)
			}
			l := newLab(t, mcplayer.Options{}, returning("get", map[string]any{"v": v}))
			same(t, unescapeHTML(string(l.call(t, "get", nil).Structured)), unescapeHTML(string(want)))
		})
	}
}

type complexKey struct{ A, B int }

// unescapeHTML undoes the escapes that encoding/json adds for HTML and
// JavaScript.
func unescapeHTML(s string) string {
	out, err := jsontext.AppendFormat(nil, []byte(s), jsontext.PreserveRawStrings(false), jsontext.AllowDuplicateNames(true))
	if err != nil {
		panic(err)
	}
	return string(out)
}

func TestOmitMembersOption(t *testing.T) {
	value := map[string]any{"raw_data": 1, "debug": 2, "a": 3, "z": 4}
	tests := []struct {
		name string
		omit []string
		want string
	}{
		{"default", nil, `{"a":3,"debug":2,"z":4}`},
		{"none", []string{}, `{"a":3,"debug":2,"raw_data":1,"z":4}`},
		{"others", []string{"debug", "z"}, `{"a":3,"raw_data":1}`},
		{"all", []string{"debug", "z", "a", "raw_data"}, `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{OmitMembers: tt.omit}, returning("get", value))
			if len(tt.omit) > 0 {
				tt.omit[0] = "changed later"
			}
			same(t, string(l.call(t, "get", nil).Structured), tt.want)
		})
	}
}

func TestValuesOfSDKHandlers(t *testing.T) {
	type out struct {
		N       int      `json:"n"`
		List    []string `json:"list"`
		RawData int      `json:"raw_data"`
	}
	text := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "t"}}}
	add := func(wire *mcp.CallToolResult, o *out) func(*mcplayer.Registry) {
		return func(r *mcplayer.Registry) {
			mcplayer.AddSDKTool(r, mcplayer.Tool{Name: "get"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, *out, error) {
				return wire, o, nil
			})
		}
	}
	tests := []struct {
		name string
		wire *mcp.CallToolResult
		out  *out
		want string
	}{
		{"value alone", nil, &out{N: 1}, `"content":[{"type":"text","text":"{\n  \"n\": 1,\n  \"list\": []\n}"}],"structuredContent":{"n":1,"list":[]}}`},
		{"both", text, &out{N: 1}, `"content":[{"type":"text","text":"t"}],"structuredContent":{"n":1,"list":[]}}`},
		{"nil value, as the SDK has it", text, nil, `"content":[{"type":"text","text":"t"}],"structuredContent":{"n":0,"list":[]}}`},
		{"nothing, as the SDK has it", nil, nil, `"content":[{"type":"text","text":"{\n  \"n\": 0,\n  \"list\": []\n}"}],"structuredContent":{"n":0,"list":[]}}`},
		{"value and an empty result", &mcp.CallToolResult{}, &out{N: 1}, `"content":[{"type":"text","text":"{\n  \"n\": 1,\n  \"list\": []\n}"}],"structuredContent":{"n":1,"list":[]}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, add(tt.wire, tt.out))
			same(t, l.wire(t, "get", nil), `{"_meta":{"cloudg/duration_ms":0},`+tt.want)
		})
	}
}

func TestErrorsAndRequestsOfSDKHandlers(t *testing.T) {
	type out struct{ N int }
	ask := &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"a": &mcp.ElicitParams{Message: "m"}}, RequestState: "s"}
	l := newLab(t, mcplayer.Options{}, func(r *mcplayer.Registry) {
		mcplayer.AddSDKTool(r, mcplayer.Tool{Name: "fail"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, out, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "lost"}}}, out{1}, &refusal{"x"}
		})
		mcplayer.AddSDKTool(r, mcplayer.Tool{Name: "ask"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, out, error) {
			return ask, out{1}, nil
		})
		mcplayer.AddSDKTool(r, mcplayer.Tool{Name: "any"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	})
	same(t, l.wire(t, "fail", nil), `{"_meta":{"cloudg/error_code":"handler_error"},"content":[{"type":"text","text":"refusal: x"}],"isError":true}`)
	same(t, l.wire(t, "ask", nil), wireOf(t, result.AskInput(ask.InputRequests, "s")))
	same(t, l.wire(t, "any", nil), `{"_meta":{"cloudg/duration_ms":0},"content":[]}`)
}

// Names are compared decoded, however a handler escaped them.
func TestOmitMembersWrittenWithEscapes(t *testing.T) {
	for _, value := range []any{
		jsontext.Value(`{"a":{"raw\u005fdata":"secret","b":1}}`),
		map[string]any{"a": json.RawMessage(`{"\u0072aw_data":"secret","b":1}`)},
	} {
		l := newLab(t, mcplayer.Options{}, returning("get", value), fixed("cloudg://r", value))
		same(t, string(l.call(t, "get", nil).Structured), `{"a":{"b":1}}`)
		if got := l.read(t, "cloudg://r"); strings.Contains(got, "secret") {
			t.Errorf("got %s", got)
		}
	}
}
