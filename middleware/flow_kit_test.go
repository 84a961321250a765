package middleware_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type (
	raw     = jsontext.Value
	toolCtx = mcplayer.ToolContext
	handler = func(context.Context, *toolCtx, raw) (any, error)
)

var (
	alice = mcplayer.NewPrincipal("alice", "dev")
	bob   = mcplayer.NewPrincipal("bob", "dev")
	carol = mcplayer.NewPrincipal("carol", "dev")
)

// flowLayer builds a layer around the middleware, outermost first.
func flowLayer(t testing.TB, pol mcplayer.Policy, mws []mcplayer.Middleware, add ...func(*mcplayer.Registry)) *mcplayer.Layer {
	t.Helper()
	reg := mcplayer.NewRegistry()
	for _, f := range add {
		f(reg)
	}
	l, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: pol, Middleware: mws, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// around lists middleware.
func around(mws ...mcplayer.Middleware) []mcplayer.Middleware { return mws }

// reading registers a tool that is read-only and idempotent.
func reading(name string, h handler) func(*mcplayer.Registry) {
	return annotated(name, mcplayer.Annotations{ReadOnly: new(true), Idempotent: new(true)}, 0, h)
}

// readingWithin is reading with a timeout.
func readingWithin(name string, timeout time.Duration, h handler) func(*mcplayer.Registry) {
	return annotated(name, mcplayer.Annotations{ReadOnly: new(true), Idempotent: new(true)}, timeout, h)
}

// writing registers a tool that says nothing of itself.
func writing(name string, h handler) func(*mcplayer.Registry) {
	return annotated(name, mcplayer.Annotations{}, 0, h)
}

func annotated(name string, a mcplayer.Annotations, timeout time.Duration, h handler) func(*mcplayer.Registry) {
	return func(r *mcplayer.Registry) {
		mcplayer.AddTool(r, mcplayer.Tool{Name: name, Annotations: a, Timeout: timeout}, h)
	}
}

// counting is a handler that tells how often it has run.
type counting struct{ runs atomic.Int64 }

func (c *counting) handle(context.Context, *toolCtx, raw) (any, error) {
	return result.Text(fmt.Sprint("n=", c.runs.Add(1))), nil
}

// saying is a handler that gives the text.
func saying(text string) handler {
	return func(context.Context, *toolCtx, raw) (any, error) { return result.Text(text), nil }
}

// ask calls a tool as the principal and returns its first text, or its error.
func ask(t testing.TB, l *mcplayer.Layer, p *mcplayer.Principal, name, args string) string {
	t.Helper()
	return askIn(t.Context(), l, p, name, args)
}

func askIn(ctx context.Context, l *mcplayer.Layer, p *mcplayer.Principal, name, args string) string {
	var doc raw
	if args != "" {
		doc = raw(args)
	}
	res, err := l.CallTool(ctx, name, doc, mcplayer.As(p))
	if err != nil {
		return err.Error()
	}
	return firstText(res)
}

func firstText(res *result.ToolResult) string {
	if len(res.Content) == 0 {
		return ""
	}
	return res.Content[0].(*mcp.TextContent).Text
}

// wired calls a tool and returns the bytes that the SDK sends, with the duration set
// to 0.
func wired(t testing.TB, l *mcplayer.Layer, p *mcplayer.Principal, name, args string) string {
	t.Helper()
	res, err := l.CallTool(t.Context(), name, raw(args), mcplayer.As(p))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := json.Marshal(res.ToWire())
	if err != nil {
		t.Fatal(err)
	}
	return durations.ReplaceAllString(string(doc), `"cloudg/duration_ms":0`)
}

var durations = regexp.MustCompile(`"cloudg/duration_ms":\d+`)

func equal(t testing.TB, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("\n got %v\nwant %v", got, want)
	}
}

// events is a list in the order in which things happened.
type events struct {
	mu   sync.Mutex
	list []string
}

func (e *events) add(event string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, event)
}

func (e *events) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(e.list, " ")
}

// ledgerPolicy allows what its check allows and records what it was asked.
type ledgerPolicy struct {
	version atomic.Uint64
	check   func(info mcplayer.CallInfo) error
	asked   events
}

func (p *ledgerPolicy) Admit(*mcplayer.Spec) error { return nil }

func (p *ledgerPolicy) Bind(*mcplayer.Spec, *mcplayer.Principal) *mcplayer.Access {
	return &mcplayer.Access{Visible: true, Check: p.decide, Version: p.version.Load()}
}

func (p *ledgerPolicy) decide(_ context.Context, info mcplayer.CallInfo) (mcplayer.Ticket, error) {
	p.asked.add(info.Principal.ID())
	if p.check != nil {
		return nil, p.check(info)
	}
	return nil, nil
}

func (p *ledgerPolicy) NotFound(context.Context, mcplayer.CallInfo) {}
