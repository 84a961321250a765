package mcplayer_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newWhoSite has a tool that tells who called it, how, and with which request
// id.
func newWhoSite() *site { return whoSite(nil) }

func whoSite(resolver mcplayer.Resolver) *site {
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "who"}, func(_ context.Context, tc *mcplayer.ToolContext, _ struct{}) (*whoami, error) {
		return newWhoami(tc), nil
	})
	layer := must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open(), Resolver: resolver, Logger: silent}))
	server := mcp.NewServer(&mcp.Implementation{Name: "site", Version: "1"}, nil)
	if err := layer.Mount(server, nil); err != nil {
		panic(err)
	}
	return &site{layer, server}
}

type whoami struct {
	ID         string         `json:"id"`
	Roles      string         `json:"roles"`
	Attributes map[string]any `json:"attributes,omitzero"`
	Transport  string         `json:"transport"`
	Request    string         `json:"request"` // whether an id is known, and of which type
	Session    bool           `json:"session"`
}

func newWhoami(tc *mcplayer.ToolContext) *whoami {
	p, r := tc.Principal(), tc.Request()
	w := &whoami{ID: p.ID(), Roles: strings.Join(p.Roles(), ","), Transport: string(r.Transport), Session: r.SessionID != ""}
	if attributes := p.Attributes(); len(attributes) > 0 {
		w.Attributes = attributes
	}
	switch tc.RequestID().(type) {
	case string:
		w.Request = "string"
	case int64:
		w.Request = "number"
	case nil:
		w.Request = "unknown"
	}
	if tc.RequestID() != r.RequestID {
		w.Request = "two different ids"
	}
	return w
}

// ask returns what the who tool says, as JSON.
func (p *peer) ask(t testing.TB) string {
	t.Helper()
	res, err := p.CallTool(t.Context(), &mcp.CallToolParams{Name: "who"})
	if err != nil {
		t.Fatal(err)
	}
	if res.StructuredContent == nil {
		t.Fatal(res.Content[0].(*mcp.TextContent).Text)
	}
	return p.record.structured()
}

// tokens are the bearer tokens of a made-up issuer.
var tokens = map[string]*auth.TokenInfo{
	"ada":       {UserID: "ada", Scopes: []string{"read", "write"}, Extra: map[string]any{"client_id": "app"}},
	"bob":       {UserID: "bob", Scopes: []string{"read"}, Extra: map[string]any{"client_id": "app"}},
	"app":       {Scopes: []string{"read"}, Extra: map[string]any{"client_id": "app"}},
	"app2":      {Extra: map[string]any{"client_id": "app2"}},
	"nobody":    {Scopes: []string{"read"}},
	"local":     {UserID: "local"},
	"anonymous": {Extra: map[string]any{"client_id": "anonymous"}},
	"odd":       {Extra: map[string]any{"client_id": 7}},
}

func verify(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	info := tokens[token]
	if info == nil {
		return nil, auth.ErrInvalidToken
	}
	valid := *info
	valid.Expiration = time.Now().Add(time.Hour)
	return &valid, nil
}

var requireToken = auth.RequireBearerToken(verify, nil)

func bearer(token string) http.Header {
	return http.Header{"Authorization": {"Bearer " + token}}
}

// handlerOf makes a site's server reachable over HTTP.
type handlerOf func(s *site) http.Handler

func streamable(opts *mcp.StreamableHTTPOptions) handlerOf {
	return func(s *site) http.Handler {
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.server }, opts)
	}
}

var (
	stateful  = streamable(nil)
	stateless = streamable(&mcp.StreamableHTTPOptions{Stateless: true})
)

func oldSSE(s *site) http.Handler {
	return mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return s.server }, nil)
}

