package mcplayer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

// deaf is a tool that ignores its context until the test lets it go.
type deaf struct {
	running atomic.Int64
	release chan struct{}
}

func (d *deaf) handle(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
	d.running.Add(1)
	defer d.running.Add(-1)
	<-d.release
	return result.Text("late"), nil
}

// storm is a layer under attack by many goroutines.
type storm struct {
	*lab
	deaf    deaf
	calls   atomic.Int64
	mu      sync.Mutex
	answers map[string]int
}

func newStorm(t *testing.T) *storm {
	s := &storm{answers: map[string]int{}, deaf: deaf{release: make(chan struct{})}}
	s.lab = newLab(t, mcplayer.Options{Timeout: time.Minute, Middleware: []mcplayer.Middleware{passOn}},
		echoing("echo"),
		panicking("panic", "boom"),
		failing("fail", errors.New("no")),
		returning("chan", make(chan int)),
		tool("goexit", func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
			runtime.Goexit()
			return nil, nil
		}),
		tool("progress", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
			for i := range 3 {
				tc.Progress(float64(i), 3, "m")
				tc.Log("info", i)
			}
			tc.SetMeta("example.com/k", 1)
			return result.Text("p"), nil
		}),
		tool("nested", func(ctx context.Context, _ *mcplayer.ToolContext, args jsontext.Value) (any, error) {
			res, err := s.CallTool(ctx, "echo", args)
			if err == nil && res.IsError {
				err = res.Cause // Close has stopped waiting
			}
			return res, err
		}),
		tool("wait", func(ctx context.Context, _ *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}),
		func(r *mcplayer.Registry) {
			mcplayer.AddTool(r, mcplayer.Tool{Name: "slow", Timeout: time.Millisecond}, func(ctx context.Context, _ *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			})
			mcplayer.AddTool(r, mcplayer.Tool{Name: "deaf", Timeout: time.Millisecond}, s.deaf.handle)
		})
	s.pol.output = censor{}
	return s
}

// count sorts an answer and reports one that is none.
func (s *storm) count(t *testing.T, name string, res *result.ToolResult, err error) {
	s.calls.Add(1)
	if (res == nil) == (err == nil) {
		t.Errorf("%s: got %v and %v", name, res, err)
		return
	}
	kind := "ok"
	switch {
	case errors.Is(err, mcplayer.ErrNotFound):
		kind = "unknown"
	case err != nil:
		kind = "cancelled"
	case res.IsError:
		kind = fmt.Sprint(res.Meta["cloudg/error_code"])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[strings.TrimRight(name, "0123456789")+" "+kind]++
}

func (s *storm) call(t *testing.T, ctx context.Context, name string) {
	doc := jsontext.Value(fmt.Sprintf(`{"n":%d}`, rand.IntN(1000)))
	opts := []mcplayer.CallOption{mcplayer.As(mcplayer.NewPrincipal("p", "r"))}
	if name == "progress" {
		opts = append(opts, mcplayer.OnProgress(func(mcplayer.Progress) {}), mcplayer.OnLog(func(mcplayer.LogMessage) {}))
	}
	res, err := s.CallTool(ctx, name, doc, opts...)
	s.count(t, name, res, err)
	if name == "echo" && err == nil && !res.IsError && string(res.Structured) != string(doc) {
		t.Errorf("echo of %s is %s", doc, res.Structured)
	}
}

// goroutine does a few things of one kind.
func (s *storm) goroutine(t *testing.T, i int) {
	ctx := t.Context()
	switch i % 16 {
	case 0:
		s.Use(passOn)
	case 1:
		name := fmt.Sprint("dynamic", i)
		echoing(name)(s.reg)
		s.call(t, ctx, name)
		s.reg.Remove(mcplayer.KindTool, name)
		if _, err := s.CallTool(ctx, name, nil); err != nil && !errors.Is(err, mcplayer.ErrNotFound) {
			t.Errorf("a removed tool: %v", err)
		}
	case 2:
		s.call(t, ctx, "panic")
	case 3:
		s.call(t, ctx, "slow")
	case 4:
		s.call(t, ctx, "deaf")
	case 5:
		ctx, cancel := context.WithTimeout(ctx, time.Duration(rand.IntN(2000))*time.Microsecond)
		s.call(t, ctx, "wait")
		cancel()
	case 6:
		s.call(t, ctx, "goexit")
		s.call(t, ctx, "chan")
	case 7:
		s.call(t, ctx, "unknown")
		s.call(t, ctx, "fail")
	case 8:
		s.call(t, ctx, "progress")
	case 9:
		mcplayer.AddTool(s.reg, mcplayer.Tool{Name: "echo", Replace: true},
			func(_ context.Context, _ *mcplayer.ToolContext, args jsontext.Value) (any, error) { return args, nil })
	default:
		for range 4 {
			s.call(t, ctx, "echo")
			s.call(t, ctx, "nested")
		}
	}
}

// TestStress lets 1,000 goroutines call, change and finally close a layer: every
// call gets one answer, and nothing is left but the handlers that ignore their
// context, which are counted.
func TestStress(t *testing.T) {
	before := runtime.NumGoroutine()
	s := newStorm(t)
	var wg sync.WaitGroup
	var done atomic.Int64
	closed := make(chan error, 1)
	for i := range 1000 {
		wg.Go(func() {
			s.goroutine(t, i)
			if done.Add(1) == 700 {
				ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
				defer cancel()
				closed <- s.Close(ctx)
			}
		})
	}
	wg.Wait()
	if err := <-closed; err == nil {
		t.Error("Close tells of no handler that is left")
	}
	left := s.checkLeft(t)
	settle(t, before+left)
	s.call(t, t.Context(), "echo")
	if s.answers["echo -31029"] == 0 {
		t.Error("the closed layer let a call in")
	}
	close(s.deaf.release)
	settle(t, before)
	if n := s.Abandoned(); n != 0 {
		t.Errorf("%d counted when all have ended", n)
	}
	s.checkAnswers(t)
}

// checkLeft checks that the handlers that are left are those that are counted,
// and returns how many.
func (s *storm) checkLeft(t *testing.T) int {
	t.Helper()
	for range 5000 {
		if left := int(s.deaf.running.Load()); left > 0 && left == s.Abandoned() {
			return left
		}
		time.Sleep(time.Millisecond) // the others end soon: they listen to their context
	}
	t.Fatalf("%d counted, %d left", s.Abandoned(), s.deaf.running.Load())
	return 0
}

// checkAnswers checks that each call had one of the answers that fit it.
func (s *storm) checkAnswers(t *testing.T) {
	fits := map[string]string{
		"echo": "ok", "dynamic": "ok", "nested": "ok", "progress": "ok", "panic": "handler_error", "fail": "handler_error", "chan": "handler_error",
		"goexit": "handler_error", "slow": "timeout", "deaf": "timeout", "wait": "cancelled", "unknown": "unknown",
	}
	total := 0
	for answer, n := range s.answers {
		total += n
		name, kind, _ := strings.Cut(answer, " ")
		if want := fits[name]; kind != want && kind != "-31029" {
			t.Errorf("%d calls of %s ended as %s", n, name, kind)
		}
	}
	if int64(total) != s.calls.Load() {
		t.Errorf("%d answers to %d calls", total, s.calls.Load())
	}
	t.Logf("%d calls: %v", total, s.answers)
}

// settle waits until at most n goroutines are left.
func settle(t *testing.T, n int) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > n {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines are left, want %d:\n%s", runtime.NumGoroutine(), n, buf[:runtime.Stack(buf, true)])
		}
		time.Sleep(time.Millisecond)
	}
}
