package policy_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

func addTool(reg *mcplayer.Registry, tool mcplayer.Tool) {
	mcplayer.AddTool(reg, tool, func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) { return "ran", nil })
}

func newLayer(t testing.TB, reg *mcplayer.Registry, p mcplayer.Policy) *mcplayer.Layer {
	t.Helper()
	l, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: p, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// museum has something of each kind: open, and denied to all but admins.
func museum() *mcplayer.Registry {
	reg := mcplayer.NewRegistry()
	render := func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return "ran", nil }
	complete := map[string]mcplayer.CompletionFunc{"a": func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
		return []string{"ran"}, nil
	}}
	for _, name := range []string{"ping", "danger", "admin_reset"} {
		addTool(reg, mcplayer.Tool{Name: name})
	}
	for _, uri := range []string{"docs://public/x", "docs://admin/x"} {
		mcplayer.AddResource(reg, mcplayer.Resource{URI: uri}, render)
	}
	mcplayer.AddResourceTemplate(reg, mcplayer.ResourceTemplate{URITemplate: "docs://{+path}", Complete: map[string]mcplayer.CompletionFunc{"path": complete["a"]}}, render)
	for _, name := range []string{"p_open", "p_admin"} {
		mcplayer.AddPrompt(reg, mcplayer.Prompt{Name: name, Arguments: []mcplayer.PromptArgument{{Name: "a", Complete: complete["a"]}}}, render)
	}
	return reg
}

func museumRules(hide bool) *policy.Document {
	return &policy.Document{
		Name: "museum", HideDenied: &hide,
		Roles: []policy.Rule{forRole("visitor", policy.Access{
			DenyTools: []string{"danger", "admin_*"}, DenyResources: []string{"docs://admin/*"}, DenyPrompts: []string{"p_admin"},
		})},
	}
}

var visitor = mcplayer.NewPrincipal("alice", "visitor")

// told writes what a call gave as one text.
func told(result any, err error) string {
	if e, ok := errors.AsType[*mcplayer.Error](err); ok {
		doc, _ := json.Marshal(map[string]any{"code": e.Code, "message": e.Message, "data": e.Data})
		return string(doc)
	}
	doc, _ := json.Marshal(result)
	return string(doc)
}

// museumCalls are calls for what is denied, and the same for what is not there.
func museumCalls(t *testing.T, l *mcplayer.Layer) []struct {
	name, denied, absent string
	call                 func(name string) string
} {
	as := mcplayer.As(visitor)
	tool := func(name string) string {
		res, err := l.CallTool(t.Context(), name, nil, as)
		if err != nil {
			return told(nil, err)
		}
		return told(res.ToWire(), nil)
	}
	read := func(uri string) string { return told(l.ReadResource(t.Context(), uri, as)) }
	prompt := func(name string) string { return told(l.GetPrompt(t.Context(), name, nil, as)) }
	complete := func(name string) string {
		return told(l.Complete(t.Context(), mcplayer.CompletionRef{Kind: mcplayer.KindPrompt, Name: name}, mcplayer.CompletionInput{Argument: "a"}, as))
	}
	return []struct {
		name, denied, absent string
		call                 func(name string) string
	}{
		{"tool", "danger", "nothing", tool},
		{"tool by a pattern", "admin_reset", "nothing", tool},
		{"resource", "docs://admin/x", "data://x", read},
		{"resource by another spelling", "DOCS://%61dmin/x", "data://x", read},
		{"through a template", "docs://admin/y", "data://x", read},
		{"prompt", "p_admin", "nothing", prompt},
		{"completion", "p_admin", "nothing", complete},
	}
}

func TestHiddenIsLikeUnknown(t *testing.T) {
	p := put(t, museumRules(true), nil)
	l := newLayer(t, museum(), p)
	for _, tt := range museumCalls(t, l) {
		t.Run(tt.name, func(t *testing.T) {
			denied, absent := tt.call(tt.denied), tt.call(tt.absent)
			same(t, denied, strings.ReplaceAll(absent, tt.absent, tt.denied))
			if strings.Contains(denied, "ran") {
				t.Error("a handler ran")
			}
			entries := p.Entries(policy.EntryFilter{Limit: 2})
			if len(entries) != 2 || entries[0].Decision != policy.OutcomeNotFound || entries[0].Reason != "hidden" || entries[1].Reason != "unknown" {
				t.Errorf("recorded %+v", entries)
			}
		})
	}
	if c := p.Counters(); c.Hidden != 14 || c.Denied+c.Allowed != 0 {
		t.Errorf("counted %+v", c)
	}
}

