package middleware_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cloudg/mcplayer/internal/testkit"
	"github.com/cloudg/mcplayer/middleware"
)

func readFile(t *testing.T, path string) string {
	t.Helper()
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func modeOf(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestAuditFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	path := filepath.Join(dir, "audit.jsonl")
	for range 2 { // the second appends
		audit := newAudit(t, middleware.AuditOptions{Path: path})
		handle(audit, toolInfo(`{}`))
		closeAudit(t, audit)
	}
	lines := testkit.Lines(readFile(t, path))
	if len(lines) != 2 || decode(t, lines[0])["outcome"] != "ok" || decode(t, lines[1])["outcome"] != "ok" {
		t.Errorf("got %q", lines)
	}
	if file, folder := modeOf(t, path), modeOf(t, dir); file != 0o600 || folder != 0o700 {
		t.Errorf("modes %o and %o", file, folder)
	}
}

func TestAuditFileRefused(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	writeFile(t, at("target"), "")
	for _, err := range []error{os.Symlink(at("target"), at("link")), os.Symlink(at("none"), at("dangling")), os.Mkdir(at("dir"), 0o700)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"link", "dangling", "dir", "target/x"} {
		t.Run(name, func(t *testing.T) {
			if _, err := middleware.NewAudit(&middleware.AuditOptions{Path: at(name)}); err == nil || !strings.HasPrefix(err.Error(), "audit: ") {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := os.Stat(at("none")); err == nil {
		t.Error("a file was made through a link")
	}
	if err := os.Symlink(dir, at("folder")); err != nil {
		t.Fatal(err)
	}
	audit := newAudit(t, middleware.AuditOptions{Path: at("folder/x")}) // a link before the last element
	closeAudit(t, audit)
}

// What stands at the end of the file without a newline does not run into a line.
func TestAuditEndsATornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	writeFile(t, path, "{\"event\":\"mcp.c")
	audit := newAudit(t, middleware.AuditOptions{Path: path})
	handle(audit, toolInfo(`{}`))
	closeAudit(t, audit)
	lines := testkit.Lines(readFile(t, path))
	if len(lines) != 2 || lines[0] != `{"event":"mcp.c` || decode(t, lines[1])["event"] != "mcp.call" {
		t.Errorf("got %q", lines)
	}
}

// Rotation from outside, while calls are made, loses and tears nothing.
func TestAuditReopen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "audit.jsonl")
	audit := newAudit(t, middleware.AuditOptions{Path: path, ChainKey: []byte("0123456789abcdef")})
	const callers, calls, rotations = 4, 100, 5
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for range calls {
				handle(audit, toolInfo(`{"a":1}`))
			}
		})
	}
	var names []string
	for i := range rotations {
		name := filepath.Join(dir, fmt.Sprint(i))
		names = append(names, name)
		if err := os.Rename(path, name); err != nil {
			t.Fatal(err)
		}
		if err := audit.Reopen(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	wg.Wait()
	head := func() string { closeAudit(t, audit); return audit.Head() }()
	var all strings.Builder
	for _, name := range append(names, path) {
		all.WriteString(readFile(t, name))
	}
	chain, err := middleware.VerifyAudit(strings.NewReader(all.String()), []byte("0123456789abcdef"), head)
	if err != nil || chain.Lines != callers*calls+rotations+1 || chain.Head != head {
		t.Errorf("got %+v, %v", chain, err)
	}
	if got := audit.Stats(); got.Written != callers*calls || got.Lost != 0 {
		t.Errorf("got %+v", got)
	}
}

// Reopen without a rename goes on in the file; a file that cannot be opened leaves the
// old one in use.
func TestAuditReopenOfTheSameFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "audit.jsonl")
	audit := newAudit(t, middleware.AuditOptions{Path: path, ChainKey: []byte("0123456789abcdef")})
	handle(audit, toolInfo(`{}`))
	if err := audit.Reopen(t.Context()); err != nil {
		t.Fatal(err)
	}
	handle(audit, toolInfo(`{}`))
	old := filepath.Join(dir, "old")
	if err := os.Rename(path, old); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(old, path); err != nil {
		t.Fatal(err)
	}
	if err := audit.Reopen(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "audit: reopen: ") {
		t.Errorf("got %v", err)
	}
	handle(audit, toolInfo(`{}`))
	closeAudit(t, audit)
	chain, err := middleware.VerifyAudit(strings.NewReader(readFile(t, old)), []byte("0123456789abcdef"), audit.Head())
	if err != nil || chain.Lines != 4 {
		t.Errorf("got %+v, %v", chain, err)
	}
	var sink safeBuffer
	audit = newAudit(t, middleware.AuditOptions{Writer: &sink})
	if err := audit.Reopen(t.Context()); err == nil || err.Error() != "audit: reopen: there is no file" {
		t.Errorf("got %v", err)
	}
}
