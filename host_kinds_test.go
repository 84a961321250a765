package mcplayer_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestHostResources(t *testing.T) {
	var calls []seen
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{watch(&calls)}},
		fixed("own://x/own", "own"), through("own://x/{+rest}", func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
			return "own template", nil
		}))
	server := mounted(t, l, hostServer(
		[]string{"host://x/A", "own://x/host", "mem:secret"},
		[]string{"host://x/{a}/{b}", "mem:{+rest}", "own://x/deep/{host}", "host://q{?p,r}", "host://list{/path*}"}))
	l.pol.hidden = map[string]bool{"mem:secret": true}
	tests := []struct {
		name, uri, want string
		seen            seen
	}{
		{"exact", "host://x/A", hostText("exact host://x/A", "host://x/A"), seen{mcplayer.KindResource, "host://x/A", `{}`}},
		{"exact in another spelling", "HOST://X/%41", hostText("exact host://x/A", "host://x/A"), seen{mcplayer.KindResource, "host://x/A", `{}`}},
		{"template", "host://x/1/%32", hostText("template host://x/{a}/{b}", "host://x/1/%32"), seen{mcplayer.KindResource, "host://x/1/2", `{"a":"1","b":"2"}`}},
		{"exact of the host before a template of the layer", "own://x/host", hostText("exact own://x/host", "own://x/host"), seen{mcplayer.KindResource, "own://x/host", `{}`}},
		{"a longer template of the host", "own://x/deep/1", hostText("template own://x/deep/{host}", "own://x/deep/1"), seen{mcplayer.KindResource, "own://x/deep/1", `{"host":"1"}`}},
		{"the layer's template", "own://x/deep/1/2", textWire("own://x/deep/1/2", "application/json", "own template"), seen{mcplayer.KindResource, "own://x/deep/1/2", `{"rest":"deep/1/2"}`}},
		{"the layer's own", "own://x/own", textWire("own://x/own", "application/json", "own"), seen{mcplayer.KindResource, "own://x/own", `{}`}},
		{"hidden, though a template of the host matches", "mem:secret", unknownResource("mem:secret"), seen{}},
		{"hidden in another spelling", "mem:%73ecret", unknownResource("mem:%73ecret"), seen{}},
		{"a stand-in, though a template of the host matches", "mem:x", hostText("template mem:{+rest}", "mem:x"), seen{mcplayer.KindResource, "mem:x", `{"rest":"x"}`}},
		{"query", "host://q?p=1&r=a%20b", hostText("template host://q{?p,r}", "host://q?p=1&r=a%20b"), seen{mcplayer.KindResource, "host://q?p=1&r=a%20b", `{"p":"1","r":"a b"}`}},
		{"query in part", "host://q?p=1", hostText("template host://q{?p,r}", "host://q?p=1"), seen{mcplayer.KindResource, "host://q?p=1", `{"p":"1","r":""}`}},
		{"list", "host://list/a/b", hostText("template host://list{/path*}", "host://list/a/b"), seen{mcplayer.KindResource, "host://list/a/b", `{"path":"a,b"}`}},
		{"dots in a query", "host://q?p=..", unknownResource("host://q?p=.."), seen{}},
		{"escaped dots in a list", "host://list/a%2F..%2Fb", unknownResource("host://list/a%2F..%2Fb"), seen{}},
		{"escaped slash", "host://x/1/a%2Fb", unknownResource("host://x/1/a%2Fb"), seen{}},
		{"unknown", "nope://x", unknownResource("nope://x"), seen{}},
	}
	for name, p := range peers(t, l, server) {
		t.Run(name, func(t *testing.T) {
			for _, tt := range tests {
				t.Run(tt.name, func(t *testing.T) {
					calls = nil
					same(t, p.read(t, tt.uri), tt.want)
					want := []seen{tt.seen}
					if tt.seen == (seen{}) {
						want = nil
					}
					if !slices.Equal(calls, want) {
						t.Errorf("saw %v, want %v", calls, want)
					}
				})
			}
		})
	}
}

// Of a host's templates that match, the SDK runs the first in the order of texts,
// not the longest; the layer decides about that one.
func TestLimitOrderOfHostTemplates(t *testing.T) {
	tests := []struct{ name, hidden, uri, want string }{
		{"the one that runs", "host://{+any}", "host://a/b", unknownResource("host://a/b")},
		{"the other one", "host://{one}/{longer}", "host://a/b", hostText("template host://{+any}", "host://a/b")},
		{"none", "", "host://a/b", hostText("template host://{+any}", "host://a/b")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{})
			l.pol.hidden = map[string]bool{tt.hidden: true}
			server := mounted(t, l, hostServer(nil, []string{"host://{+any}", "host://{one}/{longer}"}))
			same(t, dial(t, l.Layer, server, modern, nil, nil).read(t, tt.uri), tt.want)
		})
	}
}

