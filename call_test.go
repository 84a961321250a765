package mcplayer_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func TestLookup(t *testing.T) {
	tests := []struct {
		name, prefix, call string
		found              bool
	}{
		{"by name", "", "get", true},
		{"by prefixed name", "app_", "app_get", true},
		{"a prefix must be there", "app_", "get", false},
		{"once", "app_", "app_app_get", false},
		{"prefix alone", "app_", "app_", false},
		{"empty", "", "", false},
		{"a prefix that is not set", "", "app_get", false},
		{"case matters", "", "Get", false},
		{"space matters", "", "get ", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{Prefix: tt.prefix}, returning("get", result.Text("got")))
			res, err := l.CallTool(t.Context(), tt.call, nil)
			if tt.found {
				if err != nil {
					t.Fatal(err)
				}
				same(t, wireOf(t, res), `{"_meta":{"cloudg/duration_ms":0},"content":[{"type":"text","text":"got"}]}`)
				return
			}
			if res != nil || !errors.Is(err, mcplayer.ErrNotFound) {
				t.Fatalf("got %v, %v", res, err)
			}
			same(t, err.Error(), "Unknown tool: "+tt.call)
			if want := []missing{{mcplayer.KindTool, tt.call, false, "local"}}; !slices.Equal(l.pol.missing, want) {
				t.Errorf("recorded %v, want %v", l.pol.missing, want)
			}
		})
	}
}

func TestHiddenLooksUnknown(t *testing.T) {
	for _, prefix := range []string{"", "app_"} {
		t.Run("prefix "+prefix, func(t *testing.T) {
			touched := false
			touch := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
				touched = true
				return next(ctx, info)
			}
			l := newLab(t, mcplayer.Options{Prefix: prefix, Middleware: []mcplayer.Middleware{touch}}, returning("reset", nil))
			l.pol.hidden = map[string]bool{"reset": true}
			_, hidden := l.CallTool(t.Context(), prefix+"reset", jsontext.Value(`{"bad`))
			l.reg.Remove(mcplayer.KindTool, "reset")
			_, unknown := l.CallTool(t.Context(), prefix+"reset", jsontext.Value(`{"bad`))
			for _, err := range []error{hidden, unknown} {
				e, ok := err.(*mcplayer.Error)
				if !ok {
					t.Fatalf("got %T %v", err, err)
				}
				if want := (mcplayer.Error{Code: -32602, Type: "NotFoundError", Message: "Unknown tool: " + prefix + "reset"}); *e != want {
					t.Errorf("got %#v, want %#v", *e, want)
				}
			}
			want := []missing{
				{mcplayer.KindTool, "reset", true, "local"},
				{mcplayer.KindTool, prefix + "reset", false, "local"},
			}
			if !slices.Equal(l.pol.missing, want) {
				t.Errorf("recorded %v, want %v", l.pol.missing, want)
			}
			if touched || len(l.pol.checked) > 0 {
				t.Error("a call that was not found reached the chain")
			}
		})
	}
}

func TestNilAccessHides(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("get", nil))
	l.pol.nilAccess = true
	if _, err := l.CallTool(t.Context(), "get", nil); !errors.Is(err, mcplayer.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

// visibleOnly is a policy whose access has no check.
type visibleOnly struct{ scripted }

func (*visibleOnly) Bind(*mcplayer.Spec, *mcplayer.Principal) *mcplayer.Access {
	return &mcplayer.Access{Visible: true}
}

func TestAccessWithoutCheckDenies(t *testing.T) {
	ran := false
	l := newLab(t, mcplayer.Options{Policy: &visibleOnly{}}, tool("get", func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
		ran = true
		return nil, nil
	}))
	same(t, l.wire(t, "get", nil), `{"_meta":{"cloudg/error_code":-31001,"cloudg/error_data":{"policy":"","reason":"no policy grants it"}},`+
		`"content":[{"type":"text","text":"Access to tool 'get' denied: no policy grants it"}],"isError":true}`)
	if ran {
		t.Error("the handler ran")
	}
}

