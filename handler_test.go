package mcplayer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const timedOut = `{"_meta":{"cloudg/error_code":"timeout"},"content":[{"type":"text","text":"Tool get timed out"}],"isError":true}`

func TestTimeouts(t *testing.T) {
	const none = -1
	tests := []struct {
		name         string
		layer, tool  time.Duration
		work, answer time.Duration
		timesOut     bool
	}{
		{"default", 0, 0, 301 * time.Second, 300 * time.Second, true},
		{"default kept", 0, 0, 299 * time.Second, 299 * time.Second, false},
		{"layer's", time.Second, 0, 2 * time.Second, time.Second, true},
		{"tool's own is shorter", time.Minute, time.Second, 2 * time.Second, time.Second, true},
		{"tool's own is longer", time.Second, time.Minute, 2 * time.Second, 2 * time.Second, false},
		{"layer has none", none, 0, time.Hour, time.Hour, false},
		{"layer has none, tool has", none, time.Second, time.Hour, time.Second, true},
		{"tool has none", time.Second, none, time.Hour, time.Hour, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLab(t, mcplayer.Options{Timeout: tt.layer}, sleeping("get", tt.work, tt.tool))
				start := time.Now()
				res := l.call(t, "get", nil)
				if took := time.Since(start); took != tt.answer {
					t.Errorf("answered after %v, want %v", took, tt.answer)
				}
				if !tt.timesOut {
					same(t, textOf(t, res), "done")
					if got := res.Meta["cloudg/duration_ms"]; got != tt.answer.Milliseconds() {
						t.Errorf("duration %v", got)
					}
					return
				}
				same(t, wireOf(t, res), timedOut)
				if !errors.Is(res.Cause, mcplayer.ErrTimeout) || !errors.Is(res.Cause, context.DeadlineExceeded) {
					t.Errorf("cause %v", res.Cause)
				}
				if n := l.Abandoned(); n != 1 {
					t.Errorf("%d abandoned", n)
				}
				time.Sleep(tt.work)
				if n := l.Abandoned(); n != 0 {
					t.Errorf("%d abandoned after the handler has ended", n)
				}
				late := l.log.find(t, "handler ended after its call")
				if len(late) != 1 || late[0]["ran"] != float64(tt.work) {
					t.Errorf("logged %v", late)
				}
			})
		})
	}
}

func TestTimeoutOfAHandlerThatListens(t *testing.T) {
	for _, wrapped := range []bool{false, true} {
		t.Run(fmt.Sprint("wrapped ", wrapped), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLab(t, mcplayer.Options{Timeout: time.Second}, tool("get", func(ctx context.Context, _ *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
					<-ctx.Done()
					if wrapped {
						return nil, fmt.Errorf("query: %w", ctx.Err())
					}
					return nil, ctx.Err()
				}))
				same(t, l.wire(t, "get", nil), timedOut)
				synctest.Wait()
				if n := l.Abandoned(); n != 0 {
					t.Errorf("%d abandoned", n)
				}
			})
		})
	}
}

func TestTimeoutOfACallInsideACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l *lab
		l = newLab(t, mcplayer.Options{}, sleeping("inner", time.Hour, 0), func(r *mcplayer.Registry) {
			mcplayer.AddTool(r, mcplayer.Tool{Name: "get", Timeout: time.Second}, func(ctx context.Context, _ *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
				return l.CallTool(ctx, "inner", nil)
			})
		})
		start := time.Now()
		same(t, l.wire(t, "get", nil), timedOut)
		if took := time.Since(start); took != time.Second {
			t.Errorf("answered after %v", took)
		}
		time.Sleep(2 * time.Hour)
	})
}

func TestTheCallersDeadlineIsNoTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, mcplayer.Options{}, sleeping("get", time.Hour, 0))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		res, err := l.CallTool(ctx, "get", nil)
		if res != nil || err != context.DeadlineExceeded {
			t.Errorf("got %v, %v", res, err)
		}
		if n := l.Abandoned(); n != 1 {
			t.Errorf("%d abandoned", n)
		}
		time.Sleep(time.Hour)
	})
}

// quiet has no way to be encoded without a panic.
type quiet struct{}

func (quiet) MarshalJSON() ([]byte, error) { panic("hunter2") }

// grumpy is a Stringer that panics.
type grumpy int

func (grumpy) String() string { panic("hunter2") }

