package mcplayer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	legacy = "2025-11-25"
	modern = "2026-07-28"
)

var silent = slog.New(slog.DiscardHandler)

// site is a server with a layer mounted on it.
type site struct {
	layer  *mcplayer.Layer
	server *mcp.Server
}

// childSites are the sites that this test binary serves over stdio when it is
// started again with childVariable set to their name.
var childSites = map[string]func() *site{
	"contract": func() *site { return newContractSite().site },
	"who":      newWhoSite,
}

const childVariable = "MCPLAYER_TEST_SERVE"

func TestMain(m *testing.M) {
	if build := childSites[os.Getenv(childVariable)]; build != nil {
		s := build()
		if err := s.layer.Run(context.Background(), s.server, &mcp.StdioTransport{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// way is a way from the SDK's client to a site.
type way struct {
	name    string
	version string
	http    bool
	askable bool // the server can ask this client
	dial    func(t testing.TB, build func() *site, opts *mcp.ClientOptions) *peer
}

func (w way) modern() bool { return w.version == modern }

// reachable are the ways that work for a site of the test's own process.
var reachable = []way{
	{"in-memory modern", modern, false, true, dialMemory(modern)},
	{"in-memory legacy", legacy, false, true, dialMemory(legacy)},
	{"http stateless modern", modern, true, true, dialHTTP(modern, &mcp.StreamableHTTPOptions{Stateless: true})},
	{"http stateless JSON modern", modern, true, true, dialHTTP(modern, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})},
	{"http stateless legacy", legacy, true, false, dialHTTP(legacy, &mcp.StreamableHTTPOptions{Stateless: true})},
	{"http stateful legacy", legacy, true, true, dialHTTP(legacy, nil)},
}

// everyWay adds stdio, with the named site in a child process.
func everyWay(name string) []way {
	return append([]way{
		{"stdio modern", modern, false, true, dialChild(name, modern)},
		{"stdio legacy", legacy, false, true, dialChild(name, legacy)},
	}, reachable...)
}

// eventually waits until ok is true.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Second)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within 5 s", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func layerOf(t testing.TB, p mcplayer.Policy, logger *slog.Logger, names ...string) (*mcplayer.Layer, *mcplayer.Registry) {
	t.Helper()
	reg := mcplayer.NewRegistry()
	for _, name := range names {
		addNamed(reg, name)
	}
	layer, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: p, Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	return layer, reg
}

// addNamed registers a tool that tells its name.
func addNamed(reg *mcplayer.Registry, name string) {
	mcplayer.AddTool(reg, mcplayer.Tool{Name: name}, func(context.Context, *mcplayer.ToolContext, noArgs) (string, error) {
		return "the layer's " + name, nil
	})
}

// serverOf returns a server whose tools tell their names.
func serverOf(opts *mcp.ServerOptions, names ...string) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "site", Version: "1"}, opts)
	for _, name := range names {
		addHostNamed(server, name)
	}
	return server
}

func addHostNamed(server *mcp.Server, name string) {
	server.AddTool(objectTool(name), wireGiving(wireText("the host's "+name), nil))
}

// say calls a tool and returns its first text, or the error.
func (p *peer) say(t testing.TB, name string) string {
	t.Helper()
	res, err := p.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
	if err != nil {
		return err.Error()
	}
	if len(res.Content) == 0 {
		return ""
	}
	return res.Content[0].(*mcp.TextContent).Text
}

func (p *peer) names(t testing.TB) string {
	t.Helper()
	var names []string
	for tool, err := range p.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	return strings.Join(names, " ")
}

// rules is a policy: what holds for a primitive, by name. Everything else is
// visible and allowed.
type rules map[string]*mcplayer.Access

func (rules) Admit(*mcplayer.Spec) error { return nil }

func (r rules) Bind(spec *mcplayer.Spec, p *mcplayer.Principal) *mcplayer.Access {
	if access, ok := r[spec.Name]; ok {
		return access
	}
	return policy.Open().Bind(spec, p)
}

func (rules) NotFound(context.Context, mcplayer.CallInfo) {}

func allow(context.Context, mcplayer.CallInfo) (mcplayer.Ticket, error) { return nil, nil }

func answer(err error) func(context.Context, mcplayer.CallInfo) (mcplayer.Ticket, error) {
	return func(context.Context, mcplayer.CallInfo) (mcplayer.Ticket, error) { return nil, err }
}

func denying(name string) *mcplayer.Access {
	return &mcplayer.Access{Visible: true, Check: answer(mcplayer.AccessDenied(
		"Access to tool '"+name+"' denied: closed", map[string]any{"policy": "p", "reason": "closed"}))}
}

type noArgs = struct{}

type textIn struct {
	Text string `json:"text,omitzero"`
}

func objectTool(name string) *mcp.Tool {
	return &mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}
}

func wireText(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func wireGiving(res *mcp.CallToolResult, err error) mcp.ToolHandler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if res != nil {
			copied := *res
			return &copied, err
		}
		return nil, err
	}
}
