package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/result"
)

// stuckSink hangs until it is let go.
type stuckSink struct {
	safeBuffer
	free chan struct{}
}

func (s *stuckSink) Write(p []byte) (int, error) {
	<-s.free
	return s.safeBuffer.Write(p)
}

// takes returns how long f takes.
func takes(f func()) time.Duration {
	begun := time.Now()
	f()
	return time.Since(begun)
}

func TestAuditWaitsForAFullQueue(t *testing.T) {
	tests := []struct {
		name    string
		timeout time.Duration
		want    time.Duration
	}{
		{"default", 0, time.Second},
		{"own", 3 * time.Second, 3 * time.Second},
		{"none", -1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := &stuckSink{free: make(chan struct{})}
				var log safeBuffer
				audit := newAudit(t, middleware.AuditOptions{Writer: sink, Queue: 2, QueueTimeout: tt.timeout, Logger: slog.New(slog.NewTextHandler(&log, nil))})
				handle(audit, toolInfo(`{}`)) // the goroutine hangs with it
				synctest.Wait()
				for range 2 { // that the queue holds
					if got := takes(func() { handle(audit, toolInfo(`{}`)) }); got != 0 {
						t.Errorf("waited %v for a queue with places", got)
					}
				}
				if got := takes(func() { handle(audit, toolInfo(`{}`)) }); got != tt.want {
					t.Errorf("waited %v, want %v", got, tt.want)
				}
				if got := audit.Stats(); got != (middleware.AuditStats{Lost: 1, Pending: 3}) {
					t.Errorf("got %+v", got)
				}
				if got := log.String(); strings.Count(got, "audit line lost") != 1 || !strings.Contains(got, `error="the queue is full" lost=1`) || !strings.Contains(got, `mcp.call`) {
					t.Errorf("logged %s", got)
				}
				close(sink.free)
				if err := audit.Close(t.Context()); err == nil || err.Error() != "audit: 1 lines lost" {
					t.Errorf("got %v", err)
				}
				if got := audit.Stats(); got != (middleware.AuditStats{Written: 3, Lost: 1}) || len(sink.Lines()) != 3 {
					t.Errorf("got %+v, %d lines", got, len(sink.Lines()))
				}
			})
		})
	}
}

func TestAuditWaitEndsWithAPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &stuckSink{free: make(chan struct{})}
		audit := newAudit(t, middleware.AuditOptions{Writer: sink, Queue: 1})
		handle(audit, toolInfo(`{}`))
		synctest.Wait()
		handle(audit, toolInfo(`{}`))
		time.AfterFunc(300*time.Millisecond, func() { close(sink.free) })
		if got := takes(func() { handle(audit, toolInfo(`{}`)) }); got != 300*time.Millisecond {
			t.Errorf("waited %v", got)
		}
		closeAudit(t, audit)
		if got := audit.Stats(); got != (middleware.AuditStats{Written: 3}) {
			t.Errorf("got %+v", got)
		}
	})
}

// Close of a sink that hangs returns when its context ends, and says what is missing.
func TestAuditCloseOfAHangingSink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &stuckSink{free: make(chan struct{})}
		audit := newAudit(t, middleware.AuditOptions{Writer: sink})
		for range 3 {
			handle(audit, toolInfo(`{}`))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		var err error
		if got := takes(func() { err = audit.Close(ctx) }); got != 2*time.Second {
			t.Errorf("waited %v", got)
		}
		if !errors.Is(err, context.DeadlineExceeded) || !strings.HasPrefix(err.Error(), "audit: close: 0 lines lost, 3 not written") {
			t.Errorf("got %v", err)
		}
		close(sink.free)
		synctest.Wait()
		if got := audit.Stats(); got != (middleware.AuditStats{Written: 1, Lost: 2}) {
			t.Errorf("got %+v", got)
		}
	})
}