func TestPanics(t *testing.T) {
	type query struct{ Q dangerous }
	boom := func(context.Context, mcplayer.CallInfo, mcplayer.Next) (result.Result, error) { panic("hunter2") }
	after := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		_, _ = next(ctx, info)
		panic(errors.New("hunter2"))
	}
	tests := []struct {
		name string
		opts mcplayer.Options
		pol  func(*scripted)
		add  func(*mcplayer.Registry)
	}{
		{"handler", mcplayer.Options{}, nil, panicking("get", "token=hunter2")},
		{"handler without timeout", mcplayer.Options{Timeout: -1}, nil, panicking("get", "token=hunter2")},
		{"handler, an error", mcplayer.Options{}, nil, panicking("get", errors.New("hunter2"))},
		{"handler, texts hidden", mcplayer.Options{HideErrors: true}, nil, panicking("get", "hunter2")},
		{"custom MarshalJSON", mcplayer.Options{}, nil, returning("get", map[string]any{"x": quiet{}})},
		{"custom String", mcplayer.Options{}, nil, returning("get", []grumpy{1})},
		{"MarshalJSON in the result's metadata", mcplayer.Options{}, nil, returning("get", &result.ToolResult{Meta: result.Meta{"x": quiet{}}})},
		{"MarshalJSON in the structured value of an SDK result", mcplayer.Options{}, nil, returning("get", &mcp.CallToolResult{StructuredContent: quiet{}})},
		{"MarshalJSON in the data of an error", mcplayer.Options{}, nil, failing("get", &mcplayer.Error{Code: 7, Message: "m", Data: quiet{}})},
		{"an error that is a nil pointer", mcplayer.Options{}, nil, failing("get", (*refusal)(nil))},
		{"UnmarshalJSON of the arguments", mcplayer.Options{}, nil, func(r *mcplayer.Registry) {
			mcplayer.AddTool(r, mcplayer.Tool{Name: "get"}, func(context.Context, *mcplayer.ToolContext, query) (any, error) { return nil, nil })
		}},
		{"guard", mcplayer.Options{Guard: func(context.Context, mcplayer.CallInfo, any) error { panic("hunter2") }}, nil, returning("get", nil)},
		{"middleware before", mcplayer.Options{Middleware: []mcplayer.Middleware{boom}}, nil, returning("get", nil)},
		{"middleware after", mcplayer.Options{Middleware: []mcplayer.Middleware{after}}, nil, returning("get", nil)},
		{"inner middleware", mcplayer.Options{Middleware: []mcplayer.Middleware{passOn, boom}}, nil, returning("get", nil)},
		{"middleware returns a nil pointer as error", mcplayer.Options{Middleware: []mcplayer.Middleware{answering(nil, (*refusal)(nil))}}, nil, returning("get", nil)},
		{
			"middleware returns an error that cannot be encoded",
			mcplayer.Options{Middleware: []mcplayer.Middleware{answering(nil, &mcplayer.Error{Code: 7, Data: quiet{}})}},
			nil, returning("get", nil),
		},
		{
			"middleware returns a result that cannot be encoded",
			mcplayer.Options{Middleware: []mcplayer.Middleware{answering(&result.ToolResult{Meta: result.Meta{"x": quiet{}}}, nil)}},
			nil, returning("get", nil),
		},
		{"policy check", mcplayer.Options{}, func(p *scripted) {
			p.check = func(context.Context, mcplayer.CallInfo) error { panic("hunter2") }
		}, returning("get", nil)},
		{"input pipeline", mcplayer.Options{}, func(p *scripted) { p.input = broken{begin: func() { panic("hunter2") }} }, returning("get", nil)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, tt.opts, tt.add)
			if tt.pol != nil {
				tt.pol(l.pol)
			}
			arguments := jsontext.Value(`{"Q":1}`)
			value := "hunter2"
			if strings.Contains(tt.name, "nil pointer") {
				value = "nil pointer"
			}
			checkPanic(t, l, l.call(t, "get", arguments), value)
			if err := l.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// dangerous panics when it is decoded.
type dangerous int

func (*dangerous) UnmarshalJSON([]byte) error { panic("hunter2") }

// A policy that panics when it is asked what holds grants nothing, and is no
// reason to tell unknown from hidden.
func TestPanicsOfThePolicyAtLookup(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("get", nil))
	l.pol.bind = func(*mcplayer.Spec, *mcplayer.Principal) { panic("hunter2") }
	l.pol.notFound = func(mcplayer.CallInfo) { panic("hunter2") }
	for _, name := range []string{"get", "unknown"} {
		res, err := l.CallTool(t.Context(), name, nil)
		e, ok := err.(*mcplayer.Error)
		if res != nil || !ok || *e != (mcplayer.Error{Code: -32602, Type: "NotFoundError", Message: "Unknown tool: " + name}) {
			t.Errorf("%s: got %v, %v", name, res, err)
		}
	}
	if records := l.log.find(t, "panic"); len(records) != 3 || records[0]["stack"] == nil {
		t.Errorf("logged %v", records)
	}
	if err := l.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestMiddlewareSeesPanicsOfHandlersAsResults(t *testing.T) {
	var res result.Result
	var err error
	peek := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		res, err = next(ctx, info)
		return res, err
	}
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{peek}},
		panicking("panic", "x"), failing("fail", errors.New("x")), returning("chan", make(chan int)), sleeping("slow", 50*time.Millisecond, time.Millisecond))
	for _, name := range []string{"panic", "fail", "chan", "slow"} {
		l.call(t, name, nil)
		if err != nil || res == nil || !res.Failed() {
			t.Errorf("%s: the middleware saw %v, %v", name, res, err)
		}
	}
	if err := l.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestMiddlewareSeesAnErrorWhereAnInnerOnePanics(t *testing.T) {
	var res result.Result
	var err error
	peek := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		res, err = next(ctx, info)
		return res, err
	}
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{
		peek,
		func(context.Context, mcplayer.CallInfo, mcplayer.Next) (result.Result, error) { panic("x") },
	}}, returning("get", nil))
	l.call(t, "get", nil)
	if res != nil || err == nil || mcplayer.CodeOf(err) != mcplayer.CodeHandlerError {
		t.Errorf("the middleware saw %v, %v", res, err)
	}
}

