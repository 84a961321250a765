package mcplayer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ears are a client that keeps what it is told of changes.
type ears struct {
	*peer
	told chan string
}

func (e *ears) options() *mcp.ClientOptions {
	return &mcp.ClientOptions{
		ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) { e.told <- "tools" },
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) { e.told <- "prompts" },
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { e.told <- "resources" },
		ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
			e.told <- req.Params.URI
		},
	}
}

// expect waits for exactly these messages, in any order.
func (e *ears) expect(t testing.TB, want ...string) {
	t.Helper()
	var got []string
	timeout := 5 * time.Second
	if len(want) == 0 {
		timeout = 60 * time.Millisecond // the SDK waits 10 ms with what it tells
	}
	deadline := time.After(timeout)
	for len(got) < max(len(want), 1) {
		select {
		case m := <-e.told:
			got = append(got, m)
			continue
		case <-deadline:
		}
		break
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}

// follow subscribes to a URI and returns the answer: what was refused, or what
// the server agreed to.
func (e *ears) follow(t testing.TB, uri string) string {
	t.Helper()
	if e.version == legacy {
		if err := e.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
			return tidy(t, []byte(e.last(t)))
		}
		return uri
	}
	before := len(e.acks(t))
	go func() { _ = e.Subscribe(context.Background(), &mcp.SubscribeParams{URI: uri}) }()
	return strings.Join(e.awaitAck(t, before), " ")
}

// acks returns the resources of the acknowledged subscriptions.
func (e *ears) acks(t testing.TB) [][]string {
	var all [][]string
	for _, m := range e.record.received() {
		if m.Method == "notifications/subscriptions/acknowledged" {
			var params mcp.SubscriptionsAcknowledgedParams
			if err := json.Unmarshal(m.Params, &params); err != nil {
				t.Fatal(err)
			}
			all = append(all, params.Notifications.ResourceSubscriptions)
		}
	}
	return all
}

func newEars(t testing.TB, connect func(*mcp.ClientOptions) *peer) *ears {
	t.Helper()
	e := &ears{told: make(chan string, 100)}
	e.peer = connect(e.options())
	if e.version == modern {
		e.awaitAck(t, 0) // the client listens for changes of lists by itself
	}
	return e
}