// stamp is a middleware that notes when it is entered and left.
func stamp(j *journal, name string) mcplayer.Middleware {
	return func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		j.add("+" + name)
		defer j.add("-" + name)
		return next(ctx, info)
	}
}

func TestOrderOfACall(t *testing.T) {
	var j journal
	l := newLab(t, mcplayer.Options{
		Middleware: []mcplayer.Middleware{stamp(&j, "a"), nil, stamp(&j, "b")},
		Guard: func(context.Context, mcplayer.CallInfo, any) error {
			j.add("guard")
			return nil
		},
	}, tool("get", func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
		j.add("handler")
		return result.Text("x"), nil
	}))
	l.pol.bind = func(*mcplayer.Spec, *mcplayer.Principal) { j.add("bind") }
	l.pol.check = func(context.Context, mcplayer.CallInfo) error { j.add("check"); return nil }
	l.pol.input = broken{begin: func() { j.add("input") }}
	l.pol.output = broken{begin: func() { j.add("output") }}
	l.Use(stamp(&j, "c"), nil)
	l.call(t, "get", nil)
	same(t, j.String(), "bind +a +b +c check input guard handler output -c -b -a")
}

func TestUseHoldsForTheNextCall(t *testing.T) {
	var j journal
	var l *lab
	l = newLab(t, mcplayer.Options{}, tool("get", func(ctx context.Context, _ *mcplayer.ToolContext, args jsontext.Value) (any, error) {
		if string(args) == "{}" {
			l.Use(stamp(&j, "late"))
			_, err := l.CallTool(ctx, "get", jsontext.Value(`{"inner":true}`))
			return nil, err
		}
		j.add("inner")
		return nil, nil
	}))
	l.call(t, "get", nil)
	same(t, j.String(), "+late inner -late")
}

