package mcplayer_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func names(r *mcplayer.Registry) string {
	var list []string
	for _, s := range r.Specs() {
		list = append(list, s.Name)
	}
	return strings.Join(list, " ")
}

func TestRegistry(t *testing.T) {
	var r mcplayer.Registry // the zero value is ready
	for _, name := range []string{"c", "a", "b"} {
		mcplayer.AddTool(&r, mcplayer.Tool{Name: name}, rawEcho)
	}
	same(t, names(&r), "c a b")
	mcplayer.AddTool(&r, mcplayer.Tool{Name: "a", Title: "new", Replace: true}, rawEcho)
	same(t, names(&r), "c a b")
	if s, ok := r.Lookup(mcplayer.KindTool, "a"); !ok || s.Title != "new" {
		t.Errorf("got %v, %v", s, ok)
	}
	if _, ok := r.Lookup(mcplayer.KindPrompt, "a"); ok {
		t.Error("a tool was found as a prompt")
	}
	if r.Remove(mcplayer.KindPrompt, "a") || !r.Remove(mcplayer.KindTool, "a") || r.Remove(mcplayer.KindTool, "a") {
		t.Error("Remove does not tell what was there")
	}
	same(t, names(&r), "c b")
	mcplayer.AddTool(&r, mcplayer.Tool{Name: "new", Replace: true}, rawEcho) // nothing to replace
	same(t, names(&r), "c b new")
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	specs := r.Specs()
	specs[0] = nil
	same(t, names(&r), "c b new")
}

func TestMerge(t *testing.T) {
	a, b := mcplayer.NewRegistry(), mcplayer.NewRegistry()
	returning("x", nil)(a)
	returning("y", nil)(a)
	returning("y", nil)(b)
	returning("z", nil)(b)
	returning("no good", nil)(b)
	a.Merge(b)
	same(t, names(a), "x y z")
	same(t, a.Err().Error(), "tool \"no good\": the name \"no good\" is not 1 to 128 of A-Z a-z 0-9 _ . -\n"+
		"tool \"y\": is registered already; set Replace to replace it")
	returning("later", nil)(b)
	same(t, names(a), "x y z")
	a.Merge(a) // every name is there already
	same(t, names(a), "x y z")
}

func TestRegistrationMistakes(t *testing.T) {
	r := mcplayer.NewRegistry()
	mcplayer.AddTool(r, mcplayer.Tool{Name: "twice"}, rawEcho)
	mcplayer.AddTool(r, mcplayer.Tool{Name: "twice"}, rawEcho)
	mcplayer.AddTool[jsontext.Value, any](r, mcplayer.Tool{Name: "handler"}, nil)
	mcplayer.AddSDKTool[struct{}, any](r, mcplayer.Tool{Name: "sdk"}, nil)
	mcplayer.AddTool(r, mcplayer.Tool{Name: "sensitivity", Sensitivity: 9}, rawEcho)
	mcplayer.AddTool(r, mcplayer.Tool{Name: "capability", Capabilities: 1 << 7}, rawEcho)
	mcplayer.AddTool(r, mcplayer.Tool{Name: "schema", InputSchema: jsontext.Value(`{"type":"array"}`)}, rawEcho)
	mcplayer.AddTool(r, mcplayer.Tool{Name: "json", InputSchema: jsontext.Value(`{"type"`)}, rawEcho)
	mcplayer.AddTool(r, mcplayer.Tool{Name: "output", OutputSchema: jsontext.Value(`[]`)}, rawEcho)
	mcplayer.AddTool(r, mcplayer.Tool{Name: "meta", Meta: mcp.Meta{"x": make(chan int)}}, rawEcho)
	mcplayer.AddTool(r, mcplayer.Tool{Name: "a b", Sensitivity: 9}, rawEcho)
	_, err := mcplayer.New(&mcplayer.Options{Registry: r, Policy: policy.Open()})
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	for i, want := range []string{
		`mcplayer: 11 configuration errors:`, `tool "twice": is registered already; set Replace to replace it`,
		`tool "handler": has no handler`, `tool "sdk": has no handler`,
		`tool "sensitivity": unknown sensitivity 9`, `tool "capability": unknown capability in 0b10000000`,
		`tool "schema": InputSchema must have "type": "object"`, `tool "json": InputSchema is not a JSON object: `,
		`tool "output": OutputSchema is not a JSON object: `, `tool "meta": _meta["x"]: `,
		`tool "a b": the name "a b" is not 1 to 128 of A-Z a-z 0-9 _ . -`, `tool "a b": unknown sensitivity 9`,
	} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d of %q is not %q", i, lines, want)
		}
	}
	same(t, names(r), "twice")
}

