package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// In a bubble the clock begins at midnight UTC 2000-01-01, so that lines are exact.
func TestAuditLine(t *testing.T) {
	tests := []struct {
		name string
		info mcplayer.CallInfo
		res  result.Result
		err  error
		want string
	}{
		{
			"ok", toolInfo(`{"b":1,"a":"x"}`), result.Text("x"), nil,
			`{"argument_keys":["a","b"],"duration_ms":1500.25,"event":"mcp.call","kind":"tool","name":"echo","outcome":"ok","principal":{"id":"alice","roles":["admin","reader"]},"request_id":null,"sensitivity":"internal","ts":"2000-01-01T00:00:01.500+00:00"}`,
		},
		{
			"error result", toolInfo(`{}`), &result.ToolResult{IsError: true, Meta: result.Meta{"cloudg/error_code": "timeout"}}, nil,
			`{"argument_keys":[],"duration_ms":1500.25,"error":{"code":"timeout"},"event":"mcp.call","kind":"tool","name":"echo","outcome":"error","principal":{"id":"alice","roles":["admin","reader"]},"request_id":null,"sensitivity":"internal","ts":"2000-01-01T00:00:01.500+00:00"}`,
		},
		{
			"error result of a handler's own", toolInfo(`{}`), result.Error("x"), nil,
			`{"argument_keys":[],"duration_ms":1500.25,"error":{"code":null},"event":"mcp.call","kind":"tool","name":"echo","outcome":"error","principal":{"id":"alice","roles":["admin","reader"]},"request_id":null,"sensitivity":"internal","ts":"2000-01-01T00:00:01.500+00:00"}`,
		},
		{
			"raised error", toolInfo(`{}`), nil, mcplayer.AccessDenied("m", nil),
			`{"argument_keys":[],"duration_ms":1500.25,"error":{"code":-31001,"type":"AccessDeniedError"},"event":"mcp.call","kind":"tool","name":"echo","outcome":"denied","principal":{"id":"alice","roles":["admin","reader"]},"request_id":null,"sensitivity":"internal","ts":"2000-01-01T00:00:01.500+00:00"}`,
		},
		{
			"report", toolInfo(`{}`), &result.ToolResult{Meta: result.Meta{"cloudg/transforms": map[string]any{"z": 1, "a": map[string]int{"y": 2, "x": 3}}}}, nil,
			`{"argument_keys":[],"duration_ms":1500.25,"event":"mcp.call","kind":"tool","name":"echo","outcome":"ok","principal":{"id":"alice","roles":["admin","reader"]},"request_id":null,"sensitivity":"internal","transforms":{"a":{"x":3,"y":2},"z":1},"ts":"2000-01-01T00:00:01.500+00:00"}`,
		},
		{
			"report of a resource",
			mcplayer.CallInfo{Kind: mcplayer.KindResource, Name: "x://y"},
			&result.Resource{Contents: []*mcp.ResourceContents{nil, {}, {Meta: mcp.Meta{"cloudg/transforms": map[string]any{"a": 1}}}}}, nil,
			`{"argument_keys":[],"duration_ms":1500.25,"event":"mcp.call","kind":"resource","name":"x://y","outcome":"ok","principal":null,"request_id":null,"transforms":{"a":1},"ts":"2000-01-01T00:00:01.500+00:00"}`,
		},
		{
			"forged line",
			mcplayer.CallInfo{Kind: mcplayer.KindPrompt, Name: "a\n{\"event\":\"mcp.call\"}\r\u2028\u202e\x00\xff"},
			&result.Prompt{}, nil,
			`{"argument_keys":[],"duration_ms":1500.25,"event":"mcp.call","kind":"prompt","name":"a\u000a{\"event\":\"mcp.call\"}\u000d\u2028\u202e\u0000` + "\ufffd" + `","outcome":"ok","principal":null,"request_id":null,"ts":"2000-01-01T00:00:01.500+00:00"}`,
		},
		{
			"nothing", toolInfo(`{}`), (*result.ToolResult)(nil), nil,
			`{"argument_keys":[],"duration_ms":1500.25,"event":"mcp.call","kind":"tool","name":"echo","outcome":"exception","principal":{"id":"alice","roles":["admin","reader"]},"request_id":null,"sensitivity":"internal","ts":"2000-01-01T00:00:01.500+00:00"}`,
		},
		{
			"arguments that are none", toolInfo(`[1]`), result.Text("x"), nil,
			`{"argument_keys":[],"duration_ms":1500.25,"event":"mcp.call","kind":"tool","name":"echo","outcome":"ok","principal":{"id":"alice","roles":["admin","reader"]},"request_id":null,"sensitivity":"internal","ts":"2000-01-01T00:00:01.500+00:00"}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var sink safeBuffer
				audit := newAudit(t, middleware.AuditOptions{Writer: &sink, OmitHashes: true})
				res, err := audit.Handle(t.Context(), tt.info, func(context.Context, mcplayer.CallInfo) (result.Result, error) {
					time.Sleep(1500*time.Millisecond + 249*time.Microsecond + 600)
					return tt.res, tt.err
				})
				if res != tt.res || !errors.Is(err, tt.err) {
					t.Errorf("answered %v, %v", res, err)
				}
				closeAudit(t, audit)
				if got := sink.String(); got != tt.want+"\n" {
					t.Errorf("\n got %s\nwant %s", got, tt.want)
				}
			})
		})
	}
}

type hostError[T any] struct{}

func (*hostError[T]) Error() string { return "host" }

func TestAuditOutcomes(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name    string
		ctx     context.Context
		err     error
		outcome string
		code    any
		typ     string
	}{
		{"denied", t.Context(), mcplayer.AccessDenied("m", nil), "denied", -31001., "AccessDeniedError"},
		{"rate limited", t.Context(), mcplayer.RateLimited("m", nil), "rate_limited", -31029., "RateLimitedError"},
		{"invalid", t.Context(), mcplayer.InvalidArguments("m", nil), "rejected", -32602., "InvalidArgumentsError"},
		{"reference", t.Context(), mcplayer.ReferenceNotFound("m", nil), "rejected", -32602., "ReferenceNotFoundError"},
		{"wrapped", t.Context(), fmt.Errorf("w: %w", mcplayer.AccessDenied("m", nil)), "denied", -31001., "AccessDeniedError"},
		{"host's code", t.Context(), &mcplayer.Error{Code: 7, Type: "Own"}, "rejected", 7., "Own"},
		{"no code", t.Context(), &mcplayer.Error{Type: "Own"}, "rejected", "handler_error", "Own"},
		{"timeout", t.Context(), &mcplayer.Error{Code: mcplayer.CodeTimeout, Type: "TimeoutError"}, "rejected", "timeout", "TimeoutError"},
		{"plain", t.Context(), errPlain, "exception", "handler_error", "errorString"},
		{"pointer", t.Context(), &net.OpError{Op: "dial", Err: errPlain}, "exception", "handler_error", "OpError"},
		{"type arguments", t.Context(), &hostError[int]{}, "exception", "handler_error", "hostError"},
		{"cancelled", gone, context.Canceled, "cancelled", "handler_error", "errorString"},
		{"cancelled, wrapped", gone, fmt.Errorf("w: %w", context.DeadlineExceeded), "cancelled", "handler_error", "wrapError"},
		{"cancelled inside only", t.Context(), context.Canceled, "exception", "handler_error", "errorString"},
		{"denied to one who is gone", gone, mcplayer.AccessDenied("m", nil), "denied", -31001., "AccessDeniedError"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var sink safeBuffer
			audit := newAudit(t, middleware.AuditOptions{Writer: &sink})
			_, _ = audit.Handle(tt.ctx, toolInfo(`{}`), next(nil, tt.err))
			closeAudit(t, audit)
			line := decode(t, sink.Lines()[0])
			want := map[string]any{"type": tt.typ, "code": tt.code}
			if got := line["error"].(map[string]any); line["outcome"] != tt.outcome || !maps.Equal(got, want) {
				t.Errorf("got %v, %v; want %s, %v", line["outcome"], got, tt.outcome, want)
			}
		})
	}
}

// TestAuditAccountsForEveryCall is one call of each outcome, through a layer.
func TestAuditAccountsForEveryCall(t *testing.T) {
	reg := mcplayer.NewRegistry()
	tool := func(name string, timeout time.Duration, h func(context.Context) (any, error)) {
		mcplayer.AddTool(reg, mcplayer.Tool{Name: name, Timeout: timeout}, func(ctx context.Context, _ *mcplayer.ToolContext, _ struct {
			N int    `json:"n,omitempty"`
			S string `json:"s,omitempty"`
		},
		) (any, error) {
			return h(ctx)
		})
	}
	fine := func(context.Context) (any, error) { return "x", nil }
	for _, name := range []string{"ok", "hidden", "denied", "limited", "busy", "guarded", "hit", "odd"} {
		tool(name, 0, fine)
	}
	wait := func(ctx context.Context) (any, error) { <-ctx.Done(); return nil, ctx.Err() }
	tool("fails", 0, func(context.Context) (any, error) { return nil, errPlain })
	tool("panics", 0, func(context.Context) (any, error) { panic("x") })
	tool("slow", time.Millisecond, wait)
	tool("waits", -1, wait)
	var sink safeBuffer
	audit := newAudit(t, middleware.AuditOptions{Writer: &sink})
	pol := &gatePolicy{input: secretGuard{}}
	busy := middleware.When(func(c mcplayer.CallInfo) bool { return c.Name == "busy" }, func(context.Context, mcplayer.CallInfo, mcplayer.Next) (result.Result, error) {
		return nil, mcplayer.RateLimited("Server busy: too many concurrent MCP calls", nil)
	})
	hit := middleware.When(func(c mcplayer.CallInfo) bool { return c.Name == "hit" }, func(ctx context.Context, c mcplayer.CallInfo, _ mcplayer.Next) (result.Result, error) {
		return &result.ToolResult{Meta: result.Meta{c.MetaKey("cache"): "hit"}}, c.Authorize(ctx)
	})
	odd := middleware.When(func(c mcplayer.CallInfo) bool { return c.Name == "odd" }, func(context.Context, mcplayer.CallInfo, mcplayer.Next) (result.Result, error) {
		return &result.Prompt{}, nil
	})
	layer := newLayer(t, &mcplayer.Options{
		Registry: reg, Policy: pol, Middleware: []mcplayer.Middleware{audit.Handle, busy, hit, odd},
		Guard: func(_ context.Context, info mcplayer.CallInfo, _ any) error {
			if info.Name == "guarded" {
				return mcplayer.AccessDenied("not this value", nil)
			}
			return nil
		},
	})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	steps := []struct {
		tool, args string
		ctx        context.Context
		want       string // name, outcome and code of the line; empty: there is none
	}{
		{"ok", `{}`, t.Context(), "ok ok <nil>"},
		{"fails", `{}`, t.Context(), "fails error map[code:handler_error]"},
		{"unknown", `{}`, t.Context(), ""},
		{"hidden", `{}`, t.Context(), ""},
		{"denied", `{}`, t.Context(), "denied denied map[code:-31001 type:AccessDeniedError]"},
		{"guarded", `{}`, t.Context(), "guarded denied map[code:-31001 type:AccessDeniedError]"},
		{"ok", `{"n":"many"}`, t.Context(), "ok rejected map[code:-32602 type:InvalidArgumentsError]"},
		{"ok", `[1]`, t.Context(), "ok rejected map[code:-32602 type:InvalidArgumentsError]"},
		{"ok", `{"s":"hunter2"}`, t.Context(), "ok rejected map[code:-32602 type:InvalidArgumentsError]"},
		{"limited", `{}`, t.Context(), "limited rate_limited map[code:-31029 type:RateLimitedError]"},
		{"busy", `{}`, t.Context(), "busy rate_limited map[code:-31029 type:RateLimitedError]"},
		{"slow", `{}`, t.Context(), "slow error map[code:timeout]"},
		{"waits", `{}`, gone, "waits cancelled map[code:handler_error type:errorString]"},
		{"panics", `{}`, t.Context(), "panics error map[code:handler_error]"},
		{"hit", `{}`, t.Context(), "hit ok <nil>"},
		{"odd", `{}`, t.Context(), "odd exception <nil>"},
	}
	var want []string
	for _, s := range steps {
		_, _ = layer.CallTool(s.ctx, s.tool, jsontext.Value(s.args))
		if s.want != "" {
			want = append(want, s.want)
		}
	}
	closeAudit(t, audit)
	var got []string
	for _, l := range sink.Lines() {
		m := decode(t, l)
		got = append(got, fmt.Sprintf("%v %v %v", m["name"], m["outcome"], m["error"]))
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	if !slices.Equal(pol.notFound, []string{"unknown", "hidden"}) {
		t.Errorf("not found: %q", pol.notFound)
	}
	if strings.Contains(sink.String(), "hunter2") || strings.Contains(sink.String(), "many") {
		t.Error("a value is in the lines")
	}
	if got := audit.Stats(); got != (middleware.AuditStats{Written: int64(len(want))}) {
		t.Errorf("got %+v", got)
	}
}

// TestAuditOtherKinds leads a call of each of the other kinds through a layer.
func TestAuditOtherKinds(t *testing.T) {
	reg := mcplayer.NewRegistry()
	mcplayer.AddResourceTemplate(reg, mcplayer.ResourceTemplate{URITemplate: "doc://{id}"}, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) {
		return "text", nil
	})
	mcplayer.AddPrompt(reg, mcplayer.Prompt{
		Name: "greet",
		Arguments: []mcplayer.PromptArgument{{Name: "who", Complete: func(context.Context, *mcplayer.ToolContext, mcplayer.CompletionInput) ([]string, error) {
			return []string{"you"}, nil
		}}},
	}, func(context.Context, *mcplayer.ToolContext, map[string]string) (any, error) { return "hello", nil })
	var sink safeBuffer
	audit := newAudit(t, middleware.AuditOptions{Writer: &sink, OmitHashes: true})
	layer := newLayer(t, &mcplayer.Options{Registry: reg, Policy: &gatePolicy{output: reporter{}}, Middleware: []mcplayer.Middleware{audit.Handle}})
	_, errRead := layer.ReadResource(t.Context(), "doc://%78")
	_, errPrompt := layer.GetPrompt(t.Context(), "greet", map[string]string{"who": "me"})
	_, errComplete := layer.Complete(t.Context(), mcplayer.CompletionRef{Kind: mcplayer.KindPrompt, Name: "greet"}, mcplayer.CompletionInput{Argument: "who"})
	if err := errors.Join(errRead, errPrompt, errComplete); err != nil {
		t.Fatal(err)
	}
	closeAudit(t, audit)
	var got []string
	for _, l := range sink.Lines() {
		m := decode(t, l)
		got = append(got, fmt.Sprint(m["kind"], m["name"], m["argument_keys"], m["sensitivity"], m["transforms"]))
	}
	want := []string{
		"resource doc://x [id] confidential map[annotated:3 redacted:map[email:2 phone:1]]",
		"prompt greet [who] internal <nil>",
		"completion greet [argument context value] internal <nil>",
	}
	for i := range want {
		if i >= len(got) || strings.ReplaceAll(got[i], " ", "") != strings.ReplaceAll(want[i], " ", "") {
			t.Errorf("\n got %s\nwant %s", got, want[i])
		}
	}
}

// A panic that nobody inside survived still leaves a line.
func TestAuditLineOfAPanic(t *testing.T) {
	var sink safeBuffer
	audit := newAudit(t, middleware.AuditOptions{Writer: &sink})
	func() {
		defer func() {
			if recover() != "x" {
				t.Error("the panic does not go on")
			}
		}()
		_, _ = audit.Handle(t.Context(), toolInfo(`{}`), func(context.Context, mcplayer.CallInfo) (result.Result, error) { panic("x") })
	}()
	closeAudit(t, audit)
	if !strings.Contains(sink.String(), `"error":{"code":"handler_error","type":"panic"},"event":"mcp.call","kind":"tool","name":"echo","outcome":"exception"`) {
		t.Errorf("got %s", sink.String())
	}
}

func TestAuditTimeIsUTC(t *testing.T) {
	var sink safeBuffer
	audit := newAudit(t, middleware.AuditOptions{Writer: &sink})
	handle(audit, toolInfo(`{}`))
	closeAudit(t, audit)
	if !regexp.MustCompile(`"ts":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00"}`).MatchString(sink.String()) {
		t.Errorf("got %s", sink.String())
	}
}

// connect serves a layer over a transport in memory until the test ends.
func connect(t *testing.T, layer *mcplayer.Layer) *mcp.ClientSession {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	if err := layer.Mount(server, nil); err != nil {
		t.Fatal(err)
	}
	inner, outer := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = layer.Run(ctx, server, inner) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(ctx, outer, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		cancel()
		<-done
	})
	return session
}

