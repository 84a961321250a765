package mcplayer_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listed lists all four kinds of a client, page by page; a | ends a page.
func listed(t testing.TB, p *peer) map[string]string {
	t.Helper()
	out := map[string]string{}
	page := func(kind string, list func(cursor string) (names []string, next string, err error)) {
		cursor := ""
		for n := 0; n == 0 || cursor != ""; n++ {
			if n > 50 {
				t.Fatalf("%s: the pages never end", kind)
			}
			found, next, err := list(cursor)
			if err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			if n > 0 {
				out[kind] += " | "
			}
			out[kind] += strings.Join(found, " ")
			cursor = next
		}
	}
	page("tools", func(cursor string) (names []string, next string, err error) {
		res, err := p.ListTools(t.Context(), &mcp.ListToolsParams{Cursor: cursor})
		if err == nil {
			for _, item := range res.Tools {
				names = append(names, item.Name)
			}
			next = res.NextCursor
		}
		return names, next, err
	})
	page("prompts", func(cursor string) (names []string, next string, err error) {
		res, err := p.ListPrompts(t.Context(), &mcp.ListPromptsParams{Cursor: cursor})
		if err == nil {
			for _, item := range res.Prompts {
				names = append(names, item.Name)
			}
			next = res.NextCursor
		}
		return names, next, err
	})
	page("resources", func(cursor string) (names []string, next string, err error) {
		res, err := p.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: cursor})
		if err == nil {
			for _, item := range res.Resources {
				names = append(names, item.URI)
			}
			next = res.NextCursor
		}
		return names, next, err
	})
	page("templates", func(cursor string) (names []string, next string, err error) {
		res, err := p.ListResourceTemplates(t.Context(), &mcp.ListResourceTemplatesParams{Cursor: cursor})
		if err == nil {
			for _, item := range res.ResourceTemplates {
				names = append(names, item.URITemplate)
			}
			next = res.NextCursor
		}
		return names, next, err
	})
	return out
}

// perCaller is a policy that hides from everybody but ada what has secret in its
// name, and panics about what has boom in it.
type perCaller struct{ scripted }

func (p *perCaller) Bind(spec *mcplayer.Spec, who *mcplayer.Principal) *mcplayer.Access {
	if strings.Contains(spec.Name, "boom") {
		panic("hunter2")
	}
	a := *p.scripted.Bind(spec, who)
	a.Visible = who.ID() == "ada" || !strings.Contains(spec.Name, "secret")
	return &a
}

// catalogue registers some of each kind.
func catalogue(r *mcplayer.Registry) {
	for _, n := range []string{"c", "a", "b_secret", "z", "boom"} {
		returning(n, nil)(r)
		prompting(n, nil, tellArgs)(r)
		fixed("cloudg://"+n, nil)(r)
		through("cloudg://"+n+"/{x}", tellVars)(r)
	}
}

func hostCatalogue(names ...string) *mcp.Server {
	server := serverOf(nil)
	addHostCatalogue(server, names...)
	return server
}

func addHostCatalogue(server *mcp.Server, names ...string) {
	for _, n := range names {
		mcp.AddTool(server, &mcp.Tool{Name: n}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
		server.AddPrompt(&mcp.Prompt{Name: n}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { return nil, nil })
		server.AddResource(&mcp.Resource{URI: "host://" + n, Name: n}, hostReads(n))
		server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "host://" + n + "/{x}", Name: n}, hostReads(n))
	}
}

func TestListsOfEachKindPerCaller(t *testing.T) {
	ada, bob := mcplayer.NewPrincipal("ada", "default"), mcplayer.NewPrincipal("bob", "default")
	lists := func(host, own []string) map[string]string {
		out := map[string]string{}
		for kind, format := range map[string][2]string{"tools": {"%s", "app_%s"}, "prompts": {"%s", "app_%s"}, "resources": {"host://%s", "cloudg://%s"}, "templates": {"host://%s/{x}", "cloudg://%s/{x}"}} {
			var all []string
			for _, n := range host {
				all = append(all, fmt.Sprintf(format[0], n))
			}
			for _, n := range own {
				all = append(all, fmt.Sprintf(format[1], n))
			}
			for page := range slices.Chunk(all, 2) {
				if out[kind] != "" {
					out[kind] += " | "
				}
				out[kind] += strings.Join(page, " ")
			}
		}
		return out
	}
	for _, tt := range []struct {
		who  *mcplayer.Principal
		want map[string]string
	}{
		{ada, lists([]string{"h1", "h2_secret", "h3"}, []string{"a", "b_secret", "c", "z"})},
		{bob, lists([]string{"h1", "h3"}, []string{"a", "c", "z"})},
	} {
		for _, version := range []string{legacy, modern} {
			t.Run(tt.who.ID()+" "+version, func(t *testing.T) {
				l := newLab(t, mcplayer.Options{Prefix: "app_", Policy: &perCaller{}}, catalogue)
				server := hostCatalogue("h3", "h2_secret", "h1", "h_boom")
				if err := l.Mount(server, &mcplayer.MountOptions{PageSize: 2}); err != nil {
					t.Fatal(err)
				}
				got := listed(t, dial(t, l.Layer, server, version, tt.who, nil))
				for kind, want := range tt.want {
					same(t, kind+": "+got[kind], kind+": "+want)
				}
				left := map[string]bool{}
				for _, r := range l.log.find(t, "panic in the policy; primitive left out of a list") {
					left[fmt.Sprint(r["kind"], " ", r["name"])] = true
				}
				if len(left) != 8 {
					t.Errorf("logged %v", left)
				}
			})
		}
	}
}

