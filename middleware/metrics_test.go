package middleware_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/result"
)

func newMetrics(t testing.TB, opts *middleware.MetricsOptions) *middleware.Metrics {
	t.Helper()
	m, err := middleware.NewMetrics(opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// taking returns a chain that takes a while and then answers.
func taking(d time.Duration, res result.Result, err error) mcplayer.Next {
	return func(context.Context, mcplayer.CallInfo) (result.Result, error) {
		time.Sleep(d)
		return res, err
	}
}

// measure leads a call through the metrics and ignores its answer.
func measure(m *middleware.Metrics, info mcplayer.CallInfo, chain mcplayer.Next) {
	_, _ = m.Handle(context.Background(), info, chain)
}

func TestMetricsCounts(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name             string
		ctx              context.Context
		res              result.Result
		err              error
		errors, rejected int64
	}{
		{"ok", t.Context(), result.Text("x"), nil, 0, 0},
		{"error result", t.Context(), result.Error("x"), nil, 1, 0},
		{"plain error", t.Context(), nil, errPlain, 1, 0},
		{"no result", t.Context(), nil, nil, 1, 0},
		{"a result of another kind", t.Context(), &result.Prompt{}, nil, 1, 0},
		{"denied", t.Context(), nil, mcplayer.AccessDenied("m", nil), 0, 1},
		{"rate limited", t.Context(), nil, mcplayer.RateLimited("m", nil), 0, 1},
		{"invalid", t.Context(), nil, mcplayer.InvalidArguments("m", nil), 0, 1},
		{"cancelled", gone, nil, context.Canceled, 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newMetrics(t, nil)
			_, _ = m.Handle(tt.ctx, toolInfo(`{}`), next(tt.res, tt.err))
			s := m.Snapshot()
			p := s.ByPrimitive["tool:echo"]
			if s.Calls != 1 || s.Errors != tt.errors || s.Rejected != tt.rejected || p.Calls != 1 || p.Errors != tt.errors || p.Rejected != tt.rejected {
				t.Errorf("got %+v", s)
			}
		})
	}
}

func TestMetricsSnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMetrics(t, nil)
		measure(m, toolInfo(`{}`), taking(4*time.Millisecond, result.Text("x"), nil))
		measure(m, toolInfo(`{}`), taking(1234567*time.Nanosecond, result.Error("x"), nil))
		prompt := toolInfo(`{}`)
		prompt.Kind = mcplayer.KindPrompt
		measure(m, prompt, taking(time.Second, nil, mcplayer.AccessDenied("m", nil)))
		time.Sleep(260 * time.Millisecond)
		doc, err := json.Marshal(m.Snapshot())
		want := `{"uptime_seconds":1.3,"calls":3,"errors":1,"rejected":1,"by_primitive":{` +
			`"prompt:echo":{"calls":1,"errors":0,"rejected":1,"avg_ms":1000,"p95_ms":1000,"max_ms":1000,"last_call":"2000-01-01T00:00:01+00:00"},` +
			`"tool:echo":{"calls":2,"errors":1,"rejected":0,"avg_ms":2.62,"p95_ms":4,"max_ms":4,"last_call":"2000-01-01T00:00:00+00:00"}}}`
		if err != nil || string(doc) != want {
			t.Errorf("\n got %s\nwant %s", doc, want)
		}
		m.Reset()
		if got := m.Snapshot(); !reflect.DeepEqual(got, middleware.MetricsSnapshot{ByPrimitive: map[string]middleware.PrimitiveMetrics{}}) {
			t.Errorf("after Reset: %+v", got)
		}
	})
}

func TestMetricsPercentile(t *testing.T) {
	tests := []struct {
		name  string
		calls []int // milliseconds
		want  float64
	}{
		{"one", []int{7}, 7},
		{"two", []int{7, 3}, 7},
		{"twenty", []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}, 19},
		{"twenty-one", []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21}, 20},
		{"a hundred", rising(100), 95},
		{"the last 256 only", append(rising(1000), rising(256)...), 244},
		{"the last 256, rising", rising(300), 288}, // 45..300: rank 244
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMetrics(t, nil)
				for _, ms := range tt.calls {
					measure(m, toolInfo(`{}`), taking(time.Duration(ms)*time.Millisecond, result.Text("x"), nil))
				}
				if got := m.Snapshot().ByPrimitive["tool:echo"]; got.P95MS != tt.want || got.Calls != int64(len(tt.calls)) {
					t.Errorf("got %+v", got)
				}
			})
		})
	}
}

