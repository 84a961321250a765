package mcplayer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestResourceLookup(t *testing.T) {
	l := newLab(t, mcplayer.Options{},
		fixed("cloudg://a/exact", "exact"),
		through("cloudg://a/{x}", func(_ context.Context, _ *mcplayer.ToolContext, vars map[string]string) (any, error) {
			return "short " + vars["x"], nil
		}),
		through("cloudg://a/{name}", func(_ context.Context, _ *mcplayer.ToolContext, vars map[string]string) (any, error) {
			return "long " + vars["name"], nil
		}),
		through("cloudg://{+rest}", func(_ context.Context, _ *mcplayer.ToolContext, vars map[string]string) (any, error) {
			return "rest " + vars["rest"], nil
		}),
	)
	server := mounted(t, l, nil)
	everywhere(t, l, server, func(t *testing.T, c caller) {
		for _, tt := range []struct{ name, uri, want string }{
			{"exact before templates", "cloudg://a/exact", "exact"},
			{"exact in another spelling", "CLOUDG://A/%65xact", "exact"},
			{"the longest template", "cloudg://a/b", "long b"},
			{"the one that matches", "cloudg://a/b/c", "rest a/b/c"},
		} {
			t.Run(tt.name, func(t *testing.T) {
				same(t, c.read(t, tt.uri), textWire(tt.uri, "application/json", tt.want))
			})
		}
		for _, uri := range []string{"", "metrics", "other://a", "cloudg:a", "cloudg://", "cloudg://a/%zz", "cloudg://a/\x00", "cloudg://a/\u0007", "cloudg://a/%00b", "cloudg://a/../b"} {
			if p, ok := c.(*peer); ok && p.bare(uri) {
				continue
			}
			t.Run(fmt.Sprintf("unknown %q", uri), func(t *testing.T) { same(t, c.read(t, uri), unknownResource(uri)) })
		}
	})
}

func TestHiddenResourceLooksUnknown(t *testing.T) {
	const hides = "cloudg://t/secret"
	tests := []struct {
		name, uri string
		hidden    map[string]bool
		want      missing
	}{
		{"unknown", "cloudg://b/x", nil, missing{mcplayer.KindResource, "cloudg://b/x", false, ""}},
		{"hidden", "CLOUDG://s/%78", map[string]bool{"cloudg://s/x": true}, missing{mcplayer.KindResource, "cloudg://s/x", true, ""}},
		{"hidden, though a template matches", "cloudg://t/own", map[string]bool{"cloudg://t/own": true}, missing{mcplayer.KindResource, "cloudg://t/own", true, ""}},
		{"through a hidden template", "cloudg://u/%31", map[string]bool{"cloudg://u/{x}": true}, missing{mcplayer.KindResource, "cloudg://u/1", true, ""}},
		{"hidden by its URI", "cloudg://T/%73ecret", nil, missing{mcplayer.KindResource, hides, true, ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pol := &hiding{hides: hides}
			pol.hidden = tt.hidden
			var calls []seen
			l := newLab(t, mcplayer.Options{Policy: pol, Middleware: []mcplayer.Middleware{watch(&calls)}},
				fixed("cloudg://s/x", 1), fixed("cloudg://t/own", 1), through("cloudg://t/{x}", tellVars), through("cloudg://u/{x}", tellVars))
			server := mounted(t, l, nil)
			everywhere(t, l, server, func(t *testing.T, c caller) {
				pol.missing = nil
				same(t, c.read(t, tt.uri), unknownResource(tt.uri))
				if len(pol.missing) != 1 {
					t.Fatalf("recorded %v", pol.missing)
				}
				got := pol.missing[0]
				got.principal = ""
				if got != tt.want {
					t.Errorf("recorded %v, want %v", got, tt.want)
				}
			})
			if len(calls) > 0 || len(pol.checked) > 0 {
				t.Errorf("the chain saw %v, the check %v", calls, pol.checked)
			}
		})
	}
}

// hiding is a policy that hides one concrete URI, and may deny others.
type hiding struct {
	scripted
	hides  string
	denies func(mcplayer.CallInfo, string) error
}