func TestGoexitInAHandler(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, tool("get", func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
		runtime.Goexit()
		return nil, nil
	}))
	same(t, l.wire(t, "get", nil), `{"_meta":{"cloudg/error_code":"handler_error"},`+
		`"content":[{"type":"text","text":"errorString: the handler ended its goroutine without answering"}],"isError":true}`)
	if err := l.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if n := l.Abandoned(); n != 0 {
		t.Errorf("%d abandoned", n)
	}
}

// TestLateHandler runs a handler past its timeout, which then tries everything
// that could reach the finished call.
func TestLateHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := result.Meta{}
		var told journal
		l := newLab(t, mcplayer.Options{Timeout: time.Second}, tool("get", func(ctx context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
			tell := func(when string) {
				tc.Progress(float64(len(when)), 0, when)
				tc.Log("info", when)
				tc.Link(&mcp.ResourceLink{URI: "asset://" + when, Name: when})
				tc.SetMeta("example.com/"+when, true)
			}
			tell("early")
			time.Sleep(2 * time.Second)
			tell("too late")
			shared["late"] = true
			return &result.ToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "late"}}, Meta: shared}, errors.New("late error")
		}))
		res := l.call(t, "get", nil,
			mcplayer.OnProgress(func(p mcplayer.Progress) { told.add("progress:" + p.Message) }),
			mcplayer.OnLog(func(m mcplayer.LogMessage) { told.add("log:" + string(m.Data)) }))
		if l.Abandoned() != 1 {
			t.Errorf("%d abandoned", l.Abandoned())
		}
		time.Sleep(3 * time.Second)
		same(t, wireOf(t, res), timedOut)
		same(t, told.String(), `progress:early log:"early"`)
		late := l.log.find(t, "handler ended after its call")
		if len(late) != 1 || late[0]["error"] != "late error" {
			t.Errorf("logged %v", late)
		}
		if l.Abandoned() != 0 {
			t.Errorf("%d abandoned", l.Abandoned())
		}
	})
}

func TestLateHandlerThatPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, mcplayer.Options{Timeout: time.Second}, tool("get", func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
			time.Sleep(2 * time.Second)
			panic("hunter2")
		}))
		same(t, l.wire(t, "get", nil), timedOut)
		time.Sleep(3 * time.Second)
		if len(l.log.find(t, "panic")) != 1 || len(l.log.find(t, "handler ended after its call")) != 1 || l.Abandoned() != 0 {
			t.Errorf("%d abandoned, logged %s", l.Abandoned(), l.log)
		}
	})
}

