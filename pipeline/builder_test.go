package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
	"github.com/cloudg/mcplayer/pipeline/detect"
)

func TestBuildTellsAllMistakes(t *testing.T) {
	specs := []pipeline.Spec{
		{Type: "project", ID: "cut", Options: options{"max_list": "3", "max_string": -1, "inlcude": "a", "exclude": "a..b", "allow_keys": "[", "max_depth": 1.5}},
		{Type: "nope"},
		{Type: "regex_replace", Options: options{"rules": []any{options{"pattern": "("}, options{"replace": "x", "flags": "z"}, options{"pattern": "a", "extra": 1}, 7}}},
		{Type: "rename", Options: options{"keys": options{"a": 1, "b": "b"}}},
		{Type: "alias", Options: options{"aliases": options{"a": "x", "b": "x", "c": "a"}, "files": []any{"/does/not/exist"}}},
		{Type: "template", Options: options{"templates": options{"a": "{", "b": "no member"}}},
		{Type: "project", Options: options{"allow_keys_by_sensitivity": options{"secret": []any{"a"}, "public": 1}}},
		{Type: "project"},
	}
	_, err := pipeline.NewBuilder(nil).Build(specs)
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"step 1 (cut): option max_list: must be a whole number",
		"step 1 (cut): option max_string: must be at least 0",
		"step 1 (cut): option inlcude: unknown; there are",
		`step 1 (cut): option exclude: "a..b": a segment is empty`,
		"step 1 (cut): option allow_keys: ",
		"step 1 (cut): option max_depth: must be a whole number",
		`step 2 (nope): unknown type "nope"; there are alias, annotate, depseudonymize, guard_secrets, project`,
		"step 3 (regex_replace): option rules: element 0: option pattern: error parsing regexp",
		"step 3 (regex_replace): option rules: element 1: option pattern: is missing",
		"step 3 (regex_replace): option rules: element 2: option extra: unknown",
		"step 3 (regex_replace): option rules: element 3 must be an object",
		`step 4 (rename): option keys: "a" must be a text`,
		`step 4 (rename): option keys: "b" needs another name`,
		`step 5 (alias): option aliases: "x" stands for both "a" and "b"`,
		`step 5 (alias): option aliases: "a" is an alias and a value`,
		"step 5 (alias): option files: /does/not/exist: ",
		`step 6 (template): option templates: "a": no member is named`,
		`step 6 (template): option templates: "b": no member is named`,
		`step 7 (project): option allow_keys_by_sensitivity: `,
		`step 7 (project): option allow_keys_by_sensitivity: "public" must be a list of texts`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("not told: %s", want)
		}
	}
	if t.Failed() {
		t.Log(err)
	}
}

func TestBuildEmpty(t *testing.T) {
	p, err := pipeline.NewBuilder(nil).Build(nil)
	if p != nil || err != nil {
		t.Errorf("%v, %v", p, err)
	}
}