// rising returns 1 to n.
func rising(n int) (numbers []int) {
	for i := range n {
		numbers = append(numbers, i+1)
	}
	return numbers
}

func TestMetricsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMetrics(t, nil)
		for range 3 {
			go measure(m, toolInfo(`{}`), taking(time.Second, result.Text("x"), nil))
		}
		synctest.Wait()
		if s := m.Snapshot(); m.InFlight() != 3 || s.InFlight != 3 || s.Calls != 0 || len(s.ByPrimitive) != 0 {
			t.Errorf("got %d, %+v", m.InFlight(), s)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		func() {
			defer func() { _ = recover() }()
			measure(m, toolInfo(`{}`), func(context.Context, mcplayer.CallInfo) (result.Result, error) { panic("x") })
		}()
		if s := m.Snapshot(); m.InFlight() != 0 || s.Calls != 4 || s.Errors != 1 {
			t.Errorf("got %d, %+v", m.InFlight(), s)
		}
	})
}

func TestMetricsOfCacheAndRetry(t *testing.T) {
	m := newMetrics(t, nil)
	for _, meta := range []result.Meta{{"cloudg/cache": "hit"}, {"cloudg/retries": 2}, {"cloudg/retries": int64(1), "cloudg/cache": "hit"}, {"cloudg/retries": "x", "cloudg/cache": 1}, nil} {
		measure(m, toolInfo(`{}`), next(&result.ToolResult{Meta: meta}, nil))
	}
	if got := m.Snapshot().ByPrimitive["tool:echo"]; got.CacheHits != 2 || got.Retries != 3 || got.Calls != 5 {
		t.Errorf("got %+v", got)
	}
}

// A caller cannot make the table grow: later URIs of a template count together.
func TestMetricsTableIsBounded(t *testing.T) {
	template := &mcplayer.Spec{Kind: mcplayer.KindResourceTemplate, Name: "doc://{id}"}
	for _, tt := range []struct {
		name string
		opts *middleware.MetricsOptions
		uris int
	}{{"default", nil, 1000}, {"own", &middleware.MetricsOptions{URIs: 3}, 3}} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMetrics(t, tt.opts)
			read := func(uri string, spec *mcplayer.Spec) {
				measure(m, mcplayer.CallInfo{Kind: mcplayer.KindResource, Name: uri, Spec: spec}, next(&result.Resource{}, nil))
			}
			for round := range 2 {
				for i := range tt.uris + 50 {
					read(fmt.Sprintf("doc://%d", i), template)
				}
				_ = round
			}
			read("fixed://x", &mcplayer.Spec{Kind: mcplayer.KindResource, Name: "fixed://x"})
			measure(m, mcplayer.CallInfo{Kind: mcplayer.KindCompletion, Name: "doc://{id}", Spec: template}, next(&result.Completion{}, nil))
			s := m.Snapshot()
			first, last := s.ByPrimitive["resource:doc://0"].Calls, s.ByPrimitive[fmt.Sprintf("resource:doc://%d", tt.uris-1)].Calls
			if len(s.ByPrimitive) != tt.uris+3 || s.ByPrimitive["resource:doc://{id}"].Calls != 100 || first != 2 || last != 2 {
				t.Errorf("%d keys, %d, %d and %d calls", len(s.ByPrimitive), s.ByPrimitive["resource:doc://{id}"].Calls, first, last)
			}
			if s.ByPrimitive["resource:fixed://x"].Calls != 1 || s.ByPrimitive["completion:doc://{id}"].Calls != 1 {
				t.Error("the others are missing")
			}
		})
	}
}

func TestMetricsMistakes(t *testing.T) {
	if _, err := middleware.NewMetrics(&middleware.MetricsOptions{URIs: -1}); err == nil || err.Error() != "metrics: URIs is -1; it must be positive, or 0 for 1000" {
		t.Errorf("got %v", err)
	}
}

func TestMetricsTogether(t *testing.T) {
	aliased := func(m *middleware.Timing) *middleware.Metrics { return m }
	timing := aliased(newMetrics(t, nil))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			info := toolInfo(`{}`)
			info.Name = fmt.Sprint("t", i%3)
			for range 200 {
				measure(timing, info, next(result.Text("x"), nil))
				_ = timing.Snapshot()
			}
		})
	}
	wg.Wait()
	if s := timing.Snapshot(); s.Calls != 1600 || len(s.ByPrimitive) != 3 || timing.InFlight() != 0 {
		t.Errorf("got %+v", s)
	}
}