// A host's template that matches everything does not reach the stand-ins.
func TestStandInsAreNotReachable(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, fixed("cloudg://x", "t"), prompting("p", nil, tellArgs), returning("t", nil))
	server := mounted(t, l, hostServer(nil, []string{"mcplayer:{x}", "m{+any}"}))
	for _, p := range peers(t, l, server) {
		for _, uri := range []string{"mcplayer:resource", "MCPLAYER:resource", "mcplayer:%72esource"} {
			if got := p.read(t, uri); got != unknownResource(uri) && !strings.Contains(got, "template mcplayer:{x}") {
				t.Errorf("%s: got %s", uri, got)
			}
		}
		same(t, p.read(t, "mcplayer:resource"), unknownResource("mcplayer:resource"))
		same(t, p.render(t, "mcplayer.prompt", nil), unknownPrompt("mcplayer.prompt"))
		_, _ = p.CallTool(t.Context(), &mcp.CallToolParams{Name: "mcplayer.tool"})
		same(t, tidy(t, []byte(p.last(t))), `{"code":-32602,"message":"Unknown tool: mcplayer.tool"}`)
	}
}

func TestHostURIAfterTheInputPipeline(t *testing.T) {
	tests := []struct {
		name, uri string
		input     swap
		want      string
	}{
		{"changed", "host://x/pseudo/1", swap{"pseudo": "db"}, hostText("template host://x/{a}/{+b}", "host://x/db/1")},
		{"escaped", "host://x/pseudo/1", swap{"pseudo": "a b"}, hostText("template host://x/{a}/{+b}", "host://x/a%20b/1")},
		{"a list", "host://list/pseudo/b", swap{"pseudo": "db"}, hostText("template host://list{/path*}", "host://list/db/b")},
		{"a query", "host://q?p=pseudo&r=1", swap{"pseudo": "d&b"}, hostText("template host://q{?p,r}", "host://q?p=d%26b&r=1")},
		{"a query in part", "host://q?p=pseudo", swap{"pseudo": "db"}, hostText("template host://q{?p,r}", "host://q?p=db")},
		{"now an exact one", "host://x/pseudo/exact", swap{"pseudo": "the"}, unknownResource("host://x/pseudo/exact")},
		{"now another template", "host://x/y/pseudo", swap{"pseudo": "special"}, unknownResource("host://x/y/pseudo")},
		{"out of the folder", "host://x/pseudo/1", swap{"pseudo": ".."}, `{"code":-32603,"message":"wrapError: variable \"a\": the URI has a dot segment"}`},
		{"a slash", "host://x/pseudo/1", swap{"pseudo": "a/b"}, `{"code":-32603,"message":"errorString: variable \"a\": a value with a slash cannot stand in {a}; {+a} takes one"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{})
			l.pol.input = tt.input
			l.pol.hidden = map[string]bool{"host://x/the/exact": true}
			server := mounted(t, l, hostServer([]string{"host://x/the/exact"},
				[]string{"host://x/y/special{+none}", "host://x/{a}/{+b}", "host://q{?p,r}", "host://list{/path*}"}))
			same(t, dial(t, l.Layer, server, legacy, nil, nil).read(t, tt.uri), tt.want)
		})
	}
}

// What the input pipeline leads to is asked about again.
func TestConcreteURIAfterTheInputPipeline(t *testing.T) {
	deny := func(_ mcplayer.CallInfo, uri string) error {
		if strings.HasSuffix(uri, "/denied") {
			return mcplayer.AccessDenied("no", nil)
		}
		return nil
	}
	for _, tt := range []struct{ name, variable, want string }{
		{"neither", "other", ""},
		{"hidden", "hidden", unknownResource("SCHEME://x/pseudo")},
		{"denied", "denied", `{"code":-31001,"message":"no"}`},
	} {
		for _, scheme := range []string{"host", "own"} {
			t.Run(tt.name+" "+scheme, func(t *testing.T) {
				pol := &hiding{hides: scheme + "://x/hidden", denies: deny}
				pol.input = swap{"pseudo": tt.variable}
				l := newLab(t, mcplayer.Options{Policy: pol}, through("own://x/{a}", tellVars))
				server := mounted(t, l, hostServer(nil, []string{"host://x/{a}"}))
				got := dial(t, l.Layer, server, legacy, nil, nil).read(t, scheme+"://x/pseudo")
				if tt.want == "" {
					if strings.Contains(got, "code") {
						t.Errorf("refused: %s", got)
					}
					return
				}
				same(t, got, strings.ReplaceAll(tt.want, "SCHEME", scheme))
				if len(pol.rejected) != 1 {
					t.Errorf("%d rejections recorded, want 1", len(pol.rejected))
				}
			})
		}
	}
}

func TestHostFacts(t *testing.T) {
	var specs []*mcplayer.Spec
	pol := &scripted{admit: func(s *mcplayer.Spec) error { specs = append(specs, s); return nil }}
	l := newLab(t, mcplayer.Options{Policy: pol})
	server := hostServer([]string{"host:x"}, []string{"host://{a}"})
	server.AddPrompt(&mcp.Prompt{Name: "hp", Title: "T", Arguments: []*mcp.PromptArgument{{Name: "a", Required: true}}}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{}}, nil
	})
	facts := func(category string) map[string]mcplayer.HostFacts {
		f := mcplayer.HostFacts{Category: category, Tags: []string{"b", "a"}, Sensitivity: mcplayer.Restricted}
		return map[string]mcplayer.HostFacts{"host:x": f, "host://{a}": f, "hp": f}
	}
	if err := l.Mount(server, &mcplayer.MountOptions{HostResources: facts("r"), HostTemplates: facts("t"), HostPrompts: facts("p")}); err != nil {
		t.Fatal(err)
	}
	p := dial(t, l.Layer, server, modern, nil, nil)
	res, err := p.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	templates, err := p.ListResourceTemplates(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	prompts, err := p.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for want, meta := range map[string]mcp.Meta{"r": res.Resources[0].Meta, "t": templates.ResourceTemplates[0].Meta, "p": prompts.Prompts[0].Meta} {
		same(t, fmt.Sprint(meta), "map[cloudg/category:"+want+" cloudg/sensitivity:restricted cloudg/tags:[a b]]")
	}
	for _, s := range specs {
		if !s.Host || s.Sensitivity != mcplayer.Restricted || !slices.Equal(s.Tags, []string{"a", "b"}) {
			t.Errorf("spec %+v", s)
		}
	}
	if len(specs) != 3 || len(l.log.find(t, "the server has no such primitive yet")) != 6 {
		t.Errorf("%d specs; log %s", len(specs), l.log)
	}
}

func TestHostFailures(t *testing.T) {
	var fail func() error
	l := newLab(t, mcplayer.Options{})
	l.pol.output = censor{}
	server := serverOf(nil)
	server.AddResource(&mcp.Resource{URI: "host:x", Name: "x"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return nil, fail()
	})
	server.AddPrompt(&mcp.Prompt{Name: "hp"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { return nil, fail() })
	mounted(t, l, server)
	tests := []struct {
		name string
		fail func() error
		want string
	}{
		{"plain", func() error { return errors.New("a secret") }, `{"code":-32603,"message":"errorString: a [gone]"}`},
		{"not found", func() error { return mcp.ResourceNotFoundError("host:x") }, `{"code":-32602,"data":{"uri":"host:x"},"message":"Resource not found"}`},
		{"layer error", func() error { return mcplayer.AccessDenied("secret", 1) }, `{"code":-31001,"data":1,"message":"[gone]"}`},
		{"panic", func() error { panic("hunter2") }, `{"code":-32603,"data":{"error_id":"1"},"message":"Internal error"}`},
		{"nothing", func() error { return nil }, ""},
	}
	for name, p := range peers(t, l, server) {
		for _, tt := range tests {
			t.Run(name+" "+tt.name, func(t *testing.T) {
				fail = tt.fail
				for _, got := range []string{p.read(t, "host:x"), p.render(t, "hp", nil)} {
					got = errorIDs.ReplaceAllString(got, `"error_id":"1"`)
					if tt.want == "" && strings.HasPrefix(got, `{"code":-32603,`) {
						continue
					}
					same(t, got, tt.want)
				}
			})
		}
	}
}

func TestHostPrompts(t *testing.T) {
	var calls []seen
	l := newLab(t, mcplayer.Options{Prefix: "app_", Middleware: []mcplayer.Middleware{watch(&calls)}})
	l.pol.hidden = map[string]bool{"hidden": true}
	l.pol.input = swap{"pseudo": "db"}
	l.pol.output = censor{}
	server := serverOf(nil)
	for _, name := range []string{"hp", "hidden"} {
		server.AddPrompt(&mcp.Prompt{Name: name, Arguments: []*mcp.PromptArgument{{Name: "a", Required: true}, {Name: "b"}}}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Description: "secret", Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: fmt.Sprint(req.Params.Name, req.Params.Arguments)}}}}, nil
		})
	}
	mounted(t, l, server)
	for name, p := range peers(t, l, server) {
		t.Run(name, func(t *testing.T) {
			calls = nil
			same(t, p.render(t, "hp", map[string]string{"a": "pseudo", "x": "y"}), `{"description":"[gone]","messages":[{"content":{"text":"hpmap[a:db]","type":"text"},"role":"user"}]}`)
			// What is required, the host's handler checks by itself.
			same(t, p.render(t, "hp", nil), `{"description":"[gone]","messages":[{"content":{"text":"hpmap[]","type":"text"},"role":"user"}]}`)
			same(t, p.render(t, "hidden", nil), unknownPrompt("hidden"))
			if want := []seen{{mcplayer.KindPrompt, "hp", `{"a":"pseudo","x":"y"}`}, {mcplayer.KindPrompt, "hp", `{}`}}; !slices.Equal(calls, want) {
				t.Errorf("saw %v", calls)
			}
		})
	}
	l.pol.check = func(_ context.Context, info mcplayer.CallInfo) error {
		return mcplayer.AccessDenied("no "+info.Name, nil)
	}
	same(t, dial(t, l.Layer, server, modern, nil, nil).render(t, "hp", nil), `{"code":-31001,"message":"no hp"}`)
}

func TestHostCompletions(t *testing.T) {
	var calls []seen
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{watch(&calls)}}, completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
		return []string{"own"}, nil
	}))
	var got []string
	var answer func() (*mcp.CompleteResult, error)
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{
		CompletionHandler: func(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			got = append(got, fmt.Sprint(req.Params.Ref.Type, " ", req.Params.Ref.Name, req.Params.Ref.URI, " ", req.Params.Argument, " ", req.Params.Context))
			return answer()
		},
	})
	server.AddPrompt(&mcp.Prompt{Name: "hp"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { return nil, nil })
	server.AddPrompt(&mcp.Prompt{Name: "hidden"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { return nil, nil })
	server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "host://{?a}", Name: "t"}, hostReads("t"))
	l.pol.hidden = map[string]bool{"hidden": true}
	l.pol.input = swap{"pseudo": "db"}
	l.pol.output = censor{}
	mounted(t, l, server)
	fine := func() (*mcp.CompleteResult, error) {
		return &mcp.CompleteResult{
			Meta:       mcp.Meta{"host/note": "secret", "cloudg/category": "forged"},
			Completion: mcp.CompletionResultDetails{Values: []string{"a secret"}, Total: 40, HasMore: true},
		}, nil
	}
	hp := mcplayer.CompletionRef{Kind: mcplayer.KindPrompt, Name: "hp"}
	in := mcplayer.CompletionInput{Argument: "x", Value: "pseudo", Context: map[string]string{"k": "pseudo"}}
	for name, p := range peers(t, l, server) {
		t.Run(name, func(t *testing.T) {
			calls, got, answer = nil, nil, fine
			same(t, p.propose(t, hp, in), `{"_meta":{"host/note":"[gone]"},"completion":{"hasMore":true,"total":40,"values":["a [gone]"]}}`)
			same(t, p.propose(t, mcplayer.CompletionRef{Kind: mcplayer.KindResourceTemplate, Name: "host://{?a}"}, mcplayer.CompletionInput{Argument: "a"}), `{"_meta":{"host/note":"[gone]"},"completion":{"hasMore":true,"total":40,"values":["a [gone]"]}}`)
			same(t, p.propose(t, mcplayer.CompletionRef{Kind: mcplayer.KindPrompt, Name: "hidden"}, in), nothingProposed)
			same(t, p.propose(t, mcplayer.CompletionRef{Kind: mcplayer.KindPrompt, Name: "nope"}, in), nothingProposed)
			same(t, p.propose(t, completionRefs["prompt"], mcplayer.CompletionInput{Argument: "a"}), `{"completion":{"total":1,"values":["own"]}}`)
			if want := []string{"ref/prompt hp {x db} &{map[k:db]}", "ref/resource host://{?a} {a } <nil>"}; !slices.Equal(got, want) {
				t.Errorf("the host got %q, want %q", got, want)
			}
			if len(calls) != 3 || calls[0] != (seen{mcplayer.KindCompletion, "hp", `{"argument":"x","value":"pseudo","context":{"k":"pseudo"}}`}) {
				t.Errorf("saw %v", calls)
			}
			for _, answer = range []func() (*mcp.CompleteResult, error){
				func() (*mcp.CompleteResult, error) { return nil, errors.New("no") },
				func() (*mcp.CompleteResult, error) { panic("no") },
				func() (*mcp.CompleteResult, error) { return nil, nil },
			} {
				same(t, p.propose(t, hp, in), nothingProposed)
			}
		})
	}
}

func TestClashesOfOtherKinds(t *testing.T) {
	own := []func(*mcplayer.Registry){fixed("cloudg://x", "own"), through("cloudg://t/{a}", tellVars), prompting("p", nil, tellArgs)}
	noPrompt := func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { return nil, nil }
	t.Run("at Mount", func(t *testing.T) {
		l := newLab(t, mcplayer.Options{}, own...)
		server := hostServer([]string{"CLOUDG://x"}, []string{"cloudg://t/{a}"})
		server.AddPrompt(&mcp.Prompt{Name: "p"}, noPrompt)
		err := l.Mount(server, nil)
		for _, want := range []string{`resource "CLOUDG://x"`, `resource_template "cloudg://t/{a}"`, `prompt "p"`} {
			if err == nil || !strings.Contains(err.Error(), "Mount: the server has a "+want+" of its own, and so has the layer") {
				t.Errorf("%s: got %v", want, err)
			}
		}
	})
	t.Run("later", func(t *testing.T) {
		l := newLab(t, mcplayer.Options{}, own...)
		server := mounted(t, l, nil)
		server.AddResource(&mcp.Resource{URI: "cloudg://x", Name: "x"}, hostReads("host"))
		server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "cloudg://t/{a}", Name: "x"}, hostReads("host"))
		server.AddPrompt(&mcp.Prompt{Name: "p"}, noPrompt)
		p := dial(t, l.Layer, server, modern, nil, nil)
		for range 2 {
			same(t, p.read(t, "cloudg://x"), textWire("cloudg://x", "application/json", "own"))
			same(t, p.read(t, "cloudg://t/1"), textWire("cloudg://t/1", "application/json", "{\n  \"a\": \"1\"\n}"))
			same(t, p.render(t, "p", nil), userSays("{}"))
			r, _ := p.ListResources(t.Context(), nil)
			rt, _ := p.ListResourceTemplates(t.Context(), nil)
			ps, _ := p.ListPrompts(t.Context(), nil)
			if len(r.Resources) != 1 || r.Resources[0].Name != "cloudg://x" || len(rt.ResourceTemplates) != 1 || len(ps.Prompts) != 1 {
				t.Errorf("listed %v %v %v", r.Resources, rt.ResourceTemplates, ps.Prompts)
			}
		}
		logged := map[string]bool{}
		for _, r := range l.log.find(t, "the server has got a primitive under a name of the layer's; it is not reachable") {
			logged[fmt.Sprint(r["kind"], r["name"])] = true
		}
		if want := map[string]bool{"resourcecloudg://x": true, "resource_templatecloudg://t/{a}": true, "promptp": true}; !maps.Equal(logged, want) {
			t.Errorf("logged %v", logged)
		}
	})
	t.Run("the layer is second", func(t *testing.T) {
		l := newLab(t, mcplayer.Options{}, through("cloudg://{+rest}", tellVars))
		server := hostServer([]string{"cloudg://x"}, []string{"cloudg://t/{a}"})
		server.AddPrompt(&mcp.Prompt{Name: "p"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Description: "host", Messages: []*mcp.PromptMessage{}}, nil
		})
		mounted(t, l, server)
		for _, add := range own {
			add(l.reg)
		}
		for _, want := range []string{`resource "cloudg://x": the server has a resource of that name`, `resource_template "cloudg://t/{a}": the server has a resource_template of that name`, `prompt "p": the server has a prompt of that name`} {
			if err := l.reg.Err(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v", want, err)
			}
		}
		p := dial(t, l.Layer, server, modern, nil, nil)
		same(t, p.read(t, "cloudg://x"), hostText("exact cloudg://x", "cloudg://x"))
		same(t, p.read(t, "cloudg://t/1"), textWire("cloudg://t/1", "application/json", "{\n  \"rest\": \"t/1\"\n}"))
		same(t, p.render(t, "p", nil), `{"description":"host","messages":[]}`)
		same(t, fmt.Sprint(listed(t, p)), "map[prompts:p resources:cloudg://x templates:cloudg://t/{a} cloudg://{+rest} tools:]")
	})
}