func TestPolicyRefusals(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want string
	}{
		{
			"denied",
			mcplayer.AccessDenied("Access to tool 'get' denied: night", map[string]any{"policy": "ops", "reason": "night"}),
			`{"_meta":{"cloudg/error_code":-31001,"cloudg/error_data":{"policy":"ops","reason":"night"}},` +
				`"content":[{"type":"text","text":"Access to tool 'get' denied: night"}],"isError":true}`,
		},
		{
			"rate limited",
			mcplayer.RateLimited("Rate limit exceeded for tool 'get' (2/minute); retry in 30.0s",
				map[string]any{"retry_after": 29.99, "limit": "2/minute", "scope": "principal_tool"}),
			`{"_meta":{"cloudg/error_code":-31029,"cloudg/error_data":{"limit":"2/minute","retry_after":29.99,"scope":"principal_tool"}},` +
				`"content":[{"type":"text","text":"Rate limit exceeded for tool 'get' (2/minute); retry in 30.0s"}],"isError":true}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var seen error
			peek := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
				res, err := next(ctx, info)
				seen = err
				return res, err
			}
			l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{peek}}, panicking("get", "must not run"))
			l.pol.check = func(context.Context, mcplayer.CallInfo) error { return tt.err }
			res := l.call(t, "get", nil)
			same(t, wireOf(t, res), tt.want)
			if seen != tt.err {
				t.Errorf("the middleware saw %v, want the policy's error itself", seen)
			}
			if res.Cause != tt.err {
				t.Errorf("cause %v", res.Cause)
			}
			if len(l.pol.rejected) != 0 {
				t.Errorf("rejected %q", l.pol.rejected)
			}
		})
	}
}

func TestInputPipeline(t *testing.T) {
	t.Run("changes what the handler gets, not what middleware sees", func(t *testing.T) {
		var before, after string
		peek := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
			before = string(info.Arguments)
			res, err := next(ctx, info)
			after = string(info.Arguments)
			return res, err
		}
		l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{peek}}, echoing("get"))
		l.pol.input = censor{}
		same(t, l.wire(t, "get", jsontext.Value(`{"q":"secret"}`)),
			`{"_meta":{"cloudg/duration_ms":0},"content":[{"type":"text","text":"{\n  \"q\": \"[gone]\"\n}"}],"structuredContent":{"q":"[gone]"}}`)
		same(t, before+after, `{"q":"secret"}{"q":"secret"}`)
	})
	t.Run("refuses and rewrites the ticket", func(t *testing.T) {
		l := newLab(t, mcplayer.Options{}, panicking("get", "must not run"))
		const text = "Arguments appear to contain secrets (password); refusing to process them. Pass resource references, never credentials."
		l.pol.input = broken{json: func(jsontext.Value) (jsontext.Value, error) {
			return nil, mcplayer.InvalidArguments(text, map[string]any{"entities": []string{"password"}})
		}}
		same(t, l.wire(t, "get", jsontext.Value(`{"q":"hunter2"}`)),
			`{"_meta":{"cloudg/error_code":-32602,"cloudg/error_data":{"entities":["password"]}},`+
				`"content":[{"type":"text","text":"`+text+`"}],"isError":true}`)
		if !slices.Equal(l.pol.rejected, []string{text}) {
			t.Errorf("rejected %q", l.pol.rejected)
		}
	})
	t.Run("a failure refuses and is no reason to quote it", func(t *testing.T) {
		l := newLab(t, mcplayer.Options{}, panicking("get", "must not run"))
		l.pol.input = broken{json: func(jsontext.Value) (jsontext.Value, error) { return nil, errPipeline }}
		res := l.call(t, "get", nil)
		if !res.IsError || res.Meta["cloudg/error_code"] != "handler_error" {
			t.Errorf("got %s", wireOf(t, res))
		}
		if !slices.Equal(l.pol.rejected, []string{"errorString"}) {
			t.Errorf("rejected %q", l.pol.rejected)
		}
	})
	t.Run("a panic refuses too", func(t *testing.T) {
		l := newLab(t, mcplayer.Options{}, panicking("get", "must not run"))
		l.pol.input = broken{json: func(jsontext.Value) (jsontext.Value, error) { panic("hunter2") }}
		checkPanic(t, l, l.call(t, "get", nil), "hunter2")
		if len(l.pol.rejected) != 1 || strings.Contains(l.pol.rejected[0], "hunter2") {
			t.Errorf("rejected %q", l.pol.rejected)
		}
	})
}

func TestAuthorizeByAMiddleware(t *testing.T) {
	answer := func(ctx context.Context, info mcplayer.CallInfo, _ mcplayer.Next) (result.Result, error) {
		if err := info.Authorize(ctx); err != nil {
			return nil, err
		}
		return result.Text("kept"), nil
	}
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{answer}}, panicking("get", "must not run"))
	same(t, l.wire(t, "get", nil), `{"content":[{"type":"text","text":"kept"}]}`)
	if len(l.pol.checked) != 1 {
		t.Errorf("checked %q", l.pol.checked)
	}
	l.pol.check = func(context.Context, mcplayer.CallInfo) error { return mcplayer.AccessDenied("no", nil) }
	same(t, l.wire(t, "get", nil), `{"_meta":{"cloudg/error_code":-31001},"content":[{"type":"text","text":"no"}],"isError":true}`)
}

// refusal is a private error type of a host.
type refusal struct{ why string }

func (r *refusal) Error() string { return r.why }

func TestErrorsOfHandlers(t *testing.T) {
	tests := []struct {
		name string
		err  error
		hide bool
		want string
	}{
		{
			"plain", errors.New("no such host"), false,
			`{"_meta":{"cloudg/error_code":"handler_error"},"content":[{"type":"text","text":"errorString: no such host"}],"isError":true}`,
		},
		{
			"typed", &refusal{"disk full"}, false,
			`{"_meta":{"cloudg/error_code":"handler_error"},"content":[{"type":"text","text":"refusal: disk full"}],"isError":true}`,
		},
		{
			"plain, hidden", &refusal{"disk full"}, true,
			`{"_meta":{"cloudg/error_code":"handler_error"},"content":[{"type":"text","text":"Tool get failed"}],"isError":true}`,
		},
		{
			"through the output pipeline", errors.New("the secret is out"), false,
			`{"_meta":{"cloudg/error_code":"handler_error","cloudg/transforms":{"censored":1}},` +
				`"content":[{"type":"text","text":"errorString: the [gone] is out"}],"isError":true}`,
		},
		{
			"layer error", mcplayer.ReferenceNotFound("No asset 'a-9'", map[string]any{"id": "a-9"}), false,
			`{"_meta":{"cloudg/error_code":-32602,"cloudg/error_data":{"id":"a-9"}},"content":[{"type":"text","text":"No asset 'a-9'"}],"isError":true}`,
		},
		{
			"layer error, hidden", mcplayer.ReferenceNotFound("No asset 'a-9'", nil), true,
			`{"_meta":{"cloudg/error_code":-32602},"content":[{"type":"text","text":"No asset 'a-9'"}],"isError":true}`,
		},
		{
			"wrapped layer error", wrap("outer", mcplayer.InvalidArguments("limit: too high", nil)), false,
			`{"_meta":{"cloudg/error_code":-32602},"content":[{"type":"text","text":"limit: too high"}],"isError":true}`,
		},
		{
			"layer error with a cause", &mcplayer.Error{Code: 1429, Message: "Later", Err: errors.New("redis://10.0.0.1 down")}, false,
			`{"_meta":{"cloudg/error_code":1429},"content":[{"type":"text","text":"Later"}],"isError":true}`,
		},
		{
			"layer error without code", &mcplayer.Error{Message: "Later"}, false,
			`{"_meta":{"cloudg/error_code":"handler_error"},"content":[{"type":"text","text":"Later"}],"isError":true}`,
		},
		{
			"layer error through the output pipeline", &mcplayer.Error{Code: 7, Message: "secret", Data: map[string]any{"k": "secret", "n": 1}}, false,
			`{"_meta":{"cloudg/error_code":7,"cloudg/error_data":{"k":"[gone]","n":1},"cloudg/transforms":{"censored":2}},` +
				`"content":[{"type":"text","text":"[gone]"}],"isError":true}`,
		},
		{
			"joined with a layer error", errors.Join(errors.New("x"), mcplayer.RateLimited("Later", nil)), false,
			`{"_meta":{"cloudg/error_code":-31029},"content":[{"type":"text","text":"Later"}],"isError":true}`,
		},
		{
			"nil pointer", (*mcplayer.Error)(nil), false,
			`{"_meta":{"cloudg/error_code":"handler_error"},"content":[{"type":"text","text":"Error: nil error"}],"isError":true}`,
		},
		{
			"a deadline of its own", context.DeadlineExceeded, false,
			`{"_meta":{"cloudg/error_code":"handler_error"},"content":[{"type":"text","text":"deadlineExceededError: context deadline exceeded"}],"isError":true}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{HideErrors: tt.hide}, failing("get", tt.err))
			l.pol.output = censor{}
			res := l.call(t, "get", nil)
			same(t, wireOf(t, res), tt.want)
			if !errors.Is(res.Cause, tt.err) {
				t.Errorf("cause %v, want %v", res.Cause, tt.err)
			}
		})
	}
}

