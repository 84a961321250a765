package mcplayer_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sight is what was seen of one URI, by policy, middleware and handler.
type sight struct {
	policy, middleware, handler string
}

func TestURIs(t *testing.T) {
	var got sight
	handler := func(template string) mcplayer.ResourceHandler {
		return func(_ context.Context, _ *mcplayer.ToolContext, vars map[string]string) (any, error) {
			got.handler = fmt.Sprintf("%s %q", template, vars)
			return "x", nil
		}
	}
	var calls []seen
	templates := []string{
		"cloudg://d/{name}/summary", "cloudg://assets/{+ref}", "cloudg://Sp ace/{x}.v1", "cloudg://über.uns/{x}",
		"cloudg://q?find={x}", "weather://{city}/now", "urn:isbn:{n}", "file:///{+path}",
	}
	var add []func(*mcplayer.Registry)
	for _, text := range templates {
		add = append(add, through(text, handler(text)))
	}
	add = append(add, reading("cloudg://exact one/ü", handler("exact")))
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{watch(&calls)}}, add...)
	l.pol.check = func(_ context.Context, info mcplayer.CallInfo) error {
		got.policy = info.Name + " " + string(info.Arguments)
		return nil
	}
	tests := []struct {
		name, uri string
		seen      string // name and arguments; "": unknown
		handler   string
	}{
		{"plain", "cloudg://d/a/summary", `cloudg://d/a/summary {"name":"a"}`, `cloudg://d/{name}/summary map["name":"a"]`},
		{"escaped letters", "cloudg://d/%61%2D/summ%61ry", `cloudg://d/a-/summary {"name":"a-"}`, `cloudg://d/{name}/summary map["name":"a-"]`},
		{"escaped space", "cloudg://d/a%20b/summary", `cloudg://d/a%20b/summary {"name":"a b"}`, `cloudg://d/{name}/summary map["name":"a b"]`},
		{"raw space", "cloudg://d/a b/summary", `cloudg://d/a%20b/summary {"name":"a b"}`, `cloudg://d/{name}/summary map["name":"a b"]`},
		{"a plus is a plus", "cloudg://d/a+b/summary", `cloudg://d/a+b/summary {"name":"a+b"}`, `cloudg://d/{name}/summary map["name":"a+b"]`},
		{"letters", "cloudg://d/日本ü/summary", `cloudg://d/%E6%97%A5%E6%9C%AC%C3%BC/summary {"name":"日本ü"}`, `cloudg://d/{name}/summary map["name":"日本ü"]`},
		{"escaped letters outside ASCII", "cloudg://d/%c3%bc/summary", `cloudg://d/%C3%BC/summary {"name":"ü"}`, `cloudg://d/{name}/summary map["name":"ü"]`},
		{"decoded once", "cloudg://d/%252e%252e%252f/summary", `cloudg://d/%252e%252e%252f/summary {"name":"%2e%2e%2f"}`, `cloudg://d/{name}/summary map["name":"%2e%2e%2f"]`},
		{"dots in a name", "cloudg://d/..a/summary", `cloudg://d/..a/summary {"name":"..a"}`, `cloudg://d/{name}/summary map["name":"..a"]`},
		{"raw slash in a segment", "cloudg://d/a/b/summary", "", ""},
		{"escaped slash in a segment", "cloudg://d/a%2Fb/summary", "", ""},
		{"backslash in a segment", `cloudg://d/a\b/summary`, "", ""},
		{"escaped backslash in a segment", "cloudg://d/a%5cb/summary", "", ""},
		{"empty segment", "cloudg://d//summary", "", ""},
		{"dots", "cloudg://d/../summary", "", ""},
		{"escaped dots", "cloudg://d/%2e%2e/summary", "", ""},
		{"one dot", "cloudg://d/./summary", "", ""},
		{"NUL", "cloudg://d/a\x00/summary", "", ""},
		{"escaped NUL", "cloudg://d/a%00/summary", "", ""},
		{"bell", "cloudg://d/\u0007/summary", "", ""},
		{"newline", "cloudg://d/a\n/summary", "", ""},
		{"delete", "cloudg://d/\u007f/summary", "", ""},
		{"escaped C1", "cloudg://d/%C2%9F/summary", "", ""},
		{"C1", "cloudg://d/\u009f/summary", "", ""},
		{"bytes that are no UTF-8", "cloudg://d/%ff/summary", "", ""},
		{"broken escape", "cloudg://d/%4/summary", "", ""},
		{"anything", "cloudg://assets/a/b:c?d=e&f", `cloudg://assets/a/b:c?d=e&f {"ref":"a/b:c?d=e&f"}`, `cloudg://assets/{+ref} map["ref":"a/b:c?d=e&f"]`},
		{"anything, escaped slash", "cloudg://assets/a%2fb", `cloudg://assets/a/b {"ref":"a/b"}`, `cloudg://assets/{+ref} map["ref":"a/b"]`},
		{"anything, fragment", "cloudg://assets/a#b", `cloudg://assets/a#b {"ref":"a#b"}`, `cloudg://assets/{+ref} map["ref":"a#b"]`},
		{"anything, backslash in a name", `cloudg://assets/a\b`, `cloudg://assets/a%5Cb {"ref":"a\\b"}`, `cloudg://assets/{+ref} map["ref":"a\\b"]`},
		{"anything, double encoded", "cloudg://assets/%252e%252e/%252fetc", `cloudg://assets/%252e%252e/%252fetc {"ref":"%2e%2e/%2fetc"}`, `cloudg://assets/{+ref} map["ref":"%2e%2e/%2fetc"]`},
		{"anything, dots", "cloudg://assets/a/../b", "", ""},
		{"anything, dots first", "cloudg://assets/../../etc/passwd", "", ""},
		{"anything, dots alone", "cloudg://assets/..", "", ""},
		{"anything, escaped dots", "cloudg://assets/a/%2e%2E/b", "", ""},
		{"anything, escaped dots and slash", "cloudg://assets/a%2F%2e%2e%2Fb", "", ""},
		{"anything, dots behind a question mark", "cloudg://assets/a?/../b", "", ""},
		{"anything, dots and backslashes", `cloudg://assets/a\..\b`, "", ""},
		{"anything, dots and escaped backslashes", "cloudg://assets/a%5C..%5Cb", "", ""},
		{"anything, NUL", "cloudg://assets/a%00", "", ""},
		{"anything, nothing", "cloudg://assets/", "", ""},
		{"literal space and dot", "cloudg://sp%20ace/1.v1", `cloudg://Sp%20ace/1.v1 {"x":"1"}`, `cloudg://Sp ace/{x}.v1 map["x":"1"]`},
		{"a literal dot is a dot", "cloudg://sp%20ace/1xv1", "", ""},
		{"literal letters", "cloudg://%C3%BCber.uns/1", `cloudg://%C3%BCber.uns/1 {"x":"1"}`, `cloudg://über.uns/{x} map["x":"1"]`},
		{"literal question mark", "cloudg://q?find=a%26b", `cloudg://q?find=a%26b {"x":"a&b"}`, `cloudg://q?find={x} map["x":"a&b"]`},
		{"question mark ends a segment", "cloudg://d/a?b/summary", "", ""},
		{"scheme and host", "CLOUDG://D/A/summary", `cloudg://d/A/summary {"name":"A"}`, `cloudg://d/{name}/summary map["name":"A"]`},
		{"the path has a case", "cloudg://d/a/Summary", "", ""},
		{"variable in the host", "WEATHER://BeRlin/now", `weather://BeRlin/now {"city":"BeRlin"}`, `weather://{city}/now map["city":"BeRlin"]`},
		{"no authority", "URN:isbn:0-19", `urn:isbn:0-19 {"n":"0-19"}`, `urn:isbn:{n} map["n":"0-19"]`},
		{"no host", "file:///etc/hosts", `file:///etc/hosts {"path":"etc/hosts"}`, `file:///{+path} map["path":"etc/hosts"]`},
		{"exact", "cloudg://exact%20one/%C3%BC", "cloudg://exact one/ü {}", `exact map[]`},
		{"exact as registered", "cloudg://exact one/ü", "cloudg://exact one/ü {}", `exact map[]`},
	}
	server := mounted(t, l, nil)
	everywhere(t, l, server, func(t *testing.T, c caller) {
		for _, tt := range tests {
			if p, ok := c.(*peer); ok && p.bare(tt.uri) {
				continue
			}
			t.Run(tt.name, func(t *testing.T) {
				got, calls = sight{}, nil
				answer := c.read(t, tt.uri)
				for _, call := range calls {
					got.middleware += call.name + " " + call.arguments
				}
				if want := (sight{tt.seen, tt.seen, tt.handler}); got != want {
					t.Errorf("\n got %+v\nwant %+v", got, want)
				}
				want := unknownResource(tt.uri)
				if tt.seen != "" {
					want = textWire(tt.uri, "application/json", "x")
				}
				same(t, answer, want)
			})
		}
	})
}