func TestListsInProcess(t *testing.T) {
	l := newLab(t, mcplayer.Options{Prefix: "app_", Policy: &perCaller{}}, catalogue)
	for who, want := range map[string]string{
		"ada": "app_a app_b_secret app_c app_z; app_a app_b_secret app_c app_z; cloudg://a cloudg://b_secret cloudg://c cloudg://z; cloudg://a/{x} cloudg://b_secret/{x} cloudg://c/{x} cloudg://z/{x}",
		"bob": "app_a app_c app_z; app_a app_c app_z; cloudg://a cloudg://c cloudg://z; cloudg://a/{x} cloudg://c/{x} cloudg://z/{x}",
	} {
		as := mcplayer.As(mcplayer.NewPrincipal(who))
		var tools, prompts, resources, templates []string
		for _, item := range l.ListTools(t.Context(), as) {
			tools = append(tools, item.Name)
		}
		for _, item := range l.ListPrompts(t.Context(), as) {
			prompts = append(prompts, item.Name)
		}
		for _, item := range l.ListResources(t.Context(), as) {
			resources = append(resources, item.URI)
		}
		for _, item := range l.ListResourceTemplates(t.Context(), as) {
			templates = append(templates, item.URITemplate)
		}
		same(t, strings.Join(tools, " ")+"; "+strings.Join(prompts, " ")+"; "+strings.Join(resources, " ")+"; "+strings.Join(templates, " "), want)
	}
	if list := newLab(t, mcplayer.Options{}).ListPrompts(t.Context()); list == nil || len(list) > 0 {
		t.Errorf("an empty list is %v", list)
	}
}

// A handler's own lists are those of its caller.
func TestListInsideAHandler(t *testing.T) {
	var l *lab
	l = newLab(t, mcplayer.Options{Policy: &perCaller{}}, catalogue, reading("cloudg://count", func(ctx context.Context, _ *mcplayer.ToolContext, _ map[string]string) (any, error) {
		return len(l.ListPrompts(ctx)), nil
	}))
	same(t, l.read(t, "cloudg://count", mcplayer.As(mcplayer.NewPrincipal("ada"))), textWire("cloudg://count", "application/json", "4"))
	same(t, l.read(t, "cloudg://count"), textWire("cloudg://count", "application/json", "3"))
}

func TestCursors(t *testing.T) {
	ada, bob := mcplayer.NewPrincipal("ada"), mcplayer.NewPrincipal("bob")
	l := newLab(t, mcplayer.Options{Policy: &perCaller{}}, catalogue)
	server := hostCatalogue("h1")
	if err := l.Mount(server, &mcplayer.MountOptions{PageSize: 2}); err != nil {
		t.Fatal(err)
	}
	other := hostCatalogue("h1")
	if err := l.Mount(other, &mcplayer.MountOptions{PageSize: 2}); err != nil {
		t.Fatal(err)
	}
	p, q, o := dial(t, l.Layer, server, modern, ada, nil), dial(t, l.Layer, server, modern, bob, nil), dial(t, l.Layer, other, modern, ada, nil)
	res, err := p.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	cursor := res.NextCursor
	plain, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || strings.Contains(cursor, "cloudg") || strings.Contains(string(plain), "cloudg") {
		t.Fatalf("the cursor %q names things", cursor)
	}
	const invalid = `{"code":-32602,"message":"invalid params"}`
	bad := []string{"x", "!!", cursor + "A", cursor[:len(cursor)-2], "aDE", base64.StdEncoding.EncodeToString([]byte("cloudg://a"))}
	for _, c := range bad {
		_, _ = p.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: c})
		same(t, tidy(t, []byte(p.last(t))), invalid)
	}
	_, _ = p.ListPrompts(t.Context(), &mcp.ListPromptsParams{Cursor: cursor})
	same(t, tidy(t, []byte(p.last(t))), invalid)
	_, _ = p.ListResourceTemplates(t.Context(), &mcp.ListResourceTemplatesParams{Cursor: cursor})
	same(t, tidy(t, []byte(p.last(t))), invalid)
	for _, stranger := range []*peer{q, o} {
		_, _ = stranger.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: cursor})
		same(t, tidy(t, []byte(stranger.last(t))), invalid)
	}
	// What the page ended with may go; the next page begins after it.
	l.reg.Remove(mcplayer.KindResource, "cloudg://a")
	fixed("cloudg://a2", nil)(l.reg)
	res, err = p.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: cursor})
	if err != nil || len(res.Resources) != 2 || res.Resources[0].URI != "cloudg://a2" || res.Resources[1].URI != "cloudg://b_secret" {
		t.Errorf("got %v, %v", res.Resources, err)
	}
}