func TestRegister(t *testing.T) {
	upper := func(o *pipeline.Options) (pipeline.Transform, error) {
		suffix := o.String("suffix", "")
		return pipeline.Func(func(c *pipeline.Cursor) error {
			if c.Kind() == '"' {
				c.SetString(strings.ToUpper(c.Text()) + suffix)
			}
			return nil
		}), nil
	}
	b := pipeline.NewBuilder(nil)
	if err := b.Register("upper", upper, "caps"); err != nil {
		t.Fatal(err)
	}
	if b.Register("caps", upper) == nil || b.Register("new", upper, "project") == nil || b.Register("new", nil) == nil {
		t.Error("a taken name or no factory is accepted")
	}
	if b.TypeOf("caps") != "upper" || b.TypeOf("shape") != "project" || b.TypeOf("x") != "" {
		t.Error("aliases are not resolved")
	}
	p, err := b.Build([]pipeline.Spec{{Type: "caps", Options: options{"suffix": "!"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := run(t, p, `{"a":"b"}`); got != `{"a":"B!"}` {
		t.Error(got)
	}
	if _, err := pipeline.NewBuilder(nil).Build([]pipeline.Spec{{Type: "upper"}}); err == nil {
		t.Error("another builder knows the type")
	}
}

func TestFailureWithholds(t *testing.T) {
	boom := errors.New("boom")
	for name, f := range map[string]pipeline.Func{
		"error": func(*pipeline.Cursor) error { return boom },
		"panic": func(*pipeline.Cursor) error { panic("boom") },
	} {
		t.Run(name, func(t *testing.T) {
			b := pipeline.NewBuilder(nil)
			if err := b.Register("bad", func(*pipeline.Options) (pipeline.Transform, error) { return f, nil }); err != nil {
				t.Fatal(err)
			}
			p, err := b.Build([]pipeline.Spec{{Type: "project"}, {Type: "bad", ID: "mine"}})
			if err != nil {
				t.Fatal(err)
			}
			pass := p.Begin(context.Background(), mcplayer.CallInfo{})
			if out, err := pass.JSON([]byte(`{"a":1}`)); err == nil || out != nil || !strings.Contains(err.Error(), "mine") || !strings.Contains(err.Error(), "boom") {
				t.Errorf("%s, %v", out, err)
			}
			if out, err := pass.Text("x"); err == nil || out != "" {
				t.Errorf("%s, %v", out, err)
			}
			if out, err := pass.JSON([]byte(`{`)); err == nil || out != nil {
				t.Errorf("%s, %v", out, err)
			}
		})
	}
}

func TestPreviewTellsWhatBecameEmpty(t *testing.T) {
	p := build(t, "project", options{"include": "a.b", "exclude": "**.x"})
	got, err := pipeline.NewPreview(t.Context(), p, mcplayer.CallInfo{}, `{"a":{"c":{"d":1}},"e":1}`)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range got.Changes {
		lines = append(lines, string(c.Pointer)+" "+c.Option)
	}
	if got := strings.Join(lines, ", "); got != "/a/c include, /a include, /e include" {
		t.Errorf("got %s", got)
	}
}

func TestPreview(t *testing.T) {
	p, err := pipeline.NewBuilder(nil).Build([]pipeline.Spec{
		{Type: "alias", Options: options{"aliases": options{"x": "y"}}},
		{Type: "project", ID: "shape", Options: options{"exclude": "b", "max_list": 1, "drop_nulls": true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := pipeline.NewPreview(t.Context(), p, mcplayer.CallInfo{}, `{"a":["x","z"],"b":1,"c":"{\"d\":\"x\"}","n/":null}`)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"a":["y","… 1 more items"],"c":"{\"d\":\"y\"}"}`; got.After != want {
		t.Errorf("got %s, want %s", got.After, want)
	}
	var lines []string
	for _, c := range got.Changes {
		lines = append(lines, strings.Join([]string{string(c.Pointer), c.Step, c.Option}, " "))
	}
	want := "/a shape max_list, /a/0 alias aliases, /b shape exclude, /c/d alias aliases, /n~1 shape drop_nulls"
	if got := strings.Join(lines, ", "); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if none, err := pipeline.NewPreview(t.Context(), nil, mcplayer.CallInfo{}, "x"); err != nil || none.After != "x" {
		t.Errorf("%v, %v", none, err)
	}
}

// Documents keep numbers as they are written: account ids look like numbers.
func TestNumbersAsTexts(t *testing.T) {
	p := build(t, "alias", options{"aliases": options{"012": json.Number("34")}})
	if got, _ := run(t, p, `["012"]`); got != `["34"]` {
		t.Errorf("got %s", got)
	}
	p = build(t, "project", options{"allow_keys": []any{json.Number("12")}})
	if got, _ := run(t, p, `{"12":1,"a":2}`); got != `{"12":1}` {
		t.Errorf("got %s", got)
	}
	p = build(t, "project", options{"allow_keys": json.Number("12")})
	if got, _ := run(t, p, `{"12":1,"a":2}`); got != `{"12":1}` {
		t.Errorf("got %s", got)
	}
	p = build(t, "rename_keys", options{"keys": options{"a": json.Number("1.50")}})
	if got, _ := run(t, p, `{"a":2}`); got != `{"1.50":2}` {
		t.Errorf("got %s", got)
	}
}

func TestCursorFailuresWithhold(t *testing.T) {
	b := pipeline.NewBuilder(nil)
	careless := pipeline.Func(func(c *pipeline.Cursor) error {
		_ = c.Set(func() {})
		return nil
	})
	if err := b.Register("careless", func(*pipeline.Options) (pipeline.Transform, error) { return careless, nil }); err != nil {
		t.Fatal(err)
	}
	p, err := b.Build([]pipeline.Spec{{Type: "careless"}})
	if err != nil {
		t.Fatal(err)
	}
	if out, err := p.Begin(t.Context(), mcplayer.CallInfo{}).Text("secret"); out != "" || err == nil {
		t.Errorf("%q passed (%v)", out, err)
	}
	if _, err := b.Build([]pipeline.Spec{{Type: "careless", Options: options{"foo": 1}}}); err == nil || err.Error() != "step 1 (careless): option foo: unknown; there are none" {
		t.Errorf("got %v", err)
	}
}

func TestCursorRenamesNoMemberOverAnother(t *testing.T) {
	b := pipeline.NewBuilder(nil)
	rename := pipeline.Func(func(c *pipeline.Cursor) error {
		if c.Key() == "a" {
			c.Rename("b")
		}
		return nil
	})
	if err := b.Register("a_to_b", func(*pipeline.Options) (pipeline.Transform, error) { return rename, nil }); err != nil {
		t.Fatal(err)
	}
	p, err := b.Build([]pipeline.Spec{{Type: "a_to_b"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := run(t, p, `{"x":{"a":1},"y":{"a":1,"b":2}}`); got != `{"x":{"b":1},"y":{"a":1,"b":2}}` {
		t.Errorf("got %s", got)
	}
}

// Rules of a program, a gitleaks file's for example, serve redact and guard_secrets.
func TestRulesOfTheBuilder(t *testing.T) {
	rules, err := detect.LoadGitleaks(strings.NewReader("[[rules]]\nid = 'badge'\nregex = 'badge-(\\d{4})'\nkeywords = ['badge-']\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := pipeline.NewBuilder(&pipeline.BuilderOptions{Rules: rules})
	p, err := b.Build([]pipeline.Spec{{Type: "redact", Options: options{"strategies": options{"badge": "redact"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := run(t, p, `["badge-1234"]`); got != `["badge-[REDACTED:badge]"]` {
		t.Errorf("got %s", got)
	}
	if p, err = b.Build([]pipeline.Spec{{Type: "guard_secrets"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Begin(t.Context(), mcplayer.CallInfo{}).JSON([]byte(`{"x":"badge-1234"}`)); err == nil {
		t.Error("the guard let it pass")
	}
	for n, bad := range map[int]bool{64: false, 65: true} {
		var list []any
		for i := range n {
			list = append(list, options{"name": fmt.Sprint("r", i), "keys": fmt.Sprint("k", i), "siblings": "s", "category": "secret"})
		}
		_, err := b.Build([]pipeline.Spec{{Type: "redact", Options: options{"key_rules": list, "strategies": options{"secret": "redact"}}}})
		if got := err != nil && strings.Contains(err.Error(), "more than 64 rules ask for siblings"); got != bad {
			t.Errorf("%d rules: %v", n, err)
		}
	}
}