func (p *hiding) Bind(spec *mcplayer.Spec, who *mcplayer.Principal) *mcplayer.Access {
	a := *p.scripted.Bind(spec, who)
	a.Hides = func(uri string) bool { return uri == p.hides }
	a.Denies = p.denies
	return &a
}

// hidesPanics is a policy that panics when it is asked about a concrete URI.
type hidesPanics struct{ scripted }

func (p *hidesPanics) Bind(spec *mcplayer.Spec, who *mcplayer.Principal) *mcplayer.Access {
	access := p.scripted.Bind(spec, who)
	access.Hides = func(string) bool { panic("hunter2") }
	return access
}

func TestAPolicyThatPanicsAboutAURIHidesIt(t *testing.T) {
	l := newLab(t, mcplayer.Options{Policy: &hidesPanics{}}, through("cloudg://x/{a}", tellVars), returning("get", 1))
	same(t, l.read(t, "cloudg://x/1"), `{"code":-32602,"data":{"uri":"cloudg://x/1"},"message":"Unknown resource: cloudg://x/1"}`)
	if got := textOf(t, l.call(t, "get", nil)); !strings.Contains(got, "1") {
		t.Errorf("the tool has no URI, and yet it answers %q", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := l.Close(ctx); err != nil {
		t.Errorf("the call that panicked never left: %v", err)
	}
}

func TestMiddlewareSeesAResource(t *testing.T) {
	var calls []seen
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{watch(&calls)}},
		fixed("cloudg://Exact/X", 1), through("cloudg://Data/{name}/of/{+rest}", tellVars))
	server := mounted(t, l, nil)
	everywhere(t, l, server, func(t *testing.T, c caller) {
		for _, tt := range []struct {
			name, uri string
			want      seen
		}{
			{"exact", "CLOUDG://exact/%58", seen{mcplayer.KindResource, "cloudg://Exact/X", `{}`}},
			{"variables", "cloudg://data/a%20b%2bc/of/x%2Fy?z", seen{mcplayer.KindResource, "cloudg://Data/a%20b+c/of/x/y?z", `{"name":"a b+c","rest":"x/y?z"}`}},
		} {
			t.Run(tt.name, func(t *testing.T) {
				calls, l.pol.checked = nil, nil
				c.read(t, tt.uri)
				if !slices.Equal(calls, []seen{tt.want}) {
					t.Errorf("saw %v, want %v", calls, tt.want)
				}
				same(t, strings.Join(l.pol.checked, ""), tt.want.name+" "+tt.want.arguments)
			})
		}
	})
}

// broke is an error of a handler's own type.
type broke struct{ text string }

func (e *broke) Error() string { return e.text }

