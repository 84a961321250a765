package policy_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
)

func TestSpecsAreReadAsTheyWereWritten(t *testing.T) {
	specs := []*mcplayer.Spec{
		{
			Kind: mcplayer.KindTool, Name: "run", Category: "live", Tags: []string{"slow"}, Sensitivity: mcplayer.Restricted,
			Capabilities: mcplayer.Exec | mcplayer.ReadState,
			Annotations:  mcplayer.Annotations{ReadOnly: new(false), Destructive: new(true), Idempotent: new(false), OpenWorld: new(true)},
			Hints: mcplayer.Hints{
				Skip: []string{"sanitize"}, SkipInput: []string{"guard_secrets"},
				Pseudonymize: new(false), Depseudonymize: new(false), InputGuard: new(false),
				Project:    map[string]any{"exclude": []any{"x"}},
				Transforms: []mcplayer.TransformSpec{{Type: "annotate"}, {Type: "rename_keys", ID: "r", Options: map[string]any{"a": "b"}}},
			},
		},
		{Kind: mcplayer.KindResource, Name: "x://y", Category: "general", Tags: []string{}, Sensitivity: mcplayer.Public},
		{Kind: mcplayer.KindResourceTemplate, Name: "x://{y}", Category: "general", Sensitivity: mcplayer.Confidential},
		{Kind: mcplayer.KindPrompt, Name: "p", Category: "general", Sensitivity: mcplayer.Internal},
	}
	doc, err := policy.MarshalSpecs(specs)
	if err != nil {
		t.Fatal(err)
	}
	same(t, string(doc), `{"primitives":[`+
		`{"kind":"tool","name":"run","category":"live","tags":["slow"],"sensitivity":"restricted","capabilities":["read_state","exec"],`+
		`"read_only":false,"destructive":true,"idempotent":false,"open_world":true,`+
		`"hints":{"skip":["sanitize"],"skip_input":["guard_secrets"],"pseudonymize":false,"depseudonymize":false,"input_guard":false,`+
		`"project":{"exclude":["x"]},"transforms":["annotate",{"type":"rename_keys","id":"r","options":{"a":"b"}}]}},`+
		`{"kind":"resource","name":"x://y","category":"general","tags":[],"sensitivity":"public"},`+
		`{"kind":"resource_template","name":"x://{y}","category":"general","sensitivity":"confidential"},`+
		`{"kind":"prompt","name":"p","category":"general","sensitivity":"internal"}]}`)
	again, err := policy.ParseSpecs(doc, "specs.json")
	if err != nil || !reflect.DeepEqual(again, specs) {
		t.Errorf("read %+v, %v", again, err)
	}
}

func TestParseSpecs(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"defaults", "primitives: [{name: a}, {name: a, kind: prompt}]", "[tool a general confidential prompt a general internal]"},
		{"none", "primitives: []", "[]"},
		{"missing", "{}", "s.yaml:1: primitives is missing"},
		{"null", "primitives:", "s.yaml:1: primitives: must not be null; leave it out, or write what it holds"},
		{"no object", "[]", "s.yaml:1: must be an object, not a list"},
		{"twice", "primitives:\n- {name: a}\n- {kind: tool, name: a}", "s.yaml:3: primitives[1]: tool:a is there twice"},
		{
			"all mistakes", "primitives:\n- kind: tol\n  capability: [exec]\n- x\n- name: a\n  capabilities: [excec]\n  read_only: yes\n  hints: {skipp: []}",
			`s.yaml:2: primitives[0].kind: unknown value "tol"; did you mean "tool"? allowed are tool, resource, resource_template, prompt
s.yaml:2: primitives[0]: name is missing
s.yaml:3: primitives[0].capability: unknown key; allowed are kind, name, category, tags, sensitivity, capabilities, read_only, destructive, idempotent, open_world, hints
s.yaml:4: primitives[1]: must be an object, not a text
s.yaml:6: primitives[2].capabilities[0]: unknown value "excec"; did you mean "exec"? allowed are read_state, write_state, read_fs, write_fs, cloud_access, exec, reveal
s.yaml:7: primitives[2].read_only: must be true or false, not a text
s.yaml:8: primitives[2].hints.skipp: unknown key; did you mean "skip"? allowed are skip, skip_input, pseudonymize, depseudonymize, input_guard, project, transforms`,
		},
		{"empty", "", "s.yaml: is empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			specs, err := policy.ParseSpecs([]byte(tt.text), "s.yaml")
			words := []any{}
			for _, s := range specs {
				words = append(words, s.Kind, s.Name, s.Category, s.Sensitivity)
			}
			got := fmt.Sprint(words)
			if err != nil {
				got = err.Error()
			}
			same(t, got, tt.want)
		})
	}
}

func FuzzParseSpecs(f *testing.F) {
	f.Add("primitives: [{name: a, hints: {project: {x: 1}, transforms: [{type: a, b: 2}]}}]")
	f.Add(`{"primitives":[{"kind":"prompt","name":"p","tags":["a"],"read_only":true}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		specs, err := policy.ParseSpecs([]byte(text), "s")
		if err != nil {
			return
		}
		doc, err := policy.MarshalSpecs(specs)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		again, err := policy.ParseSpecs(doc, "s.json")
		if err != nil {
			t.Fatalf("%s: %v", doc, err)
		}
		twice, err := policy.MarshalSpecs(again)
		if err != nil || string(twice) != string(doc) {
			t.Errorf("%s\n%s, %v", doc, twice, err)
		}
	})
}