func TestIdentityOfLocalCallers(t *testing.T) {
	const local = `{"id":"local","roles":"default,local","transport":"`
	for _, tc := range []struct {
		name string
		dial func(t *testing.T) *peer
		want string
	}{
		{"stdio modern", func(t *testing.T) *peer { return dialCommand(t, "who", modern, nil) }, local + `stdio","request":"number","session":false}`},
		{"stdio legacy", func(t *testing.T) *peer { return dialCommand(t, "who", legacy, nil) }, local + `stdio","request":"number","session":false}`},
		{"in-memory modern", func(t *testing.T) *peer { return dialMemory(modern)(t, newWhoSite, nil) }, local + `in-memory","request":"number","session":false}`},
		{"in-memory legacy", func(t *testing.T) *peer { return dialMemory(legacy)(t, newWhoSite, nil) }, local + `in-memory","request":"number","session":false}`},
		{"unknown transport", func(t *testing.T) *peer {
			return dialRun(t, t.Context(), func(s *site, ctx context.Context, inner mcp.Transport) error {
				return s.layer.Run(ctx, s.server, otherTransport{inner})
			})
		}, `{"id":"anonymous","roles":"default","transport":"","request":"number","session":false}`},
		{"server run without the layer", func(t *testing.T) *peer {
			return dialRun(t, t.Context(), func(s *site, ctx context.Context, inner mcp.Transport) error {
				return s.server.Run(ctx, inner)
			})
		}, `{"id":"anonymous","roles":"default","transport":"","request":"unknown","session":false}`},
		{"tagged context", func(t *testing.T) *peer {
			return dialRun(t, mcplayer.WithTransport(t.Context(), mcplayer.TransportStdio), func(s *site, ctx context.Context, inner mcp.Transport) error {
				return s.server.Run(ctx, inner)
			})
		}, local + `stdio","request":"unknown","session":false}`},
		{"tag and wrapper of an unknown transport", func(t *testing.T) *peer {
			return dialRun(t, mcplayer.WithTransport(t.Context(), mcplayer.TransportStdio), func(s *site, ctx context.Context, inner mcp.Transport) error {
				return s.layer.Run(ctx, s.server, otherTransport{inner})
			})
		}, local + `stdio","request":"number","session":false}`},
		{"tag against a known transport", func(t *testing.T) *peer {
			return dialRun(t, mcplayer.WithTransport(t.Context(), mcplayer.TransportHTTP), func(s *site, ctx context.Context, inner mcp.Transport) error {
				return s.layer.Run(ctx, s.server, inner)
			})
		}, local + `in-memory","request":"number","session":false}`},
		{"principal in the context", func(t *testing.T) *peer {
			return dialRun(t, mcplayer.WithPrincipal(t.Context(), mcplayer.NewPrincipal("eve", "admin")), func(s *site, ctx context.Context, inner mcp.Transport) error {
				return s.layer.Run(ctx, s.server, inner)
			})
		}, `{"id":"eve","roles":"admin","transport":"in-memory","request":"number","session":false}`},
		{"logging transport", func(t *testing.T) *peer {
			return dialRun(t, t.Context(), func(s *site, ctx context.Context, inner mcp.Transport) error {
				return s.layer.Run(ctx, s.server, &mcp.LoggingTransport{Transport: inner, Writer: discard{}})
			})
		}, local + `in-memory","request":"number","session":false}`},
		{"server.Connect with a wrapped transport", func(t *testing.T) *peer {
			return dialRun(t, t.Context(), func(s *site, ctx context.Context, inner mcp.Transport) error {
				session, err := s.server.Connect(ctx, s.layer.WrapTransport(inner), nil)
				if err != nil {
					return err
				}
				return session.Wait()
			})
		}, local + `in-memory","request":"number","session":false}`},
		{"wrapped by another layer", func(t *testing.T) *peer { // whose keys mean nothing here
			return dialRun(t, t.Context(), func(s *site, ctx context.Context, inner mcp.Transport) error {
				return s.server.Run(ctx, newWhoSite().layer.WrapTransport(inner))
			})
		}, `{"id":"anonymous","roles":"default","transport":"http","request":"unknown","session":false}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := tc.dial(t).ask(t); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

type otherTransport struct{ mcp.Transport }

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// dialRun connects a client to a who site that run serves.
func dialRun(t *testing.T, ctx context.Context, run func(*site, context.Context, mcp.Transport) error) *peer {
	t.Helper()
	s := newWhoSite()
	transport := serveMemory(t, ctx, func(ctx context.Context, inner mcp.Transport) error { return run(s, ctx, inner) })
	return newPeer(t, transport, legacy, nil)
}

func TestIdentityOverHTTP(t *testing.T) {
	const (
		anonymous = `{"id":"anonymous","roles":"default",`
		ada       = `{"id":"ada","roles":"default,read,write","attributes":{"auth":"oauth","scopes":["read","write"]},`
		app       = `{"id":"app","roles":"default,read","attributes":{"auth":"oauth","scopes":["read"]},`
		app2      = `{"id":"app2","roles":"default","attributes":{"auth":"oauth","scopes":[]},`
		nobody    = `{"id":"oauth-client","roles":"default,read","attributes":{"auth":"oauth","scopes":["read"]},`
		odd       = `{"id":"oauth-client","roles":"default","attributes":{"auth":"oauth","scopes":[]},`
		local     = `{"id":"oauth:local","roles":"default","attributes":{"auth":"oauth","scopes":[]},`
		oauthAnon = `{"id":"oauth:anonymous","roles":"default","attributes":{"auth":"oauth","scopes":[]},`

		one  = `"transport":"http","request":"number","session":false}`
		many = `"transport":"http","request":"number","session":true}`
		sse  = `"transport":"sse","request":"unknown","session":false}`
	)
	kinds := []struct {
		name    string
		version string
		handler handlerOf
		tail    string
	}{
		{"stateful", legacy, stateful, many},
		{"stateless legacy", legacy, stateless, one},
		{"stateless modern", modern, stateless, one},
		{"old SSE", legacy, oldSSE, sse},
	}
	callers := []struct {
		name, token, want string
	}{
		{"no token", "", anonymous},
		{"user id", "ada", ada},
		{"client id", "app", app},
		{"another client, no scopes", "app2", app2},
		{"neither", "nobody", nobody},
		{"client id that is no text", "odd", odd},
		{"reserved user id", "local", local},
		{"reserved client id", "anonymous", oauthAnon},
	}
	for _, kind := range kinds {
		for _, caller := range callers {
			t.Run(kind.name+"/"+caller.name, func(t *testing.T) {
				s := newWhoSite()
				h := s.layer.HTTPHandler(kind.handler(s), nil)
				var header http.Header
				if caller.token != "" {
					h, header = requireToken(h), bearer(caller.token)
				}
				p := dialKind(t, serveHTTP(t, h), kind.version, header, kind.tail == sse)
				if got := p.ask(t); got != caller.want+kind.tail {
					t.Errorf("got  %s\nwant %s", got, caller.want+kind.tail)
				}
			})
		}
	}
}

func dialKind(t testing.TB, url, version string, header http.Header, sse bool) *peer {
	t.Helper()
	if !sse {
		return dialURL(t, url, version, header, nil)
	}
	client := &http.Client{Transport: &recordingTripper{&record{}, header}} // for its header
	return newPeer(t, &mcp.SSEClientTransport{Endpoint: url, HTTPClient: client}, version, nil)
}

// An Authorization header that nobody has validated says nothing.
func TestTokenNobodyValidatedIsNoIdentity(t *testing.T) {
	for _, wrapped := range []bool{false, true} {
		s := newWhoSite()
		h := stateless(s)
		if wrapped {
			h = s.layer.HTTPHandler(h, nil)
		}
		p := dialURL(t, serveHTTP(t, h), modern, bearer("ada"), nil)
		if got := p.ask(t); !strings.HasPrefix(got, `{"id":"anonymous","roles":"default",`) {
			t.Errorf("wrapped %v: %s", wrapped, got)
		}
	}
}

// The SDK's context is that of the request that opened the session; whoever
// reads the caller out of it keeps the first one for ever.
func TestTokenChangesWithinOneSession(t *testing.T) {
	for _, tc := range []struct {
		name   string
		tokens []string
		want   []string
	}{
		{"client ids", []string{"app", "app2", "nobody", "app"}, []string{"app", "app2", "oauth-client", "app"}},
		{"the same user", []string{"ada", "ada"}, []string{"ada", "ada"}},
	} {
		for _, wrapped := range []bool{false, true} {
			t.Run(tc.name, func(t *testing.T) {
				s := newWhoSite()
				h := stateful(s)
				if wrapped {
					h = s.layer.HTTPHandler(h, nil)
				}
				header := bearer(tc.tokens[0])
				p := dialURL(t, serveHTTP(t, requireToken(h)), legacy, header, nil)
				for i, token := range tc.tokens {
					header.Set("Authorization", "Bearer "+token)
					if got, want := p.ask(t), `{"id":"`+tc.want[i]+`",`; !strings.HasPrefix(got, want) {
						t.Errorf("call %d: %s, want %s", i, got, want)
					}
				}
			})
		}
	}
}

// fromHeader is an auth layer that takes the header User for granted.
func fromHeader(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user := r.Header.Get("User"); user != "" {
			r = r.WithContext(mcplayer.WithPrincipal(r.Context(), mcplayer.NewPrincipal(user, "staff")))
		}
		h.ServeHTTP(w, r)
	})
}

func TestPrincipalOfAnAuthLayer(t *testing.T) {
	for _, tc := range []struct {
		name    string
		version string
		handler handlerOf
		wrapped bool
		sse     bool
		users   []string
		want    []string
	}{
		{"stateful, wrapped", legacy, stateful, true, false, []string{"eve", "joe", ""}, []string{"eve", "joe", "anonymous"}},
		{"stateless, wrapped", modern, stateless, true, false, []string{"eve", "joe", ""}, []string{"eve", "joe", "anonymous"}},
		{"stateful, not wrapped", legacy, stateful, false, false, []string{"eve", "joe"}, []string{"anonymous", "anonymous"}},
		{"stateless, not wrapped", modern, stateless, false, false, []string{"eve", "joe"}, []string{"anonymous", "anonymous"}},
		{"old SSE, wrapped", legacy, oldSSE, true, true, []string{"eve", "joe"}, []string{"anonymous", "anonymous"}},
		{"old SSE, not wrapped", legacy, oldSSE, false, true, []string{"eve", "joe"}, []string{"anonymous", "anonymous"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newWhoSite()
			h := tc.handler(s)
			if tc.wrapped {
				h = s.layer.HTTPHandler(h, nil)
			}
			header := http.Header{"User": {tc.users[0]}}
			p := dialKind(t, serveHTTP(t, fromHeader(h)), tc.version, header, tc.sse)
			for i, user := range tc.users {
				header.Set("User", user)
				if got, want := p.ask(t), `{"id":"`+tc.want[i]+`",`; !strings.HasPrefix(got, want) {
					t.Errorf("call %d: %s, want %s", i, got, want)
				}
			}
		})
	}
}

// The principal of an auth layer goes before the token's.
func TestBoundPrincipalBeforeToken(t *testing.T) {
	s := newWhoSite()
	h := requireToken(fromHeader(s.layer.HTTPHandler(stateless(s), nil)))
	header := bearer("ada")
	header.Set("User", "eve")
	p := dialURL(t, serveHTTP(t, h), modern, header, nil)
	if got, want := p.ask(t), `{"id":"eve","roles":"staff","transport":"http","request":"number","session":false}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestResolver(t *testing.T) {
	const refused = `{"_meta":{"cloudg/error_code":-31001},"content":[{"type":"text","text":"Identity could not be established"}],"isError":true`
	for _, tc := range []struct {
		name     string
		resolver mcplayer.Resolver
		want     string // of the caller's id
		refused  bool
	}{
		{"nil: the default order", func(context.Context, *mcplayer.RequestInfo) (*mcplayer.Principal, error) { return nil, nil }, "", false},
		{"principal", func(_ context.Context, r *mcplayer.RequestInfo) (*mcplayer.Principal, error) {
			return mcplayer.NewPrincipal("via-"+string(r.Transport), "x"), nil
		}, "via-", false},
		{"error", func(context.Context, *mcplayer.RequestInfo) (*mcplayer.Principal, error) {
			return nil, errors.New("directory down at 10.0.0.7")
		}, "", true},
		{"principal and error", func(context.Context, *mcplayer.RequestInfo) (*mcplayer.Principal, error) {
			return mcplayer.Local(), errors.New("directory down at 10.0.0.7")
		}, "", true},
		{"panic", func(context.Context, *mcplayer.RequestInfo) (*mcplayer.Principal, error) { panic("nil map") }, "", true},
	} {
		for _, w := range reachable {
			t.Run(tc.name+"/"+w.name, func(t *testing.T) {
				p := w.dial(t, func() *site { return whoSite(tc.resolver) }, nil)
				if !tc.refused {
					want := tc.want
					switch {
					case w.http && want != "":
						want += "http"
					case w.http:
						want = "anonymous"
					case want != "":
						want += "in-memory"
					default:
						want = "local"
					}
					if got := p.ask(t); !strings.HasPrefix(got, `{"id":"`+want+`",`) {
						t.Errorf("got %s, want %s", got, want)
					}
					return
				}
				if _, err := p.CallTool(t.Context(), &mcp.CallToolParams{Name: "who"}); err != nil {
					t.Fatal(err)
				}
				want := refused + "}"
				if w.modern() {
					want = refused + `,"resultType":"complete"}`
				}
				if got := p.record.String(); got != want {
					t.Errorf("call: got  %s\nwant %s", got, want)
				}
				if _, err := p.ListTools(t.Context(), nil); err == nil {
					t.Error("list: no error")
				}
				if got, want := p.record.String(), `error {"code":-31001,"message":"Identity could not be established"}`; got != want {
					t.Errorf("list: got  %s\nwant %s", got, want)
				}
			})
		}
	}
}

func TestResolverSeesTheRequest(t *testing.T) {
	var seen *mcplayer.RequestInfo
	s := whoSite(func(_ context.Context, r *mcplayer.RequestInfo) (*mcplayer.Principal, error) {
		seen = r
		return nil, nil
	})
	h := requireToken(fromHeader(s.layer.HTTPHandler(stateless(s), nil)))
	header := bearer("ada")
	header["User"] = []string{"eve"}
	header["X-Two"] = []string{"a", "b"}
	p := dialURL(t, serveHTTP(t, h), modern, header, nil)
	p.ask(t)
	if seen.Transport != mcplayer.TransportHTTP || seen.Token.UserID != "ada" || seen.Principal.ID() != "eve" {
		t.Errorf("transport %q, token %+v, principal %v", seen.Transport, seen.Token, seen.Principal)
	}
	for name, want := range map[string]string{"authorization": "Bearer ada", "user": "eve", "x-two": "a b"} {
		if got := strings.Join(seen.Headers[name], " "); got != want {
			t.Errorf("header %s is %q, want %q", name, got, want)
		}
	}
	if values := seen.Headers["mcplayer-binding"]; values != nil {
		t.Errorf("the resolver sees the binding %q", values)
	}
	if got := seen.ClientInfo(); got == nil || got.Name != "client" {
		t.Errorf("client info %v", got)
	}
	if _, ok := seen.Request.(*mcp.CallToolRequest); !ok {
		t.Errorf("request is %T", seen.Request)
	}
}

// What comes out of an HTTP server is not local, whatever its base context says.
func TestTagOfTheBaseContextMakesNobodyLocal(t *testing.T) {
	for _, tc := range []struct {
		name    string
		version string
		handler handlerOf
		wrapped bool
		want    string
	}{
		{"SSE", legacy, oldSSE, false, `{"id":"anonymous","roles":"default","transport":"sse",`},
		{"SSE wrapped", legacy, oldSSE, true, `{"id":"anonymous","roles":"default","transport":"sse",`},
		{"stateful", legacy, stateful, false, `{"id":"anonymous","roles":"default","transport":"http",`},
		{"stateful wrapped", legacy, stateful, true, `{"id":"anonymous","roles":"default","transport":"http",`},
		{"stateless", modern, stateless, false, `{"id":"anonymous","roles":"default","transport":"http",`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newWhoSite()
			h := tc.handler(s)
			if tc.wrapped {
				h = s.layer.HTTPHandler(h, nil)
			}
			server := httptest.NewUnstartedServer(h)
			server.Config.BaseContext = func(net.Listener) context.Context {
				return mcplayer.WithTransport(context.Background(), mcplayer.TransportStdio)
			}
			server.Start()
			t.Cleanup(func() {
				server.CloseClientConnections()
				server.Close()
			})
			p := dialKind(t, server.URL, tc.version, nil, strings.HasPrefix(tc.name, "SSE"))
			if got := p.ask(t); !strings.HasPrefix(got, tc.want) {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

// A client that sends the layer's own header is who it is.
func TestClientSendsABinding(t *testing.T) {
	for _, wrapped := range []bool{false, true} {
		for _, values := range [][]string{{"guess"}, {""}, {"guess", "7"}, {"guess", `"id"`, "x"}} {
			s := newWhoSite()
			h := stateless(s)
			request := "unknown"
			if wrapped {
				h = s.layer.HTTPHandler(h, nil)
				request = "number"
			}
			p := dialURL(t, serveHTTP(t, h), modern, http.Header{"Mcplayer-Binding": values}, nil)
			want := `{"id":"anonymous","roles":"default","transport":"http","request":"` + request + `","session":false}`
			if got := p.ask(t); got != want {
				t.Errorf("wrapped %v, %q: got %s", wrapped, values, got)
			}
		}
	}
}

// A middleware that the server's owner puts around the layer sees the layer's
// header, and may write it into a log. Whoever reads the key there and sends it
// over HTTP must not become the connection's caller.
func TestLeakedKeyOfAConnectionIsWorthless(t *testing.T) {
	s := newWhoSite()
	keys := make(chan []string, 1)
	s.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if extra := req.GetExtra(); method == "tools/call" && extra != nil && extra.TokenInfo == nil {
				select {
				case keys <- extra.Header["Mcplayer-Binding"]:
				default:
				}
			}
			return next(ctx, method, req)
		}
	})
	local := dial(t, s.layer, s.server, modern, nil, nil)
	if got := local.ask(t); !strings.HasPrefix(got, `{"id":"local",`) {
		t.Fatal(got)
	}
	key := <-keys
	if len(key) != 2 {
		t.Fatalf("the middleware saw %q; this test needs the key", key)
	}
	for _, wrapped := range []bool{false, true} {
		h := stateless(s)
		if wrapped {
			h = s.layer.HTTPHandler(h, nil)
		}
		p := dialURL(t, serveHTTP(t, h), modern, http.Header{"Mcplayer-Binding": key}, nil)
		if got := p.ask(t); !strings.HasPrefix(got, `{"id":"anonymous","roles":"default","transport":"http",`) {
			t.Errorf("wrapped %v: a stolen key gives %s", wrapped, got)
		}
	}
}

// Host handlers of every kind get the request without the layer's header.
func TestHostHandlersNeverSeeTheKey(t *testing.T) {
	for _, w := range reachable {
		t.Run(w.name, func(t *testing.T) {
			seen := map[string]*mcp.RequestExtra{}
			s := hostOfAllKinds(func(kind string, extra *mcp.RequestExtra) { seen[kind] = extra })
			p := w.dial(t, func() *site { return s }, nil)
			ctx := t.Context()
			must(p.CallTool(ctx, &mcp.CallToolParams{Name: "host"}))
			must(p.ReadResource(ctx, &mcp.ReadResourceParams{URI: "host:x"}))
			must(p.GetPrompt(ctx, &mcp.GetPromptParams{Name: "host"}))
			must(p.Complete(ctx, &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "host"}, Argument: mcp.CompleteParamsArgument{Name: "a"}}))
			want := 4
			if !w.modern() {
				want = 6
				if err := p.Subscribe(ctx, &mcp.SubscribeParams{URI: "host:x"}); err != nil {
					t.Error(err)
				}
				if err := p.Unsubscribe(ctx, &mcp.UnsubscribeParams{URI: "host:x"}); err != nil {
					t.Error(err)
				}
			}
			for kind, extra := range seen {
				if extra == nil {
					continue
				}
				for name := range extra.Header {
					if strings.EqualFold(name, "Mcplayer-Binding") {
						t.Errorf("the host's %s handler sees the layer's header", kind)
					}
				}
				if w.http && extra.Header.Get("Content-Type") == "" {
					t.Errorf("the host's %s handler misses the other headers", kind)
				}
			}
			if len(seen) != want {
				t.Errorf("%d handlers ran", len(seen))
			}
		})
	}
}

// hostOfAllKinds is an empty layer around a server with one of each kind.
func hostOfAllKinds(see func(kind string, extra *mcp.RequestExtra)) *site {
	server := mcp.NewServer(&mcp.Implementation{Name: "site", Version: "1"}, &mcp.ServerOptions{
		CompletionHandler: func(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			see("completion", req.Extra)
			return &mcp.CompleteResult{}, nil
		},
		SubscribeHandler: func(_ context.Context, req *mcp.SubscribeRequest) error {
			see("subscribe", req.Extra)
			return nil
		},
		UnsubscribeHandler: func(_ context.Context, req *mcp.UnsubscribeRequest) error {
			see("unsubscribe", req.Extra)
			return nil
		},
	})
	server.AddTool(&mcp.Tool{Name: "host", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			see("tool", req.Extra)
			return &mcp.CallToolResult{}, nil
		})
	server.AddResource(&mcp.Resource{URI: "host:x", Name: "x"},
		func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			see("resource", req.Extra)
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "host:x", Text: "x"}}}, nil
		})
	server.AddPrompt(&mcp.Prompt{Name: "host"},
		func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			see("prompt", req.Extra)
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{}}, nil
		})
	layer := must(mcplayer.New(&mcplayer.Options{Policy: policy.Open()}))
	if err := layer.Mount(server, nil); err != nil {
		panic(err)
	}
	return &site{layer, server}
}

// Roles come from what was validated, never from what a client says of itself.
func TestClientInfoGivesNoRoles(t *testing.T) {
	for _, tc := range []struct {
		version string
		handler handlerOf
	}{{legacy, stateful}, {modern, stateless}, {legacy, stateless}} {
		s := newWhoSite()
		url := serveHTTP(t, s.layer.HTTPHandler(tc.handler(s), nil))
		client := mcp.NewClient(&mcp.Implementation{Name: "local", Title: "admin", Version: "local"}, nil)
		rec := &record{}
		transport := &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: &recordingTripper{record: rec}}}
		session := must(client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: tc.version}))
		t.Cleanup(func() { _ = session.Close() })
		if got := (&peer{ClientSession: session, record: rec}).ask(t); !strings.HasPrefix(got, `{"id":"anonymous","roles":"default",`) {
			t.Error(got)
		}
	}
}

