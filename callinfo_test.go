package mcplayer_test

import (
	"context"
	"errors"
	"fmt"
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

func TestIdentityOfACallCannotBeChanged(t *testing.T) {
	tests := []struct {
		name   string
		change func(*mcplayer.CallInfo)
	}{
		{"kind", func(i *mcplayer.CallInfo) { i.Kind = mcplayer.KindPrompt }},
		{"name", func(i *mcplayer.CallInfo) { i.Name = "other" }},
		{"spec", func(i *mcplayer.CallInfo) { s := *i.Spec; i.Spec = &s }},
		{"principal", func(i *mcplayer.CallInfo) { i.Principal = mcplayer.NewPrincipal("root", "admin") }},
		{"an equal principal", func(i *mcplayer.CallInfo) { i.Principal = mcplayer.NewPrincipal("local", "default", "local") }},
		{"everything", func(i *mcplayer.CallInfo) { *i = mcplayer.CallInfo{} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			change := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
				tt.change(&info)
				return next(ctx, info)
			}
			l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{change}}, panicking("get", "must not run"))
			res := l.call(t, "get", nil)
			if !res.IsError || res.Meta["cloudg/error_code"] != "handler_error" {
				t.Errorf("got %s", wireOf(t, res))
			}
			if len(l.pol.checked) > 0 {
				t.Error("the policy was asked")
			}
		})
		t.Run("authorize "+tt.name, func(t *testing.T) {
			var err error
			ask := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
				changed := info
				tt.change(&changed)
				err = changed.Authorize(ctx)
				return next(ctx, info)
			}
			l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{ask}}, returning("get", nil))
			l.call(t, "get", nil)
			if err == nil {
				t.Error("authorized")
			}
		})
	}
}

func TestWhatMiddlewareSees(t *testing.T) {
	alice := mcplayer.NewPrincipal("alice", "dev")
	var got mcplayer.CallInfo
	var version uint64
	peek := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		got, version = info, info.PolicyVersion()
		return next(ctx, info)
	}
	l := newLab(t, mcplayer.Options{Prefix: "app_", Middleware: []mcplayer.Middleware{peek}}, returning("get", nil))
	l.pol.version = 42
	before := time.Now()
	l.call(t, "app_get", jsontext.Value(`{"a":1}`), mcplayer.As(alice), mcplayer.WithRequest(&mcplayer.RequestInfo{RequestID: int64(7)}))
	spec, _ := l.reg.Lookup(mcplayer.KindTool, "get")
	if got.Kind != mcplayer.KindTool || got.Name != "get" || got.Spec != spec || string(got.Arguments) != `{"a":1}` || got.Principal != alice {
		t.Errorf("got %+v", got)
	}
	if got.Context == nil || got.Context.Principal() != alice || got.Context.RequestID() != int64(7) {
		t.Errorf("context %v", got.Context)
	}
	if got.Started.Before(before) || time.Since(got.Started) > time.Minute || version != 42 {
		t.Errorf("started %v, version %d", got.Started, version)
	}
}

func TestNextAfterTheCall(t *testing.T) {
	var next mcplayer.Next
	var info mcplayer.CallInfo
	keep := func(ctx context.Context, i mcplayer.CallInfo, n mcplayer.Next) (result.Result, error) {
		next, info = n, i
		return result.Text("at once"), nil
	}
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{keep}}, panicking("get", "must not run"))
	l.call(t, "get", nil)
	if res, err := next(t.Context(), info); res != nil || err == nil {
		t.Errorf("got %v, %v", res, err)
	}
	if err := info.Authorize(t.Context()); err == nil {
		t.Error("authorized after the call")
	}
}

// A middleware that answers while the chain behind it goes on says so with Hold.
func TestHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		var told journal
		hedge := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
			release := info.Hold()
			info.AfterHandlers(func() { j.add("after") })
			go func() {
				defer release()
				time.Sleep(time.Second)
				res, err := next(context.WithoutCancel(ctx), info)
				if err != nil || res.Failed() {
					t.Errorf("the shared execution gave %v, %v", res, err)
				}
				release()
				release()
				j.add("shared")
			}()
			return result.Text("at once"), nil
		}
		l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{hedge}}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
			tc.Progress(1, 1, "late")
			tc.Log("info", "late")
			time.Sleep(time.Second)
			j.add("handler")
			return nil, nil
		}))
		res := l.call(t, "get", nil,
			mcplayer.OnProgress(func(p mcplayer.Progress) { told.add(p.Message) }),
			mcplayer.OnLog(func(p mcplayer.LogMessage) { told.add(string(p.Data)) }))
		same(t, wireOf(t, res), `{"content":[{"type":"text","text":"at once"}]}`)
		j.add("answer")
		start := time.Now()
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if waited := time.Since(start); waited != 2*time.Second {
			t.Errorf("Close waited %v", waited)
		}
		synctest.Wait()
		same(t, j.String(), "answer handler after shared")
		same(t, told.String(), "")
		if l.Abandoned() != 0 {
			t.Errorf("%d abandoned", l.Abandoned())
		}
	})
}

func TestAfterHandlers(t *testing.T) {
	tests := []struct {
		name string
		work time.Duration // of the handler, whose timeout is 1 s
		want string
	}{
		{"handler in time", 0, "handler next after return"},
		{"late handler", 2 * time.Second, "next return answer handler after"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var j journal
				slot := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
					defer j.add("return")
					res, err := next(ctx, info)
					j.add("next")
					synctest.Wait() // the goroutine of a handler that has answered
					info.AfterHandlers(func() { j.add("after") })
					return res, err
				}
				l := newLab(t, mcplayer.Options{Timeout: time.Second, Middleware: []mcplayer.Middleware{slot}},
					tool("get", func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
						time.Sleep(tt.work)
						j.add("handler")
						return nil, nil
					}))
				l.call(t, "get", nil)
				if tt.work > 0 {
					j.add("answer")
					time.Sleep(tt.work)
				}
				same(t, j.String(), tt.want)
			})
		})
	}
}

func TestAfterHandlersWaitsForAllAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		slot := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
			res, err := next(ctx, info)
			info.AfterHandlers(func() { j.add("after") })
			return res, err
		}
		var attempts atomic.Int32
		l := newLab(t, mcplayer.Options{Timeout: time.Second, Middleware: []mcplayer.Middleware{slot, again}},
			tool("get", func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
				if attempts.Add(1) == 1 {
					time.Sleep(time.Minute)
				}
				return nil, nil
			}))
		go func() {
			time.Sleep(59 * time.Second)
			j.add("59s")
		}()
		l.call(t, "get", nil)
		time.Sleep(2 * time.Minute)
		same(t, j.String(), "59s after")
	})
}

func TestAfterHandlersThatPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		slot := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
			res, err := next(ctx, info)
			info.AfterHandlers(func() { panic(errors.New("hunter2")) })
			info.AfterHandlers(func() { j.add("second") })
			return res, err
		}
		l := newLab(t, mcplayer.Options{Timeout: time.Second, Middleware: []mcplayer.Middleware{slot}}, sleeping("get", 2*time.Second, 0), returning("fast", nil))
		l.call(t, "get", nil)
		time.Sleep(2 * time.Second)
		same(t, wireOf(t, l.call(t, "fast", nil)), `{"_meta":{"cloudg/duration_ms":0},"content":[]}`)
		synctest.Wait()
		same(t, j.String(), "second second")
		if records := l.log.find(t, "panic"); len(records) != 2 || records[0]["stack"] == nil || records[0]["error_id"] == nil {
			t.Errorf("logged %v", records)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestMetaKey(t *testing.T) {
	var keys []string
	look := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		for _, name := range []string{"transforms", "duration_ms", "error_code", "cache", "retries", "other"} {
			keys = append(keys, info.MetaKey(name))
		}
		return next(ctx, info)
	}
	l := newLab(t, mcplayer.Options{MetaPrefix: "com.example/", Middleware: []mcplayer.Middleware{look}}, returning("a", 1))
	l.call(t, "a", nil)
	same(t, strings.Join(keys, " "), "com.example/transforms com.example/duration_ms com.example/error_code com.example/cache com.example/retries com.example/other")
}

// A CallInfo without a layer, as a test of a middleware alone makes it, answers.
func TestCallInfoWithoutALayer(t *testing.T) {
	var info mcplayer.CallInfo
	if err := info.Authorize(t.Context()); err == nil || err.Error() != "mcplayer: CallInfo was not made by a layer" {
		t.Errorf("Authorize: %v", err)
	}
	info.Hold()()
	ran := false
	info.AfterHandlers(func() { ran = true })
	if !ran {
		t.Error("AfterHandlers did nothing")
	}
	same(t, info.MetaKey("cache"), "cloudg/cache")
	if info.PolicyVersion() != 0 {
		t.Errorf("version %d", info.PolicyVersion())
	}
	if info.Layer() != nil || info.TookInput() || info.TimedOut() {
		t.Error("something happened in no call")
	}
}

// What a middleware learns on the way back of how the call went.
func TestWhatHappenedInACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen journal
		peek := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
			seen.add(fmt.Sprint(info.TimedOut(), info.TookInput()))
			res, err := next(ctx, info)
			seen.add(fmt.Sprint(info.TimedOut(), info.TookInput()))
			if info.Layer() == nil || info.MetaKey("retries") != "cloudg/retries" || info.MetaKey("x") != "cloudg/x" {
				t.Errorf("layer %v, key %s", info.Layer(), info.MetaKey("x"))
			}
			return res, err
		}
		l := newLab(t, mcplayer.Options{Timeout: time.Second, Middleware: []mcplayer.Middleware{peek}}, sleeping("slow", time.Minute, 0), returning("fast", nil))
		l.call(t, "slow", nil)
		l.call(t, "fast", nil)
		l.call(t, "fast", nil, mcplayer.OnLog(func(mcplayer.LogMessage) {}))
		same(t, seen.String(), "false false true false false false false false false false false false")
		time.Sleep(time.Hour)
	})
}

// A client's answer is part of a call from the moment it is there, whether the client
// sent it with the request or was asked during it.
func TestTookInput(t *testing.T) {
	for _, version := range []string{legacy, modern} {
		for _, name := range []string{"ask", "elicit"} {
			var seen journal
			peek := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
				seen.add(fmt.Sprint(info.TookInput()))
				res, err := next(ctx, info)
				seen.add(fmt.Sprint(info.TookInput()))
				return res, err
			}
			s := newContractSite()
			s.layer.Use(peek)
			p := dial(t, s.layer, s.server, version, nil, &mcp.ClientOptions{
				ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "n"}}, nil
				},
				CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
					return &mcp.CreateMessageResult{Role: "assistant", Content: &mcp.TextContent{Text: "poem"}}, nil
				},
			})
			if _, err := p.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: textIn{}}); err != nil {
				t.Fatal(err)
			}
			want := map[string]string{
				"ask " + legacy: "false true", "ask " + modern: "false false true true",
				"elicit " + legacy: "false true", "elicit " + modern: "false false",
			}[name+" "+version]
			if seen.String() != want {
				t.Errorf("%s on %s: %s, want %s", name, version, seen.String(), want)
			}
		}
	}
}