func TestResourceFailures(t *testing.T) {
	// What all kinds answer with in an error.
	type failure struct {
		name string
		h    func() (any, error)
		want string
	}
	failures := []failure{
		{"plain", func() (any, error) { return nil, &broke{"no secret db"} }, `{"code":-32603,"message":"broke: no [gone] db"}`},
		{"wrapped", func() (any, error) { return nil, fmt.Errorf("read: %w", errors.New("x")) }, `{"code":-32603,"message":"wrapError: read: x"}`},
		{"layer error", func() (any, error) {
			return nil, fmt.Errorf("in: %w", &mcplayer.Error{Code: 1404, Message: "gone secret", Data: map[string]any{"what": "secret", "n": 1}, Err: errors.New("private")})
		}, `{"code":1404,"data":{"n":1,"what":"[gone]"},"message":"gone [gone]"}`},
		{"layer error without code", func() (any, error) { return nil, &mcplayer.Error{Message: "m"} }, `{"code":-32603,"message":"m"}`},
		{"data that cannot be encoded", func() (any, error) { return nil, &mcplayer.Error{Code: 7, Message: "m", Data: func() {}} }, `{"code":7,"message":"m"}`},
		{"protocol error", func() (any, error) {
			return nil, &jsonrpc.Error{Code: 5, Message: "secret", Data: json.RawMessage(`["secret"]`)}
		}, `{"code":5,"data":["[gone]"],"message":"[gone]"}`},
		{"not found", func() (any, error) { return nil, mcplayer.ReferenceNotFound("No asset x", map[string]any{"id": "x"}) }, `{"code":-32602,"data":{"id":"x"},"message":"No asset x"}`},
		{"denied", func() (any, error) { return nil, mcplayer.AccessDenied("not yours", nil) }, `{"code":-31001,"message":"not yours"}`},
		{"nil pointer", func() (any, error) { return nil, (*broke)(nil) }, ""},
		{"panic", func() (any, error) { panic("hunter2") }, ""},
		{"cannot be encoded", func() (any, error) { return make(chan int), nil }, "-"},
	}
	for _, tt := range failures {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{},
				reading("cloudg://x", func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return tt.h() }),
				prompting("p", nil, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return tt.h() }))
			l.pol.output = censor{}
			server := mounted(t, l, nil)
			everywhere(t, l, server, func(t *testing.T, c caller) {
				for kind, got := range map[string]string{"resource": c.read(t, "cloudg://x"), "prompt": c.render(t, "p", nil)} {
					switch tt.want {
					case "":
						got = errorIDs.ReplaceAllString(got, `"error_id":"1"`)
						same(t, got, `{"code":-32603,"data":{"error_id":"1"},"message":"Internal error"}`)
					case "-":
						if !strings.HasPrefix(got, `{"code":-32603,"message":"`) {
							t.Errorf("%s: got %s", kind, got)
						}
					default:
						same(t, got, tt.want)
					}
				}
			})
			if strings.Contains(tt.name, "panic") {
				if records := l.log.find(t, "panic"); len(records) != 10 || records[0]["value"] != "hunter2" {
					t.Errorf("logged %v", records)
				}
			}
		})
	}
}

func TestHideErrorsOfOtherKinds(t *testing.T) {
	fail := func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
		return nil, errors.New("private")
	}
	l := newLab(t, mcplayer.Options{HideErrors: true}, reading("cloudg://x", fail), prompting("p", nil, fail))
	same(t, l.read(t, "cloudg://x"), `{"code":-32603,"message":"Resource cloudg://x failed"}`)
	same(t, l.render(t, "p", nil), `{"code":-32603,"message":"Prompt p failed"}`)
}

func TestRefusalsOfOtherKinds(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"denied", mcplayer.AccessDenied("Access denied: secret", map[string]any{"policy": "p", "reason": "r"}), `{"code":-31001,"data":{"policy":"p","reason":"r"},"message":"Access denied: [gone]"}`},
		{"rate limited", mcplayer.RateLimited("Rate limit exceeded", map[string]any{"retry_after": 2.5}), `{"code":-31029,"data":{"retry_after":2.5},"message":"Rate limit exceeded"}`},
	}
	ran := 0
	handler := func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { ran++; return "x", nil }
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, reading("cloudg://x", handler), prompting("q", nil, handler),
				completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
					ran++
					return nil, nil
				}))
			l.pol.output = censor{}
			kinds := map[mcplayer.Kind]int{}
			l.pol.check = func(_ context.Context, info mcplayer.CallInfo) error { kinds[info.Kind]++; return tt.err }
			server := mounted(t, l, nil)
			everywhere(t, l, server, func(t *testing.T, c caller) {
				same(t, c.read(t, "cloudg://x"), tt.want)
				same(t, c.render(t, "q", nil), tt.want)
				for _, ref := range completionRefs {
					same(t, c.propose(t, ref, mcplayer.CompletionInput{Argument: "a"}), tt.want)
				}
			})
			if want := map[mcplayer.Kind]int{mcplayer.KindResource: 5, mcplayer.KindPrompt: 5, mcplayer.KindCompletion: 10}; ran > 0 || !maps.Equal(kinds, want) {
				t.Errorf("%d handlers ran; checked %v", ran, kinds)
			}
		})
	}
}

