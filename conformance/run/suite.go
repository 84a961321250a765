package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	suiteLog   = "suite.log"
	suiteLimit = 5 * time.Minute
	npmLimit   = 10 * time.Minute
)

// A suite is the conformance suite as npm installs it in dir.
type suite struct{ dir string }

// install brings node_modules to what package-lock.json says, unless it is
// there already. No script of a package runs.
func (s suite) install(ctx context.Context) error {
	lock, err := os.ReadFile(filepath.Join(s.dir, "package-lock.json"))
	if err != nil {
		return err
	}
	stamp := filepath.Join(s.dir, "node_modules", ".installed-lock.json")
	if have, err := os.ReadFile(stamp); err == nil && bytes.Equal(have, lock) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, npmLimit)
	defer cancel()
	npm := command(ctx, s.dir, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	if out, err := npm.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	return os.WriteFile(stamp, lock, 0o644)
}

// call runs the suite against url and returns what it printed and its exit
// code.
func (s suite) call(ctx context.Context, url, revision, logs string) (out string, code int, err error) {
	ctx, cancel := context.WithTimeout(ctx, suiteLimit)
	defer cancel()
	log, err := os.Create(filepath.Join(logs, suiteLog))
	if err != nil {
		return "", 0, err
	}
	defer log.Close()

	cmd := command(ctx, s.dir, s.node(),
		filepath.Join("node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js"),
		"server", "--url", url, "--requirements", revision, "--output-dir", filepath.Join(logs, "checks"))
	cmd.Stdout, cmd.Stderr = log, log
	runErr := cmd.Run()
	printed, err := os.ReadFile(log.Name())
	if err != nil {
		return "", 0, err
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", 0, fmt.Errorf("the suite was stopped: %w", ctx.Err())
	case runErr == nil:
		return string(printed), 0, nil
	case errors.As(runErr, &exit) && exit.Exited():
		return string(printed), exit.ExitCode(), nil
	default:
		return "", 0, fmt.Errorf("the suite: %w", runErr)
	}
}

// node returns the pinned Node, or the one on the path where none is pinned
// for the platform.
func (s suite) node() string {
	pinned := filepath.Join(s.dir, "node_modules", ".bin", "node")
	if _, err := os.Stat(pinned); err != nil {
		return "node"
	}
	return pinned
}

// command is an interruptible command in dir.
func command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	return filepath.Dir(strings.TrimSpace(string(out))), nil
}