// awaitAck waits for one more acknowledged subscription than there were.
func (e *ears) awaitAck(t testing.TB, before int) []string {
	t.Helper()
	for range 1000 {
		if acks := e.acks(t); len(acks) > before {
			return acks[before]
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("no subscription was acknowledged")
	return nil
}

// awaitQuiet repeats what the client does not follow any longer until it is not
// told of it. (On the modern protocol nobody answers the end of a subscription.)
func (e *ears) awaitQuiet(t testing.TB, change func()) {
	t.Helper()
	for range 50 {
		change()
		select {
		case <-e.told:
		case <-time.After(60 * time.Millisecond):
			return
		}
	}
	t.Error("the client is told of what it does not follow")
}

// servers are one made with the layer's options and one without.
func servers(l *mcplayer.Layer) map[string]*mcp.Server {
	return map[string]*mcp.Server{
		"with":    mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, l.ServerOptions(nil)),
		"without": serverOf(nil),
	}
}

func subscribed(r *mcplayer.Registry) {
	fixed("cloudg://x", 1)(r)
	fixed("cloudg://y", 1)(r)
	fixed("cloudg://hidden", 1)(r)
	through("cloudg://t/{a}", tellVars)(r)
	through("cloudg://secret/{a}", tellVars)(r)
	prompting("p", nil, tellArgs)(r)
	returning("t", nil)(r)
}

var subscribeHidden = map[string]bool{"cloudg://hidden": true, "cloudg://secret/{a}": true}

func TestSubscriptions(t *testing.T) {
	for _, made := range []string{"with", "without"} {
		for _, version := range []string{legacy, modern} {
			for _, over := range []string{"memory", "http"} {
				if made == "without" && version == modern {
					continue // TestLimitModernSubscriptions
				}
				t.Run(made+" "+version+" "+over, func(t *testing.T) {
					l := newLab(t, mcplayer.Options{}, subscribed)
					l.pol.hidden = subscribeHidden
					server := mounted(t, l, servers(l.Layer)[made])
					connect := func() *ears {
						return newEars(t, func(opts *mcp.ClientOptions) *peer {
							if over == "http" {
								return dialOverHTTP(t, l.Layer, server, version, opts)
							}
							return dial(t, l.Layer, server, version, nil, opts)
						})
					}
					e, other := connect(), connect()
					same(t, e.follow(t, "cloudg://x"), "cloudg://x")
					same(t, other.follow(t, "cloudg://y"), "cloudg://y")
					for _, uri := range []string{"cloudg://hidden", "cloudg://nope", "cloudg://secret/1", "cloudg://t/..", "cloudg://\u0007", "mcplayer:resource"} {
						want := unknownResource(uri)
						if version == modern {
							want = ""
						}
						same(t, e.follow(t, uri), want)
					}
					l.NotifyChange(mcplayer.KindResource, "cloudg://x")
					e.expect(t, "cloudg://x")
					l.NotifyChange(mcplayer.KindResource, "CLOUDG://%78")
					e.expect(t, "cloudg://x")
					l.NotifyChange(mcplayer.KindResource, "cloudg://hidden")
					l.NotifyChange(mcplayer.KindResource, "cloudg://t/1")
					e.expect(t)
					other.expect(t)
					l.NotifyChange(mcplayer.KindResource, "cloudg://y")
					other.expect(t, "cloudg://y")
					want := "CLOUDG://T/a%20b"
					if version == modern {
						want = "cloudg://t/a%20b"
					}
					same(t, e.follow(t, "CLOUDG://T/a%20b"), want)
					l.NotifyChange(mcplayer.KindResource, "cloudg://t/a b")
					e.expect(t, "cloudg://t/a%20b")
					if err := e.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: "cloudg://x"}); err != nil {
						t.Error(err)
					}
					e.awaitQuiet(t, func() { l.NotifyChange(mcplayer.KindResource, "cloudg://x") })
					if version == legacy {
						if err := e.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: "CLOUDG://t/a b"}); err != nil {
							t.Error(err)
						}
						l.NotifyChange(mcplayer.KindResource, "cloudg://t/a b")
						e.expect(t)
						_ = e.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: "cloudg://hidden"})
						same(t, tidy(t, []byte(e.last(t))), unknownResource("cloudg://hidden"))
					}
				})
			}
		}
	}
}

// On the modern protocol the SDK takes subscriptions of resources only where the
// server was made for them: with Layer.ServerOptions.
func TestLimitModernSubscriptions(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, subscribed)
	server := mounted(t, l, nil)
	e := newEars(t, func(opts *mcp.ClientOptions) *peer { return dial(t, l.Layer, server, modern, nil, opts) })
	same(t, e.follow(t, "cloudg://x"), "")
	l.NotifyChange(mcplayer.KindResource, "cloudg://x")
	e.expect(t)
}

