package pipeline_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
)

func TestSubstitutes(t *testing.T) {
	tests := []struct {
		name, typ, doc, want string
		opts                 options
		report               mcplayer.Report
	}{
		{
			"alias", "alias",
			`{"account_id":"111111111111","arn":"arn:aws:iam::111111111111:role/x","n":111111111111,"111111111111":1}`,
			`{"account_id":"prod-payments","arn":"arn:aws:iam::prod-payments:role/x","n":"prod-payments","prod-payments":1}`,
			options{"aliases": options{"111111111111": "prod-payments"}},
			mcplayer.Report{"aliased": 4},
		},
		{
			"alias inside a longer token", "aliases",
			`["1111111111112","x-web-1","web-1-old","web_1","web-1.","(web-1)","éweb-1",111111111111.5]`,
			`["1111111111112","x-web-1","web-1-old","web_1","w.","(w)","éweb-1",111111111111.5]`,
			options{"aliases": options{"cloud_account": options{"111111111111": "p"}, "name": options{"web-1": "w"}}},
			mcplayer.Report{"aliased": 2},
		},
		{
			"the longest value first", "alias", `["a.b c a"]`, `["2 c 1"]`,
			options{"aliases": options{"a": "1", "a.b": "2"}},
			mcplayer.Report{"aliased": 2},
		},
		{
			"alias inside JSON in a string", "alias", `{"a":"{\"b\":\"x\"}"}`, `{"a":"{\"b\":\"y\"}"}`,
			options{"aliases": options{"x": "y"}},
			mcplayer.Report{"aliased": 1},
		},
		{
			"regex_replace", "regex_replace", `{"a":"Build 17, build 18","b":["build 19"]}`, `{"a":"#17, #18","b":["#19"]}`,
			options{"rules": []any{options{"pattern": `build (\d+)`, "replace": "#$1", "flags": "i"}}},
			mcplayer.Report{"regex_replaced": 3},
		},
		{
			"regex_replace under a key, once", "regex_replace", `{"a":"xx","b":"xx","c":{"a":["xx"]}}`, `{"a":"yx","b":"xx","c":{"a":["yx"]}}`,
			options{"rules": []any{options{"pattern": "x", "replace": "y", "keys": "a", "count": 1}}},
			mcplayer.Report{"regex_replaced": 2},
		},
		{
			"rules in their order", "regex_replace", `["a"]`, `["c"]`,
			options{"rules": []any{options{"pattern": "a", "replace": "b"}, options{"pattern": "b", "replace": "c"}}},
			mcplayer.Report{"regex_replaced": 2},
		},
		{
			"rename_keys", "rename_keys", `{"old":1,"in":[{"old":{"old":2}}]}`, `{"new":1,"in":[{"new":{"new":2}}]}`,
			options{"keys": options{"old": "new"}},
			mcplayer.Report{"keys_renamed": 3},
		},
		{
			"rename_keys makes no duplicates", "rename", `{"old":1,"new":2}`, `{"old":1,"new":2}`,
			options{"keys": options{"old": "new"}},
			nil,
		},
		{
			"template", "template", `{"a":[{"id":7,"name":"n \"q\""},{"id":8}],"b":{}}`,
			`{"a":[{"id":7,"name":"n \"q\"","label":"n \"q\" {7}"},{"id":8}],"b":{}}`,
			options{"templates": options{"label": "{name} {{{id}}}"}},
			mcplayer.Report{"templated": 1},
		},
		{
			"template keeps what is there", "templates", `{"id":7,"label":"x"}`, `{"id":7,"label":"x"}`,
			options{"templates": options{"label": "{id}"}},
			nil,
		},
		{
			"all four", "substitute", `{"acct":"111","note":"bug 1"}`, `{"account":"prod","note":"issue 1","label":"prod: issue 1"}`,
			options{
				"aliases": options{"111": "prod"}, "rules": []any{options{"pattern": "bug", "replace": "issue"}},
				"keys": options{"acct": "account"}, "templates": options{"label": "{account}: {note}"},
			},
			mcplayer.Report{"aliased": 1, "regex_replaced": 1, "keys_renamed": 1, "templated": 1},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, report := run(t, build(t, tt.typ, tt.opts), tt.doc)
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if !reflect.DeepEqual(report, tt.report) {
				t.Errorf("report %v, want %v", report, tt.report)
			}
		})
	}
}

func TestAliasFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "aliases.json")
	if err := os.WriteFile(name, []byte(`{"account":{"111":"prod"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _ := run(t, build(t, "alias", options{"files": name}), `["111"]`); got != `["prod"]` {
		t.Error(got)
	}
}

func TestAliases(t *testing.T) {
	p := build(t, "substitute", options{"aliases": options{"account": options{"111": "prod"}, "222": "dev"}})
	got := p.(*pipeline.Pipeline).Aliases()
	if want := map[string]string{"prod": "111", "dev": "222"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestTemplateShowsWhatOtherStepsLeft(t *testing.T) {
	p, err := pipeline.NewBuilder(nil).Build([]pipeline.Spec{
		{Type: "template", Options: options{"templates": options{"label": "{name}/{secret}"}}},
		{Type: "regex_replace", Options: options{"rules": []any{options{"pattern": "s3cr3t", "replace": "***"}}}},
		{Type: "project", Options: options{"max_string": 5}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := run(t, p, `{"name":"x","secret":"s3cr3t"}`); got != `{"name":"x","secret":"***","label":"x/***"}` {
		t.Error(got)
	}
}