func TestInputPipelineOfOtherKinds(t *testing.T) {
	var calls []seen
	var got []string
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{watch(&calls)}},
		through("cloudg://r/{id}", func(_ context.Context, _ *mcplayer.ToolContext, vars map[string]string) (any, error) {
			got = append(got, fmt.Sprint(vars))
			return "x", nil
		}),
		prompting("q", []string{"id", "real"}, func(_ context.Context, _ *mcplayer.ToolContext, args map[string]string) (any, error) {
			got = append(got, fmt.Sprint(args))
			return "x", nil
		}),
		completing(func(_ context.Context, _ *mcplayer.ToolContext, in mcplayer.CompletionInput) ([]string, error) {
			got = append(got, fmt.Sprint(in))
			return nil, nil
		}))
	// The names of members are transformed too: what is declared is decided after.
	l.pol.input = swap{"pseudo-1": "db-7", "alias": "real"}
	server := mounted(t, l, nil)
	everywhere(t, l, server, func(t *testing.T, c caller) {
		calls, got = nil, nil
		c.read(t, "cloudg://r/pseudo-1")
		c.render(t, "q", map[string]string{"id": "pseudo-1", "alias": "1", "other": "2"})
		c.propose(t, completionRefs["prompt"], mcplayer.CompletionInput{Argument: "a", Value: "pseudo-1", Context: map[string]string{"x": "pseudo-1"}})
		wantSeen := []seen{
			{mcplayer.KindResource, "cloudg://r/pseudo-1", `{"id":"pseudo-1"}`},
			{mcplayer.KindPrompt, "q", `{"alias":"1","id":"pseudo-1","other":"2"}`},
			{mcplayer.KindCompletion, "p", `{"argument":"a","value":"pseudo-1","context":{"x":"pseudo-1"}}`},
		}
		if !slices.Equal(calls, wantSeen) {
			t.Errorf("saw %v, want %v", calls, wantSeen)
		}
		want := []string{"map[id:db-7]", "map[id:db-7 real:1]", "{a db-7 map[x:db-7]}"}
		if !slices.Equal(got, want) {
			t.Errorf("handlers got %q, want %q", got, want)
		}
	})
}

func TestInputPipelineRefusesOtherKinds(t *testing.T) {
	const refused = `{"code":-32602,"data":{"entities":["password"]},"message":"Arguments appear to contain secrets (password)"}`
	tests := []struct {
		name     string
		pipeline mcplayer.Pipeline
		want     string // of resources
		prompt   string
		complete string
		reason   string
	}{
		{"a secret", refusing(mcplayer.InvalidArguments("Arguments appear to contain secrets (password)", map[string]any{"entities": []string{"password"}})), refused, refused, refused, "Arguments appear to contain secrets (password)"},
		{"a failure", refusing(&broke{"x"}), `{"code":-32603,"message":"Resource cloudg://r/1 failed"}`, `{"code":-32603,"message":"Prompt q failed"}`, `{"completion":{"values":[]}}`, "broke"},
		{"a panic", broken{begin: func() { panic("hunter2") }}, `{"code":-32603,"data":{"error_id":"1"},"message":"Internal error"}`, `{"code":-32603,"data":{"error_id":"1"},"message":"Internal error"}`, `{"completion":{"values":[]}}`, "panicError"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ran := false
			handler := func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
				ran = true
				return "x", nil
			}
			l := newLab(t, mcplayer.Options{}, through("cloudg://r/{id}", handler), prompting("q", []string{"id"}, handler),
				completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
					ran = true
					return nil, nil
				}))
			l.pol.input = tt.pipeline
			server := mounted(t, l, nil)
			everywhere(t, l, server, func(t *testing.T, c caller) {
				l.pol.rejected = nil
				same(t, errorIDs.ReplaceAllString(c.read(t, "cloudg://r/1"), `"error_id":"1"`), tt.want)
				same(t, errorIDs.ReplaceAllString(c.render(t, "q", map[string]string{"id": "1"}), `"error_id":"1"`), tt.prompt)
				same(t, c.propose(t, completionRefs["template"], mcplayer.CompletionInput{Argument: "a"}), tt.complete)
				if want := []string{tt.reason, tt.reason, tt.reason}; !slices.Equal(l.pol.rejected, want) {
					t.Errorf("rejected %q, want %q", l.pol.rejected, want)
				}
			})
			if ran {
				t.Error("a handler ran")
			}
		})
	}
}

