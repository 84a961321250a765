package mcplayer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestOrderOfOtherKinds(t *testing.T) {
	var j journal
	l := newLab(t, mcplayer.Options{
		Middleware: []mcplayer.Middleware{stamp(&j, "a"), stamp(&j, "b")},
		Guard:      func(context.Context, mcplayer.CallInfo, any) error { j.add("guard"); return nil },
	}, through("cloudg://{x}", func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
		j.add("handler")
		return "x", nil
	}), prompting("q", []string{"a!"}, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
		j.add("handler")
		return "x", nil
	}), completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
		j.add("handler")
		return []string{"x"}, nil
	}))
	l.pol.bind = func(*mcplayer.Spec, *mcplayer.Principal) { j.add("bind") }
	l.pol.check = func(context.Context, mcplayer.CallInfo) error { j.add("check"); return nil }
	l.pol.input = broken{begin: func() { j.add("input") }}
	l.pol.output = broken{begin: func() { j.add("output") }}
	server := mounted(t, l, nil)
	const all = "bind +a +b check input guard handler output -b -a"
	everywhere(t, l, server, func(t *testing.T, c caller) {
		for _, tt := range []struct {
			name, want string
			do         func()
		}{
			{"resource", all, func() { c.read(t, "cloudg://1") }},
			{"prompt", all, func() { c.render(t, "q", map[string]string{"a": "1"}) }},
			{"prompt without its argument", "bind +a +b check input -b -a output", func() { c.render(t, "q", nil) }},
			{"completion", all, func() { c.propose(t, completionRefs["prompt"], mcplayer.CompletionInput{Argument: "a"}) }},
		} {
			j.events = nil
			tt.do()
			same(t, tt.name+": "+j.String(), tt.name+": "+tt.want)
		}
	})
}

// A policy that says nothing denies what it shows, and hides the rest.
func TestOtherKindsWithoutPolicy(t *testing.T) {
	f := func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
		return []string{"x"}, nil
	}
	l := newLab(t, mcplayer.Options{Policy: &visibleOnly{}}, fixed("cloudg://x", "t"), completing(f))
	denied := func(kind, name string) string {
		return `{"code":-31001,"data":{"policy":"","reason":"no policy grants it"},"message":"Access to ` + kind + ` '` + name + `' denied: no policy grants it"}`
	}
	same(t, l.read(t, "cloudg://x"), denied("resource", "cloudg://x"))
	same(t, l.render(t, "p", nil), denied("prompt", "p"))
	same(t, l.propose(t, completionRefs["prompt"], mcplayer.CompletionInput{Argument: "a"}), denied("completion", "p"))
	for name, pol := range map[string]*scripted{
		"nil access": {nilAccess: true},
		"panic":      {bind: func(*mcplayer.Spec, *mcplayer.Principal) { panic("hunter2") }},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{Policy: pol}, fixed("cloudg://x", "t"), completing(f))
			same(t, l.read(t, "cloudg://x"), unknownResource("cloudg://x"))
			same(t, l.render(t, "p", nil), unknownPrompt("p"))
			same(t, l.propose(t, completionRefs["prompt"], mcplayer.CompletionInput{Argument: "a"}), nothingProposed)
		})
	}
}