func wrap(text string, err error) error { return &wrapped{text, err} }

// wrapped is an error around another one.
type wrapped struct {
	text string
	err  error
}

func (w *wrapped) Error() string { return w.text + ": " + w.err.Error() }
func (w *wrapped) Unwrap() error { return w.err }

// An error of the protocol itself that a handler chose stays one, so that
// handlers written for the SDK can tell a client of a missing capability.
func TestProtocolErrorOfAHandler(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, failing("get",
		&jsonrpc.Error{Code: -32021, Message: "needs secret", Data: []byte(`{"k":"secret"}`)}))
	l.pol.output = censor{}
	res, err := l.CallTool(t.Context(), "get", nil)
	e, ok := err.(*mcplayer.Error)
	if res != nil || !ok {
		t.Fatalf("got %v, %T %v", res, err, err)
	}
	data, _ := e.Data.(json.RawMessage)
	if e.Code != -32021 || e.Message != "needs [gone]" || string(data) != `{"k":"[gone]"}` {
		t.Errorf("got %d %q %s", e.Code, e.Message, data)
	}
}

func TestProtocolErrorWithBadDataIsStillAnswered(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, failing("get", &jsonrpc.Error{Code: -32021, Message: "m", Data: []byte(`{"k`)}))
	_, err := l.CallTool(t.Context(), "get", nil)
	e, ok := err.(*mcplayer.Error)
	if !ok || e.Code != -32021 || e.Message != "m" || e.Data != nil {
		t.Errorf("got %T %v", err, err)
	}
}