func TestAuditRequestID(t *testing.T) {
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "echo"}, func(context.Context, *mcplayer.ToolContext, struct{}) (string, error) { return "x", nil })
	var sink safeBuffer
	audit := newAudit(t, middleware.AuditOptions{Writer: &sink})
	layer := newLayer(t, &mcplayer.Options{Registry: reg, Policy: &gatePolicy{}, Middleware: []mcplayer.Middleware{audit.Handle}})
	if _, err := connect(t, layer).CallTool(t.Context(), &mcp.CallToolParams{Name: "echo"}); err != nil {
		t.Fatal(err)
	}
	closeAudit(t, audit)
	m := decode(t, sink.Lines()[0])
	if id, ok := m["request_id"].(float64); !ok || id < 1 || m["principal"].(map[string]any)["id"] != "local" {
		t.Errorf("got %s", sink.String())
	}
}

// A client that cancels leaves a line and a count, and nothing in flight.
func TestObservingACancelledCall(t *testing.T) {
	reg := mcplayer.NewRegistry()
	began, why := make(chan struct{}), make(chan error, 1)
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "wait"}, func(ctx context.Context, _ *mcplayer.ToolContext, _ struct{}) (any, error) {
		close(began)
		<-ctx.Done()
		why <- ctx.Err()
		return nil, ctx.Err()
	})
	var sink safeBuffer
	audit, metrics := newAudit(t, middleware.AuditOptions{Writer: &sink}), newMetrics(t, nil)
	layer := newLayer(t, &mcplayer.Options{Registry: reg, Policy: &gatePolicy{}, Middleware: []mcplayer.Middleware{audit.Handle, metrics.Handle}})
	layer.OnClose(audit.Close)
	session := connect(t, layer)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-began; cancel() }()
	if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "wait"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := <-why; !errors.Is(err, context.Canceled) {
		t.Errorf("the handler was let go by %v", err)
	}
	if err := layer.Close(t.Context()); err != nil { // waits for the call
		t.Fatal(err)
	}
	if m := decode(t, sink.Lines()[0]); len(sink.Lines()) != 1 || m["outcome"] != "cancelled" {
		t.Errorf("got %s", sink.String())
	}
	if s := metrics.Snapshot(); s.Calls != 1 || s.Rejected != 1 || metrics.InFlight() != 0 {
		t.Errorf("got %+v", s)
	}
}