// TestNothingIsToldAfterTheAnswer has a handler that reports without end. What
// its callbacks write to is not locked: the race detector sees a report that
// comes after the call has returned.
func TestNothingIsToldAfterTheAnswer(t *testing.T) {
	for range 50 {
		var stop atomic.Bool
		l := newLab(t, mcplayer.Options{Timeout: time.Millisecond}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
			for i := 1; !stop.Load(); i++ {
				tc.Progress(float64(i), 0, "")
				tc.Log("info", i)
			}
			return nil, nil
		}))
		progress, logged := 0, 0
		res := l.call(t, "get", nil,
			mcplayer.OnProgress(func(mcplayer.Progress) { progress++ }),
			mcplayer.OnLog(func(mcplayer.LogMessage) { logged++ }))
		progress, logged = progress+1, logged+1
		same(t, wireOf(t, res), timedOut)
		stop.Store(true)
		if err := l.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestProgressMayCancelItsCall(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, tool("get", func(ctx context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		tc.Progress(1, 2, "")
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := l.CallTool(ctx, "get", nil, mcplayer.OnProgress(func(mcplayer.Progress) { cancel() }))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// again is a middleware that repeats a call that timed out.
func again(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
	res, err := next(ctx, info)
	if err == nil && res.MetaMap()[info.MetaKey("error_code")] == "timeout" {
		return next(ctx, info)
	}
	return res, err
}

func TestLateHandlerCannotTouchARepeatedAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var attempts atomic.Int32
		var told journal
		l := newLab(t, mcplayer.Options{Timeout: time.Second, Middleware: []mcplayer.Middleware{again}},
			tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
				n := attempts.Add(1)
				tc.Progress(float64(n), 0, fmt.Sprint("start", n))
				if n == 1 {
					time.Sleep(1500 * time.Millisecond) // ends while the second attempt runs
					tc.Progress(10, 0, "late")
					tc.Link(&mcp.ResourceLink{URI: "asset://late", Name: "late"})
					tc.SetMeta("example.com/late", true)
					return result.Text("late"), nil
				}
				time.Sleep(900 * time.Millisecond)
				tc.Progress(3, 0, "end2")
				tc.SetMeta("example.com/n", n)
				return result.Text("second"), nil
			}))
		got := l.wire(t, "get", nil, mcplayer.OnProgress(func(p mcplayer.Progress) { told.add(p.Message) }))
		same(t, got, `{"_meta":{"cloudg/duration_ms":0,"example.com/n":2},"content":[{"type":"text","text":"second"}]}`)
		same(t, told.String(), "start1 start2 end2")
		time.Sleep(time.Second)
	})
}