func TestListsOnTheWire(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, func(r *mcplayer.Registry) {
		mcplayer.AddResource(r, mcplayer.Resource{
			URI: "cloudg://x", Name: "n", Title: "T", Description: "D", Category: "cat", Tags: []string{"b", "a", "b"}, Sensitivity: mcplayer.Public,
			MIMEType: "text/plain", Size: 7, Annotations: &mcp.Annotations{Audience: []mcp.Role{"user"}, Priority: 0.5}, Icons: []mcp.Icon{{Source: "i"}}, Meta: mcp.Meta{"k": 1, "cloudg/tags": "mine"},
		},
			func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return nil, nil })
		mcplayer.AddResourceTemplate(r, mcplayer.ResourceTemplate{URITemplate: "cloudg://t/{x}"}, tellVars)
		mcplayer.AddPrompt(r, mcplayer.Prompt{Name: "p", Title: "T", Description: "D", Arguments: []mcplayer.PromptArgument{{Name: "a", Title: "A", Description: "AD", Required: true}, {Name: "b"}}}, tellArgs)
	})
	server := mounted(t, l, nil)
	want := map[string]string{
		"resources/list": `{"cacheScope":"private","resources":[{"_meta":{"cloudg/category":"cat","cloudg/sensitivity":"public","cloudg/tags":["a","b"],"k":1},` +
			`"annotations":{"audience":["user"],"priority":0.5},"description":"D","icons":[{"src":"i"}],"mimeType":"text/plain","name":"n","size":7,"title":"T","uri":"cloudg://x"}],"ttlMs":0}`,
		"resources/templates/list": `{"cacheScope":"private","resourceTemplates":[{"_meta":{"cloudg/category":"general","cloudg/sensitivity":"confidential","cloudg/tags":[]},"mimeType":"application/json","name":"cloudg://t/{x}","uriTemplate":"cloudg://t/{x}"}],"ttlMs":0}`,
		"prompts/list": `{"cacheScope":"private","prompts":[{"_meta":{"cloudg/category":"general","cloudg/sensitivity":"internal","cloudg/tags":[]},` +
			`"arguments":[{"description":"AD","name":"a","required":true,"title":"A"},{"name":"b"}],"description":"D","name":"p","title":"T"}],"ttlMs":0}`,
		"tools/list": `{"cacheScope":"private","tools":[],"ttlMs":0}`,
	}
	empty := map[string]string{
		"resources/list":           `{"cacheScope":"private","resources":[],"ttlMs":0}`,
		"resources/templates/list": `{"cacheScope":"private","resourceTemplates":[],"ttlMs":0}`,
		"prompts/list":             `{"cacheScope":"private","prompts":[],"ttlMs":0}`,
		"tools/list":               `{"cacheScope":"private","tools":[],"ttlMs":0}`,
	}
	check := func(t *testing.T, want map[string]string) {
		for name, p := range peers(t, l, server) {
			t.Run(name, func(t *testing.T) {
				for method, want := range want {
					switch method {
					case "tools/list":
						_, _ = p.ListTools(t.Context(), nil)
					case "prompts/list":
						_, _ = p.ListPrompts(t.Context(), nil)
					case "resources/list":
						_, _ = p.ListResources(t.Context(), nil)
					default:
						_, _ = p.ListResourceTemplates(t.Context(), nil)
					}
					same(t, tidy(t, []byte(p.last(t))), want)
					p.wantType(t)
				}
			})
		}
		rp := raw(t, l.Layer, server)
		for method, want := range want {
			same(t, rp.ask(t, method, ``), want) // without parameters
			same(t, rp.ask(t, method, `{}`), want)
		}
	}
	t.Run("visible", func(t *testing.T) { check(t, want) })
	l.pol.hidden = map[string]bool{"cloudg://x": true, "cloudg://t/{x}": true, "p": true}
	t.Run("hidden", func(t *testing.T) { check(t, empty) })
}

