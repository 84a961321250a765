package mcplayer_test

import (
	"context"
	"testing"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

// rawEcho is the cheapest useful tool: raw arguments in, one text out.
func rawEcho(_ context.Context, _ *mcplayer.ToolContext, args jsontext.Value) (*result.ToolResult, error) {
	return result.Text("ok"), nil
}

func rawLayer(t testing.TB, timeout time.Duration, middleware ...mcplayer.Middleware) *mcplayer.Layer {
	t.Helper()
	reg := mcplayer.NewRegistry()
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "echo"}, rawEcho)
	l, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open(), Timeout: timeout, Middleware: middleware})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func passOn(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
	return next(ctx, info)
}

var eight = []mcplayer.Middleware{passOn, passOn, passOn, passOn, passOn, passOn, passOn, passOn}

var rawArgs = jsontext.Value(`{"id":"a-1","limit":5,"deep":true}`)

func allocsPerCall(t *testing.T, l *mcplayer.Layer) float64 {
	t.Helper()
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	var args any = rawArgs
	return testing.AllocsPerRun(1000, func() {
		if _, err := l.CallTool(t.Context(), "echo", args); err != nil {
			t.Fatal(err)
		}
	})
}

func TestRawCallAllocatesAtMost8Times(t *testing.T) {
	if got := allocsPerCall(t, rawLayer(t, -1)); got > 8 {
		t.Errorf("a raw call allocates %v times, want at most 8", got)
	}
}

func TestMiddlewareAllocatesNothing(t *testing.T) {
	bare := allocsPerCall(t, rawLayer(t, -1))
	wrapped := allocsPerCall(t, rawLayer(t, -1, eight...))
	if wrapped != bare {
		t.Errorf("eight middlewares allocate %v times, want 0", wrapped-bare)
	}
}

// authorizeTwice is what a cache adds to a hit that is none.
func authorizeTwice(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
	if err := info.Authorize(ctx); err != nil {
		return nil, err
	}
	return next(ctx, info)
}

func TestAuthorizeAllocatesNothing(t *testing.T) {
	bare := allocsPerCall(t, rawLayer(t, -1))
	if wrapped := allocsPerCall(t, rawLayer(t, -1, authorizeTwice)); wrapped != bare {
		t.Errorf("an additional check allocates %v times, want 0", wrapped-bare)
	}
}

// What a timeout adds must stay a small number: the goroutine, its channel, the
// timer and the context.
func TestTimeoutAllocatesLittle(t *testing.T) {
	bare := allocsPerCall(t, rawLayer(t, -1))
	if timed := allocsPerCall(t, rawLayer(t, 0)); timed-bare > 12 {
		t.Errorf("a timeout allocates %v times, want at most 12", timed-bare)
	} else {
		t.Logf("a raw call allocates %v times, with a timeout %v", bare, timed)
	}
}

func TestComparingRoleSetsAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	a, b := mcplayer.NewPrincipal("a", "x", "y"), mcplayer.NewPrincipal("b", "y", "x")
	keys := map[mcplayer.RoleSet]int{a.RoleSet(): 1}
	if n := testing.AllocsPerRun(100, func() {
		if a.RoleSet() != b.RoleSet() || keys[b.RoleSet()] != 1 || !a.HasRole("x") {
			t.Fatal("not the same set")
		}
	}); n != 0 {
		t.Errorf("allocates %v times", n)
	}
}

func BenchmarkCallRaw(b *testing.B)     { benchmarkCall(b, rawLayer(b, -1)) }
func BenchmarkCallOnion8(b *testing.B)  { benchmarkCall(b, rawLayer(b, -1, eight...)) }
func BenchmarkCallTimeout(b *testing.B) { benchmarkCall(b, rawLayer(b, 0)) }

func benchmarkCall(b *testing.B, l *mcplayer.Layer) {
	ctx := b.Context()
	var args any = rawArgs
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.CallTool(ctx, "echo", args); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCalibrator is what a timeout costs at least: a goroutine, a timer and
// a channel.
func BenchmarkCalibrator(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		answer := make(chan struct{}, 1)
		ctx, cancel := context.WithTimeout(b.Context(), time.Minute)
		go func() { answer <- struct{}{} }()
		select {
		case <-answer:
		case <-ctx.Done():
		}
		cancel()
	}
}