func TestValuesThatCannotBeEncoded(t *testing.T) {
	type node struct {
		Next *node `json:"next"`
	}
	ring := &node{}
	ring.Next = ring
	loop := map[string]any{}
	loop["loop"] = loop
	list := []any{nil}
	list[0] = list
	nan := 0.0
	nan /= nan
	bad := &result.ToolResult{Structured: jsontext.Value(`{"a":`)}
	deep := strings.Repeat("[", 9_998) + strings.Repeat("]", 9_998)
	var chain *node
	for range 100_000 {
		chain = &node{chain}
	}
	tests := []struct {
		name  string
		value any
	}{
		{"too deep for the SDK", jsontext.Value(deep)},
		{"too deep for anybody", chain},
		{"structured value too deep", result.Structured(jsontext.Value(deep))},
		{"metadata too deep", &result.ToolResult{Meta: result.Meta{"x": json.RawMessage(deep)}}},
		{"channel", make(chan int)},
		{"channel in a struct", struct{ C chan int }{}},
		{"function", map[string]any{"f": func() {}}},
		{"NaN", nan},
		{"infinity", map[string]any{"x": 1 / (nan - nan)}},
		{"complex", complex(1, 2)},
		{"json.Number that is none", map[string]any{"n": json.Number("1x")}},
		{"json.Number that is a string", map[string]any{"n": json.Number(`"1"`)}},
		{"cyclic pointers", ring},
		{"cyclic map", loop},
		{"cyclic slice", list},
		{"bad raw JSON", map[string]any{"x": jsontext.Value(`{"a":`)}},
		{"bad raw JSON of encoding/json", map[string]any{"x": json.RawMessage(`{"a":`)}},
		{"bad structured value", bad},
		{"empty structured value", &result.ToolResult{Structured: jsontext.Value{}}},
		{"two structured values", &result.ToolResult{Structured: jsontext.Value(`{} {}`)}},
		{"bad structured value of the SDK", &mcp.CallToolResult{StructuredContent: make(chan int)}},
		{"bad raw structured value of the SDK", &mcp.CallToolResult{StructuredContent: json.RawMessage(`{"a":`)}},
		{"nil block", result.Content(nil)},
		{"typed nil block", result.Content((*mcp.TextContent)(nil))},
		{"typed nil block after a good one", result.Content(&mcp.TextContent{}, (*mcp.ResourceLink)(nil))},
		{"embedded resource without contents", result.Content(&mcp.EmbeddedResource{})},
		{"metadata", &result.ToolResult{Meta: result.Meta{"x": make(chan int)}}},
		{"metadata deep inside", &result.ToolResult{Meta: result.Meta{"x": map[string]any{"y": []any{nan}}}}},
		{"metadata of a block", result.Content(&mcp.TextContent{Meta: mcp.Meta{"x": make(chan int)}})},
		{"bad raw metadata", &result.ToolResult{Meta: result.Meta{"x": json.RawMessage(`{`)}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, timeout := range []time.Duration{0, -1} {
				l := newLab(t, mcplayer.Options{Timeout: timeout}, returning("get", tt.value))
				l.pol.output = censor{}
				res := l.call(t, "get", nil)
				if text := textOf(t, res); !res.IsError || !strings.Contains(text, "Error: encode the result: ") {
					t.Errorf("text %q", text)
				}
				wire := wireOf(t, res)
				if !strings.HasPrefix(wire, `{"_meta":{"cloudg/error_code":"handler_error"},"content":[{"type":"text","text":`) || !strings.HasSuffix(wire, `"}],"isError":true}`) {
					t.Errorf("got %s", wire)
				}
				if res.Cause == nil || len(l.log.find(t, "handler failed")) != 1 {
					t.Errorf("cause %v, log %s", res.Cause, l.log)
				}
			}
		})
	}
}

func TestContextValuesThatCannotBeEncoded(t *testing.T) {
	tests := []struct {
		name string
		add  func(tc *mcplayer.ToolContext)
	}{
		{"SetMeta", func(tc *mcplayer.ToolContext) { tc.SetMeta("example.com/x", make(chan int)) }},
		{"Link", func(tc *mcplayer.ToolContext) { tc.Link(&mcp.ResourceLink{Meta: mcp.Meta{"x": func() {}}}) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
				tt.add(tc)
				return result.Text("ok"), nil
			}))
			res := l.call(t, "get", nil)
			if !res.IsError || res.Meta["cloudg/error_code"] != "handler_error" || len(res.Meta) != 1 {
				t.Errorf("got %s", wireOf(t, res))
			}
		})
	}
}

// What a middleware makes of a result must not silence the SDK either.
func TestMiddlewareResultsThatCannotBeEncoded(t *testing.T) {
	tests := []struct {
		name string
		res  result.Result
	}{
		{"nothing", nil},
		{"typed nil", (*result.ToolResult)(nil)},
		{"result of another kind", &result.Prompt{}},
		{"typed nil block", result.Content((*mcp.TextContent)(nil))},
		{"metadata", &result.ToolResult{Meta: result.Meta{"x": make(chan int)}}},
		{"structured value", &result.ToolResult{Structured: jsontext.Value(`{"a":`)}},
		{"empty structured value", &result.ToolResult{Structured: jsontext.Value{}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{answering(tt.res, nil)}}, returning("get", nil))
			res := l.call(t, "get", nil)
			if !res.IsError || res.Meta["cloudg/error_code"] != "handler_error" || len(res.Meta) != 1 {
				t.Errorf("got %s", wireOf(t, res))
			}
		})
	}
	t.Run("structured value spoilt on the way back", func(t *testing.T) {
		spoil := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
			res, err := next(ctx, info)
			res.(*result.ToolResult).Structured = jsontext.Value(`{"a":`)
			return res, err
		}
		l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{spoil}}, returning("get", map[string]int{"a": 1}))
		if res := l.call(t, "get", nil); !res.IsError {
			t.Errorf("got %s", wireOf(t, res))
		}
	})
}
