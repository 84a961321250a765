package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// command is a server to be started; its log is kept.
func command(ctx context.Context, path string, flags ...string) (*exec.Cmd, *journal) {
	log := &journal{}
	cmd := exec.CommandContext(ctx, path, flags...)
	cmd.Env = append(os.Environ(), "CLOUDG_MCP_VAULT_KEY="+vaultKey)
	cmd.Stderr = log
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	return cmd, log
}

// addStdio starts a server as a child of this process and speaks with it over its
// standard input and output. It ends when the session is closed.
func (t *troupe) addStdio(ctx context.Context, to *[]place, name, path string, flags ...string) error {
	cmd, log := command(ctx, path, flags...)
	s, err := connect(ctx, &mcp.CommandTransport{Command: cmd})
	if err != nil {
		return fmt.Errorf("start %s: %w\n%s", path, err, log)
	}
	t.closers = append(t.closers, s.Close)
	*to = append(*to, place{name, s, log})
	return nil
}

// addHTTP starts a server that picks a free port and tells it in its log. It is
// interrupted in the end, and must then end well.
func (t *troupe) addHTTP(ctx context.Context, name, path string, flags ...string) (url string, err error) {
	cmd, log := command(ctx, path, flags...)
	if err := cmd.Start(); err != nil {
		return "", err
	}
	t.closers = append(t.closers, func() error {
		err := cmd.Process.Signal(os.Interrupt)
		if err := errors.Join(err, cmd.Wait()); err != nil {
			return fmt.Errorf("stop the server of %s: %w\n%s", name, err, log)
		}
		return nil
	})
	started, ok := log.find(func(e entry) bool { return e.URL != "" })
	if !ok {
		return "", fmt.Errorf("the server of %s did not start\n%s", name, log)
	}
	s, err := connect(ctx, overHTTP(started.URL, t.tokens.analyst))
	if err != nil {
		return "", err
	}
	t.closers = append(t.closers, s.Close)
	t.inventory = append(t.inventory, place{name, s, log})
	return started.URL, nil
}