// A middleware may change the arguments for the steps inside it, and nothing else.
func TestMiddlewareChangesOtherKinds(t *testing.T) {
	var change func(*mcplayer.CallInfo)
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		change(&info)
		return next(ctx, info)
	}}}, through("cloudg://{x}", tellVars), prompting("q", []string{"a"}, tellArgs),
		completing(func(_ context.Context, _ *mcplayer.ToolContext, in mcplayer.CompletionInput) ([]string, error) {
			return []string{in.Argument + in.Value}, nil
		}))
	const changed = `{"code":-32603,"message":"errorString: mcplayer: a middleware changed the kind, name, spec or principal of a call"}`
	const noStrings = `{"code":-32602,"data":[{"loc":"","msg":"every argument must be a string","type":"type"}],"message":"Invalid arguments: every argument must be a string"}`
	const noJSON = `{"code":-32602,"data":[{"loc":"","msg":"not valid JSON at byte 1","type":"json"}],"message":"Invalid arguments: not valid JSON at byte 1"}`
	tests := []struct {
		name                         string
		change                       func(*mcplayer.CallInfo)
		resource, prompt, completion string
	}{
		{"arguments", func(info *mcplayer.CallInfo) {
			info.Arguments = map[mcplayer.Kind]jsontext.Value{
				mcplayer.KindResource: jsontext.Value(`{"x":"2"}`), mcplayer.KindPrompt: jsontext.Value(`{"a":"2","b":"3"}`),
				mcplayer.KindCompletion: jsontext.Value(`{"argument":"a","value":"2"}`),
			}[info.Kind]
		}, textWire("cloudg://1", "application/json", "{\n  \"x\": \"2\"\n}"), userSays(`{"a":"2"}`), `{"completion":{"total":1,"values":["a2"]}}`},
		{"arguments that are no strings", func(info *mcplayer.CallInfo) { info.Arguments = jsontext.Value(`{"x":1,"a":1,"value":1}`) }, noStrings, noStrings, `{"code":-32602,"message":"Invalid arguments: argument, value and context must be strings"}`},
		{"arguments that are no JSON", func(info *mcplayer.CallInfo) { info.Arguments = jsontext.Value(`{`) }, noJSON, noJSON, noJSON},
		{"another argument", func(info *mcplayer.CallInfo) { info.Arguments = jsontext.Value(`{"argument":"plain"}`) }, "", "", nothingProposed},
		{"name", func(info *mcplayer.CallInfo) { info.Name += "x" }, changed, changed, nothingProposed},
		{"principal", func(info *mcplayer.CallInfo) { info.Principal = mcplayer.Anonymous() }, changed, changed, nothingProposed},
	}
	server := mounted(t, l, nil)
	everywhere(t, l, server, func(t *testing.T, c caller) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				if _, ok := c.(*peer); ok && strings.HasPrefix(t.Name(), "TestMiddlewareChangesOtherKinds/http") && tt.name == "principal" {
					return // they are anonymous
				}
				change = tt.change
				if tt.resource != "" {
					same(t, c.read(t, "cloudg://1"), tt.resource)
					same(t, c.render(t, "q", map[string]string{"a": "1"}), tt.prompt)
				}
				same(t, c.propose(t, completionRefs["prompt"], mcplayer.CompletionInput{Argument: "a", Value: "1"}), tt.completion)
			})
		}
	})
}

// A middleware may repeat a call; each run has a ToolContext of its own.
func TestMiddlewareRepeatsOtherKinds(t *testing.T) {
	var tcs []*mcplayer.ToolContext
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		if _, err := next(ctx, info); err == nil {
			return nil, errors.New("the first one fails")
		}
		return next(ctx, info)
	}}}, reading("cloudg://x", func(_ context.Context, tc *mcplayer.ToolContext, _ map[string]string) (any, error) {
		if tcs = append(tcs, tc); len(tcs)%2 == 1 {
			return nil, errors.New("not yet")
		}
		return "x", nil
	}))
	server := mounted(t, l, nil)
	everywhere(t, l, server, func(t *testing.T, c caller) {
		tcs = nil
		same(t, c.read(t, "cloudg://x"), textWire("cloudg://x", "application/json", "x"))
		if len(tcs) != 2 || tcs[0] == tcs[1] {
			t.Errorf("%d runs", len(tcs))
		}
	})
}

// Only tools have a timeout.
func TestOtherKindsHaveNoTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
			time.Sleep(time.Hour)
			return "x", nil
		}
		l := newLab(t, mcplayer.Options{Timeout: time.Second}, reading("cloudg://x", slow), prompting("q", nil, slow),
			completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
				time.Sleep(time.Hour)
				return []string{"x"}, nil
			}))
		same(t, l.read(t, "cloudg://x"), textWire("cloudg://x", "application/json", "x"))
		same(t, l.render(t, "q", nil), userSays("x"))
		same(t, l.propose(t, completionRefs["prompt"], mcplayer.CompletionInput{Argument: "a"}), `{"completion":{"total":1,"values":["x"]}}`)
	})
}

