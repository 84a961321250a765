package mcplayer_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tests named TestLimit show what a layer cannot do. LIMITATIONS.md tells
// users of it.

// TestLimitGoexitWithoutTimeout: a handler without a timeout runs on its
// caller's goroutine, and runtime.Goexit ends that.
func TestLimitGoexitWithoutTimeout(t *testing.T) {
	endsItsCaller(t, newLab(t, mcplayer.Options{Timeout: -1}, tool("get", func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
		runtime.Goexit()
		return nil, nil
	})))
}

// TestLimitGoexitInMiddleware is the same for middleware, which always runs on
// its caller's goroutine.
func TestLimitGoexitInMiddleware(t *testing.T) {
	endsItsCaller(t, newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{
		func(context.Context, mcplayer.CallInfo, mcplayer.Next) (result.Result, error) {
			runtime.Goexit()
			return nil, nil
		},
	}}, returning("get", nil)))
}

// endsItsCaller checks that nobody gets an answer of the tool "get", and that the
// call is over all the same: Close does not wait for it.
func endsItsCaller(t *testing.T, l *lab) {
	t.Helper()
	answered := false
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = l.CallTool(context.Background(), "get", nil)
		answered = true
	}()
	<-ended
	if answered {
		t.Error("the call was answered: the limit is gone")
	}
	if err := l.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestLimitHandlerWithoutTimeoutHoldsItsCaller: without a timeout nothing but
// the handler itself ends a call, neither the caller's context nor Close.
func TestLimitHandlerWithoutTimeoutHoldsItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t, mcplayer.Options{Timeout: -1}, sleeping("get", time.Hour, 0))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		go func() {
			time.Sleep(2 * time.Second)
			grace, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			if err := l.Close(grace); err == nil {
				t.Error("Close did not tell of the handler")
			}
			if n := l.Abandoned(); n != 0 {
				t.Errorf("%d abandoned: its call still waits for it", n)
			}
		}()
		l.call(t, "get", nil)
		if _, err := l.CallTool(ctx, "get", nil); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took != time.Hour {
			t.Errorf("answered after %v: the limit is gone", took)
		}
	})
}

// TestLimitLateHandlerGoesOn: Go cannot stop a goroutine. A handler that ignores
// its context keeps what it holds until it ends by itself.
func TestLimitLateHandlerGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wrote := false
		l := newLab(t, mcplayer.Options{Timeout: time.Second}, tool("get", func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
			time.Sleep(time.Minute)
			wrote = true
			return nil, nil
		}))
		same(t, wireOf(t, l.call(t, "get", nil)), timedOut)
		time.Sleep(time.Minute)
		synctest.Wait()
		if !wrote {
			t.Error("the handler was stopped: the limit is gone")
		}
	})
}

const deadlyEnv = "MCPLAYER_TEST_DEADLY"

// endsTheProcess runs the test named in a process of its own, where it calls a
// tool, and checks that the process ends and says so.
func endsTheProcess(t *testing.T, name string, h func(), says string) {
	t.Helper()
	if os.Getenv(deadlyEnv) == name {
		newLab(t, mcplayer.Options{Timeout: time.Minute}, tool("get", func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
			h()
			return nil, nil
		})).call(t, "get", nil)
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$")
	cmd.Env = append(os.Environ(), deadlyEnv+"="+name)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err == nil || ctx.Err() != nil {
		t.Errorf("the process lived (%v): the limit is gone", err)
	}
	if !strings.Contains(out.String(), says) {
		t.Errorf("it said %.2000s", out.String())
	}
}

// TestLimitPanicOnOwnGoroutine: only the goroutine that panics can recover, and
// one that a handler started belongs to the handler.
func TestLimitPanicOnOwnGoroutine(t *testing.T) {
	endsTheProcess(t, "panic", func() {
		go func() { panic("boom") }()
		select {}
	}, "panic: boom")
}

// TestLimitFatalError: what the runtime calls fatal is no panic, and os.Exit is
// what it says.
func TestLimitFatalError(t *testing.T) {
	tests := []struct {
		name, says string
		do         func()
	}{
		{"map", "fatal error: concurrent map", func() {
			m := map[int]int{}
			for range 8 {
				go func() {
					for i := 0; ; i++ {
						m[i%8] = i
					}
				}()
			}
			select {}
		}},
		{"stack", "goroutine stack exceeds", func() {
			debug.SetMaxStack(1 << 20) // reached sooner
			var dig func(int) int
			dig = func(n int) int { return dig(n+1) + 1 }
			dig(0)
		}},
		{"exit", "bye", func() {
			_, _ = os.Stderr.WriteString("bye")
			os.Exit(3)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			endsTheProcess(t, tt.name, tt.do, tt.says)
		})
	}
}

// TestLimitHostsAreNotCalledInProcess: the SDK tells a layer of a server's primitives only
// while it handles a request.
func TestLimitHostsAreNotCalledInProcess(t *testing.T) {
	l := newLab(t, mcplayer.Options{})
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "get"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	mounted(t, l, server)
	if _, err := l.CallTool(t.Context(), "get", nil); err == nil || err.Error() != "Unknown tool: get" {
		t.Errorf("got %v", err)
	}
	if specs := l.Registry().Specs(); len(specs) != 0 {
		t.Errorf("got %v", specs)
	}
}
