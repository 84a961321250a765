package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var update = flag.Bool("update", false, "write testdata anew")

// TestShow plays the whole show with real servers.
func TestShow(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), &out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	got, golden := out.String(), filepath.Join("testdata", "show.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if err := same(got, string(want)); err != nil {
		t.Errorf("%s %v; go test -update writes it anew", golden, err)
	}
	for act := range strings.SplitSeq(got, "\n== ") {
		if n := strings.Count(act, "\n"); n > 150 {
			t.Errorf("%.20s: %d lines: nobody reads that much", act, n)
		}
	}
}

// echo answers every call with a text.
type echo struct {
	caller
	text string
}

func (e echo) CallTool(context.Context, request) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: e.text}}}, nil
}

func TestPlacesThatDiffer(t *testing.T) {
	silent := func(ctx context.Context, s *stage) error {
		_, err := s.CallTool(ctx, request{tool: "echo"})
		return err
	}
	for _, tt := range []struct{ name, other, want string }{
		{"the same", "one", ""},
		{"another answer", "two", "A scene, there: answer 1: differs at byte 21"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			places := []place{{"here", echo{text: "one"}, nil}, {"there", echo{text: tt.other}, nil}}
			err := (&printer{w: &out}).play(t.Context(), scene{"A scene", "About it.", silent}, places)
			if tt.want == "" && (err != nil || out.String() != "\n1. A scene. About it.\n   = the same: there\n") {
				t.Errorf("%v: %s", err, &out)
			}
			if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

func TestServerThatDoesNotStart(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	var tr troupe
	if err := tr.start(ctx, t.TempDir()); err == nil {
		t.Error("no error without the servers' commands")
	}
	if err := tr.close(); err != nil {
		t.Error(err)
	}
}