// Close lets a running read finish, and what it reads itself.
func TestCloseWaitsForOtherKinds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l *lab
		l = newLab(t, mcplayer.Options{}, reading("cloudg://x", func(ctx context.Context, _ *mcplayer.ToolContext, _ map[string]string) (any, error) {
			time.Sleep(time.Minute)
			res, err := l.GetPrompt(ctx, "q", nil)
			if err != nil {
				return nil, err
			}
			return res.Messages[0].Content.(*mcp.TextContent).Text, nil
		}), prompting("q", nil, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return "inner", nil }))
		got := make(chan string, 1)
		go func() { got <- l.read(t, "cloudg://x") }()
		synctest.Wait()
		begun := time.Now()
		if err := l.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if waited := time.Since(begun); waited != time.Minute {
			t.Errorf("waited %v", waited)
		}
		same(t, <-got, textWire("cloudg://x", "application/json", "inner"))
	})
}

// What a handler returns again and again is not written into.
func TestSharedResultsOfOtherKinds(t *testing.T) {
	shared := &result.Resource{Contents: []*mcp.ResourceContents{{Text: "secret", Meta: mcp.Meta{"k": "v"}}}, Meta: mcp.Meta{"m": 1}}
	prompt := &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "secret", Meta: mcp.Meta{"k": 1}}}}, Meta: mcp.Meta{"m": 1}}
	values := []string{"secret"}
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		res, err := next(ctx, info)
		if err == nil {
			res.MetaMap()["example.com/label"] = info.Name
		}
		return res, err
	}}}, fixed("cloudg://x", shared), prompting("q", nil, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return prompt, nil }),
		completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
			return values, nil
		}))
	server := mounted(t, l, nil)
	p := dial(t, l.Layer, server, modern, nil, nil)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				_, _ = p.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "cloudg://x"})
				_, _ = p.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "q"})
				l.read(t, "cloudg://x")
				l.render(t, "q", nil)
				l.propose(t, completionRefs["prompt"], mcplayer.CompletionInput{Argument: "a"})
			}
		})
	}
	wg.Wait()
	same(t, l.read(t, "cloudg://x"), `{"_meta":{"example.com/label":"cloudg://x","m":1},"cacheScope":"private","contents":[{"_meta":{"k":"v"},"mimeType":"application/json","text":"secret","uri":"cloudg://x"}],"ttlMs":0}`)
	if len(shared.Meta) != 1 || len(prompt.Meta) != 1 {
		t.Errorf("the handler's own became %v, %v", shared.Meta, prompt.Meta)
	}
}

// On a server a prefix of its own may hold.
func TestPrefixOfOtherKindsOnAServer(t *testing.T) {
	l := newLab(t, mcplayer.Options{Prefix: "in_"}, completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
		return []string{"x"}, nil
	}), fixed("cloudg://x", "t"))
	server := serverOf(nil)
	if err := l.Mount(server, &mcplayer.MountOptions{Prefix: "out_"}); err != nil {
		t.Fatal(err)
	}
	p := dial(t, l.Layer, server, modern, nil, nil)
	got := listed(t, p)
	same(t, fmt.Sprint(got), "map[prompts:out_p resources:cloudg://x templates:cloudg://c/{a}/{plain} tools:]")
	same(t, p.render(t, "out_p", nil), userSays("{}"))
	same(t, p.render(t, "in_p", nil), unknownPrompt("in_p"))
	same(t, p.propose(t, mcplayer.CompletionRef{Kind: mcplayer.KindPrompt, Name: "out_p"}, mcplayer.CompletionInput{Argument: "a"}), `{"completion":{"total":1,"values":["x"]}}`)
	same(t, l.render(t, "in_p", nil), userSays("{}"))
	same(t, l.render(t, "out_p", nil), unknownPrompt("out_p"))
}