func TestChangesOfLists(t *testing.T) {
	for _, made := range []string{"with", "without"} {
		for _, version := range []string{legacy, modern} {
			for _, over := range []string{"memory", "http"} {
				t.Run(made+" "+version+" "+over, func(t *testing.T) {
					l := newLab(t, mcplayer.Options{}, subscribed)
					server := mounted(t, l, servers(l.Layer)[made])
					e := newEars(t, func(opts *mcp.ClientOptions) *peer {
						if over == "http" {
							return dialOverHTTP(t, l.Layer, server, version, opts)
						}
						return dial(t, l.Layer, server, version, nil, opts)
					})
					steps := []struct {
						name string
						do   func()
						want []string
					}{
						{"add a tool", func() { returning("t2", nil)(l.reg) }, []string{"tools"}},
						{"remove a tool", func() { l.reg.Remove(mcplayer.KindTool, "t2") }, []string{"tools"}},
						{"add a prompt", func() { prompting("p2", nil, tellArgs)(l.reg) }, []string{"prompts"}},
						{"remove a prompt", func() { l.reg.Remove(mcplayer.KindPrompt, "p2") }, []string{"prompts"}},
						{"add a resource", func() { fixed("cloudg://z", 1)(l.reg) }, []string{"resources"}},
						{"remove a resource", func() { l.reg.Remove(mcplayer.KindResource, "cloudg://z") }, []string{"resources"}},
						{"add a template", func() { through("cloudg://z/{a}", tellVars)(l.reg) }, []string{"resources"}},
						{"remove a template", func() { l.reg.Remove(mcplayer.KindResourceTemplate, "cloudg://z/{a}") }, []string{"resources"}},
						{"tools", func() { l.NotifyChange(mcplayer.KindTool, "") }, []string{"tools"}},
						{"prompts", func() { l.NotifyChange(mcplayer.KindPrompt, "") }, []string{"prompts"}},
						{"resources", func() { l.NotifyChange(mcplayer.KindResource, "") }, []string{"resources"}},
						{"templates", func() { l.NotifyChange(mcplayer.KindResourceTemplate, "") }, []string{"resources"}},
						{"completions", func() { l.NotifyChange(mcplayer.KindCompletion, "") }, nil},
						{"one resource that nobody follows", func() { l.NotifyChange(mcplayer.KindResource, "cloudg://x") }, nil},
						{"the last prompt", func() { l.reg.Remove(mcplayer.KindPrompt, "p") }, []string{"prompts"}},
						{"the first prompt", func() { prompting("p", nil, tellArgs)(l.reg) }, []string{"prompts"}},
					}
					for _, s := range steps {
						s.do()
						e.expect(t, s.want...)
						if t.Failed() {
							t.Fatalf("after %s", s.name)
						}
					}
					if err := l.Close(t.Context()); err != nil {
						t.Error(err)
					}
					l.NotifyChange(mcplayer.KindTool, "")
					e.expect(t)
				})
			}
		}
	}
}

