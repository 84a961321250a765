package mcplayer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tests named TestCase retell problems that people have met with servers of
// this kind, as far as a call in-process shows them.

// me and list are tools without and with a parameter.
func meAndList(r *mcplayer.Registry) {
	mcplayer.AddTool(r, mcplayer.Tool{Name: "me"}, func(context.Context, *mcplayer.ToolContext, struct{}) (*result.ToolResult, error) {
		return result.Text("me"), nil
	})
	type query struct {
		Limit *int `json:"limit"`
	}
	mcplayer.AddTool(r, mcplayer.Tool{Name: "list"}, func(_ context.Context, _ *mcplayer.ToolContext, q query) (*result.ToolResult, error) {
		limit := 10
		if q.Limit != nil {
			limit = *q.Limit
		}
		return result.Text(fmt.Sprint("limit=", limit)), nil
	})
}

// Calls without arguments arrive as a missing field, as null or as {}.
func TestCaseAbsentArguments(t *testing.T) {
	var seen journal
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{
		func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
			seen.add(string(info.Arguments))
			return next(ctx, info)
		},
	}}, meAndList)
	for _, args := range []any{nil, jsontext.Value("null"), jsontext.Value("{}")} {
		same(t, textOf(t, l.call(t, "me", args)), "me")
		same(t, textOf(t, l.call(t, "list", args)), "limit=10")
	}
	same(t, seen.String(), "{} {} {} {} {} {}") // one key for a cache
}

// An unknown tool is a protocol error that names it.
func TestCaseUnknownTool(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("ping", result.Text("pong")))
	_, err := l.CallTool(t.Context(), "pong", jsontext.Value(`{}`))
	if mcplayer.CodeOf(err) != -32602 || !strings.Contains(err.Error(), "pong") {
		t.Errorf("got %v", err)
	}
	if len(l.pol.missing) != 1 {
		t.Errorf("recorded %v", l.pol.missing)
	}
}

// Empty results are lists on the wire, never null.
func TestCaseEmptyResults(t *testing.T) {
	type listing struct {
		List []string `json:"list"`
	}
	filterStage := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		res, err := next(ctx, info)
		if tool := res.(*result.ToolResult); info.Name == "d" {
			tool.Content = tool.Content[:0]
		}
		return res, err
	}
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{filterStage}},
		returning("a", &result.ToolResult{}), returning("b", nil), returning("c", listing{}), returning("d", result.Text("x")),
		returning("e", &mcp.CallToolResult{}), returning("f", (*result.ToolResult)(nil)))
	for _, name := range []string{"a", "b", "d", "e", "f"} {
		same(t, l.wire(t, name, nil), `{"_meta":{"cloudg/duration_ms":0},"content":[]}`)
	}
	same(t, l.wire(t, "c", nil), `{"_meta":{"cloudg/duration_ms":0},"content":[{"type":"text","text":"{\n  \"list\": []\n}"}],"structuredContent":{"list":[]}}`)
}

// A panic ends neither the process nor the session, and what it says
// stays in the log.
func TestCasePanic(t *testing.T) {
	l := newLab(t, mcplayer.Options{},
		func(r *mcplayer.Registry) { panicking("get", "/srv/app/secret.yaml: token=abc")(r) },
		returning("ping", result.Text("pong")))
	checkPanic(t, l, l.call(t, "get", nil), "/srv/app/secret.yaml: token=abc")
	same(t, textOf(t, l.call(t, "ping", nil)), "pong")
}

// A cancellation reaches the handler through all wrappers at once;
// the handler runs once.
func TestCaseCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var released error
		var after time.Duration
		calls := 0
		l := newLab(t, mcplayer.Options{Timeout: 30 * time.Second, Middleware: append([]mcplayer.Middleware{again}, eight...)},
			tool("wait", func(ctx context.Context, _ *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
				calls++
				start := time.Now()
				select {
				case <-ctx.Done():
				case <-time.After(10 * time.Second):
				}
				released, after = ctx.Err(), time.Since(start)
				return nil, ctx.Err()
			}))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		res, err := l.CallTool(ctx, "wait", jsontext.Value(`{}`))
		if res != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, %v", res, err)
		}
		synctest.Wait()
		if calls != 1 || released != context.Canceled || after != 100*time.Millisecond || l.Abandoned() != 0 {
			t.Errorf("%d calls, released by %v after %v, %d abandoned", calls, released, after, l.Abandoned())
		}
	})
}