func TestThePolicyMayRefuseAPrimitive(t *testing.T) {
	pol := &scripted{admit: func(s *mcplayer.Spec) error {
		if s.Name != "good" {
			return errors.New("unknown transform \"x\"")
		}
		return nil
	}}
	r := mcplayer.NewRegistry()
	returning("bad", nil)(r)
	returning("good", nil)(r)
	returning("worse", nil)(r)
	_, err := mcplayer.New(&mcplayer.Options{Registry: r, Policy: pol})
	if err == nil {
		t.Fatal("no error")
	}
	same(t, err.Error(), "mcplayer: 2 configuration errors:\ntool \"bad\": unknown transform \"x\"\ntool \"worse\": unknown transform \"x\"")
	r.Remove(mcplayer.KindTool, "bad")
	r.Remove(mcplayer.KindTool, "worse")
	l := newLab(t, mcplayer.Options{Registry: r, Policy: pol})
	returning("later", nil)(r)
	if _, err := l.CallTool(t.Context(), "later", nil); !errors.Is(err, mcplayer.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	same(t, fmt.Sprint(r.Err()), "tool \"later\": unknown transform \"x\"")
	if len(l.log.find(t, "primitive left out")) != 1 {
		t.Errorf("logged %s", l.log)
	}
	returning("good2", nil)(r)
	same(t, fmt.Sprint(r.Err()), "tool \"later\": unknown transform \"x\"\ntool \"good2\": unknown transform \"x\"")
	l.call(t, "good", nil)
}

func TestRegistryChangesHoldForTheNextCall(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("get", result.Text("old")))
	var inside string
	l.Use(func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		if inside == "" {
			inside = "x"
			mcplayer.AddTool(l.reg, mcplayer.Tool{Name: "get", Replace: true}, rawEcho)
		}
		return next(ctx, info)
	})
	same(t, textOf(t, l.call(t, "get", nil)), "old")
	same(t, textOf(t, l.call(t, "get", nil)), "ok")
	l.reg.Remove(mcplayer.KindTool, "get")
	if _, err := l.CallTool(t.Context(), "get", nil); !errors.Is(err, mcplayer.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

func TestRegistryOfManyGoroutines(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("stays", nil))
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			name := fmt.Sprint("t", g)
			for range 20 {
				returning(name, nil)(l.reg)
				if _, err := l.CallTool(t.Context(), name, nil); err != nil {
					t.Error(err)
				}
				if !l.reg.Remove(mcplayer.KindTool, name) {
					t.Error("nothing to remove")
				}
				if _, err := l.CallTool(t.Context(), name, nil); !errors.Is(err, mcplayer.ErrNotFound) {
					t.Error(err)
				}
				l.call(t, "stays", nil)
				l.reg.Specs()
			}
		})
	}
	wg.Wait()
	same(t, names(l.reg), "stays")
	if err := l.reg.Err(); err != nil {
		t.Error(err)
	}
}

func TestASpecIsADeepCopy(t *testing.T) {
	yes := true
	tags := []string{"b", "a", "b"}
	options := map[string]any{"fields": []string{"x"}, "deep": map[string]any{"k": []any{1}}, "typed": map[string]string{"k": "v"}, "list": []map[string]any{{"k": "v"}}}
	skip := []string{"redact"}
	in := jsontext.Value(`{"type":"object"}`)
	r := mcplayer.NewRegistry()
	mcplayer.AddTool(r, mcplayer.Tool{
		Name: "get", Tags: tags, Annotations: mcplayer.Annotations{ReadOnly: &yes}, InputSchema: in, Timeout: time.Second,
		Hints: mcplayer.Hints{Skip: skip, Project: options, InputGuard: &yes, Transforms: []mcplayer.TransformSpec{{Type: "t", Options: options}}},
	}, rawEcho)
	tags[0], skip[0], yes, in[0] = "changed", "changed", false, 'X'
	options["fields"].([]string)[0] = "changed"
	options["deep"].(map[string]any)["k"].([]any)[0] = "changed"
	options["typed"].(map[string]string)["k"] = "changed"
	options["list"].([]map[string]any)[0]["k"] = "changed"
	options["new"] = 1
	s, _ := r.Lookup(mcplayer.KindTool, "get")
	if !slices.Equal(s.Tags, []string{"a", "b"}) || !*s.Annotations.ReadOnly || s.Hints.Skip[0] != "redact" || !*s.Hints.InputGuard || s.Timeout != time.Second {
		t.Errorf("got %+v", s)
	}
	for _, o := range []map[string]any{s.Hints.Project, s.Hints.Transforms[0].Options} {
		same(t, fmt.Sprint(o), "map[deep:map[k:[1]] fields:[x] list:[map[k:v]] typed:map[k:v]]")
	}
}

func TestAPolicyThatPanicsAboutAPrimitiveLeavesItOut(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("get", 1))
	l.pol.admit = func(*mcplayer.Spec) error { panic("hunter2") }
	returning("late", 1)(l.reg)
	if err := l.reg.Err(); err == nil || !strings.Contains(err.Error(), `tool "late": panic`) {
		t.Errorf("remembered %v", err)
	}
	if _, err := l.CallTool(t.Context(), "late", nil); !errors.Is(err, mcplayer.ErrNotFound) {
		t.Errorf("late: %v", err)
	}
	l.Use(passOn) // which takes the lock that the policy was asked under
	l.call(t, "get", nil)
}

func TestMergeOfNilIsAMistake(t *testing.T) {
	reg := mcplayer.NewRegistry()
	reg.Merge(nil)
	same(t, fmt.Sprint(reg.Err()), "Merge: the other registry is nil")
}

func TestRefusedTwinMayComeBack(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, fixed("cloudg://x/a", 1))
	fixed("cloudg://x/%61", 2)(l.reg)
	l.reg.Remove(mcplayer.KindResource, "cloudg://x/a")
	if got := l.read(t, "cloudg://x/a"); strings.Contains(got, "Unknown") {
		t.Errorf("%s", got)
	}
}