func TestGuardOfOtherKinds(t *testing.T) {
	var got []string
	refuse := false
	l := newLab(t, mcplayer.Options{Guard: func(_ context.Context, info mcplayer.CallInfo, args any) error {
		got = append(got, fmt.Sprintf("%s %T %v", info.Kind, args, args))
		if refuse {
			return mcplayer.AccessDenied("not this one", nil)
		}
		return nil
	}}, through("cloudg://r/{id}", tellVars), prompting("q", []string{"id"}, tellArgs),
		completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
			return []string{"v"}, nil
		}))
	l.pol.input = swap{"pseudo": "db"}
	server := mounted(t, l, nil)
	everywhere(t, l, server, func(t *testing.T, c caller) {
		for _, refuse = range []bool{false, true} {
			got = nil
			answers := []string{
				c.read(t, "cloudg://r/pseudo"), c.render(t, "q", map[string]string{"id": "pseudo", "x": "y"}),
				c.propose(t, completionRefs["prompt"], mcplayer.CompletionInput{Argument: "a", Value: "pseudo"}),
			}
			want := []string{"resource map[string]string map[id:db]", "prompt map[string]string map[id:db]", "completion mcplayer.CompletionInput {a db map[]}"}
			if !slices.Equal(got, want) {
				t.Errorf("the guard got %q, want %q", got, want)
			}
			for _, answer := range answers {
				if refused := answer == `{"code":-31001,"message":"not this one"}`; refused != refuse {
					t.Errorf("got %s", answer)
				}
			}
		}
	})
}

func TestResourceHandlersReturn(t *testing.T) {
	const uri = "cloudg://x"
	contents := func(list string) string {
		return `{"cacheScope":"private","contents":[` + list + `],"ttlMs":0}`
	}
	one := func(fields string) string {
		return contents(`{"mimeType":"application/json",` + fields + `"uri":"cloudg://x"}`)
	}
	kept := &mcp.ResourceContents{URI: "cloudg://part", MIMEType: "text/plain", Text: "t", Meta: mcp.Meta{"k": 1, "cloudg/transforms": "mine"}}
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{"string", "<a> & é", one(`"text":"<a> & é",`)},
		{"bytes", []byte{0, 1, 255}, one(`"blob":"AAH/",`)},
		{"no bytes", []byte{}, one(`"blob":"",`)},
		{"nil bytes", []byte(nil), one(`"blob":"",`)},
		{"nil", nil, contents("")},
		{"contents", kept, contents(`{"_meta":{"k":1},"mimeType":"text/plain","text":"t","uri":"cloudg://part"}`)},
		{"contents that say little", &mcp.ResourceContents{Text: "t"}, one(`"text":"t",`)},
		{"a blob", &mcp.ResourceContents{Blob: []byte("hi")}, one(`"blob":"aGk=",`)},
		{"a list of contents", []*mcp.ResourceContents{kept, {Text: "u"}}, contents(`{"_meta":{"k":1},"mimeType":"text/plain","text":"t","uri":"cloudg://part"},{"mimeType":"application/json","text":"u","uri":"cloudg://x"}`)},
		{"an empty list", []*mcp.ResourceContents{}, contents("")},
		{
			"a result of the SDK", &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{Text: "t"}}, Meta: mcp.Meta{"m": true, "cloudg/x": 1}, Cacheable: mcp.Cacheable{TTLMs: 7, CacheScope: "public"}},
			`{"_meta":{"m":true},"cacheScope":"private","contents":[{"mimeType":"application/json","text":"t","uri":"cloudg://x"}],"ttlMs":7}`,
		},
		{"no result of the SDK", (*mcp.ReadResourceResult)(nil), contents("")},
		{"a result", &result.Resource{Contents: []*mcp.ResourceContents{{Text: "t"}}, TTLMs: 9}, `{"cacheScope":"private","contents":[{"mimeType":"application/json","text":"t","uri":"cloudg://x"}],"ttlMs":9}`},
		{"no result", (*result.Resource)(nil), contents("")},
		{"an object", map[string]any{"b": []int{1}, "raw_data": 2}, one(`"text":"{\n  \"b\": [\n    1\n  ]\n}",`)},
		{"a number", 5, one(`"text":"5",`)},
		{"raw JSON", jsontext.Value(`{"n":9007199254740993}`), one(`"text":"{\n  \"n\": 9007199254740993\n}",`)},
		{"texts", []string{"a"}, one(`"text":"[\n  \"a\"\n]",`)},
		{"nil contents", (*mcp.ResourceContents)(nil), `{"code":-32603,"message":"errorString: contents[0] is nil"}`},
		{"nil in a list", []*mcp.ResourceContents{{Text: "t"}, nil}, `{"code":-32603,"message":"errorString: contents[1] is nil"}`},
		{"raw JSON that is none", jsontext.Value(`{`), "-"},
		{"metadata that cannot be encoded", &mcp.ResourceContents{Meta: mcp.Meta{"x": make(chan int)}}, "-"},
		{"metadata of the result that cannot be encoded", &result.Resource{Meta: mcp.Meta{"x": make(chan int)}}, "-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, fixed(uri, tt.value))
			server := mounted(t, l, nil)
			everywhere(t, l, server, func(t *testing.T, c caller) {
				for range 2 { // what the handler returns is not written into
					got := c.read(t, uri)
					if tt.want == "-" {
						if !strings.HasPrefix(got, `{"code":-32603,"message":"`) {
							t.Errorf("got %s", got)
						}
						continue
					}
					same(t, got, tidy(t, []byte(tt.want)))
				}
			})
		})
	}
	if kept.Meta["cloudg/transforms"] != "mine" || len(kept.Meta) != 2 {
		t.Errorf("what the handler holds became %v", kept.Meta)
	}
}