func TestListsWithoutIdentity(t *testing.T) {
	l := newLab(t, mcplayer.Options{Resolver: func(context.Context, *mcplayer.RequestInfo) (*mcplayer.Principal, error) {
		return nil, fmt.Errorf("directory down")
	}}, catalogue, completing(nil))
	server := mounted(t, l, nil)
	const refused = `{"code":-31001,"message":"Identity could not be established"}`
	rp := raw(t, l.Layer, server)
	for method, params := range map[string]string{
		"tools/list": `{}`, "prompts/list": `{}`, "resources/list": `{}`, "resources/templates/list": `{}`,
		"resources/read": `{"uri":"cloudg://a"}`, "prompts/get": `{"name":"a"}`, "resources/subscribe": `{"uri":"cloudg://a"}`,
		"completion/complete": `{"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"a","value":""}}`,
	} {
		same(t, method+rp.ask(t, method, params), method+refused)
	}
}

// What the policy does not admit of the host's is as if it were not there.
func TestHostPrimitiveNotAdmitted(t *testing.T) {
	strict := false // Mount itself would refuse
	pol := &scripted{admit: func(s *mcplayer.Spec) error {
		switch {
		case !strict:
			return nil
		case strings.Contains(s.Name, "bad"):
			return fmt.Errorf("a bad hint")
		case strings.Contains(s.Name, "boom"):
			panic("hunter2")
		}
		return nil
	}}
	l := newLab(t, mcplayer.Options{Policy: pol})
	server := mounted(t, l, mcp.NewServer(&mcp.Implementation{Name: "host", Version: "1"}, nil))
	addHostCatalogue(server, "bad", "boom", "good")
	server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "host://{+any}", Name: "any"}, hostReads("any"))
	strict = true
	p := dial(t, l.Layer, server, modern, nil, nil)
	for range 2 {
		got, _ := json.Marshal(listed(t, p))
		same(t, string(got), `{"prompts":"good","resources":"host://good","templates":"host://good/{x} host://{+any}","tools":"good"}`)
		same(t, p.read(t, "host://bad"), unknownResource("host://bad"))
		same(t, p.read(t, "host://boom"), unknownResource("host://boom"))
		same(t, p.read(t, "host://bad/1"), unknownResource("host://bad/1"))
		same(t, p.render(t, "bad", nil), unknownPrompt("bad"))
		same(t, p.read(t, "host://other"), hostText("any", "host://other"))
	}
	said := map[string]int{}
	for _, record := range l.log.find(t, "primitive of the server left out") {
		said[fmt.Sprint(record["kind"], " ", record["name"])]++
	}
	for _, name := range []string{"tool bad", "prompt bad", "resource host://bad", "resource_template host://bad/{x}"} {
		if said[name] != 1 {
			t.Errorf("%s was logged %d times, want once", name, said[name])
		}
	}
	for _, name := range []string{"tool boom", "prompt boom", "resource host://boom", "resource_template host://boom/{x}"} {
		if said[name] < 2 {
			t.Errorf("%s was logged %d times, want at each look", name, said[name])
		}
	}
}

func TestEquivalentURIsAreOne(t *testing.T) {
	reg := mcplayer.NewRegistry()
	fixed("cloudg://x/a", 1)(reg)
	fixed("CLOUDG://X/%61", 2)(reg)
	_, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: &scripted{}})
	if want := `resource "CLOUDG://X/%61": is the same URI as resource "cloudg://x/a"`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	l := newLab(t, mcplayer.Options{}, fixed("cloudg://x/a", "first"))
	fixed("cloudg://X/a", "second")(l.reg)
	if err := l.reg.Err(); err == nil || !strings.Contains(err.Error(), `resource "cloudg://X/a": is the same URI as resource "cloudg://x/a"`) {
		t.Errorf("got %v", err)
	}
	same(t, l.read(t, "cloudg://x/a"), textWire("cloudg://x/a", "application/json", "first"))
}

func TestListedToolsAreTheCallersOwn(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("get", 1))
	for _, x := range l.ListTools(t.Context()) {
		x.Description = "changed by a caller"
		x.Meta["cloudg/sensitivity"] = "public"
	}
	x := l.ListTools(t.Context())[0]
	if x.Description != "" || x.Meta["cloudg/sensitivity"] != "confidential" {
		t.Errorf("%q %v", x.Description, x.Meta)
	}
}
