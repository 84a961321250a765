package mcplayer_test

import (
	"context"
	"slices"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/go-json-experiment/json/jsontext"
)

func specOf(t *testing.T, tool mcplayer.Tool) *mcplayer.Spec {
	t.Helper()
	tool.Name = "get"
	r := mcplayer.NewRegistry()
	mcplayer.AddTool(r, tool, rawEcho)
	s, ok := r.Lookup(mcplayer.KindTool, "get")
	if !ok {
		t.Fatal(r.Err())
	}
	return s
}

func TestSpecDefaults(t *testing.T) {
	s := specOf(t, mcplayer.Tool{})
	if s.Kind != mcplayer.KindTool || s.Category != "general" || s.Sensitivity != mcplayer.Confidential || s.Timeout != 0 || s.Host || s.Capabilities != 0 {
		t.Errorf("got %+v", s)
	}
	if s.Tags == nil || len(s.Tags) != 0 {
		t.Errorf("tags %#v", s.Tags)
	}
	if s.Annotations != (mcplayer.Annotations{}) {
		t.Errorf("annotations %+v", s.Annotations)
	}
	s = specOf(t, mcplayer.Tool{Category: "net", Sensitivity: mcplayer.Public, Tags: []string{"b", "a", "b"}, Title: "T", Description: "D"})
	if s.Category != "net" || s.Sensitivity != mcplayer.Public || !slices.Equal(s.Tags, []string{"a", "b"}) || s.Title != "T" || s.Description != "D" {
		t.Errorf("got %+v", s)
	}
}

// hint writes a hint as t, f or - for unset.
func hint(b *bool) string {
	switch {
	case b == nil:
		return "-"
	case *b:
		return "t"
	}
	return "f"
}

func hints(a mcplayer.Annotations) string {
	return hint(a.ReadOnly) + hint(a.Destructive) + hint(a.Idempotent) + hint(a.OpenWorld)
}

func TestDerivedAnnotations(t *testing.T) {
	yes, no := new(true), new(false)
	tests := []struct {
		name string
		caps mcplayer.Capabilities
		set  mcplayer.Annotations
		want string // read-only, destructive, idempotent, open world
	}{
		{"none", 0, mcplayer.Annotations{}, "----"},
		{"read_state", mcplayer.ReadState, mcplayer.Annotations{}, "tftf"},
		{"write_state", mcplayer.ReadState | mcplayer.WriteState, mcplayer.Annotations{}, "ff-f"},
		{"write_state alone", mcplayer.WriteState, mcplayer.Annotations{}, "ff-f"},
		{"write_fs", mcplayer.ReadState | mcplayer.WriteFS, mcplayer.Annotations{}, "ff-f"},
		{"read_fs", mcplayer.ReadFS, mcplayer.Annotations{}, "tftf"},
		{"exec", mcplayer.Exec, mcplayer.Annotations{}, "ff-t"},
		{"cloud_access", mcplayer.CloudAccess, mcplayer.Annotations{}, "tf-t"},
		{"reveal", mcplayer.Reveal, mcplayer.Annotations{}, "tftf"},
		{"reads of several kinds", mcplayer.ReadState | mcplayer.ReadFS | mcplayer.Reveal, mcplayer.Annotations{}, "tftf"},
		{"cloud_access and read_state", mcplayer.CloudAccess | mcplayer.ReadState, mcplayer.Annotations{}, "tf-t"},
		{"cloud_access and write_state", mcplayer.CloudAccess | mcplayer.WriteState, mcplayer.Annotations{}, "ff-t"},
		{"everything", 1<<7 - 1, mcplayer.Annotations{}, "ff-t"},
		{"author's own without capabilities", 0, mcplayer.Annotations{ReadOnly: yes}, "t---"},
		{"author's own destructive", mcplayer.WriteState, mcplayer.Annotations{Destructive: yes}, "ft-f"},
		{"author's own idempotent", mcplayer.CloudAccess, mcplayer.Annotations{Idempotent: yes}, "tftt"},
		{"author's own read-only", mcplayer.ReadState, mcplayer.Annotations{ReadOnly: no}, "fftf"},
		{"author's own open world", mcplayer.ReadFS, mcplayer.Annotations{OpenWorld: yes}, "tftt"},
		{"all the author's", mcplayer.Exec, mcplayer.Annotations{ReadOnly: yes, Destructive: yes, Idempotent: yes, OpenWorld: no}, "tttf"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := specOf(t, mcplayer.Tool{Capabilities: tt.caps, Annotations: tt.set})
			if got := hints(s.Annotations); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if s.IsReadOnly() != (tt.want[0] == 't') || s.IsIdempotent() != (tt.want[2] == 't') {
				t.Errorf("read-only %v, idempotent %v", s.IsReadOnly(), s.IsIdempotent())
			}
		})
	}
}

