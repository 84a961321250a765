package pipeline_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/corpus"
	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/cloudg/mcplayer/pipeline"
)

type options = map[string]any

// build makes a pipeline of one step.
func build(t testing.TB, typ string, opts options) mcplayer.Pipeline {
	t.Helper()
	p, err := pipeline.NewBuilder(nil).Build([]pipeline.Spec{{Type: typ, Options: opts}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// run leads a document through a pipeline.
func run(t testing.TB, p mcplayer.Pipeline, doc string) (string, mcplayer.Report) {
	t.Helper()
	pass := p.Begin(t.Context(), mcplayer.CallInfo{Spec: &mcplayer.Spec{Sensitivity: mcplayer.Internal}})
	out, err := pass.JSON([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	return string(out), pass.Report()
}

func TestProject(t *testing.T) {
	tests := []struct {
		name, doc, want string
		opts            options
	}{
		{"nothing", `{"a":[1, 2]}`, `{"a":[1, 2]}`, nil},
		{"exclude anywhere", `{"raw_data":1,"a":[{"raw_data":{"x":1},"b":2}]}`, `{"a":[{"b":2}]}`, options{"exclude": []any{"**.raw_data"}}},
		{"exclude one level", `{"a":{"x":1,"b":{"x":2}},"x":3}`, `{"a":{"b":{"x":2}},"x":3}`, options{"exclude": "*.x"}},
		{"exclude in lists", `{"a":[{"x":1,"y":2}]}`, `{"a":[{"y":2}]}`, options{"exclude": "a.x"}},
		{"exclude in lists by position", `{"a":[{"x":1,"y":2}]}`, `{"a":[{"y":2}]}`, options{"exclude": "a.*.x"}},
		{"exclude a position", `{"a":[1,2,3]}`, `{"a":[1,3]}`, options{"exclude": "a.1"}},
		{"exclude globs", `{"a_id":1,"b_id":2,"c":3}`, `{"c":3}`, options{"exclude": "*_id"}},
		{"include", `{"a":{"b":1,"c":2},"d":3}`, `{"a":{"b":1}}`, options{"include": []string{"a.b"}}},
		{"include whole", `{"a":{"b":1,"c":[{}]},"d":3}`, `{"a":{"b":1,"c":[{}]}}`, options{"include": "a"}},
		{"include anywhere", `{"x":{"id":1,"n":2},"y":[{"id":3},{"n":4}]}`, `{"x":{"id":1},"y":[{"id":3}]}`, options{"include": "**.id"}},
		{"include nothing", `{"a":{"b":1},"c":[1,{"d":2}]}`, `{}`, options{"include": "nope"}},
		{"include nothing in a list", `[{"a":1}]`, `[]`, options{"include": "nope"}},
		{"include and exclude", `{"a":{"b":1,"c":2}}`, `{"a":{"b":1}}`, options{"include": "a", "exclude": "a.c"}},
		{"allow keys", `{"id":1,"x":2,"in":{"id":3,"y":4}}`, `{"id":1,"in":{"id":3}}`, options{"allow_keys": []any{"id", "in"}}},
		{"allow keys, none", `{"id":1}`, `{}`, options{"allow_keys": []any{}}},
		{"allow keys by sensitivity", `{"id":1,"x":2}`, `{"x":2}`, options{"allow_keys": "id", "allow_keys_by_sensitivity": options{"internal": []any{"x"}, "restricted": []any{}}}},
		{"max depth", `{"a":{"b":{"c":1},"l":[1,2],"e":{}},"n":1}`, `{"a":{"b":"<dict: 1 keys>","l":"<list: 2 items>","e":{}},"n":1}`, options{"max_depth": 2}},
		{"max list", `{"a":[1,2,3,4,5]}`, `{"a":[1,2,"… 3 more items"]}`, options{"max_list": 2}},
		{"max list without marker", `{"a":[1,2,3]}`, `{"a":[1,2]}`, options{"max_list": 2.0, "list_marker": false}},
		{"max string", `["abcdef","größer","abcd"]`, `["abcd… [+2 chars]","größ… [+2 chars]","abcd"]`, options{"max_string": 4}},
		{"max string counts what is read", `["\u0061\u0062\u0063","\n\n\n\n"]`, `["\u0061\u0062\u0063","\n\n\n… [+1 chars]"]`, options{"max_string": 3}},
		{"drop nulls", `{"a":null,"b":[null],"c":1}`, `{"b":[null],"c":1}`, options{"drop_nulls": true}},
		{"drop empty", `{"a":"","b":[],"c":{"d":{}},"e":[""],"f":0}`, `{"e":[""],"f":0}`, options{"drop_empty": true}},
		{"64-bit numbers", `{"a":9007199254740993,"b":1.0,"c":1E400,"x":1}`, `{"a":9007199254740993,"b":1.0,"c":1E400}`, options{"exclude": "x"}},
		{"order and duplicates", `{"b":1,"a":2,"b":3,"x":1,"x":2}`, `{"b":1,"a":2,"b":3}`, options{"exclude": "x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := run(t, build(t, "project", tt.opts), tt.doc); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestProjectReport(t *testing.T) {
	p := build(t, "projection", options{"exclude": "x", "max_list": 1, "max_string": 3, "max_depth": 2, "drop_nulls": true})
	out, report := run(t, p, `{"x":1,"a":[1,2,3],"s":"abcdef","d":{"e":{"f":1}},"n":null}`)
	if want := `{"a":[1,"… 2 more items"],"s":"abc… [+3 chars]","d":{"e":"<dict: 1 keys>"}}`; out != want {
		t.Errorf("got %s", out)
	}
	want := mcplayer.Report{"projection": map[string]any{
		"members_dropped": 1, "nulls_dropped": 1, "lists_cut": 1, "items_dropped": 2, "strings_cut": 1, "chars_dropped": 3,
		"nested_dropped": 1, "chars_before": 147, "chars_after": 119,
	}}
	_, before := jsondoc.AppendIndent(nil, []byte(`{"x":1,"a":[1,2,3],"s":"abcdef","d":{"e":{"f":1}},"n":null}`), 0)
	_, after := jsondoc.AppendIndent(nil, []byte(out), 0)
	want["projection"].(map[string]any)["chars_before"], want["projection"].(map[string]any)["chars_after"] = before, after
	if !reflect.DeepEqual(report, want) {
		t.Errorf("got %v\nwant %v", report, want)
	}
	if _, report := run(t, p, `{"a":1}`); len(report) > 0 {
		t.Errorf("nothing was cut, but: %v", report)
	}
}

func TestBudget(t *testing.T) {
	list := func(n int, element string) string { return "[" + strings.Repeat(element+",", n-1) + element + "]" }
	deep := strings.Repeat(`{"a":{"bbbbbbbbbbbb":1,"c":`, 40) + "1" + strings.Repeat(`}}`, 40)
	tests := []struct {
		name, doc string
		budget    int
		least     float64 // how much of the budget is used, at least
		over      bool
	}{
		{"fits", list(10, `{"id":1}`), 1000, 0, false},
		{"one list", list(5000, `{"id":1,"name":"a name of an asset"}`), 10_000, 0.9, false},
		{"lists in lists", list(500, `{"id":1,"l":`+list(50, `"element"`)+`}`), 10_000, 0.75, false},
		{"one long string", `{"a":"` + strings.Repeat("word ", 100_000) + `"}`, 10_000, 0.75, false},
		{"many strings", `{` + strings.Repeat(`"a":"`+strings.Repeat("word ", 1000)+`",`, 20) + `"z":1}`, 10_000, 0.75, false},
		{"depth", deep, 2000, 0.3, false},
		{"never", `{` + strings.Repeat(`"some name":12345678,`, 500) + `"z":1}`, 1000, 0, true},
		{"assets", string(corpus.Assets(2000, 1)), 120_000, 0.9, false},
		{"prose", string(corpus.Prose(1<<20, 1)), 120_000, 0.9, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, report := run(t, build(t, "project", options{"max_chars": tt.budget}), tt.doc)
			if !json.Valid([]byte(out)) {
				t.Fatal("not JSON")
			}
			_, size := jsondoc.AppendIndent(nil, []byte(out), 0)
			t.Logf("%d of %d: %v", size, tt.budget, report)
			if over := size > tt.budget; over != tt.over || (report["truncated"] == true) != tt.over {
				t.Errorf("%d code points, budget %d, report %v", size, tt.budget, report)
			}
			if float64(size) < tt.least*float64(tt.budget) {
				t.Errorf("only %d code points of a budget of %d are used", size, tt.budget)
			}
			if cut := report["projection"] != nil; cut != (out != tt.doc) {
				t.Errorf("changed: %t, report %v", out != tt.doc, report)
			}
			again, _ := run(t, build(t, "project", options{"max_chars": tt.budget}), tt.doc)
			if again != out {
				t.Error("a second run gives another result")
			}
		})
	}
}

func TestBudgetIsShared(t *testing.T) {
	pass := build(t, "project", options{"max_chars": 10_000}).Begin(t.Context(), mcplayer.CallInfo{})
	var sizes []int
	for range 3 {
		out, err := pass.JSON(corpus.Assets(50, 1))
		if err != nil {
			t.Fatal(err)
		}
		_, size := jsondoc.AppendIndent(nil, out, 0)
		sizes = append(sizes, size)
	}
	if sizes[0]+sizes[1]+sizes[2] > 13_000 || sizes[0] < 8000 {
		t.Errorf("the pieces have %v code points", sizes)
	}
	if out, err := pass.Text("small pieces pass"); out != "small pieces pass" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
}