func TestRegisteringOtherKinds(t *testing.T) {
	never := func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return nil, nil }
	complete := func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
		return nil, nil
	}
	tests := []struct {
		name string
		add  func(*mcplayer.Registry)
		want string
	}{
		{"relative URI", fixed("x/y", 1), `resource "x/y": the URI has no scheme`},
		{"control character", fixed("cloudg://\n", 1), `resource "cloudg://\n": the URI has a control character`},
		{"dots", fixed("cloudg://a/../b", 1), `resource "cloudg://a/../b": the URI has a dot segment`},
		{"no handler", reading("cloudg://x", nil), `resource "cloudg://x": has no handler`},
		{"no template handler", through("cloudg://{x}", nil), `resource_template "cloudg://{x}": has no handler`},
		{"no prompt handler", prompting("p", nil, nil), `prompt "p": has no handler`},
		{"template without variable", through("cloudg://x", never), `resource_template "cloudg://x": the template has no variable; register a resource instead`},
		{"template with another expression", through("cloudg://x{?y}", never), `resource_template "cloudg://x{?y}": the expression {?y} is not {name} or {+name}`},
		{"completion of no variable", func(r *mcplayer.Registry) {
			mcplayer.AddResourceTemplate(r, mcplayer.ResourceTemplate{URITemplate: "cloudg://{x}", Complete: map[string]mcplayer.CompletionFunc{"y": complete}}, never)
		}, `resource_template "cloudg://{x}": Complete has "y", but there is no such variable; there are "x"`},
		{"prompt name", prompting("a b", nil, never), `prompt "a b": the name "a b" is not 1 to 128 of A-Z a-z 0-9 _ . -`},
		{"argument without name", prompting("p", []string{"a", ""}, never), `prompt "p": argument 1 has no name`},
		{"argument twice", prompting("p", []string{"a", "a!"}, never), `prompt "p": the argument "a" stands twice`},
		{"metadata", func(r *mcplayer.Registry) {
			mcplayer.AddPrompt(r, mcplayer.Prompt{Name: "p", Meta: mcp.Meta{"x": make(chan int)}}, never)
		}, `prompt "p": _meta["x"]: json: unsupported type: chan int`},
		{"sensitivity", func(r *mcplayer.Registry) {
			mcplayer.AddResource(r, mcplayer.Resource{URI: "cloudg://x", Sensitivity: 9}, never)
		}, `resource "cloudg://x": unknown sensitivity 9`},
		{"twice", func(r *mcplayer.Registry) { fixed("cloudg://x", 1)(r); fixed("cloudg://x", 1)(r) }, `resource "cloudg://x": is registered already; set Replace to replace it`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reg := mcplayer.NewRegistry()
			tt.add(reg)
			if err := reg.Err(); err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if _, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: &scripted{}}); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("New: %v", err)
			}
		})
	}
}

func TestReplacingAndRemovingOtherKinds(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, fixed("cloudg://x", "old"), prompting("p", nil, tellArgs), through("cloudg://t/{a}", tellVars))
	server := mounted(t, l, nil)
	p := dial(t, l.Layer, server, modern, nil, nil)
	say := func(s string) func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
		return func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return s, nil }
	}
	mcplayer.AddResource(l.reg, mcplayer.Resource{URI: "cloudg://x", MIMEType: "text/plain", Replace: true}, say("new"))
	mcplayer.AddResourceTemplate(l.reg, mcplayer.ResourceTemplate{URITemplate: "cloudg://t/{a}", Replace: true}, say("new"))
	mcplayer.AddPrompt(l.reg, mcplayer.Prompt{Name: "p", Replace: true}, say("new"))
	same(t, p.read(t, "cloudg://x"), textWire("cloudg://x", "text/plain", "new"))
	same(t, p.read(t, "cloudg://t/1"), textWire("cloudg://t/1", "application/json", "new"))
	same(t, p.render(t, "p", nil), userSays("new"))
	for kind, name := range map[mcplayer.Kind]string{mcplayer.KindResource: "cloudg://x", mcplayer.KindResourceTemplate: "cloudg://t/{a}", mcplayer.KindPrompt: "p"} {
		if !l.reg.Remove(kind, name) {
			t.Errorf("%s %s was not there", kind, name)
		}
	}
	same(t, p.read(t, "cloudg://x"), unknownResource("cloudg://x"))
	same(t, p.read(t, "cloudg://t/1"), unknownResource("cloudg://t/1"))
	same(t, p.render(t, "p", nil), unknownPrompt("p"))
	same(t, fmt.Sprint(listed(t, p)), "map[prompts: resources: templates: tools:]")
	if err := l.reg.Err(); err != nil {
		t.Error(err)
	}
}