// Close lets go of calls that wait for a place, and counts calls after it.
func TestAuditAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &stuckSink{free: make(chan struct{})}
		audit := newAudit(t, middleware.AuditOptions{Writer: sink, Queue: 1, QueueTimeout: time.Hour})
		handle(audit, toolInfo(`{}`))
		synctest.Wait()
		handle(audit, toolInfo(`{}`))
		waited := make(chan time.Duration)
		go func() { waited <- takes(func() { handle(audit, toolInfo(`{}`)) }) }()
		synctest.Wait()
		time.Sleep(time.Second)
		time.AfterFunc(time.Second, func() { close(sink.free) })
		if err := audit.Close(t.Context()); err == nil || err.Error() != "audit: 1 lines lost" {
			t.Errorf("got %v", err)
		}
		if got := <-waited; got != time.Second {
			t.Errorf("waited %v", got)
		}
		if res, err := audit.Handle(t.Context(), toolInfo(`{}`), next(result.Text("x"), nil)); err != nil || res == nil {
			t.Errorf("a call after Close gave %v, %v", res, err)
		}
		if err := audit.Close(t.Context()); err == nil || err.Error() != "audit: 2 lines lost" {
			t.Errorf("got %v", err)
		}
		if err := audit.Reopen(t.Context()); err == nil || err.Error() != "audit: reopen: the audit is closed" {
			t.Errorf("got %v", err)
		}
	})
}

func TestAuditFailClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sink safeBuffer
		audit := newAudit(t, middleware.AuditOptions{Writer: &sink, FailClosed: true, OmitHashes: true})
		var before string
		_, err := audit.Handle(t.Context(), toolInfo(`{"a":1}`), func(context.Context, mcplayer.CallInfo) (result.Result, error) {
			before = sink.String()
			return result.Text("x"), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want := `{"argument_keys":["a"],"event":"mcp.call.intent","kind":"tool","name":"echo","principal":{"id":"alice","roles":["admin","reader"]},"request_id":null,"sensitivity":"internal","ts":"2000-01-01T00:00:00.000+00:00"}` + "\n"
		if before != want {
			t.Errorf("\n got %s\nwant %s", before, want)
		}
		closeAudit(t, audit)
		if got := sink.Lines(); len(got) != 2 || decode(t, got[1])["event"] != "mcp.call" {
			t.Errorf("got %q", got)
		}
		_, err = audit.Handle(t.Context(), toolInfo(`{}`), func(context.Context, mcplayer.CallInfo) (result.Result, error) {
			t.Error("a call that cannot be recorded went on")
			return nil, nil
		})
		if e, ok := errors.AsType[*mcplayer.Error](err); !ok || e.Code != mcplayer.CodeInternal || e.Message != "Call refused: it cannot be recorded" {
			t.Errorf("got %v", err)
		}
	})
}

// brokenSink fails in a way of its own.
type brokenSink func(p []byte) (int, error)

func (s brokenSink) Write(p []byte) (int, error) { return s(p) }

func TestAuditFailClosedRefuses(t *testing.T) {
	hang := make(chan struct{})
	tests := []struct {
		name  string
		sink  io.Writer
		waits time.Duration
		lost  int64
	}{
		{"failing", brokenSink(func([]byte) (int, error) { return 0, errPlain }), 0, 2},
		{"panicking", brokenSink(func([]byte) (int, error) { panic("x") }), 0, 2},
		{"hanging", brokenSink(func(p []byte) (int, error) { <-hang; return len(p), nil }), time.Second, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hang = make(chan struct{})
				audit := newAudit(t, middleware.AuditOptions{Writer: tt.sink, FailClosed: true})
				ran := false
				got := takes(func() {
					_, err := audit.Handle(t.Context(), toolInfo(`{}`), func(context.Context, mcplayer.CallInfo) (result.Result, error) {
						ran = true
						return nil, nil
					})
					if mcplayer.CodeOf(err) != mcplayer.CodeInternal {
						t.Errorf("got %v", err)
					}
				})
				synctest.Wait()
				if ran || got != tt.waits || audit.Stats().Lost != tt.lost {
					t.Errorf("ran %v, waited %v, %+v", ran, got, audit.Stats())
				}
				close(hang)
				_ = audit.Close(t.Context())
			})
		})
	}
}