// metricsLayer is a layer with tools, of which alice alone sees the private one.
func metricsLayer(t *testing.T, m *middleware.Metrics, opts mcplayer.Options) *mcplayer.Layer {
	opts.Registry = mcplayer.NewRegistry()
	for _, name := range []string{"open", "private", "hidden"} {
		mcplayer.AddTool(opts.Registry, mcplayer.Tool{Name: name}, func(context.Context, *mcplayer.ToolContext, struct{}) (string, error) { return "x", nil })
	}
	opts.Middleware = []mcplayer.Middleware{m.Handle}
	return newLayer(t, &opts)
}

func readMetrics(t *testing.T, layer *mcplayer.Layer, who string) string {
	t.Helper()
	res, err := layer.ReadResource(t.Context(), middleware.MetricsURI, mcplayer.As(mcplayer.NewPrincipal(who)))
	if err != nil {
		t.Fatal(err)
	}
	return res.Contents[0].Text
}

func TestMetricsResource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMetrics(t, nil)
		layer := metricsLayer(t, m, mcplayer.Options{Policy: &gatePolicy{}})
		m.Register(layer.Registry(), "", false)
		if err := layer.Registry().Err(); err != nil {
			t.Fatal(err)
		}
		spec, _ := layer.Registry().Lookup(mcplayer.KindResource, "cloudg://metrics")
		if spec.Category != "server" || spec.Sensitivity != mcplayer.Internal || spec.MIMEType != "application/json" {
			t.Errorf("got %+v", spec)
		}
		for _, call := range []string{"open", "private"} {
			if _, err := layer.CallTool(t.Context(), call, nil, mcplayer.As(mcplayer.NewPrincipal("alice"))); err != nil {
				t.Fatal(err)
			}
		}
		const open = `    "tool:open": {
      "calls": 1,
      "errors": 0,
      "rejected": 0,
      "avg_ms": 0,
      "p95_ms": 0,
      "max_ms": 0,
      "last_call": "2000-01-01T00:00:00+00:00"
    }`
		private := strings.Replace(open, "open", "private", 1)
		head := "{\n  \"uptime_seconds\": 0,\n  \"calls\": %d,\n  \"errors\": 0,\n  \"rejected\": 0,\n  \"by_primitive\": {\n"
		own := strings.Replace(open, "tool:open", "resource:cloudg://metrics", 1) + ",\n"
		if got, want := readMetrics(t, layer, "alice"), fmt.Sprintf(head, 2)+open+",\n"+private+"\n  }\n}"; got != want {
			t.Errorf("alice sees %s, want %s", got, want)
		}
		if got, want := readMetrics(t, layer, "bob"), fmt.Sprintf(head, 2)+own+open+"\n  }\n}"; got != want {
			t.Errorf("bob sees %s, want %s", got, want)
		}
	})
}

func TestMetricsResourceElsewhere(t *testing.T) {
	m := newMetrics(t, nil)
	reg := mcplayer.NewRegistry()
	m.Register(reg, "ops://m", false)
	m.Register(reg, "ops://m", true)
	if reg.Err() != nil || len(reg.Specs()) != 1 || reg.Specs()[0].Name != "ops://m" {
		t.Errorf("got %v, %v", reg.Err(), reg.Specs())
	}
	m.Register(reg, "ops://m", false)
	if reg.Err() == nil {
		t.Error("a duplicate is no error")
	}
}

// The resource goes through its reader's output pipeline.
func TestMetricsResourceIsTransformed(t *testing.T) {
	m := newMetrics(t, nil)
	layer := metricsLayer(t, m, mcplayer.Options{Policy: &gatePolicy{output: withholding{}}})
	m.Register(layer.Registry(), "", false)
	_, err := layer.ReadResource(t.Context(), middleware.MetricsURI)
	if e, ok := errors.AsType[*mcplayer.Error](err); !ok || e.Message != "Result withheld: the output pipeline failed" {
		t.Errorf("got %v", err)
	}
}

// withholding is an output pipeline that fails.
type withholding struct{ reporter }

func (withholding) Begin(context.Context, mcplayer.CallInfo) mcplayer.Pass { return nil }