// The registry keeps nothing that its caller can change later.
func TestRegistryCopiesOtherKinds(t *testing.T) {
	args := []mcplayer.PromptArgument{{Name: "a"}}
	meta := mcp.Meta{"k": map[string]any{"deep": "old"}}
	icons := []mcp.Icon{{Source: "old", Sizes: []string{"old"}}}
	complete := map[string]mcplayer.CompletionFunc{"x": nil}
	audience := &mcp.Annotations{Audience: []mcp.Role{"user"}}
	l := newLab(t, mcplayer.Options{}, func(r *mcplayer.Registry) {
		mcplayer.AddPrompt(r, mcplayer.Prompt{Name: "p", Arguments: args, Meta: meta, Icons: icons}, tellArgs)
		mcplayer.AddResourceTemplate(r, mcplayer.ResourceTemplate{URITemplate: "cloudg://{x}", Complete: complete, Annotations: audience}, tellVars)
	})
	args[0].Name, icons[0].Source, icons[0].Sizes[0], audience.Audience[0] = "new", "new", "new", "assistant"
	meta["k"].(map[string]any)["deep"] = "new"
	complete["x"] = func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
		return []string{"new"}, nil
	}
	p := l.ListPrompts(t.Context())[0]
	tm := l.ListResourceTemplates(t.Context())[0]
	same(t, fmt.Sprint(p.Arguments[0].Name, p.Icons[0].Source, p.Icons[0].Sizes, p.Meta["k"], tm.Annotations.Audience), "aold[old] map[deep:old] [user]")
	same(t, l.propose(t, mcplayer.CompletionRef{Kind: mcplayer.KindResourceTemplate, Name: "cloudg://{x}"}, mcplayer.CompletionInput{Argument: "x"}), nothingProposed)
}

func TestOtherKindsAreNotCapped(t *testing.T) {
	long := strings.Repeat("x", 50)
	l := newLab(t, mcplayer.Options{MaxOutputChars: 10}, fixed("cloudg://text", long), fixed("cloudg://json", []string{long}),
		prompting("p", nil, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return long, nil }))
	same(t, l.read(t, "cloudg://text"), textWire("cloudg://text", "application/json", long))
	same(t, l.read(t, "cloudg://json"), textWire("cloudg://json", "application/json", "[\n  \""+long+"\"\n]"))
	same(t, l.render(t, "p", nil), userSays(long))
}

func TestFilterOfOtherKinds(t *testing.T) {
	l := newLab(t, mcplayer.Options{Filter: mcplayer.Filter{ExcludeCategories: []string{"out"}, ReadOnly: true}}, func(r *mcplayer.Registry) {
		for _, category := range []string{"in", "out"} {
			mcplayer.AddResource(r, mcplayer.Resource{URI: "cloudg://" + category, Category: category}, tellVars)
			mcplayer.AddResourceTemplate(r, mcplayer.ResourceTemplate{URITemplate: "cloudg://t/" + category + "/{x}", Category: category}, tellVars)
			mcplayer.AddPrompt(r, mcplayer.Prompt{Name: category, Category: category}, tellArgs)
		}
	})
	p := dial(t, l.Layer, mounted(t, l, nil), modern, nil, nil)
	same(t, fmt.Sprint(listed(t, p)), "map[prompts:in resources:cloudg://in templates:cloudg://t/in/{x} tools:]")
	same(t, p.read(t, "cloudg://out"), unknownResource("cloudg://out"))
	same(t, p.read(t, "cloudg://t/out/1"), unknownResource("cloudg://t/out/1"))
	same(t, p.render(t, "out", nil), unknownPrompt("out"))
}