// What Spec.Expand makes of variables is read with the same variables.
func TestExpandedURIs(t *testing.T) {
	var vars map[string]string
	l := newLab(t, mcplayer.Options{}, through("cloudg://d/{name}/x/{+ref}", func(_ context.Context, _ *mcplayer.ToolContext, v map[string]string) (any, error) {
		vars = v
		return "x", nil
	}))
	spec, _ := l.reg.Lookup(mcplayer.KindResourceTemplate, "cloudg://d/{name}/x/{+ref}")
	for _, name := range []string{"a", "a b", "a%2Fb", "ü?#&=+:@", "..a", "%"} {
		u, err := spec.Expand(map[string]string{"name": name, "ref": "p/" + name})
		if err != nil {
			t.Fatal(err)
		}
		l.read(t, u)
		if vars["name"] != name || vars["ref"] != "p/"+name {
			t.Errorf("%q became %q, then %q", name, u, vars)
		}
	}
	for _, name := range []string{"", "a/b", `a\b`, "..", "\x00", "\xff"} {
		if u, err := spec.Expand(map[string]string{"name": name, "ref": "r"}); err == nil {
			t.Errorf("%q became %q", name, u)
		}
	}
	exact := newLab(t, mcplayer.Options{}, fixed("cloudg://x", 1))
	spec, _ = exact.reg.Lookup(mcplayer.KindResource, "cloudg://x")
	if _, err := spec.Expand(nil); err == nil || err.Error() != `resource "cloudg://x" is no template` {
		t.Errorf("got %v", err)
	}
}

