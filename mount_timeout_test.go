package mcplayer_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestHostToolThatHeedsItsTimeout has a host's handler end with the context's
// error in the moment its time is up: whoever comes first, it is a timeout.
func TestHostToolThatHeedsItsTimeout(t *testing.T) {
	server := serverOf(nil)
	mcp.AddTool(server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		<-ctx.Done()
		return nil, nil, fmt.Errorf("wait: %w", ctx.Err())
	})
	l, err := mcplayer.New(&mcplayer.Options{Policy: policy.Open(), Timeout: 20 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	session := dial(t, l, server, modern, nil, nil)
	for range 30 {
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "wait"})
		if err != nil {
			t.Fatal(err)
		}
		if code := res.Meta["cloudg/error_code"]; code != "timeout" {
			t.Fatalf("code %v: %+v", code, res.Content[0])
		}
	}
}