func TestListsShowWhatMayBeUsed(t *testing.T) {
	for _, tt := range []struct {
		name string
		hide bool
		who  *mcplayer.Principal
		want string
	}{
		{"hidden", true, visitor, "ping docs://public/x docs://{+path} p_open"},
		{"to others", true, anyone, "admin_reset danger ping docs://admin/x docs://public/x docs://{+path} p_admin p_open"},
		{"listed", false, visitor, "admin_reset danger ping docs://admin/x docs://public/x docs://{+path} p_admin p_open"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, as := newLayer(t, museum(), put(t, museumRules(tt.hide), nil)), mcplayer.As(tt.who)
			var names []string
			for _, x := range l.ListTools(t.Context(), as) {
				names = append(names, x.Name)
			}
			for _, x := range l.ListResources(t.Context(), as) {
				names = append(names, x.URI)
			}
			for _, x := range l.ListResourceTemplates(t.Context(), as) {
				names = append(names, x.URITemplate)
			}
			for _, x := range l.ListPrompts(t.Context(), as) {
				names = append(names, x.Name)
			}
			same(t, strings.Join(names, " "), tt.want)
		})
	}
}

func TestListedButDenied(t *testing.T) {
	p := put(t, museumRules(false), nil)
	l := newLayer(t, museum(), p)
	want := func(kind, name, word string) string {
		reason := word + " denied by rule 'role:visitor'"
		return `{"code":-31001,"data":{"policy":"museum","reason":"` + reason + `"},"message":"Access to ` + kind + ` '` + name + `' denied: ` + reason + `"}`
	}
	tool := func(name string) string {
		reason := "tool denied by rule 'role:visitor'"
		return `{"content":[{"type":"text","text":"Access to tool '` + name + `' denied: ` + reason + `"}],"isError":true,` +
			`"_meta":{"cloudg/error_code":-31001,"cloudg/error_data":{"policy":"museum","reason":"` + reason + `"}}}`
	}
	wants := []string{
		tool("danger"), tool("admin_reset"),
		want("resource", "docs://admin/x", "resource"), want("resource", "docs://admin/x", "resource"), want("resource", "docs://admin/y", "resource"),
		want("prompt", "p_admin", "prompt"), want("completion", "p_admin", "prompt"),
	}
	for i, tt := range museumCalls(t, l) {
		t.Run(tt.name, func(t *testing.T) {
			same(t, sortedJSON(t, tt.call(tt.denied)), sortedJSON(t, wants[i]))
		})
	}
	if c := p.Counters(); c.Denied != 7 || c.Hidden != 0 {
		t.Errorf("counted %+v", c)
	}
}

// sortedJSON puts the members of objects into one order.
func sortedJSON(t testing.TB, doc string) string {
	t.Helper()
	v := jsontext.Value(doc)
	if err := v.Canonicalize(); err != nil {
		t.Fatalf("%v in %s", err, doc)
	}
	return string(v)
}

func TestRateLimitOfACall(t *testing.T) {
	p := put(t, &policy.Document{Name: "l", RateLimits: []policy.RateLimit{{Rate: 1, Per: "day"}}}, nil)
	l := newLayer(t, museum(), p)
	call := func() string {
		res, err := l.CallTool(t.Context(), "ping", nil, mcplayer.As(visitor))
		if err != nil {
			t.Fatal(err)
		}
		return told(res.ToWire(), nil)
	}
	if got := call(); !strings.Contains(got, "ran") {
		t.Fatal(got)
	}
	got := call()
	for _, want := range []string{
		`"isError":true`, `"cloudg/error_code":-31029`, `"limit":"1/day"`, `"scope":"principal_tool"`, `"retry_after":86`,
		`"text":"Rate limit exceeded for tool 'ping' (1/day); retry in 86`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\ndoes not hold %s", got, want)
		}
	}
	_, err := l.Complete(t.Context(), mcplayer.CompletionRef{Kind: mcplayer.KindResourceTemplate, Name: "docs://{+path}"}, mcplayer.CompletionInput{Argument: "path"}, mcplayer.As(visitor))
	if err != nil {
		t.Errorf("a completion is its own: %v", err)
	}
	same(t, outcomes(p, policy.EntryFilter{}), "allowed ping, rate_limited ping, allowed docs://{+path}")
}

// A middleware that answers in the layer's place is checked the same way.
func TestAuthorizeTakesATokenAndIsRecorded(t *testing.T) {
	p := put(t, &policy.Document{Name: "l", RateLimits: []policy.RateLimit{{Rate: 2, Per: "day"}}}, nil)
	l := newLayer(t, museum(), p)
	l.Use(func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		if err := info.Authorize(ctx); err != nil {
			return nil, err
		}
		return next(ctx, info)
	})
	for range 2 {
		if _, err := l.CallTool(t.Context(), "ping", nil, mcplayer.As(visitor)); err != nil {
			t.Fatal(err)
		}
	}
	same(t, outcomes(p, policy.EntryFilter{}), "allowed ping, allowed ping, rate_limited ping")
}
