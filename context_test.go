package mcplayer_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestProgressOnlyRises(t *testing.T) {
	nan := math.NaN()
	var told journal
	l := newLab(t, mcplayer.Options{}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		for _, p := range [][2]float64{{-1, 10}, {0, 10}, {0, 10}, {5, 10}, {4.9, 10}, {5, 10}, {nan, 10}, {math.Inf(1), 10}, {6, nan}, {7, math.Inf(-1)}, {7.5, 0}} {
			tc.Progress(p[0], p[1], "")
		}
		return nil, nil
	}))
	l.call(t, "get", nil, mcplayer.OnProgress(func(p mcplayer.Progress) { told.add(fmt.Sprintf("%v/%v", p.Done, p.Total)) }))
	same(t, told.String(), "-1/10 0/10 5/10 6/0 7/0 7.5/0")
}

func TestProgressOfManyGoroutines(t *testing.T) {
	var last float64
	n := 0
	l := newLab(t, mcplayer.Options{}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				for i := range 100 {
					tc.Progress(float64(i*8+g), 0, "")
				}
			})
		}
		wg.Wait()
		return nil, nil
	}))
	l.call(t, "get", nil, mcplayer.OnProgress(func(p mcplayer.Progress) {
		if n++; n > 1 && p.Done <= last { // not locked: one goroutine at a time
			t.Errorf("%v after %v", p.Done, last)
		}
		last = p.Done
	}))
	if last != 799 {
		t.Errorf("the last was %v", last)
	}
}

func TestAContextInProcess(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		tc.Progress(1, 1, "nobody listens")
		tc.Log("info", make(chan int))
		return result.Text(fmt.Sprint(tc.Principal().ID(), " ", tc.RequestID(), " ", tc.Request() == nil, " ", tc.Session() == nil, " ", tc.InputResponses() == nil, " ", tc.RequestState() == "")), nil
	}))
	same(t, textOf(t, l.call(t, "get", nil)), "local <nil> true true true true")
}

func TestLogLevelsPassAsTheyAre(t *testing.T) {
	var told journal
	l := newLab(t, mcplayer.Options{}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		for _, level := range []mcp.LoggingLevel{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"} {
			tc.Log(level, 1)
		}
		return nil, nil
	}))
	l.call(t, "get", nil, mcplayer.OnLog(func(m mcplayer.LogMessage) { told.add(string(m.Level)) }))
	same(t, told.String(), "debug info notice warning error critical alert emergency")
}

func TestPanicsOfCallbacksAreTheHandlers(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		tc.Progress(1, 1, "")
		return nil, nil
	}))
	checkPanic(t, l, l.call(t, "get", nil, mcplayer.OnProgress(func(mcplayer.Progress) { panic("hunter2") })), "hunter2")
	if err := l.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAContextIsInertOnceItsHandlerHasReturned(t *testing.T) {
	var told journal
	var kept *mcplayer.ToolContext
	l := newLab(t, mcplayer.Options{Timeout: -1}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		kept = tc
		return result.Text("x"), nil
	}))
	res := l.call(t, "get", nil,
		mcplayer.OnProgress(func(p mcplayer.Progress) { told.add(p.Message) }),
		mcplayer.OnLog(func(m mcplayer.LogMessage) { told.add(string(m.Data)) }))
	kept.Progress(1, 1, "late")
	kept.Log("info", "late")
	kept.Link(&mcp.ResourceLink{URI: "x://y", Name: "late"})
	kept.SetMeta("example.com/late", true)
	same(t, told.String(), "")
	same(t, wireOf(t, res), `{"_meta":{"cloudg/duration_ms":0},"content":[{"type":"text","text":"x"}]}`)
	if kept.Principal() != mcplayer.Local() {
		t.Error("the principal is gone")
	}
}

func TestSees(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("open", 1), returning("hidden", 1))
	l.pol.hidden = map[string]bool{"hidden": true}
	var tc *mcplayer.ToolContext
	sees := func(name string) bool {
		spec, _ := l.reg.Lookup(mcplayer.KindTool, name)
		return tc.Sees(mcplayer.KindTool, spec, name)
	}
	var got []bool
	tool("look", func(_ context.Context, c *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		tc = c
		got = append(got, sees("open"), sees("hidden"), sees("unknown"))
		l.pol.bind = func(*mcplayer.Spec, *mcplayer.Principal) { panic("x") }
		got = append(got, sees("open"))
		l.pol.bind = nil
		return 1, nil
	})(l.Registry())
	l.call(t, "look", nil)
	if want := []bool{true, false, false, false}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if sees("open") {
		t.Error("a call that is over still sees")
	}
	if l.Registry() != l.reg {
		t.Error("another registry")
	}
}