// A URI with a control character must not end a session of newline-delimited
// messages: the SDK's own answer to it cannot be encoded.
func TestControlCharactersOverPipes(t *testing.T) {
	for _, version := range []string{legacy, modern} {
		t.Run(version, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, fixed("cloudg://x", "t"), through("cloudg://t/{+any}", tellVars), completing(nil))
			server := mounted(t, l, hostServer(nil, []string{"host://{+any}"}))
			fromClient, toServer := io.Pipe()
			fromServer, toClient := io.Pipe()
			ctx, cancel := context.WithCancel(context.Background())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_ = l.Run(mcplayer.WithTransport(ctx, mcplayer.TransportStdio), server, &mcp.IOTransport{Reader: fromClient, Writer: toClient})
			}()
			p := newPeer(t, &mcp.IOTransport{Reader: fromServer, Writer: toServer}, version, nil)
			defer func() {
				_ = p.Close()
				cancel()
				<-ended
			}()
			for _, uri := range []string{"cloudg://\x00", "cloudg://t/\u0007", "\u007f", "host://\x01", "mem\n:x", "cloudg://t/\u2028\u0085", "\"\\", strings.Repeat("\x1b", 10)} {
				same(t, p.read(t, uri), unknownResource(uri))
				same(t, p.render(t, uri, nil), unknownPrompt(uri))
				same(t, p.propose(t, mcplayer.CompletionRef{Kind: mcplayer.KindResourceTemplate, Name: uri}, mcplayer.CompletionInput{Argument: "a"}), nothingProposed)
				if version == legacy {
					_ = p.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri})
					same(t, tidy(t, []byte(p.last(t))), unknownResource(uri))
					_ = p.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri})
					same(t, tidy(t, []byte(p.last(t))), unknownResource(uri))
				}
			}
			same(t, p.read(t, "cloudg://x"), textWire("cloudg://x", "application/json", "t"))
			if !slices.ContainsFunc(l.pol.missing, func(m missing) bool { return m.principal == "local" }) {
				t.Errorf("recorded %v", l.pol.missing)
			}
		})
	}
}

func TestConcreteURIIsNotEscaped(t *testing.T) {
	var names []string
	watch := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		names = append(names, info.Name)
		return next(ctx, info)
	}
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{watch}}, through("cloudg://assets/{ref}", tellVars))
	l.read(t, "cloudg://assets/arn:aws:ec2:eu-west-1:111111111111:instance@x")
	same(t, strings.Join(names, " "), "cloudg://assets/arn:aws:ec2:eu-west-1:111111111111:instance@x")
}