func TestCausesAreLogged(t *testing.T) {
	cause := errors.New("redis://10.0.0.1 down")
	refuse := func(err error) mcplayer.Middleware {
		return func(context.Context, mcplayer.CallInfo, mcplayer.Next) (result.Result, error) { return nil, err }
	}
	private := &mcplayer.Error{Code: 7, Message: "Later", Err: cause}
	tests := []struct {
		name string
		opts mcplayer.Options
		add  func(*mcplayer.Registry)
	}{
		{"plain error of a handler", mcplayer.Options{HideErrors: true}, failing("get", cause)},
		{"layer error of a handler", mcplayer.Options{}, failing("get", private)},
		{"plain error of a middleware", mcplayer.Options{HideErrors: true, Middleware: []mcplayer.Middleware{refuse(cause)}}, returning("get", nil)},
		{"layer error of a middleware", mcplayer.Options{Middleware: []mcplayer.Middleware{refuse(private)}}, returning("get", nil)},
		{"layer error of the guard", mcplayer.Options{Guard: func(context.Context, mcplayer.CallInfo, any) error { return private }}, returning("get", nil)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, tt.opts, tt.add)
			if got := l.wire(t, "get", nil); strings.Contains(got, "redis") {
				t.Errorf("the client reads %s", got)
			}
			if n := strings.Count(l.log.String(), "redis://10.0.0.1 down"); n != 1 {
				t.Errorf("logged %d times: %s", n, l.log)
			}
		})
	}
}

func TestGuard(t *testing.T) {
	type query struct {
		Limit int `json:"limit"`
	}
	var got any
	l := newLab(t, mcplayer.Options{Guard: func(_ context.Context, info mcplayer.CallInfo, args any) error {
		got = args
		if args.(*query).Limit > 9 {
			return mcplayer.InvalidArguments("Invalid arguments: limit: above 9", nil)
		}
		return nil
	}}, func(r *mcplayer.Registry) {
		mcplayer.AddTool(r, mcplayer.Tool{Name: "get"}, func(_ context.Context, _ *mcplayer.ToolContext, q query) (query, error) { return q, nil })
	})
	l.pol.input = broken{json: func(doc jsontext.Value) (jsontext.Value, error) {
		return jsontext.Value(strings.ReplaceAll(string(doc), "5", "50")), nil
	}}
	same(t, l.wire(t, "get", jsontext.Value(`{"limit":4}`)),
		`{"_meta":{"cloudg/duration_ms":0},"content":[{"type":"text","text":"{\n  \"limit\": 4\n}"}],"structuredContent":{"limit":4}}`)
	same(t, l.wire(t, "get", jsontext.Value(`{"limit":5}`)),
		`{"_meta":{"cloudg/error_code":-32602},"content":[{"type":"text","text":"Invalid arguments: limit: above 9"}],"isError":true}`)
	if q, ok := got.(*query); !ok || q.Limit != 50 {
		t.Errorf("the guard saw %v", got)
	}
}

func TestPrincipalOfACall(t *testing.T) {
	alice := mcplayer.NewPrincipal("alice", "dev")
	var inner *lab
	whoami := tool("whoami", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		return result.Text(tc.Principal().ID()), nil
	})
	nested := func(l **lab) func(*mcplayer.Registry) {
		return tool("nested", func(ctx context.Context, _ *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
			return (*l).CallTool(ctx, "whoami", nil)
		})
	}
	forget := func(_ context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		return next(context.Background(), info)
	}
	other := newLab(t, mcplayer.Options{}, whoami)
	var own *lab
	own = newLab(t, mcplayer.Options{}, whoami, nested(&own))
	forgetful := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{forget}}, whoami, nested(&inner))
	inner = other
	tests := []struct {
		name string
		l    *lab
		tool string
		opts []mcplayer.CallOption
		want string
	}{
		{"given", own, "whoami", []mcplayer.CallOption{mcplayer.As(alice)}, "alice"},
		{"local without one", own, "whoami", nil, "local"},
		{"anonymous with a nil one", own, "whoami", []mcplayer.CallOption{mcplayer.As(nil)}, "anonymous"},
		{"nested", own, "nested", []mcplayer.CallOption{mcplayer.As(alice)}, "alice"},
		{"nested, another layer, context replaced", forgetful, "nested", []mcplayer.CallOption{mcplayer.As(alice)}, "alice"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := tt.l.call(t, tt.tool, nil, tt.opts...)
			if got := textOf(t, res); got != tt.want {
				t.Errorf("ran as %s, want %s", got, tt.want)
			}
		})
	}
}

