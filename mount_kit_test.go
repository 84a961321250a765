package mcplayer_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
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
