package middleware_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/middleware"
)

// A file with a chain is gone on with only by who can: nothing that would ruin it is
// written.
func TestAuditRefusesFilesOfOthers(t *testing.T) {
	key, other := []byte("0123456789abcdef"), []byte("fedcba9876543210")
	tests := []struct {
		name   string
		opts   middleware.AuditOptions
		spoil  func(lines string) string
		inUse  bool
		reason string
	}{
		{name: "the same key", opts: middleware.AuditOptions{ChainKey: key}},
		{name: "another key", opts: middleware.AuditOptions{ChainKey: other}, reason: "its first line was made with another ChainKey, or changed"},
		{name: "no key", opts: middleware.AuditOptions{}, reason: "its lines are a chain; ChainKey is missing"},
		{
			name: "a changed line", opts: middleware.AuditOptions{ChainKey: key}, reason: "its first line was made with another ChainKey, or changed",
			spoil: func(lines string) string { return strings.Replace(lines, `"ts":"2`, `"ts":"3`, 1) },
		},
		{name: "a second audit", opts: middleware.AuditOptions{ChainKey: key}, inUse: true, reason: "another audit writes it, and a chain has one writer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "audit.jsonl")
			first := newAudit(t, middleware.AuditOptions{Path: path, ChainKey: key})
			handle(first, toolInfo(`{}`))
			if !tt.inUse {
				closeAudit(t, first)
			}
			before := readFile(t, path)
			if tt.spoil != nil {
				before = tt.spoil(before)
				if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			tt.opts.Path = path
			again, err := middleware.NewAudit(&tt.opts)
			if tt.reason == "" {
				if err != nil {
					t.Fatal(err)
				}
				closeAudit(t, again)
				return
			}
			if err == nil || err.Error() != "audit: "+path+": "+tt.reason {
				t.Errorf("got %v", err)
			}
			if after := readFile(t, path); !tt.inUse && after != before {
				t.Errorf("the file became %s", after)
			}
		})
	}
}