func TestANestedCallMayNameAnotherCaller(t *testing.T) {
	var l *lab
	l = newLab(t, mcplayer.Options{}, tool("get", func(ctx context.Context, tc *mcplayer.ToolContext, args jsontext.Value) (any, error) {
		if string(args) != "{}" {
			return result.Text(tc.Principal().ID()), nil
		}
		return l.CallTool(ctx, "get", jsontext.Value(`{"inner":1}`), mcplayer.As(mcplayer.Anonymous()))
	}))
	same(t, textOf(t, l.call(t, "get", nil)), "anonymous")
}

func TestLocalAndAnonymous(t *testing.T) {
	if p := mcplayer.Local(); p.ID() != "local" || !slices.Equal(p.Roles(), []string{"default", "local"}) {
		t.Errorf("local is %s %q", p.ID(), p.Roles())
	}
	if p := mcplayer.Anonymous(); p.ID() != "anonymous" || !slices.Equal(p.Roles(), []string{"default"}) {
		t.Errorf("anonymous is %s %q", p.ID(), p.Roles())
	}
}

func TestSDKHandlerInProcess(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, sdkTool("get"))
	l.pol.input = censor{}
	same(t, l.wire(t, "get", jsontext.Value(`{"q":"secret"}`)),
		`{"_meta":{"cloudg/duration_ms":0},"content":[{"type":"text","text":"get {\"q\":\"[gone]\"} session false"}],"structuredContent":{"q":"[gone]"}}`)
}

func TestCancelledCalls(t *testing.T) {
	wait := func(ctx context.Context, _ *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	for _, tt := range []struct {
		name string
		opts mcplayer.Options
	}{{"with a timeout", mcplayer.Options{}}, {"without", mcplayer.Options{Timeout: -1}}} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, tt.opts, tool("wait", wait))
			ctx, cancel := context.WithCancel(t.Context())
			go cancel()
			res, err := l.CallTool(ctx, "wait", nil)
			if res != nil || !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, %v", res, err)
			}
			if got := l.log.find(t, "handler failed"); len(got) > 0 {
				t.Errorf("a cancellation was logged as a failure: %v", got)
			}
		})
	}
}

func TestArgumentsThatCannotBeEncoded(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("get", nil))
	if res, err := l.CallTool(t.Context(), "get", make(chan int)); res != nil || err == nil || !strings.Contains(err.Error(), "encode arguments") {
		t.Errorf("got %v, %v", res, err)
	}
}

func TestOptionsOfACallAreIndependent(t *testing.T) {
	var told journal
	l := newLab(t, mcplayer.Options{}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		tc.Progress(1, 1, "m")
		tc.Log("info", tc.RequestID())
		return result.Text(tc.Principal().ID()), nil
	}))
	opts := []mcplayer.CallOption{
		mcplayer.OnLog(func(m mcplayer.LogMessage) { told.add(string(m.Data)) }),
		mcplayer.As(mcplayer.NewPrincipal("alice")),
		{},
		mcplayer.OnProgress(nil),
		mcplayer.WithRequest(nil),
		mcplayer.WithRequest(&mcplayer.RequestInfo{RequestID: "r-1"}),
		mcplayer.OnProgress(func(p mcplayer.Progress) { told.add(p.Message) }),
	}
	for range 2 { // progress begins anew with each call
		same(t, textOf(t, l.call(t, "get", nil, opts...)), "alice")
	}
	same(t, told.String(), `m "r-1" m "r-1"`)
}