func TestAdvertisedCapabilities(t *testing.T) {
	all := func(r *mcplayer.Registry) {
		returning("t", nil)(r)
		completing(func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
			return nil, nil
		})(r)
	}
	none := func(*mcplayer.Registry) {}
	const full = `{"completions":{},"logging":{},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"tools":{"listChanged":true}}`
	tests := []struct {
		name, made, version string
		add                 func(*mcplayer.Registry)
		want                string
	}{
		{"all", "with", legacy, all, full},
		{"all", "with", modern, all, full},
		{"all", "without", legacy, all, full},
		{"all", "without", modern, all, `{"completions":{},"logging":{},"prompts":{"listChanged":true},"resources":{"listChanged":true},"tools":{"listChanged":true}}`},
		{"none", "with", legacy, none, full},
		{"none", "with", modern, none, full},
		{"none", "without", legacy, none, `{"logging":{}}`},
		{"none", "without", modern, none, `{"logging":{}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name+" "+tt.made+" "+tt.version, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, tt.add)
			server := mounted(t, l, servers(l.Layer)[tt.made])
			p := dial(t, l.Layer, server, tt.version, nil, nil)
			doc, err := json.Marshal(p.InitializeResult().Capabilities)
			if err != nil {
				t.Fatal(err)
			}
			same(t, tidy(t, doc), tt.want)
		})
	}
}

func TestServerOptionsKeepsTheBase(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, subscribed)
	var j journal
	base := &mcp.ServerOptions{
		Instructions:       "hi",
		Capabilities:       &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Extensions: map[string]any{"x": true}},
		SubscribeHandler:   func(_ context.Context, req *mcp.SubscribeRequest) error { j.add("+" + req.Params.URI); return nil },
		UnsubscribeHandler: func(_ context.Context, req *mcp.UnsubscribeRequest) error { j.add("-" + req.Params.URI); return nil },
	}
	opts := l.ServerOptions(base)
	if opts == base || opts.Capabilities == base.Capabilities || base.Capabilities.Prompts != nil || base.CompletionHandler != nil {
		t.Error("the base changed")
	}
	server := mounted(t, l, mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, opts))
	p := dial(t, l.Layer, server, legacy, nil, nil)
	doc, _ := json.Marshal(p.InitializeResult().Capabilities)
	same(t, tidy(t, doc), `{"completions":{},"extensions":{"x":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"tools":{}}`)
	same(t, p.InitializeResult().Instructions, "hi")
	if err := p.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "cloudg://x"}); err != nil {
		t.Fatal(err)
	}
	if err := p.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: "cloudg://x"}); err != nil {
		t.Fatal(err)
	}
	_ = p.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "cloudg://nope"})
	same(t, j.String(), "+cloudg://x -cloudg://x")
}

// A session cannot make the layer keep any number of subscriptions.
func TestSubscriptionsAreBounded(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, subscribed)
	server := mounted(t, l, nil)
	p, other := raw(t, l.Layer, server), raw(t, l.Layer, server)
	for i := range 1000 {
		same(t, p.ask(t, "resources/subscribe", fmt.Sprintf(`{"uri":"cloudg://t/%d"}`, i)), `{}`)
	}
	same(t, p.ask(t, "resources/subscribe", `{"uri":"cloudg://t/x"}`), `{"code":-31029,"data":{"limit":1000},"message":"Too many resource subscriptions"}`)
	same(t, p.ask(t, "resources/subscribe", `{"uri":"cloudg://t/5"}`), `{}`)
	same(t, other.ask(t, "resources/subscribe", `{"uri":"cloudg://t/x"}`), `{}`)
	same(t, p.ask(t, "resources/unsubscribe", `{"uri":"cloudg://t/5"}`), `{}`)
	same(t, p.ask(t, "resources/subscribe", `{"uri":"cloudg://t/x"}`), `{}`)
}

// Visibility is checked when a subscription begins.
func TestLimitSubscriptionOfWhatIsHiddenLater(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, subscribed)
	server := mounted(t, l, nil)
	e := newEars(t, func(opts *mcp.ClientOptions) *peer { return dial(t, l.Layer, server, legacy, nil, opts) })
	same(t, e.follow(t, "cloudg://x"), "cloudg://x")
	l.pol.hidden = map[string]bool{"cloudg://x": true}
	l.NotifyChange(mcplayer.KindResource, "cloudg://x")
	e.expect(t, "cloudg://x")
	same(t, e.read(t, "cloudg://x"), unknownResource("cloudg://x"))
}

// Resources of the host's are followed too; what changes in them the host says, or
// the layer.
func TestSubscriptionsOfHostResources(t *testing.T) {
	for _, version := range []string{legacy, modern} {
		t.Run(version, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{})
			l.pol.hidden = map[string]bool{"host://hidden": true}
			server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, l.ServerOptions(nil))
			server.AddResource(&mcp.Resource{URI: "host://x", Name: "x"}, hostReads("x"))
			server.AddResource(&mcp.Resource{URI: "host://hidden", Name: "h"}, hostReads("h"))
			server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "host://t/{a}", Name: "t"}, hostReads("t"))
			mounted(t, l, server)
			e := newEars(t, func(opts *mcp.ClientOptions) *peer { return dial(t, l.Layer, server, version, nil, opts) })
			same(t, e.follow(t, "host://x"), "host://x")
			same(t, e.follow(t, "host://t/%31"), "host://t/%31")
			refused := ""
			if version == legacy {
				refused = unknownResource("host://hidden")
			}
			same(t, e.follow(t, "host://hidden"), refused)
			l.NotifyChange(mcplayer.KindResource, "host://x")
			e.expect(t, "host://x")
			for _, uri := range []string{"host://x", "host://t/%31"} {
				if err := server.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
					t.Fatal(err)
				}
				e.expect(t, uri)
			}
			_ = server.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "host://hidden"})
			e.expect(t)
		})
	}
}