// The SDK's type leaves an empty text out, although the protocol requires one.
func TestLimitEmptyText(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, fixed("cloudg://x", ""))
	server := mounted(t, l, nil)
	everywhere(t, l, server, func(t *testing.T, c caller) {
		same(t, c.read(t, "cloudg://x"), `{"cacheScope":"private","contents":[{"mimeType":"application/json","uri":"cloudg://x"}],"ttlMs":0}`)
	})
}

func TestResourceMIMEType(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, func(r *mcplayer.Registry) {
		mcplayer.AddResource(r, mcplayer.Resource{URI: "cloudg://md", MIMEType: "text/markdown"}, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
			return "# x", nil
		})
		mcplayer.AddResourceTemplate(r, mcplayer.ResourceTemplate{URITemplate: "cloudg://png/{x}", MIMEType: "image/png"}, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
			return []byte{1}, nil
		})
	})
	server := mounted(t, l, nil)
	everywhere(t, l, server, func(t *testing.T, c caller) {
		same(t, c.read(t, "cloudg://md"), textWire("cloudg://md", "text/markdown", "# x"))
		same(t, c.read(t, "cloudg://png/1"), `{"cacheScope":"private","contents":[{"blob":"AQ==","mimeType":"image/png","uri":"cloudg://png/1"}],"ttlMs":0}`)
	})
}