// A sink that fails, tears lines or panics never breaks a call. What was torn is ended
// before the next line.
func TestAuditFaultySinks(t *testing.T) {
	tests := []struct {
		name    string
		fault   func(sink *safeBuffer, p []byte) (int, error) // of the second write
		again   bool                                          // the third fails too
		written int64
		broken  []int // lines that are not whole
	}{
		{"fails", func(*safeBuffer, []byte) (int, error) { return 0, errPlain }, false, 2, nil},
		{"panics", func(*safeBuffer, []byte) (int, error) { panic("x") }, false, 2, []int{1}},
		{"half, then the rest", func(b *safeBuffer, p []byte) (int, error) { return b.Write(p[:9]) }, false, 3, nil},
		{"half, then nothing", func(b *safeBuffer, p []byte) (int, error) { n, _ := b.Write(p[:9]); return n, errPlain }, true, 2, []int{1}},
		{"all but the newline", func(b *safeBuffer, p []byte) (int, error) { return b.Write(p[:len(p)-1]) }, true, 3, nil},
		{"too many", func(b *safeBuffer, p []byte) (int, error) { n, err := b.Write(p); return n + 5, err }, false, 3, nil},
		{"negative", func(*safeBuffer, []byte) (int, error) { return -1, errPlain }, false, 2, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var sink safeBuffer
			writes := 0
			audit := newAudit(t, middleware.AuditOptions{Writer: brokenSink(func(p []byte) (int, error) {
				switch writes++; {
				case writes == 2:
					return tt.fault(&sink, p)
				case writes == 3 && tt.again:
					return 0, errPlain
				}
				return sink.Write(p)
			})})
			for i := range 3 {
				if res, err := audit.Handle(t.Context(), toolInfo(fmt.Sprintf(`{"k%d":1}`, i)), next(result.Text("x"), nil)); res == nil || err != nil {
					t.Fatalf("got %v, %v", res, err)
				}
			}
			err := audit.Close(t.Context())
			lost := 3 - tt.written
			if got := audit.Stats(); got != (middleware.AuditStats{Written: tt.written, Lost: lost}) || (err != nil) != (lost > 0) {
				t.Errorf("got %+v, %v", got, err)
			}
			lines := sink.Lines()
			if want := int(tt.written) + len(tt.broken); len(lines) != want {
				t.Fatalf("%d lines, want %d: %q", len(lines), want, lines)
			}
			for i, line := range lines {
				if len(tt.broken) > 0 && i == tt.broken[0] {
					continue
				}
				decode(t, line)
			}
		})
	}
}

// Values that panic or cannot be encoded cost their line at most.
type panickyReport struct{}

func (panickyReport) MarshalJSON() ([]byte, error) { panic("x") }

func TestAuditLineThatCannotBeMade(t *testing.T) {
	tests := []struct {
		name   string
		report any
		lost   int64
	}{
		{"panics", panickyReport{}, 1},
		{"no JSON", make(chan int), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var sink safeBuffer
			audit := newAudit(t, middleware.AuditOptions{Writer: &sink})
			res := &result.ToolResult{Meta: result.Meta{"cloudg/transforms": tt.report}}
			if got, err := audit.Handle(t.Context(), toolInfo(`{}`), next(res, nil)); got != res || err != nil {
				t.Errorf("got %v, %v", got, err)
			}
			_ = audit.Close(t.Context())
			if got := audit.Stats(); got != (middleware.AuditStats{Written: 1 - tt.lost, Lost: tt.lost}) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestAuditIntoTheLog(t *testing.T) {
	var log safeBuffer
	audit := newAudit(t, middleware.AuditOptions{Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	handle(audit, toolInfo(`{}`))
	closeAudit(t, audit)
	got := decode(t, log.Lines()[0])
	if got["level"] != "INFO" || got["logger"] != "cloudg.mcp.audit" || decode(t, got["msg"].(string))["outcome"] != "ok" {
		t.Errorf("got %v", got)
	}
}

// A log that leaves the lines out loses them: that is counted.
func TestAuditIntoALogThatLeavesItOut(t *testing.T) {
	var log safeBuffer
	audit := newAudit(t, middleware.AuditOptions{Logger: slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	handle(audit, toolInfo(`{}`))
	if err := audit.Close(t.Context()); err == nil || audit.Stats().Lost != 1 || !strings.Contains(log.String(), "the log leaves out level info") {
		t.Errorf("got %v, %+v, %s", err, audit.Stats(), log.String())
	}
}
