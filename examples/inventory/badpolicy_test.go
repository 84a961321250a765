package main

import (
	"bufio"
	"context"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestHangupKeepsAGoodPolicy gives a server that runs a document that is bad, and then one
// that is good: the first changes nothing, and the log tells all its mistakes.
func TestHangupKeepsAGoodPolicy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.yaml")
	write(t, path, "deny_tools: [collect]")
	cmd, _ := command(t, "-policy", path)
	log, end := io.Pipe()
	cmd.Stderr = end
	defer end.Close()
	failures := errorsOf(log)
	changed := make(chan struct{}, 8)
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
	})
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	before := tools(t, session)

	write(t, path, "deny_tolls: [load_dataset]\nmax_sensitivity: high")
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	line := <-failures
	for _, mistake := range []string{path + ":1: deny_tolls: unknown key", path + `:2: max_sensitivity: unknown value`} {
		if !strings.Contains(line, mistake) {
			t.Errorf("the log does not tell %q: %s", mistake, line)
		}
	}
	if got := tools(t, session); got != before || len(changed) > 0 {
		t.Errorf("after a bad document: %s, want %s; %d changes were told", got, before, len(changed))
	}

	write(t, path, "deny_tools: ['*_asset*']")
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	<-changed
	if got, want := tools(t, session), "collect load_dataset"; got != want {
		t.Errorf("after a good one: %s, want %s", got, want)
	}
}

// errorsOf returns the lines of a log that tell of errors, until its end.
func errorsOf(log io.Reader) <-chan string {
	lines := make(chan string, 8)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(log); s.Scan(); {
			if strings.Contains(s.Text(), `"level":"ERROR"`) {
				lines <- s.Text()
			}
		}
	}()
	return lines
}
