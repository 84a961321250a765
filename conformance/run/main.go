// The run command puts our servers before the official MCP conformance suite.
//
//	go run ./conformance/run [SERVER...]
//
// It prints one line for each server and revision of the protocol: the checks
// that passed, those that failed, and the failures the suite does not score
// because they belong to an optional extension. It fails when a check failed,
// when one that should have run did not, and when the suite could not run; then
// it prints the suite's own output, too. That output is kept under
// conformance/logs in any case.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
)

// A target is a server to test: a command of this module and its flags.
type target struct {
	name string
	pkg  string
	args []string
}

// targets lists the servers; a new one is one more line.
var targets = []target{
	{name: "sdk", pkg: "./conformance/sdkserver"},
	{name: "sdk+layer", pkg: "./conformance/sdkserver", args: []string{"-layer"}},
	{name: "layer", pkg: "./conformance/layerserver"},
}

// A revision is a version of the protocol, and how a server speaks it.
type revision struct {
	name   string
	args   []string
	checks int // that must pass, extensions not counted
}

var revisions = []revision{
	{name: "2025-11-25", args: []string{"-stateless=false"}, checks: 82},
	{name: "2026-07-28", args: []string{"-stateless=true"}, checks: 152},
}

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ok, err := run(ctx, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

func run(ctx context.Context, names []string) (ok bool, err error) {
	chosen, err := choose(names)
	if err != nil {
		return false, err
	}
	b, err := newBench(ctx)
	if err != nil {
		return false, err
	}
	ok = true
	for _, t := range chosen {
		for _, r := range revisions {
			ok = b.show(ctx, t, r) && ok
		}
	}
	return ok, ctx.Err()
}

// choose returns the named targets, or all without names.
func choose(names []string) ([]target, error) {
	if len(names) == 0 {
		return targets, nil
	}
	var chosen []target
	for _, name := range names {
		i := slices.IndexFunc(targets, func(t target) bool { return t.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no server is called %q", name)
		}
		chosen = append(chosen, targets[i])
	}
	return chosen, nil
}

// A bench is the place where servers are tested: the suite is installed, and
// there is room for logs.
type bench struct {
	root string // of the module
	suite
}

func newBench(ctx context.Context) (*bench, error) {
	root, err := moduleRoot(ctx)
	if err != nil {
		return nil, err
	}
	b := &bench{root: root, suite: suite{dir: filepath.Join(root, "conformance")}}
	if err := b.install(ctx); err != nil {
		return nil, fmt.Errorf("install the suite: %w", err)
	}
	return b, nil
}

// show tests one server with one revision and prints the line about it. It
// reports whether all is well.
func (b *bench) show(ctx context.Context, t target, r revision) bool {
	logs := filepath.Join(b.dir, "logs", t.name+"-"+r.name)
	v, err := b.test(ctx, t, r, logs)
	if err != nil {
		fmt.Printf("%s %s: did not run: %v\n", t.name, r.name, err)
		dump(logs)
		return false
	}
	fmt.Printf("%s %s: %s\n", t.name, r.name, v)
	if !v.ok() {
		dump(logs)
	}
	return v.ok()
}

// test runs the suite against a fresh server and leaves what both said in logs.
func (b *bench) test(ctx context.Context, t target, r revision, logs string) (verdict, error) {
	if err := fresh(logs); err != nil {
		return verdict{}, err
	}
	s, err := b.start(ctx, t, r, logs)
	if err != nil {
		return verdict{}, err
	}
	out, code, err := b.call(ctx, s.url, r.name, logs)
	if stopErr := s.stop(); err == nil {
		err = stopErr
	}
	if err != nil {
		return verdict{}, err
	}
	return judge(out, code, r.checks)
}

func fresh(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.MkdirAll(dir, 0o755)
}

// dump copies the logs to standard error.
func dump(logs string) {
	for _, name := range []string{serverLog, suiteLog} {
		f, err := os.Open(filepath.Join(logs, name))
		if err != nil {
			continue // it was not written yet
		}
		fmt.Fprintf(os.Stderr, "--- %s\n", name)
		io.Copy(os.Stderr, f)
		f.Close()
	}
}