func TestRequestIDs(t *testing.T) {
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "id"}, func(_ context.Context, tc *mcplayer.ToolContext, _ struct{}) (map[string]any, error) {
		return map[string]any{"id": fmt.Sprintf("%T %v", tc.RequestID(), tc.RequestID())}, nil
	})
	newSite := func() *site {
		layer := must(mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open()}))
		server := mcp.NewServer(&mcp.Implementation{Name: "site", Version: "1"}, nil)
		if err := layer.Mount(server, nil); err != nil {
			t.Fatal(err)
		}
		return &site{layer, server}
	}
	ids := []struct{ name, id, want string }{
		{"number", `7`, "int64 7"},
		{"zero", `0`, "int64 0"},
		{"negative", `-3`, "int64 -3"},
		{"string", `"a-7"`, "string a-7"},
		{"empty string", `""`, "string "},
		{"string of digits", `"7"`, "string 7"},
		{"escaped string", `"<\u00e9\n>"`, "string <é\n>"},
		{"fraction, which the SDK cuts", `1.5`, "int64 1"},
	}
	transports := []struct {
		name    string
		wrapped bool
		call    func(t *testing.T, s *site, body string) json.RawMessage
	}{
		{"in-memory", true, callRawMemory},
		{"stdio", true, callRawIO},
		{"http stateless", true, func(t *testing.T, s *site, body string) json.RawMessage {
			return postRaw(t, s.layer.HTTPHandler(stateless(s), nil), body)
		}},
		{"http without the wrapper", false, func(t *testing.T, s *site, body string) json.RawMessage {
			return postRaw(t, stateless(s), body)
		}},
	}
	for _, transport := range transports {
		for _, tc := range ids {
			t.Run(transport.name+"/"+tc.name, func(t *testing.T) {
				body := `{"jsonrpc":"2.0","id":` + tc.id + `,"method":"tools/call","params":{"name":"id","_meta":{` +
					`"io.modelcontextprotocol/protocolVersion":"` + modern + `","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
				result := transport.call(t, newSite(), body)
				var members struct {
					StructuredContent struct{ ID string }
				}
				if err := json.Unmarshal(result, &members); err != nil {
					t.Fatal(err)
				}
				want := tc.want
				if !transport.wrapped {
					want = "<nil> <nil>"
				}
				if got := members.StructuredContent.ID; got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			})
		}
	}
}

// callRawMemory sends a request as it is over the in-memory transport.
func callRawMemory(t *testing.T, s *site, body string) json.RawMessage {
	t.Helper()
	inner, outer := mcp.NewInMemoryTransports()
	session := must(s.server.Connect(t.Context(), s.layer.WrapTransport(inner), nil))
	conn := must(outer.Connect(t.Context()))
	defer func() {
		_ = conn.Close()
		_ = session.Close()
	}()
	if err := conn.Write(t.Context(), must(jsonrpc.DecodeMessage([]byte(body)))); err != nil {
		t.Fatal(err)
	}
	return must(conn.Read(t.Context())).(*jsonrpc.Response).Result
}

// callRawIO sends a line to a server that runs on pipes, as on stdio.
func callRawIO(t *testing.T, s *site, body string) json.RawMessage {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	session := must(s.server.Connect(t.Context(), s.layer.WrapTransport(&mcp.IOTransport{Reader: fromClient, Writer: toClient}), nil))
	defer func() {
		_ = toServer.Close()
		_ = session.Close()
	}()
	must(io.WriteString(toServer, body+"\n"))
	line := must(bufio.NewReader(fromServer).ReadBytes('\n'))
	var answer message
	if err := json.Unmarshal(line, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Result
}

// postRaw posts a request as it is.
func postRaw(t *testing.T, h http.Handler, body string) json.RawMessage {
	t.Helper()
	_, answer := post(t, serveHTTP(t, h), body)
	return answer.Result
}

// post returns the status and the last message of the answer to a request that
// the SDK's own client would not send.
func post(t *testing.T, url, body string) (*http.Response, message) {
	t.Helper()
	req := must(http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body)))
	req.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {modern},
	}
	var head struct {
		Method string
		Params struct{ Name string }
	}
	_ = json.Unmarshal([]byte(body), &head)
	req.Header["Mcp-Method"] = []string{head.Method}
	if head.Params.Name != "" {
		req.Header["Mcp-Name"] = []string{head.Params.Name}
	}
	rec := &record{}
	res := must((&recordingTripper{record: rec}).RoundTrip(req))
	defer res.Body.Close()
	must(io.ReadAll(res.Body))
	return res, rec.last()
}

// A request can outlive the HTTP handler that knew who made it. It is then nobody's,
// not an anonymous caller's.
func TestRequestThatOutlivesItsBindingIsRefused(t *testing.T) {
	ran := false
	l := newLab(t, mcplayer.Options{}, tool("who", func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
		ran = true
		return "x", nil
	}))
	server := mounted(t, l, nil)
	arrived, goOn, answered := make(chan struct{}), make(chan struct{}), make(chan mcp.Result, 1)
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method != "tools/call" {
				return next(ctx, method, req)
			}
			close(arrived)
			<-goOn
			res, err := next(ctx, method, req)
			answered <- res
			return res, err
		}
	})
	handler := l.HTTPHandler(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil), nil)
	left := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r.WithContext(mcplayer.WithPrincipal(r.Context(), mcplayer.NewPrincipal("alice"))))
		if r.Header.Get("Last") != "" {
			close(left)
		}
	}))
	defer web.Close()
	post := func(ctx context.Context, session, body string, last bool) (*http.Response, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, web.URL, strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
			req.Header.Set("Mcp-Protocol-Version", legacy)
		}
		if last {
			req.Header.Set("Last", "1")
		}
		return http.DefaultClient.Do(req)
	}
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + legacy +
		`","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`
	res, err := post(t.Context(), "", hello, false)
	if err != nil {
		t.Fatal(err)
	}
	session := res.Header.Get("Mcp-Session-Id")
	_ = res.Body.Close()
	if res, err = post(t.Context(), session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, false); err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		if res, err := post(ctx, session, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"who","arguments":{}}}`, true); err == nil {
			_ = res.Body.Close()
		}
	}()
	<-arrived
	cancel()
	<-left
	close(goOn)
	wire, _ := (<-answered).(*mcp.CallToolResult)
	if ran || wire == nil || !wire.IsError || wire.Meta["cloudg/error_code"] != int64(mcplayer.CodeAccessDenied) {
		t.Errorf("ran: %v, answer: %v", ran, wire)
	}
}
