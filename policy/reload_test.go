package policy_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestReload(t *testing.T) {
	p := put(t, &policy.Document{Name: "old", Access: policy.Access{DenyTools: []string{"b"}}}, nil)
	a, b := toolSpec("a"), toolSpec("b")
	running := p.Bind(a, anyone)
	version := p.Version()
	if running.Version != version {
		t.Errorf("access has the version %d, the policy %d", running.Version, version)
	}
	if err := p.Reload(&policy.Document{Name: "new", Access: policy.Access{DenyTools: []string{"a"}}}); err != nil {
		t.Fatal(err)
	}
	same(t, verdict(p.Decide(a, anyone)), "tool denied by policy 'new'")
	same(t, verdict(p.Decide(b, anyone)), "allowed")
	if p.Version() == version || p.Bind(b, anyone).Version != p.Version() {
		t.Error("the version is the old one")
	}
	if _, err := running.Check(t.Context(), callOf(a, anyone, "{}")); err != nil {
		t.Errorf("a call that ran got another policy: %v", err)
	}
}

func TestABadDocumentKeepsTheOldOne(t *testing.T) {
	book := &logbook{}
	p := put(t, &policy.Document{Name: "old", Access: policy.Access{DenyTools: []string{"a"}}}, &policy.Options{Logger: book.Logger()})
	version := p.Version()
	told := 0
	defer p.OnChange(func(mcplayer.Kind) { told++ })()
	for _, doc := range []*policy.Document{nil, {Access: policy.Access{AllowTools: []string{"["}}}} {
		if err := p.Reload(doc); err == nil {
			t.Error("no error")
		}
		if lines := book.Take(); len(lines) != 1 || !strings.Contains(lines[0], `"level":"ERROR","msg":"policy not reloaded; the old one stays","policy":"old","error":"policy: `) {
			t.Errorf("logged %s", lines)
		}
	}
	if p.Version() != version || p.Decide(toolSpec("a"), anyone).Allowed || told > 0 {
		t.Error("the bad document did something")
	}
}

func TestVersionsOfTwoPoliciesDiffer(t *testing.T) {
	if a, b := put(t, &policy.Document{}, nil), put(t, &policy.Document{}, nil); a.Version() == b.Version() || a.Version() == 0 {
		t.Errorf("versions %d and %d", a.Version(), b.Version())
	}
}

func TestReloadKeepsLimitsInForce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := policy.RateLimit{Rate: 1, Per: "hour"}
		p := put(t, &policy.Document{RateLimits: []policy.RateLimit{first, first}}, nil)
		x := toolSpec("x")
		visit(t, p, callOf(x, anyone, ""))
		for _, doc := range []*policy.Document{
			{RateLimits: []policy.RateLimit{first}},
			{Name: "other", RateLimits: []policy.RateLimit{{Rate: 5, Scope: "global"}, first}},
		} {
			if err := p.Reload(doc); err != nil {
				t.Fatal(err)
			}
			if err := check(t, p, x, anyone); err == nil {
				t.Errorf("%q: a limit in force was reset", doc.Name)
			}
		}
	})
}

func TestChangesThatAreTold(t *testing.T) {
	every := "tool resource resource_template prompt"
	base := func() *policy.Document {
		r := forRole("admin", policy.Access{DenyTools: []string{"a"}})
		r.RateLimits = []policy.RateLimit{{Rate: 1}}
		return &policy.Document{Name: "n", Roles: []policy.Rule{r}}
	}
	for _, tt := range []struct {
		name   string
		change func(*policy.Document)
		want   string
	}{
		{"nothing", func(*policy.Document) {}, ""},
		{"name", func(d *policy.Document) { d.Name, d.Description = "m", "d" }, ""},
		{"trail", func(d *policy.Document) { d.Audit, d.AuditSize = new(true), new(5) }, ""},
		{"limits", func(d *policy.Document) { d.RateLimits, d.Roles[0].RateLimits = []policy.RateLimit{{Rate: 1}}, nil }, ""},
		{"hiding, to what it was", func(d *policy.Document) { d.HideDenied = new(true) }, ""},
		{"hiding", func(d *policy.Document) { d.HideDenied = new(false) }, every},
		{"a list", func(d *policy.Document) { d.DenyPrompts = []string{"p"} }, every},
		{"a list that is there", func(d *policy.Document) { d.AllowPrompts = []string{} }, every},
		{"a rule's list", func(d *policy.Document) { d.Roles[0].DenyTools = nil }, every},
		{"a rule's condition", func(d *policy.Document) { d.Roles[0].Match.Tags = []string{"t"} }, every},
		{"hints", func(d *policy.Document) { d.HonorHints = new(false) }, "tool"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := put(t, base(), nil)
			var told []string
			stop := p.OnChange(func(k mcplayer.Kind) { told = append(told, k.String()) })
			doc := base()
			tt.change(doc)
			if err := p.Reload(doc); err != nil {
				t.Fatal(err)
			}
			same(t, strings.Join(told, " "), tt.want)
			told = nil
			stop()
			if err := p.Reload(&policy.Document{Access: policy.Access{DenyTools: []string{"zz"}}}); err != nil {
				t.Fatal(err)
			}
			if told != nil {
				t.Errorf("told after the end: %v", told)
			}
		})
	}
}