func TestResourceOutput(t *testing.T) {
	const uri = "cloudg://x"
	report := func(n int) string { return fmt.Sprintf(`"_meta":{"cloudg/transforms":{"censored":%d}},`, n) }
	one := func(n int, fields string) string {
		return `{"cacheScope":"private","contents":[{` + report(n) + fields + `"mimeType":"application/json","text":"[gone]","uri":"cloudg://x"}],"ttlMs":0}`
	}
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{"text", "secret", one(1, "")},
		{"nothing to do", "fine", textWire(uri, "application/json", "fine")},
		{"JSON", map[string]string{"secret": "secret"}, `{"cacheScope":"private","contents":[{` + report(2) + `"mimeType":"application/json","text":"{\n  \"[gone]\": \"[gone]\"\n}","uri":"cloudg://x"}],"ttlMs":0}`},
		{"bytes that are text", []byte("secret é"), `{"cacheScope":"private","contents":[{` + report(1) + `"blob":"W2dvbmVdIMOp","mimeType":"application/json","uri":"cloudg://x"}],"ttlMs":0}`},
		{"bytes with a NUL", []byte("secret\x00"), `{"cacheScope":"private","contents":[{"blob":"c2VjcmV0AA==","mimeType":"application/json","uri":"cloudg://x"}],"ttlMs":0}`},
		{"bytes that are no UTF-8", []byte("secret\xff"), `{"cacheScope":"private","contents":[{"blob":"c2VjcmV0/w==","mimeType":"application/json","uri":"cloudg://x"}],"ttlMs":0}`},
		{"contents", []*mcp.ResourceContents{{Text: "secret", URI: "cloudg://secret", Meta: mcp.Meta{"k": "secret"}}, {Blob: []byte("secret")}}, `{"cacheScope":"private","contents":[` +
			`{"_meta":{"cloudg/transforms":{"censored":4},"k":"[gone]"},"mimeType":"application/json","text":"[gone]","uri":"cloudg://[gone]"},` +
			`{` + report(4) + `"blob":"W2dvbmVd","mimeType":"application/json","uri":"cloudg://x"}],"ttlMs":0}`},
		{"metadata of a result", &result.Resource{Meta: mcp.Meta{"k": "secret"}}, `{"_meta":{"k":"[gone]"},"cacheScope":"private","contents":[],"ttlMs":0}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, fixed(uri, tt.value))
			l.pol.output = censor{}
			server := mounted(t, l, nil)
			everywhere(t, l, server, func(t *testing.T, c caller) {
				same(t, c.read(t, uri), tt.want)
				same(t, c.read(t, uri), tt.want)
			})
		})
	}
}

func TestOutputPipelineWithholdsOtherKinds(t *testing.T) {
	const want = `{"code":-32603,"message":"Result withheld: the output pipeline failed"}`
	fails := func(jsontext.Value) (jsontext.Value, error) { return nil, errPipeline }
	tests := []struct {
		name   string
		output broken
	}{
		{"JSON fails", broken{json: fails}},
		{"JSON panics", broken{json: func(jsontext.Value) (jsontext.Value, error) { panic("hunter2") }}},
		{"JSON becomes none", broken{json: func(jsontext.Value) (jsontext.Value, error) { return jsontext.Value("{"), nil }}},
		{"text fails", broken{text: func(string) (string, error) { return "", errPipeline }}},
		{"text panics", broken{text: func(string) (string, error) { panic("hunter2") }}},
		{"begin panics", broken{begin: func() { panic("hunter2") }}},
		{"report panics", broken{report: func() mcplayer.Report { panic("hunter2") }}},
		{"report cannot be encoded", broken{report: func() mcplayer.Report { return mcplayer.Report{"x": func() {}} }}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, fixed("cloudg://json", map[string]int{"a": 1}), fixed("cloudg://text", "t"),
				fixed("cloudg://meta", &mcp.ResourceContents{Text: "t", Meta: mcp.Meta{"k": "v"}}),
				prompting("p", nil, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
					return &result.Prompt{Meta: mcp.Meta{"k": "v"}, Messages: result.UserMessage("t").Messages}, nil
				}))
			l.pol.output = tt.output
			server := mounted(t, l, nil)
			everywhere(t, l, server, func(t *testing.T, c caller) {
				isText, isJSON := tt.output.text != nil, tt.output.json != nil
				if !isText {
					same(t, c.read(t, "cloudg://json"), want)
				}
				if !isJSON {
					same(t, c.read(t, "cloudg://text"), want)
				}
				same(t, c.read(t, "cloudg://meta"), want)
				if tt.output.report == nil { // prompts have no place for it
					same(t, c.render(t, "p", nil), want)
				}
			})
			if len(l.log.find(t, "result withheld")) == 0 {
				t.Errorf("the log does not say why: %s", l.log)
			}
		})
	}
}
