package mcplayer_test

import (
	"slices"
	"testing"

	"github.com/cloudg/mcplayer"
)

func TestAPrincipalIsImmutable(t *testing.T) {
	roles := []string{"b", "a", "b"}
	p := mcplayer.NewPrincipal("alice", roles...)
	roles[0] = "changed"
	p.Roles()[0] = "changed"
	if !slices.Equal(p.Roles(), []string{"a", "b"}) || !p.HasRole("a") || !p.HasRole("b") || p.HasRole("changed") || p.HasRole("") {
		t.Errorf("roles %q", p.Roles())
	}
	attributes := map[string]any{"team": "red", "groups": []any{"x"}, "typed": map[string][]string{"k": {"v"}}}
	q, err := p.WithAttributes(attributes)
	if err != nil {
		t.Fatal(err)
	}
	attributes["team"] = "changed"
	attributes["groups"].([]any)[0] = "changed"
	attributes["typed"].(map[string][]string)["k"][0] = "changed"
	q.Attributes()["team"] = "changed"
	q.Attribute("groups").([]any)[0] = "changed"
	q.Attribute("typed").(map[string][]string)["k"][0] = "changed"
	const want = `{"groups":["x"],"team":"red","typed":{"k":["v"]}}`
	same(t, q.AttributesJSON(), want)
	if q.Attribute("team") != "red" || q.Attribute("groups").([]any)[0] != "x" || q.Attribute("typed").(map[string][]string)["k"][0] != "v" || q.Attribute("none") != nil {
		t.Errorf("attributes %v", q.Attributes())
	}
	if q.ID() != "alice" || q.RoleSet() != p.RoleSet() {
		t.Error("id or roles were not copied")
	}
	if len(p.Attributes()) != 0 || p.Attributes() == nil || p.AttributesJSON() != "" {
		t.Errorf("the original has attributes %v", p.Attributes())
	}
}

func TestAttributes(t *testing.T) {
	p := mcplayer.NewPrincipal("alice")
	for name, none := range map[string]map[string]any{"nil": nil, "empty": {}} {
		q, err := p.WithAttributes(none)
		if err != nil || q.AttributesJSON() != "" || len(q.Attributes()) != 0 {
			t.Errorf("%s: %q, %v", name, q.AttributesJSON(), err)
		}
	}
	q, err := p.WithAttributes(map[string]any{"a": make(chan int)})
	if q != nil || err == nil {
		t.Errorf("got %v, %v", q, err)
	}
}

func TestRoleSets(t *testing.T) {
	set := func(roles ...string) mcplayer.RoleSet { return mcplayer.NewPrincipal("x", roles...).RoleSet() }
	if set("a", "b") != set("b", "a", "b") {
		t.Error("order or repetition matters")
	}
	different := map[mcplayer.RoleSet]string{}
	for name, s := range map[string]mcplayer.RoleSet{
		"none": set(), "empty": set(""), "a": set("a"), "a b": set("a", "b"), "ab": set("ab"), "a,b": set("a,b"), "1:a": set("1:a"), "a1:b": set("a1:b"),
	} {
		if other, ok := different[s]; ok {
			t.Errorf("%q and %q are one set", name, other)
		}
		different[s] = name
	}
}