func TestIdempotenceOfHostTools(t *testing.T) {
	yes, no := new(true), new(false)
	tests := []struct {
		name string
		spec mcplayer.Spec
		want bool
	}{
		{"says so", mcplayer.Spec{Host: true, Annotations: mcplayer.Annotations{Idempotent: yes}}, true},
		{"read-only and not open world", mcplayer.Spec{Host: true, Annotations: mcplayer.Annotations{ReadOnly: yes, OpenWorld: no}}, true},
		{"read-only, open world unset", mcplayer.Spec{Host: true, Annotations: mcplayer.Annotations{ReadOnly: yes}}, false},
		{"read-only and open world", mcplayer.Spec{Host: true, Annotations: mcplayer.Annotations{ReadOnly: yes, OpenWorld: yes}}, false},
		{"not open world", mcplayer.Spec{Host: true, Annotations: mcplayer.Annotations{OpenWorld: no}}, false},
		{"the layer's own is not guessed", mcplayer.Spec{Annotations: mcplayer.Annotations{ReadOnly: yes, OpenWorld: no}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.spec.Kind = mcplayer.KindTool
			if got := tt.spec.IsIdempotent(); got != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
	for _, kind := range []mcplayer.Kind{mcplayer.KindResource, mcplayer.KindResourceTemplate, mcplayer.KindPrompt} {
		if s := (&mcplayer.Spec{Kind: kind}); !s.IsReadOnly() || !s.IsIdempotent() {
			t.Errorf("%v: read-only %v, idempotent %v", kind, s.IsReadOnly(), s.IsIdempotent())
		}
	}
}

func TestCapabilities(t *testing.T) {
	all := []string{"read_state", "write_state", "read_fs", "write_fs", "cloud_access", "exec", "reveal"}
	var set mcplayer.Capabilities
	for i, name := range all {
		c, err := mcplayer.ParseCapability(name)
		if err != nil || c != 1<<i || c.String() != name {
			t.Errorf("%s: %v, %v", name, c, err)
		}
		set |= c
	}
	if !slices.Equal(set.Names(), all) || !set.Has(mcplayer.Exec|mcplayer.Reveal) || mcplayer.Exec.Has(set) || !mcplayer.Exec.Has(0) {
		t.Errorf("got %v", set)
	}
	same(t, (mcplayer.Exec | mcplayer.ReadState).String(), "read_state,exec")
	if names := mcplayer.Capabilities(0).Names(); names == nil || len(names) != 0 {
		t.Errorf("got %#v", names)
	}
	_, err := mcplayer.ParseCapability("fly")
	same(t, err.Error(), `unknown capability "fly"; allowed are "read_state", "write_state", "read_fs", "write_fs", "cloud_access", "exec", "reveal"`)
}

func TestKeyOfAKind(t *testing.T) {
	same(t, mcplayer.KindResourceTemplate.Key("docs://{x}"), "resource_template:docs://{x}")
}

func TestKinds(t *testing.T) {
	for i, name := range []string{"tool", "resource", "resource_template", "prompt", "completion"} {
		k, err := mcplayer.ParseKind(name)
		text, _ := k.MarshalText()
		if err != nil || int(k) != i+1 || k.String() != name || string(text) != name {
			t.Errorf("%s: %v, %v", name, k, err)
		}
	}
	_, err := mcplayer.ParseKind("Tool")
	same(t, err.Error(), `unknown kind "Tool"; allowed are "tool", "resource", "resource_template", "prompt", "completion"`)
	same(t, mcplayer.Kind(0).String()+mcplayer.Kind(99).String(), "Kind(0)Kind(99)")
}

func TestSensitivities(t *testing.T) {
	for i, name := range []string{"public", "internal", "confidential", "restricted"} {
		s, err := mcplayer.ParseSensitivity(name)
		text, _ := s.MarshalText()
		if err != nil || int(s) != i+1 || s.String() != name || string(text) != name {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	_, err := mcplayer.ParseSensitivity("")
	same(t, err.Error(), `unknown sensitivity ""; allowed are "public", "internal", "confidential", "restricted"`)
	same(t, mcplayer.Sensitivity(0).String()+mcplayer.Sensitivity(99).String(), "Sensitivity(0)Sensitivity(99)")
}

func TestFilter(t *testing.T) {
	yes := new(true)
	add := func(r *mcplayer.Registry) {
		for _, tool := range []mcplayer.Tool{
			{Name: "get_asset", Category: "assets", Annotations: mcplayer.Annotations{ReadOnly: yes}},
			{Name: "set_asset", Category: "assets", Capabilities: mcplayer.WriteState},
			{Name: "get_log", Category: "logs", Capabilities: mcplayer.ReadFS},
			{Name: "purge", Category: "logs"},
		} {
			mcplayer.AddTool(r, tool, rawEcho)
		}
	}
	all := []string{"get_asset", "set_asset", "get_log", "purge"}
	tests := []struct {
		name   string
		filter mcplayer.Filter
		want   []string
	}{
		{"none", mcplayer.Filter{}, all},
		{"tools", mcplayer.Filter{Tools: []string{"get_*"}}, []string{"get_asset", "get_log"}},
		{"tools, one excluded inside", mcplayer.Filter{Tools: []string{"get_*", "!get_log"}}, []string{"get_asset"}},
		{"categories", mcplayer.Filter{Categories: []string{"logs"}}, []string{"get_log", "purge"}},
		{"both", mcplayer.Filter{Categories: []string{"logs"}, Tools: []string{"get_*"}}, []string{"get_log"}},
		{"exclusion wins", mcplayer.Filter{Tools: []string{"*"}, ExcludeTools: []string{"purge"}, ExcludeCategories: []string{"ass*"}}, []string{"get_log"}},
		{"exclusion alone", mcplayer.Filter{ExcludeTools: []string{"purge"}}, []string{"get_asset", "set_asset", "get_log"}},
		{"read-only", mcplayer.Filter{ReadOnly: true}, []string{"get_asset", "get_log"}},
		{"several patterns", mcplayer.Filter{Tools: []string{"purge", "?et_asset"}}, []string{"get_asset", "set_asset", "purge"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{Filter: tt.filter}, add)
			var got []string
			for _, name := range all {
				if _, err := l.CallTool(t.Context(), name, nil); err == nil {
					got = append(got, name)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestFilterHoldsForLaterAdditions(t *testing.T) {
	l := newLab(t, mcplayer.Options{Filter: mcplayer.Filter{ExcludeTools: []string{"purge*"}, ReadOnly: true}},
		func(r *mcplayer.Registry) { mcplayer.AddTool(r, mcplayer.Tool{Name: "purge"}, rawEcho) })
	mcplayer.AddTool(l.reg, mcplayer.Tool{Name: "purge2", Capabilities: mcplayer.ReadState}, rawEcho)
	mcplayer.AddTool(l.reg, mcplayer.Tool{Name: "get", Capabilities: mcplayer.ReadState}, rawEcho)
	mcplayer.AddTool(l.reg, mcplayer.Tool{Name: "set", Capabilities: mcplayer.WriteState}, rawEcho)
	for name, want := range map[string]bool{"purge": false, "purge2": false, "get": true, "set": false} {
		if _, err := l.CallTool(t.Context(), name, nil); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestATypoInAFilterIsAnError(t *testing.T) {
	r := mcplayer.NewRegistry()
	mcplayer.AddTool(r, mcplayer.Tool{Name: "purge", Category: "logs"}, rawEcho)
	mcplayer.AddTool(r, mcplayer.Tool{Name: "get", Category: "assets"}, rawEcho)
	tests := []struct {
		name   string
		filter mcplayer.Filter
		want   string
	}{
		{"Tools", mcplayer.Filter{Tools: []string{"get", "pruge"}}, `Filter.Tools[1]: "pruge" matches nothing; there are "get", "purge"`},
		{"ExcludeTools", mcplayer.Filter{ExcludeTools: []string{"pruge"}}, `Filter.ExcludeTools[0]: "pruge" matches nothing; there are "get", "purge"`},
		{"Categories", mcplayer.Filter{Categories: []string{"log"}}, `Filter.Categories[0]: "log" matches nothing; there are "assets", "logs"`},
		{"ExcludeCategories", mcplayer.Filter{ExcludeCategories: []string{"log"}}, `Filter.ExcludeCategories[0]: "log" matches nothing; there are "assets", "logs"`},
		{"inner exclusion", mcplayer.Filter{Tools: []string{"*", "!pruge"}}, `Filter.Tools[1]: "!pruge" matches nothing; there are "get", "purge"`},
		{"pattern", mcplayer.Filter{Tools: []string{"g[et"}}, `Filter.Tools: pattern "g[et": the bracket at "[et" is not closed`},
		{"empty pattern", mcplayer.Filter{Tools: []string{""}}, `Filter.Tools: pattern "" is empty`},
		{"empty exclusion", mcplayer.Filter{Tools: []string{"!"}}, `Filter.Tools: pattern "" is empty`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := mcplayer.New(&mcplayer.Options{Registry: r, Policy: &scripted{}, Filter: tt.filter})
			if err == nil {
				t.Fatal("no error")
			}
			same(t, err.Error(), "mcplayer: 1 configuration error:\n"+tt.want)
		})
	}
}

func TestFilteredToolsLookUnknown(t *testing.T) {
	l := newLab(t, mcplayer.Options{Filter: mcplayer.Filter{ExcludeTools: []string{"get"}}}, returning("get", nil))
	_, err := l.CallTool(context.Background(), "get", jsontext.Value(`{}`))
	if err == nil || err.Error() != "Unknown tool: get" {
		t.Errorf("got %v", err)
	}
	if want := []missing{{mcplayer.KindTool, "get", false, "local"}}; !slices.Equal(l.pol.missing, want) {
		t.Errorf("recorded %v", l.pol.missing)
	}
}

func TestFilterOfExclusionsOnly(t *testing.T) {
	reg := mcplayer.NewRegistry()
	returning("get", "x")(reg)
	_, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: &scripted{}, Filter: mcplayer.Filter{Tools: []string{"!get"}}})
	want := "mcplayer: 1 configuration error:\nFilter.Tools has exclusions only and would keep nothing; use Filter.ExcludeTools"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