// Two layers with one policy both tell their clients, and share nothing but the policy.
func TestTwoLayersOfOnePolicy(t *testing.T) {
	p := put(t, &policy.Document{Name: "p"}, nil)
	var heard [2][]mcplayer.Kind
	var layers [2]*mcplayer.Layer
	for i := range layers {
		reg := mcplayer.NewRegistry()
		addTool(reg, mcplayer.Tool{Name: fmt.Sprint("tool", i)})
		layers[i] = newLayer(t, reg, p)
		layers[i].OnChange(func(c mcplayer.Change) { heard[i] = append(heard[i], c.Kind) })
	}
	names := func(l *mcplayer.Layer) (names string) {
		for _, tool := range l.ListTools(t.Context(), mcplayer.As(anyone)) {
			names += tool.Name
		}
		return names
	}
	same(t, names(layers[0])+" "+names(layers[1]), "tool0 tool1")
	if err := p.Reload(&policy.Document{Name: "p", Access: policy.Access{DenyTools: []string{"tool1"}}}); err != nil {
		t.Fatal(err)
	}
	same(t, names(layers[0])+" "+names(layers[1]), "tool0 ")
	all := []mcplayer.Kind{mcplayer.KindTool, mcplayer.KindResource, mcplayer.KindResourceTemplate, mcplayer.KindPrompt}
	if !slices.Equal(heard[0], all) || !slices.Equal(heard[1], all) {
		t.Errorf("the layers told of %v", heard)
	}
	if err := layers[0].Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := p.Reload(&policy.Document{Name: "p"}); err != nil {
		t.Fatal(err)
	}
	if len(heard[0]) != 4 || len(heard[1]) != 8 {
		t.Errorf("the closed layer told of %v, the open one of %v", heard[0], heard[1])
	}
}

func TestReloadWhileCallsRun(t *testing.T) {
	p := put(t, &policy.Document{}, nil)
	spec := toolSpec("x")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 300 {
				access := p.Bind(spec, anyone)
				_, err := access.Check(t.Context(), callOf(spec, anyone, "{}"))
				if access.Visible != (err == nil) {
					t.Errorf("visible %v, and the check says %v", access.Visible, err)
				}
			}
		})
	}
	for i := range 100 {
		doc := &policy.Document{}
		if i%2 == 0 {
			doc.DenyTools = []string{"*"}
		}
		if err := p.Reload(doc); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
}

func TestWarningsAboutAnonymousCallers(t *testing.T) {
	book := &logbook{}
	doc := &policy.Document{Name: "w", Roles: []policy.Rule{forRole("admin", policy.Access{AllowTools: []string{"*"}})}}
	p := put(t, doc, &policy.Options{Logger: book.Logger()})
	line := func(kind, name, capabilities string) string {
		return fmt.Sprintf(`{"level":"WARN","msg":"anonymous callers may use what changes or runs something","policy":"%s","kind":"%s","name":"%s","capabilities":"%s"}`, "w", kind, name, capabilities)
	}
	specs := []*mcplayer.Spec{able("read", readState|cloudAccess), able("silent", 0), able("run", execCap|readState), able("write", writeFS|writeState)}
	for _, spec := range specs {
		if err := p.Admit(spec); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{line("tool", "run", "exec"), line("tool", "write", "write_state,write_fs")}
	same(t, strings.Join(book.Take(), "\n"), strings.Join(want, "\n"))

	doc.AllowTools = []string{"read", "run"}
	if err := p.Reload(doc); err != nil {
		t.Fatal(err)
	}
	same(t, strings.Join(book.Take(), "\n"), line("tool", "run", "exec")+"\n"+`{"level":"INFO","msg":"policy reloaded","policy":"w"}`)
	runtime.KeepAlive(specs)
}

// A client is told that its list changed, and finds it changed.
func TestReloadReachesClients(t *testing.T) {
	p := put(t, museumRules(true), nil)
	l := newLayer(t, museum(), p)
	server := mcp.NewServer(&mcp.Implementation{Name: "museum", Version: "1"}, nil)
	if err := l.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	here, there := mcp.NewInMemoryTransports()
	go func() { _ = l.Run(t.Context(), server, there) }()
	told := make(chan struct{}, 100)
	client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { told <- struct{}{} },
	})
	session, err := client.Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	names := func() (names string) {
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range list.Tools {
			names += " " + tool.Name
		}
		return names
	}
	same(t, names(), " admin_reset danger ping")
	if err := p.Reload(&policy.Document{Access: policy.Access{AllowTools: []string{"ping"}}}); err != nil {
		t.Fatal(err)
	}
	<-told
	same(t, names(), " ping")
}
