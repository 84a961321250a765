package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/pipeline"
	"github.com/cloudg/mcplayer/policy"
)

// idle is a transform that does nothing.
type idle struct{}

func (idle) Begin(context.Context, *pipeline.Pass) pipeline.Step {
	return pipeline.Func(func(*pipeline.Cursor) error { return nil })
}

// builder returns a builder that knows all types that policies name.
func builder(t testing.TB) *pipeline.Builder {
	t.Helper()
	b := pipeline.NewBuilder(nil)
	for name, aliases := range map[string][]string{
		"sanitize": {"untrusted"}, "redact": {"dlp"}, "guard_secrets": {"secret_guard"}, "depseudonymize": {"depseudonymise"}, "custom": nil,
	} {
		if b.TypeOf(name) != "" {
			continue
		}
		if err := b.Register(name, placeholder, aliases...); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// placeholder knows the options that the policies here give.
func placeholder(o *pipeline.Options) (pipeline.Transform, error) {
	for _, name := range []string{"strategies", "aliases"} {
		o.Map(name)
	}
	for _, name := range []string{"default", "on_suspicious", "allow_pseudonymize"} {
		o.String(name, "")
	}
	o.Int("max_free_text", 0, 0)
	o.Bool("detect", true)
	o.Strings("disabled_detectors")
	o.Objects("custom_detectors", func(o *pipeline.Options) {
		for _, name := range []string{"name", "pattern", "entity", "category"} {
			o.String(name, "")
		}
	})
	return idle{}, nil
}

func TestSteps(t *testing.T) {
	tool := func(h mcplayer.Hints) *mcplayer.Spec {
		return &mcplayer.Spec{Kind: mcplayer.KindTool, Name: "t", Hints: h}
	}
	revealing := func(h mcplayer.Hints) *mcplayer.Spec { s := tool(h); s.Capabilities = mcplayer.Reveal; return s }
	closed := func(h mcplayer.Hints) *mcplayer.Spec {
		s := tool(h)
		s.Annotations.OpenWorld = new(false)
		return s
	}
	none := tool(mcplayer.Hints{})
	const secretsAndNames = "transforms: [sanitize, {type: redact, strategies: {secret: redact, jwt: drop, uuid: pseudonymize}}, project, annotate]\ninput_transforms: [guard_secrets]\n"
	const namesAndSecretsOut = `redact{"strategies":{"jwt":"drop","secret":"redact","uuid":"pseudonymize"}}`
	for _, tt := range []struct {
		name, doc string
		spec      *mcplayer.Spec
		matched   []int
		in, out   string
	}{
		{"nothing", "{}", none, nil, "", ""},
		{"names and aliases of types", "transforms: [shape, {type: dlp, id: r}]\ninput_transforms: [secret_guard]", none, nil, "guard_secrets", "project redact#r"},
		{"the policy's name", "name: n\ntransforms: [annotate]", none, nil, "", `annotate{"policy":"n"}`},
		{"no name", "transforms: [annotate]", none, nil, "", `annotate{"policy":"custom"}`},
		{"its own name", "name: n\ntransforms: [{type: annotate, policy: m}]", none, nil, "", `annotate{"policy":"m"}`},

		{"a rule that does not match", "transforms: [custom]\nrules: [{transforms: [project]}]", none, nil, "", "custom"},
		{"a rule appends", "transforms: [custom]\nrules: [{transforms: [project]}]", none, []int{0}, "", "custom project"},
		{"a rule prepends", "transforms: [custom]\nrules: [{transforms: [project, template], transforms_mode: prepend}]", none, []int{0}, "", "project template custom"},
		{"a rule replaces", "transforms: [custom]\nrules: [{transforms: [project], transforms_mode: replace}]", none, []int{0}, "", "project"},
		{"a rule replaces by nothing", "transforms: [custom]\nrules: [{transforms: [], transforms_mode: replace}]", none, []int{0}, "", ""},
		{"a rule without transforms replaces nothing", "transforms: [custom]\nrules: [{transforms_mode: replace}]", none, []int{0}, "", "custom"},
		{"roles come first", "roles: {a: {transforms: [custom]}, b: {transforms: [project]}}\nrules: [{transforms: [template], transforms_mode: prepend}, {transforms: [rename]}]", none, []int{1, 2, 3}, "", "template project rename_keys"},
		{"input transforms", "input_transforms: [custom]\nrules: [{input_transforms: [secret_guard]}, {input_transforms: [template]}]", none, []int{0, 1}, "guard_secrets custom template", ""},

		{"options by type", "transforms: [{type: project, max_list: 1, min_list: 2}, custom]\ntransform_options: {shape: {max_list: 3}}", none, nil, "", `project{"max_list":3,"min_list":2} custom`},
		{"options by id after type", "transforms: [{type: project, id: a}, project]\ntransform_options: {a: {max_list: 1}, project: {max_list: 2, min_list: 3}}", none, nil, "", `project#a{"max_list":1,"min_list":3} project{"max_list":2,"min_list":3}`},
		{"options of rules", "transforms: [project]\ntransform_options: {project: {max_list: 2}}\nrules: [{transform_options: {project: {max_list: 3}}}, {transform_options: {project: {min_list: 4}}}, {transform_options: {project: {min_list: 5}}}]", none, []int{0, 1}, "", `project{"max_list":3,"min_list":4}`},
		{"options of a rule for its own step", "rules: [{transforms: [project], transform_options: {project: {max_list: 3}}}]", none, []int{0}, "", `project{"max_list":3}`},
		{"objects are merged", "transforms: [{type: redact, strategies: {secret: {strategy: mask, keep_last: 2}, uuid: keep}}]\ntransform_options: {redact: {strategies: {secret: {char: x}}}}", none, nil, "", `redact{"strategies":{"secret":{"char":"x","keep_last":2,"strategy":"mask"},"uuid":"keep"}}`},
		{"another strategy replaces", "transforms: [{type: redact, strategies: {secret: {strategy: mask, keep_last: 2}}}]\ntransform_options: {redact: {strategies: {secret: {strategy: hash}}}}", none, nil, "", `redact{"strategies":{"secret":{"strategy":"hash"}}}`},
		{"options of input transforms", "input_transforms: [guard_secrets]\ntransform_options: {guard_secrets: {disabled_detectors: [jwt]}}", none, nil, `guard_secrets{"disabled_detectors":["jwt"]}`, ""},

		{"aliases move behind the last redact", "transforms: [{type: alias, id: a}, redact, {type: substitute, id: b}, custom, {type: redact, id: last}, {type: alias, id: c}, project]", none, nil, "", "redact custom redact#last alias#a substitute#b alias#c project"},
		{"aliases stay without a redact", "transforms: [{type: alias, id: a}, project]", none, nil, "", "alias#a project"},
		{"an alias of a rule moves", "transforms: [redact, project]\nrules: [{transforms: [{type: alias, id: a}], transforms_mode: prepend}]", none, []int{0}, "", "redact alias#a project"},

		{"detectors", "detectors: [{name: d, pattern: d}]\ndisabled_detectors: [uuid]\ntransforms: [{type: redact, custom_detectors: [{name: own, pattern: own}], disabled_detectors: jwt}, custom]\ninput_transforms: [guard_secrets]", none, nil, `guard_secrets{"custom_detectors":[{"name":"d","pattern":"d"}],"disabled_detectors":["uuid"]}`, `redact{"custom_detectors":[{"name":"d","pattern":"d"},{"name":"own","pattern":"own"}],"disabled_detectors":["uuid","jwt"]} custom`},

		{"fences are taken off", "transforms: [sanitize]\ninput_transforms: [guard_secrets]", none, nil, "guard_secrets depseudonymize", "sanitize"},
		{"no fences", "transforms: [{type: sanitize, on_suspicious: flag}]", none, nil, "", `sanitize{"on_suspicious":"flag"}`},
		{"nothing is looked for", "transforms: [{type: sanitize, detect: false}]", none, nil, "", `sanitize{"detect":false}`},
		{"pseudonyms are turned back", "transforms: [{type: redact, default: tokenise}]", none, nil, "depseudonymize", `redact{"default":"tokenise"}`},
		{"pseudonyms in an object", "transforms: [{type: redact, strategies: {uuid: {strategy: pseudonymize}}}]", none, nil, "depseudonymize", `redact{"strategies":{"uuid":{"strategy":"pseudonymize"}}}`},
		{"pseudonyms that are not allowed", "transforms: [{type: redact, default: pseudonymize, allow_pseudonymize: hash}]", none, nil, "", `redact{"allow_pseudonymize":"hash","default":"pseudonymize"}`},
		{"pseudonyms by a rule", "transforms: [redact]\nrules: [{transform_options: {redact: {strategies: {uuid: pseudonymize}}}}]", none, []int{0}, "depseudonymize", `redact{"strategies":{"uuid":"pseudonymize"}}`},
		{"aliases are turned back", "transforms: [{type: alias, aliases: {x: {'1': one}}}, {type: substitute, aliases: {'2': two}}]", none, nil, `depseudonymize{"aliases":{"one":"1","two":"2"}}`, `alias{"aliases":{"x":{"1":"one"}}} substitute{"aliases":{"2":"two"}}`},
		{"it is there already", "transforms: [sanitize]\ninput_transforms: [depseudonymise, guard_secrets]", none, nil, "guard_secrets depseudonymize", "sanitize"},
		{"off", "transforms: [sanitize]\ndepseudonymize: off", none, nil, "", "sanitize"},
		{"off, but asked for", "transforms: [sanitize]\ndepseudonymize: off\ninput_transforms: [depseudonymize]", none, nil, "depseudonymize", "sanitize"},
		{"closed world, open tool", "transforms: [sanitize]\ndepseudonymize: closed_world", none, nil, "", "sanitize"},
		{"closed world, closed tool", "transforms: [sanitize]\ndepseudonymize: closed_world", closed(mcplayer.Hints{}), nil, "depseudonymize", "sanitize"},
		{"closed world, resource", "transforms: [sanitize]\ndepseudonymize: closed_world", &mcplayer.Spec{Kind: mcplayer.KindResource}, nil, "depseudonymize", "sanitize"},

		{"hint skip", "transforms: [sanitize, {type: project, id: p}, annotate]", tool(mcplayer.Hints{Skip: []string{"p", "annotations"}}), nil, "depseudonymize", "sanitize"},
		{"hint skip of a redact", "transforms: [{type: redact, strategies: {secret: redact, jwt: drop, uuid: hash}}]", tool(mcplayer.Hints{Skip: []string{"redact"}}), nil, "", `redact{"default":"keep","strategies":{"jwt":"drop","secret":"redact"}}`},
		{"hint skip of a redact by default", "transforms: [{type: redact, default: hash, strategies: {credential: drop}}]", tool(mcplayer.Hints{Skip: []string{"redact"}}), nil, "", `redact{"default":"keep","strategies":{"credential":"drop","secret":"hash"}}`},
		{"hint skip of a redact without secrets", "transforms: [{type: redact, strategies: {uuid: hash, secret: keep}}]", tool(mcplayer.Hints{Skip: []string{"redact"}}), nil, "", ""},
		{"hint skip of pseudonyms that are turned back", secretsAndNames, tool(mcplayer.Hints{Skip: []string{"redact"}}), nil, "guard_secrets depseudonymize", "sanitize " + namesAndSecretsOut + ` project annotate{"policy":"custom"}`},
		{"hint skip of pseudonyms that are not", secretsAndNames, tool(mcplayer.Hints{Skip: []string{"redact"}, Depseudonymize: new(false)}), nil, "guard_secrets", `sanitize redact{"default":"keep","strategies":{"jwt":"drop","secret":"redact"}} project annotate{"policy":"custom"}`},
		{"hint skip by a tool that reveals", secretsAndNames, revealing(mcplayer.Hints{Skip: []string{"redact"}}), nil, "guard_secrets depseudonymize", `sanitize project annotate{"policy":"custom"}`},
		{"hint skip of aliases that are turned back", "transforms: [{type: alias, aliases: {a: b}}]", tool(mcplayer.Hints{Skip: []string{"alias"}}), nil, `depseudonymize{"aliases":{"b":"a"}}`, `alias{"aliases":{"a":"b"}}`},
		{"hint skip of aliases that are not", "transforms: [{type: alias, aliases: {a: b}}]", tool(mcplayer.Hints{Skip: []string{"alias"}, SkipInput: []string{"depseudonymize"}}), nil, "", ""},
		{"hint pseudonymize, turned back", "transforms: [{type: redact, default: pseudonymize}]", tool(mcplayer.Hints{Pseudonymize: new(false)}), nil, "depseudonymize", `redact{"default":"pseudonymize"}`},
		{"hint pseudonymize, not turned back", "transforms: [{type: redact, default: pseudonymize}]", tool(mcplayer.Hints{Pseudonymize: new(false), Depseudonymize: new(false)}), nil, "", `redact{"allow_pseudonymize":"keep","default":"pseudonymize"}`},
		{"hint pseudonymize, off", "depseudonymize: off\ntransforms: [{type: redact, default: pseudonymize}]", tool(mcplayer.Hints{Pseudonymize: new(false)}), nil, "", `redact{"allow_pseudonymize":"keep","default":"pseudonymize"}`},
		{"hint pseudonymize, reveals", "transforms: [{type: redact, default: pseudonymize}]", revealing(mcplayer.Hints{Pseudonymize: new(false)}), nil, "depseudonymize", `redact{"allow_pseudonymize":"keep","default":"pseudonymize"}`},
		{"hint pseudonymize is true", "transforms: [{type: redact, default: pseudonymize}]", revealing(mcplayer.Hints{Pseudonymize: new(true)}), nil, "depseudonymize", `redact{"default":"pseudonymize"}`},
		{"hint project and transforms", "transforms: [redact, project, annotate, custom]", tool(mcplayer.Hints{Project: map[string]any{"max_list": 3}, Transforms: []mcplayer.TransformSpec{{Type: "rename"}, {Type: "dlp", ID: "own"}}}), nil, "", `redact project project#hint{"max_list":3} rename_keys redact#own annotate{"policy":"custom"} custom`},
		{"hint transforms without a redact", "transforms: [project]", tool(mcplayer.Hints{Transforms: []mcplayer.TransformSpec{{Type: "rename"}}}), nil, "", "project rename_keys"},
		{"hint transforms that pseudonymise", "{}", tool(mcplayer.Hints{Transforms: []mcplayer.TransformSpec{{Type: "redact", Options: map[string]any{"default": "pseudonymize"}}}}), nil, "depseudonymize", `redact{"default":"pseudonymize"}`},
		{"hint transforms get detectors", "detectors: [{name: d, pattern: d}]", tool(mcplayer.Hints{Transforms: []mcplayer.TransformSpec{{Type: "redact"}}}), nil, "", `redact{"custom_detectors":[{"name":"d","pattern":"d"}]}`},
		{"hint skip_input", "input_transforms: [guard_secrets, {type: custom, id: c}, project]", tool(mcplayer.Hints{SkipInput: []string{"c", "shape"}}), nil, "guard_secrets", ""},
		{"hint input_guard", "input_transforms: [guard_secrets, custom]", tool(mcplayer.Hints{InputGuard: new(false)}), nil, "custom", ""},
		{"hint depseudonymize", "transforms: [sanitize]", tool(mcplayer.Hints{Depseudonymize: new(false)}), nil, "", "sanitize"},
		{"hint depseudonymize, asked for", "input_transforms: [depseudonymize]", tool(mcplayer.Hints{Depseudonymize: new(false)}), nil, "", ""},

		{
			"hints are not honoured", "honor_hints: false\n" + secretsAndNames,
			revealing(mcplayer.Hints{
				Skip: []string{"redact", "sanitize"}, SkipInput: []string{"guard_secrets", "depseudonymize"}, Pseudonymize: new(false), Depseudonymize: new(false),
				InputGuard: new(false), Project: map[string]any{"max_list": 3}, Transforms: []mcplayer.TransformSpec{{Type: "rename"}},
			}),
			nil, "guard_secrets depseudonymize", "sanitize " + namesAndSecretsOut + ` project rename_keys annotate{"policy":"custom"}`,
		},
		{"hints are not honoured by a rule", "transforms: [sanitize]\nrules: [{honor_hints: false}]", tool(mcplayer.Hints{Skip: []string{"sanitize"}}), []int{0}, "depseudonymize", "sanitize"},
		{"hints are honoured by a rule", "honor_hints: false\ntransforms: [project]\nrules: [{honor_hints: true}]", tool(mcplayer.Hints{Skip: []string{"project"}}), []int{0}, "", ""},
		{"the last rule that says so", "transforms: [project]\nrules: [{honor_hints: false}, {}, {honor_hints: true}]", tool(mcplayer.Hints{Skip: []string{"project"}}), []int{0, 1, 2}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in, out, err := policy.Steps(parsed(t, tt.doc), builder(t), tt.spec, tt.matched...)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(in, " "); got != tt.in {
				t.Errorf("input\n     %s\nwant %s", got, tt.in)
			}
			if got := strings.Join(out, " "); got != tt.out {
				t.Errorf("output\n     %s\nwant %s", got, tt.out)
			}
		})
	}
}

func TestTransformMistakes(t *testing.T) {
	for _, tt := range []struct{ name, doc, want string }{
		{"unknown type", "name: x\ntransforms: [project, nothing]", `p.yaml:2: transforms[1]: unknown type "nothing"; there are `},
		{"bad option", "transforms:\n- type: project\n  max_list: x\n", "p.yaml:2: transforms[0]: option max_list: must be a whole number"},
		{"unknown option", "input_transforms:\n- type: template\n  x: 1\n", "p.yaml:2: input_transforms[0]: option x: unknown; there are templates"},
		{"in a rule", "rules:\n- transforms:\n  - project\n  - type: nothing\n", `p.yaml:4: rules[0].transforms[1]: unknown type "nothing"; there are `},
		{"in a role", "roles:\n  a.b:\n    input_transforms: [nothing]\n", `p.yaml:3: roles["a.b"].input_transforms[0]: unknown type "nothing"; there are `},
		{"all", "transforms: [x]\ninput_transforms: [y]\n", `p.yaml:1: transforms[0]: unknown type "x"; there are `},
		{"options for nothing", "transforms: [redact]\ntransform_options: {redct: {a: b}}", `p.yaml:2: transform_options.redct: no transform has this type or id; did you mean "redact"? allowed are `},
		{"options of a rule for nothing", "rules: [{transform_options: {x: {a: b}}}]", `p.yaml:1: rules[0].transform_options.x: no transform has this type or id; allowed are `},
		{"options that are bad", "transforms: [project]\ntransform_options:\n  project: {max_list: x}\n", `p.yaml:3: transform_options: step 1 (project): option max_list: must be a whole number`},
		{"options of a rule that are bad", "transforms: [project]\nrules:\n- name: x\n- transform_options: {project: {max_list: x}}\n", `p.yaml:4: rules[1]: step 1 (project): option max_list: must be a whole number`},
		{"options of a role that are bad", "transforms: [project]\nroles:\n  x:\n    transform_options: {project: {max_list: x}}\n", `p.yaml:4: roles.x: step 1 (project): option max_list: must be a whole number`},
		{"one alias for two", "transforms:\n- alias:\n- {type: alias, aliases: {a: x, b: x}}\n", "p.yaml:2: transforms[0]: type is missing"},
		{"a disabled detector", "disabled_detectors: [jwt, nothing]", "p.yaml:1: disabled_detectors[1]: option "},
		{"a detector", "detectors: [{nme: x}]", "p.yaml:1: detectors[0]: option custom_detectors: element 0: option nme: unknown; "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := policy.ParseDocument([]byte(tt.doc), "p.yaml")
			if err == nil {
				err = policy.CheckPipelines(d, builder(t))
			}
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestWhatHidesSecretsStays(t *testing.T) {
	type o = map[string]any
	doc := parsed(t, "detectors: [{name: ticket, category: secret}, {name: room, category: place}]")
	for _, tt := range []struct {
		name    string
		options o
		want    string
	}{
		{"nothing", nil, "null"},
		{"kept", o{"strategies": o{"secret": "keep", "credential": false, "jwt": nil, "uuid": "hash"}}, "null"},
		{"categories", o{"strategies": o{"secret": "hash", "pii": "hash", "credential": o{"strategy": "mask"}}}, `{"default":"keep","strategies":{"credential":{"strategy":"mask"},"secret":"hash"}}`},
		{"entities, detectors and key rules", o{"strategies": o{"password": true, "github_token": true, "sensitive_key": true, "aws_access_key_id": true, "email": true}}, `{"default":"keep","strategies":{"aws_access_key_id":true,"github_token":true,"password":true,"sensitive_key":true}}`},
		{"detectors of the document", o{"strategies": o{"ticket": "drop", "room": "drop"}}, `{"default":"keep","strategies":{"ticket":"drop"}}`},
		{"detectors of its own", o{"custom_detectors": []any{o{"name": "n", "entity": "e", "category": "credential"}}, "strategies": o{"e": "drop"}}, `{"custom_detectors":[{"category":"credential","entity":"e","name":"n"}],"default":"keep","strategies":{"e":"drop"}}`},
		{"by default", o{"default": "redact", "strategies": o{"jwt": "keep", "uuid": "drop"}}, `{"default":"keep","strategies":{"credential":"redact","jwt":"keep","secret":"redact"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := json.Marshal(policy.OnlySecrets(doc, tt.options))
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v, want %s", got, err, tt.want)
			}
		})
	}
}

func TestMistakesOfAnotherFile(t *testing.T) {
	dir := files(t, map[string]string{
		"a.yaml": "name: a\n\nextends: b.yaml\nrules: [{}]\n",
		"b.yaml": "name: b\nrules:\n- transforms: [nothing]\n",
	})
	d, err := policy.LoadDocument(dir + "/a.yaml")
	if err != nil {
		t.Fatal(err)
	}
	err = policy.CheckPipelines(d, builder(t))
	if want := dir + `/b.yaml:3: rules[0].transforms[0]: unknown type "nothing"`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestCheckHints(t *testing.T) {
	const doc = "transforms: [{type: project, id: p}]"
	for _, tt := range []struct {
		name  string
		hints mcplayer.Hints
		want  string
	}{
		{"none", mcplayer.Hints{}, "<nil>"},
		{"types and ids", mcplayer.Hints{Skip: []string{"p", "dlp"}, SkipInput: []string{"guard_secrets"}}, "<nil>"},
		{"unknown names", mcplayer.Hints{Skip: []string{"redct"}, SkipInput: []string{"q"}}, `hint skip: no transform has the type or id "redct"; did you mean "redact"? allowed are `},
		{"unknown type", mcplayer.Hints{Transforms: []mcplayer.TransformSpec{{Type: "rename"}, {Type: "x"}}}, `hint transforms[1]: unknown type "x"; there are `},
		{"option", mcplayer.Hints{Transforms: []mcplayer.TransformSpec{{Type: "template", Options: map[string]any{"x": 1}}}}, "hint transforms[0]: option x: unknown; there are templates"},
		{"project", mcplayer.Hints{Project: map[string]any{"max_list": "x"}}, "hint project: option max_list: must be a whole number"},
		{"turning back", mcplayer.Hints{Transforms: []mcplayer.TransformSpec{{Type: "depseudonymise"}}}, "hint transforms[0]: depseudonymize is for arguments, not for results"},
		{"guard", mcplayer.Hints{Transforms: []mcplayer.TransformSpec{{Type: "secret_guard"}}}, "hint transforms[0]: guard_secrets is for arguments, not for results"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := policy.CheckHints(parsed(t, doc), builder(t), &mcplayer.Spec{Kind: mcplayer.KindTool, Hints: tt.hints})
			if got := fmt.Sprint(err); !strings.HasPrefix(got, tt.want) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestPipelinesAreShared(t *testing.T) {
	of, err := policy.Pipes(parsed(t, "transforms: [project]\nrules: [{}, {transforms: [rename]}]"), builder(t))
	if err != nil {
		t.Fatal(err)
	}
	a, b := &mcplayer.Spec{Kind: mcplayer.KindTool}, &mcplayer.Spec{Kind: mcplayer.KindTool}
	output := func(spec *mcplayer.Spec, matched ...int) mcplayer.Pipeline {
		in, out, err := of(spec, matched)
		if in != nil || out == nil || err != nil {
			t.Errorf("got %v, %v, %v", in, out, err)
		}
		return out
	}
	first := output(a)
	for name, same := range map[string]mcplayer.Pipeline{"again": output(a), "a rule that changes nothing": output(a, 0), "another tool": output(b)} {
		if same != first {
			t.Errorf("%s: built twice", name)
		}
	}
	if output(a, 1) == first {
		t.Error("a rule that adds something shares a pipeline without it")
	}
	var wg sync.WaitGroup
	got := make([]mcplayer.Pipeline, 8)
	for i := range got {
		wg.Go(func() { got[i] = output(b, 0, 1) })
	}
	wg.Wait()
	if slices.ContainsFunc(got, func(p mcplayer.Pipeline) bool { return p != got[0] }) {
		t.Error("built twice at the same time")
	}
}