func TestAPolicyThatPanicsWhileRecording(t *testing.T) {
	l := newLab(t, mcplayer.Options{})
	l.pol.notFound = func(mcplayer.CallInfo) { panic("hunter2") }
	server := mounted(t, l, nil)
	everywhere(t, l, server, func(t *testing.T, c caller) {
		same(t, c.read(t, "cloudg://x"), unknownResource("cloudg://x"))
		same(t, c.render(t, "p", nil), unknownPrompt("p"))
		same(t, c.propose(t, completionRefs["prompt"], mcplayer.CompletionInput{Argument: "a"}), nothingProposed)
	})
}

// A handler of a resource or prompt may ask the person at an older client.
func TestOtherKindsElicit(t *testing.T) {
	ask := func(ctx context.Context, tc *mcplayer.ToolContext, _ map[string]string) (any, error) {
		answer, err := tc.Elicit(ctx, &mcp.ElicitParams{Message: "your secret?", RequestedSchema: map[string]any{
			"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}},
		}})
		if err != nil {
			return nil, err
		}
		return fmt.Sprint(answer.Content["name"]), nil
	}
	l := newLab(t, mcplayer.Options{}, reading("cloudg://x", ask), prompting("p", nil, ask))
	l.pol.output = censor{}
	l.pol.input = swap{"pseudo": "Ada"}
	server := mounted(t, l, nil)
	var asked []string
	opts := &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		asked = append(asked, req.Params.Message)
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "pseudo"}}, nil
	}}
	p := dial(t, l.Layer, server, legacy, nil, opts)
	same(t, p.read(t, "cloudg://x"), textWire("cloudg://x", "application/json", "Ada"))
	same(t, p.render(t, "p", nil), userSays("Ada"))
	same(t, strings.Join(asked, "|"), "your [gone]?|your [gone]?")
	const refused = "the client cannot be asked during this call"
	for _, got := range []string{l.read(t, "cloudg://x"), dial(t, l.Layer, server, modern, nil, opts).read(t, "cloudg://x")} {
		same(t, got, `{"code":-32603,"message":"errorString: `+refused+`"}`)
	}
}

// FuzzReadResource reads any URI: it is answered or unknown, the answer can be
// encoded, and no variable leads out of its place.
func FuzzReadResource(f *testing.F) {
	for _, seed := range []string{"cloudg://d/a/summary", "cloudg://assets/%2e%2e%2Fx", "CLOUDG://D/%00/summary", "x", "cloudg://assets/..%5cb", "cloudg://assets/ü?#", "cloudg://d/%252e/summary"} {
		f.Add(seed)
	}
	l := newLab(f, mcplayer.Options{}, through("cloudg://d/{name}/summary", tellVars), through("cloudg://assets/{+ref}", tellVars), fixed("cloudg://d", 1))
	l.pol.check = func(_ context.Context, info mcplayer.CallInfo) error {
		var vars map[string]string
		if err := json.Unmarshal(info.Arguments, &vars); err != nil {
			return err
		}
		for name, value := range vars {
			for _, segment := range strings.FieldsFunc(value, func(r rune) bool { return r == '/' || r == '\\' }) {
				if segment == ".." || segment == "." {
					f.Errorf("%s leads out: %q", name, value)
				}
			}
			if name == "name" && strings.ContainsAny(value, `/\`) || strings.ContainsFunc(value, unicode.IsControl) {
				f.Errorf("%s holds %q", name, value)
			}
		}
		return nil
	}
	f.Fuzz(func(t *testing.T, uri string) {
		got := l.read(t, uri)
		if !strings.HasPrefix(got, `{"cacheScope":"private"`) && !strings.HasPrefix(got, `{"code":-32602,`) {
			t.Errorf("%q: %s", uri, got)
		}
	})
}
