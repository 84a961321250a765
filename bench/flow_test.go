package bench_test

import (
	"context"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/result"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
)

// The settings are the same: 8 at a time with a wait of at most 30 s, 2 repetitions
// after 0.5 and 1 s, a circuit for 30 s that opens at half of 10 calls or more in 30 s.

type work = func() (result.Result, error)

// guards run one work, by what they guard it with.
type guards map[string]func(context.Context) (result.Result, error)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func ourGuards(w work) guards {
	limit, retry, breaker := must(middleware.NewConcurrency(nil)), must(middleware.NewRetry(nil)), must(middleware.NewBreaker(nil))
	return guards{
		"bulkhead": guardedBy(w, limit.Handle), "retry": guardedBy(w, retry.Handle), "breaker": guardedBy(w, breaker.Handle),
		"all": guardedBy(w, limit.Handle, retry.Handle, breaker.Handle),
	}
}

// guardedBy runs work inside middleware as a layer does: the chain is built once.
func guardedBy(w work, mws ...mcplayer.Middleware) func(context.Context) (result.Result, error) {
	next := func(context.Context, mcplayer.CallInfo) (result.Result, error) { return w() }
	for _, mw := range slices.Backward(mws) {
		inner := next
		next = func(ctx context.Context, info mcplayer.CallInfo) (result.Result, error) { return mw(ctx, info, inner) }
	}
	repeatable := mcplayer.Annotations{ReadOnly: new(true), Idempotent: new(true)}
	info := mcplayer.CallInfo{
		Kind: mcplayer.KindTool, Name: "get", Principal: mcplayer.Local(), Spec: &mcplayer.Spec{Kind: mcplayer.KindTool, Annotations: repeatable},
	}
	return func(ctx context.Context) (result.Result, error) { return next(ctx, info) }
}

func theirGuards(w work) guards {
	limit := bulkhead.NewBuilder[result.Result](8).WithMaxWaitTime(30 * time.Second).Build()
	retry := retrypolicy.NewBuilder[result.Result]().WithMaxRetries(2).WithBackoff(500*time.Millisecond, time.Second).Build()
	breaker := circuitbreaker.NewBuilder[result.Result]().
		WithFailureRateThreshold(0.5, 10, 30*time.Second).WithDelay(30 * time.Second).Build()
	return guards{
		"bulkhead": executedBy(w, limit), "retry": executedBy(w, retry), "breaker": executedBy(w, breaker),
		"all": executedBy(w, limit, retry, breaker),
	}
}

// executedBy gives each call its context, without which nobody could stop waiting.
func executedBy(w work, policies ...failsafe.Policy[result.Result]) func(context.Context) (result.Result, error) {
	executor := failsafe.With(policies...)
	return func(ctx context.Context) (result.Result, error) { return executor.WithContext(ctx).Get(w) }
}

// failing fails that often, for a reason that both repeat calls for.
func failing(times int, runs *int) work {
	return func() (result.Result, error) {
		if *runs++; *runs <= times {
			return nil, os.ErrDeadlineExceeded
		}
		return result.Text("ok"), nil
	}
}

func TestGuardsDoTheSame(t *testing.T) {
	for name, build := range map[string]func(work) guards{"ours": ourGuards, "failsafe": theirGuards} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { checkRetry(t, build) })
			synctest.Test(t, func(t *testing.T) { checkBreaker(t, build) })
			synctest.Test(t, func(t *testing.T) { checkBulkhead(t, build) })
		})
	}
}

func checkRetry(t *testing.T, build func(work) guards) {
	runs, began := 0, time.Now()
	run := build(failing(2, &runs))["retry"]
	if _, err := run(t.Context()); err != nil || runs != 3 || time.Since(began) != 1500*time.Millisecond {
		t.Errorf("%d runs in %v, %v", runs, time.Since(began), err)
	}
}

func checkBreaker(t *testing.T, build func(work) guards) {
	runs := 0
	run := build(failing(10, &runs))["breaker"]
	for range 12 {
		_, _ = run(t.Context())
	}
	if runs != 10 {
		t.Errorf("%d runs until the circuit opened", runs)
	}
	time.Sleep(31 * time.Second)
	if _, err := run(t.Context()); err != nil || runs != 11 {
		t.Errorf("%d runs, %v", runs, err)
	}
}

// checkBulkhead makes 17 calls of 20 s: the last would have its turn after 40 s.
func checkBulkhead(t *testing.T, build func(work) guards) {
	run := build(func() (result.Result, error) {
		time.Sleep(20 * time.Second)
		return result.Text("ok"), nil
	})["bulkhead"]
	began, errs := time.Now(), make(chan error)
	for range 17 {
		go func() {
			_, err := run(t.Context())
			errs <- err
		}()
	}
	refused := 0
	for range 17 {
		if err := <-errs; err != nil {
			refused++
		}
	}
	if took := time.Since(began); refused != 1 || took != 40*time.Second {
		t.Errorf("%d refused, %v for all", refused, took)
	}
}

func BenchmarkGuards(b *testing.B) {
	answer := result.Result(result.Text("ok"))
	quick := func() (result.Result, error) { return answer, nil }
	ours, theirs := ourGuards(quick), theirGuards(quick)
	for _, name := range []string{"bulkhead", "retry", "breaker", "all"} {
		b.Run(name+"/ours", func(b *testing.B) { benchmarkGuard(b, ours[name]) })
		b.Run(name+"/failsafe", func(b *testing.B) { benchmarkGuard(b, theirs[name]) })
	}
}

func benchmarkGuard(b *testing.B, run func(context.Context) (result.Result, error)) {
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		must(run(ctx))
	}
}
