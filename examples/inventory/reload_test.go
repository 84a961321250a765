package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cloudg/mcplayer/policy"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestHangupReloads replaces the policy of a server that runs.
func TestHangupReloads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.yaml")
	write(t, path, "deny_tools: [collect]")
	cmd, _ := command(t, "-policy", path)
	changed := make(chan struct{}, 8)
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
	})
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if got, want := tools(t, session), "count_assets find_assets get_asset load_dataset"; got != want {
		t.Errorf("before: %s, want %s", got, want)
	}
	write(t, path, "deny_tools: ['*_asset*']")
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	select {
	case <-changed:
	case <-time.After(20 * time.Second):
		t.Fatal("the client was not told of another list")
	}
	if got, want := tools(t, session), "collect load_dataset"; got != want {
		t.Errorf("after: %s, want %s", got, want)
	}
}

func TestReload(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.yaml")
	write(t, path, "deny_tools: [collect]")
	p, err := policy.Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	old := p.Version()
	for _, tt := range []struct {
		name, doc, want string
		replaced        bool
	}{
		{"a bad document changes nothing", "deny_tolls: [collect]", `msg="the policy stays as it was"`, false},
		{"a good one is put in force", "deny_tools: [whoami]", `msg="the policy was read again" fingerprint=`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var log strings.Builder
			write(t, path, tt.doc)
			reload(p, path, slog.New(slog.NewTextHandler(&log, nil)))
			if got := p.Version() != old; got != tt.replaced || !strings.Contains(log.String(), tt.want) {
				t.Errorf("replaced %t, log %s", got, &log)
			}
		})
	}
}

func write(t *testing.T, path, doc string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(doc), 0o600); err != nil {
		t.Fatal(err)
	}
}

// tools returns the names of the tools that the client sees.
func tools(t *testing.T, session *mcp.ClientSession) string {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return strings.Join(names, " ")
}
