package middleware_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mounted serves a layer in memory; each call of the returned function connects one
// more client.
func mounted(t *testing.T, l *mcplayer.Layer, server *mcp.Server) func(version string, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	if err := l.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	return func(version string, opts *mcp.ClientOptions) *mcp.ClientSession {
		t.Helper()
		ctx, cancel := context.WithCancel(context.Background())
		inner, outer := mcp.NewInMemoryTransports()
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = l.Run(ctx, server, inner)
		}()
		t.Cleanup(func() { cancel(); <-done })
		client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, opts)
		session, err := client.Connect(t.Context(), outer, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = session.Close() })
		return session
	}
}

func newServer() *mcp.Server {
	return mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
}

// say calls a tool and returns its first text.
func say(t *testing.T, s *mcp.ClientSession, name, args string) string {
	t.Helper()
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(args)})
	if err != nil {
		return err.Error()
	}
	return res.Content[0].(*mcp.TextContent).Text
}

// Two local clients have one name, but not one cache.
func TestCacheSessionsOfTheNameless(t *testing.T) {
	cache := middleware.NewCache(nil)
	var c counting
	l := flowLayer(t, policy.Open(), around(cache.Handle), reading("get", c.handle))
	connect := mounted(t, l, newServer())
	a, b := connect("", nil), connect("", nil)
	equal(t, say(t, a, "get", "{}"), "n=1")
	equal(t, say(t, a, "get", "{}"), "n=1")
	equal(t, say(t, b, "get", "{}"), "n=2")
	equal(t, say(t, b, "get", "{}"), "n=2")
	equal(t, say(t, a, "get", "{}"), "n=1")
}

// What a client answered to a question answers nobody else, nor the same client again.
func TestCacheNeverStoresAnsweredCalls(t *testing.T) {
	tests := []struct {
		name, version string
		h             handler
	}{
		{"rounds of input, modern", "2026-07-28", askInRounds},
		{"rounds of input, legacy", "2025-11-25", askInRounds},
		{"a question of the handler's", "2025-11-25", func(ctx context.Context, tc *toolCtx, _ raw) (any, error) {
			answer, err := tc.Elicit(ctx, &mcp.ElicitParams{Message: "?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`)})
			if err != nil {
				return nil, err
			}
			return result.Text(fmt.Sprint(answer.Content["n"])), nil
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cache := sharing()
			l := flowLayer(t, policy.Open(), around(cache.Handle), reading("get", tt.h))
			n := 0
			session := mounted(t, l, newServer())(tt.version, &mcp.ClientOptions{
				ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					n++
					return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"n": n}}, nil
				},
			})
			equal(t, say(t, session, "get", "{}"), "1")
			equal(t, say(t, session, "get", "{}"), "2")
			equal(t, cache.Stats().Size, 0)
			equal(t, cache.Stats().Hits, 0)
		})
	}
}

func askInRounds(_ context.Context, tc *toolCtx, _ raw) (any, error) {
	if tc.InputResponses() == nil {
		return result.AskInput(mcp.InputRequestMap{"n": &mcp.ElicitParams{
			Message: "?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`),
		}}, ""), nil
	}
	return result.Text(fmt.Sprint(tc.InputResponses()["n"].(*mcp.ElicitResult).Content["n"])), nil
}

type hostArgs struct {
	N int `json:"n"`
}

// hosted is a tool of a server's owner that fails for 13.
func hosted(server *mcp.Server, c *counting, annotations *mcp.ToolAnnotations) {
	mcp.AddTool(server, &mcp.Tool{Name: "host", Annotations: annotations}, func(_ context.Context, _ *mcp.CallToolRequest, in hostArgs) (*mcp.CallToolResult, any, error) {
		if in.N == 13 {
			return nil, nil, errUpstream
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint("n=", c.runs.Add(1))}}}, nil, nil
	})
}

// A tool of the host's is answered from the cache too, when it says that it may be.
func TestCacheOfHostTools(t *testing.T) {
	for _, tt := range []struct {
		name string
		a    *mcp.ToolAnnotations
		want string
	}{
		{"read-only, closed world", &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(false)}, "n=1"},
		{"read-only", &mcp.ToolAnnotations{ReadOnlyHint: true}, "n=2"},
	} {
		for _, share := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.name, share), func(t *testing.T) {
				cache := middleware.NewCache(&middleware.CacheOptions{Share: share})
				server := newServer()
				var c counting
				hosted(server, &c, tt.a)
				session := mounted(t, flowLayer(t, policy.Open(), around(cache.Handle)), server)("", nil)
				equal(t, say(t, session, "host", `{"n":1}`), "n=1")
				equal(t, say(t, session, "host", `{"n":1}`), tt.want)
			})
		}
	}
}

// A caller who sends bad arguments to a tool of the host's, which the SDK refuses,
// does not close it off for others.
func TestBreakerBadInputToHostTools(t *testing.T) {
	b := newBreaker(t, &middleware.BreakerOptions{MinCalls: 2})
	server := newServer()
	var c counting
	hosted(server, &c, nil)
	session := mounted(t, flowLayer(t, policy.Open(), around(b.Handle)), server)("", nil)
	for range 4 {
		say(t, session, "host", `{"n":"x"}`)
	}
	equal(t, say(t, session, "host", `{"n":1}`), "n=1")
	equal(t, say(t, session, "host", `{"n":13}`), "upstream 503")
	equal(t, b.Stats().Open, 1)
}

// Nobody is asked whether arguments that the SDK refused are worth a repetition.
func TestRetryBadInputToHostTools(t *testing.T) {
	for _, tt := range []struct {
		name, args string
		want       []string
	}{
		{"bad arguments", `{"n":"x"}`, nil},
		{"failures", `{"n":13}`, []string{errUpstream.Error()}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var asked []string
			retry := newRetry(t, &middleware.RetryOptions{Retries: 1, Backoff: -1, RetryOn: func(err error) bool {
				asked = append(asked, err.Error())
				return false
			}})
			server := newServer()
			hosted(server, new(counting), &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(false)})
			session := mounted(t, flowLayer(t, policy.Open(), around(retry.Handle)), server)("", nil)
			say(t, session, "host", tt.args)
			equal(t, fmt.Sprint(asked), fmt.Sprint(tt.want))
		})
	}
}
