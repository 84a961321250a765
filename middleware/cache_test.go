package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/middleware"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestCacheOptionsCheck(t *testing.T) {
	all := func(mcplayer.CallInfo) bool { return true }
	const choices = "cache: Resources and Cacheable are both set: Cacheable alone chooses what is cached; let it choose resources"
	const nothing = "Size is -1, which keeps nothing, and Share is off: the cache would do nothing; leave the cache out or set one of them"
	for _, tt := range []struct {
		name string
		opts *middleware.CacheOptions
		want string
	}{
		{"defaults", nil, "<nil>"},
		{"all defaults", &middleware.CacheOptions{}, "<nil>"},
		{"only shared", &middleware.CacheOptions{Size: -1, Share: true}, "<nil>"},
		{"two choices", &middleware.CacheOptions{Resources: true, Cacheable: all}, choices},
		{"nothing to do", &middleware.CacheOptions{Size: -1}, "cache: " + nothing},
		{"both", &middleware.CacheOptions{Size: -1, Resources: true, Cacheable: all}, choices + "\n" + nothing},
	} {
		t.Run(tt.name, func(t *testing.T) { equal(t, fmt.Sprint(tt.opts.Check()), tt.want) })
	}
}

func TestCacheableTool(t *testing.T) {
	yes, no := new(true), new(false)
	tests := []struct {
		name string
		spec *mcplayer.Spec
		want bool
	}{
		{"nil", nil, false},
		{"nothing said", &mcplayer.Spec{Kind: mcplayer.KindTool}, false},
		{"read-only", &mcplayer.Spec{Kind: mcplayer.KindTool, Annotations: mcplayer.Annotations{ReadOnly: yes}}, false},
		{"idempotent", &mcplayer.Spec{Kind: mcplayer.KindTool, Annotations: mcplayer.Annotations{Idempotent: yes}}, false},
		{"both", &mcplayer.Spec{Kind: mcplayer.KindTool, Annotations: mcplayer.Annotations{ReadOnly: yes, Idempotent: yes}}, true},
		{"host's, closed world", &mcplayer.Spec{Kind: mcplayer.KindTool, Host: true, Annotations: mcplayer.Annotations{ReadOnly: yes, OpenWorld: no}}, true},
		{"host's, open world", &mcplayer.Spec{Kind: mcplayer.KindTool, Host: true, Annotations: mcplayer.Annotations{ReadOnly: yes, OpenWorld: yes}}, false},
		{"own, closed world", &mcplayer.Spec{Kind: mcplayer.KindTool, Annotations: mcplayer.Annotations{ReadOnly: yes, OpenWorld: no}}, false},
		{"resource", &mcplayer.Spec{Kind: mcplayer.KindResource}, false},
	}
	for _, tt := range tests {
		if got := middleware.CacheableTool(tt.spec); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

func TestCacheHitOnTheWire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := middleware.NewCache(nil)
		l := flowLayer(t, policy.Open(), around(cache.Handle), reading("get", func(_ context.Context, tc *toolCtx, _ raw) (any, error) {
			time.Sleep(7 * time.Millisecond)
			tc.SetMeta("example.com/k", map[string]any{"a": 1})
			return map[string]int{"n": 1}, nil
		}))
		const plain = `{"_meta":{%s"cloudg/duration_ms":%d,"example.com/k":{"a":1}},"content":[{"type":"text","text":"{\n  \"n\": 1\n}"}],"structuredContent":{"n":1}}`
		first, _ := l.CallTool(t.Context(), "get", nil, mcplayer.As(alice))
		equal(t, first.Meta["cloudg/duration_ms"], 7)
		equal(t, wired(t, l, alice, "get", "{}"), fmt.Sprintf(plain, `"cloudg/cache":"hit",`, 0))
		hit, _ := l.CallTool(t.Context(), "get", nil, mcplayer.As(alice))
		equal(t, hit.Meta["cloudg/duration_ms"], 0) // its own
		equal(t, cache.Stats(), middleware.CacheStats{Size: 1, Hits: 2, Misses: 1, TTL: time.Minute})
		cache.Invalidate()
		equal(t, wired(t, l, alice, "get", "{}"), fmt.Sprintf(plain, "", 0))
	})
}

// What is done to one answer, outside the cache or by the SDK, shows in no other.
func TestCacheHitIsADeepCopy(t *testing.T) {
	cache := middleware.NewCache(nil)
	scribble := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		res, err := next(ctx, info)
		tool := res.(*result.ToolResult)
		equal(t, firstText(tool), "n=1")
		tool.Content[0].(*mcp.TextContent).Text = "changed"
		tool.Meta["example.com/changed"] = true
		return res, err
	}
	var c counting
	l := flowLayer(t, policy.Open(), around(scribble, cache.Handle), reading("get", c.handle))
	for range 3 {
		equal(t, ask(t, l, alice, "get", ""), "changed")
	}
	equal(t, c.runs.Load(), 1)
}

// The calls that differ in anything that the result may depend on share nothing.
func TestCacheKeepsApart(t *testing.T) {
	with := func(p *mcplayer.Principal, attributes map[string]any) *mcplayer.Principal {
		p, err := p.WithAttributes(attributes)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	as := func(p *mcplayer.Principal) mcplayer.CallOption { return mcplayer.As(p) }
	session := func(id string) mcplayer.CallOption {
		return mcplayer.WithRequest(&mcplayer.RequestInfo{SessionID: id})
	}
	tests := []struct {
		name   string
		a, b   []mcplayer.CallOption
		argsA  string
		argsB  string
		shared bool
	}{
		{name: "equal", a: []mcplayer.CallOption{as(alice)}, b: []mcplayer.CallOption{as(mcplayer.NewPrincipal("alice", "dev"))}, shared: true},
		{name: "roles in another order", a: []mcplayer.CallOption{as(mcplayer.NewPrincipal("x", "a", "b"))}, b: []mcplayer.CallOption{as(mcplayer.NewPrincipal("x", "b", "a", "b"))}, shared: true},
		{name: "principals", a: []mcplayer.CallOption{as(alice)}, b: []mcplayer.CallOption{as(bob)}},
		{name: "roles", a: []mcplayer.CallOption{as(alice)}, b: []mcplayer.CallOption{as(mcplayer.NewPrincipal("alice", "dev", "ops"))}},
		{name: "attributes", a: []mcplayer.CallOption{as(alice)}, b: []mcplayer.CallOption{as(with(alice, map[string]any{"tenant": "a"}))}},
		{name: "attributes that differ", a: []mcplayer.CallOption{as(with(alice, map[string]any{"tenant": "b"}))}, b: []mcplayer.CallOption{as(with(alice, map[string]any{"tenant": "a"}))}},
		{name: "order of members", argsA: `{"a":{"x":1,"y":[1,2]},"b":2}`, argsB: `{ "b":2, "a":{"y":[1,2],"x":1.0} }`, shared: true},
		{name: "order of elements", argsA: `{"a":[1,2]}`, argsB: `{"a":[2,1]}`},
		{name: "large integers", argsA: `{"a":9007199254740993}`, argsB: `{"a":9007199254740992}`},
		{name: "number and text", argsA: `{"a":1}`, argsB: `{"a":"1"}`},
		{name: "absent and null member", argsA: `{"a":null}`, argsB: `{}`},
		{name: "an id and roles that run together", a: []mcplayer.CallOption{as(mcplayer.NewPrincipal("ab", "c"))}, b: []mcplayer.CallOption{as(mcplayer.NewPrincipal("a", "bc"))}},
		{name: "local sessions", a: []mcplayer.CallOption{session("1")}, b: []mcplayer.CallOption{session("2")}},
		{name: "one local session", a: []mcplayer.CallOption{session("1")}, b: []mcplayer.CallOption{session("1")}, shared: true},
		{name: "anonymous sessions", a: []mcplayer.CallOption{as(nil), session("1")}, b: []mcplayer.CallOption{as(nil), session("2")}},
		{name: "clients without a name", a: []mcplayer.CallOption{as(mcplayer.NewPrincipal("oauth-client")), session("1")}, b: []mcplayer.CallOption{as(mcplayer.NewPrincipal("oauth-client")), session("2")}},
		{name: "sessions of a known caller", a: []mcplayer.CallOption{as(alice), session("1")}, b: []mcplayer.CallOption{as(alice), session("2")}, shared: true},
		{name: "local callers without a session", shared: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cache := middleware.NewCache(nil)
			var c counting
			l := flowLayer(t, policy.Open(), around(cache.Handle), reading("get", c.handle))
			call := func(args string, opts []mcplayer.CallOption) {
				if _, err := l.CallTool(t.Context(), "get", raw(args), opts...); err != nil {
					t.Fatal(err)
				}
			}
			call(tt.argsA, tt.a)
			call(tt.argsB, tt.b)
			if shared := c.runs.Load() == 1; shared != tt.shared {
				t.Errorf("shared: %t", shared)
			}
		})
	}
}

func TestCacheKeepsLayersToolsAndPoliciesApart(t *testing.T) {
	cache := middleware.NewCache(nil)
	reg := mcplayer.NewRegistry()
	var c, d counting
	reading("get", c.handle)(reg)
	reading("other", d.handle)(reg)
	pol := &ledgerPolicy{}
	var layers []*mcplayer.Layer
	for range 2 {
		l, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: pol, Middleware: around(cache.Handle)})
		if err != nil {
			t.Fatal(err)
		}
		layers = append(layers, l)
	}
	equal(t, ask(t, layers[0], alice, "get", ""), "n=1")
	equal(t, ask(t, layers[1], alice, "get", ""), "n=2")
	equal(t, ask(t, layers[0], alice, "other", ""), "n=1")
	equal(t, ask(t, layers[0], alice, "get", ""), "n=1")
	pol.version.Add(1)
	equal(t, ask(t, layers[0], alice, "get", ""), "n=3")
	// A tool in the place of another has not the results of that one, attached or not.
	mcplayer.AddTool(reg, mcplayer.Tool{Name: "get", Replace: true, Annotations: mcplayer.Annotations{ReadOnly: new(true), Idempotent: new(true)}}, saying("new"))
	equal(t, ask(t, layers[0], alice, "get", ""), "new")
}

// A hit asks the policy exactly as a fresh call does.
func TestCacheHitIsAuthorized(t *testing.T) {
	refusal := mcplayer.RateLimited("enough", nil)
	left := 3
	pol := &ledgerPolicy{check: func(mcplayer.CallInfo) error {
		if left--; left < 0 {
			return refusal
		}
		return nil
	}}
	cache := middleware.NewCache(nil)
	var c counting
	l := flowLayer(t, pol, around(cache.Handle), reading("get", c.handle))
	for _, want := range []string{"n=1", "n=1", "n=1", "enough"} {
		equal(t, ask(t, l, alice, "get", ""), want)
	}
	equal(t, &pol.asked, "alice alice alice alice")
	equal(t, cache.Stats().Hits, 2)
}

var errUpstream = errors.New("upstream 503")

func TestCacheNeverStores(t *testing.T) {
	first := func(h handler) handler { // h once, then "ok"
		var runs atomic.Int64
		return func(ctx context.Context, tc *toolCtx, args raw) (any, error) {
			if runs.Add(1) == 1 {
				return h(ctx, tc, args)
			}
			return result.Text("ok"), nil
		}
	}
	tests := []struct {
		name string
		h    handler
	}{
		{"an error result", func(context.Context, *toolCtx, raw) (any, error) { return result.Error("upstream 503"), nil }},
		{"an error", func(context.Context, *toolCtx, raw) (any, error) { return nil, errUpstream }},
		{"a layer error", func(context.Context, *toolCtx, raw) (any, error) { return nil, mcplayer.ReferenceNotFound("no", nil) }},
		{"a panic", func(context.Context, *toolCtx, raw) (any, error) { panic("boom") }},
		{"a timeout", func(ctx context.Context, _ *toolCtx, _ raw) (any, error) {
			time.Sleep(time.Hour)
			return result.Text("late"), nil
		}},
		{"what cannot be encoded", func(context.Context, *toolCtx, raw) (any, error) { return make(chan int), nil }},
		{"a request for input", func(context.Context, *toolCtx, raw) (any, error) {
			return result.AskInput(mcp.InputRequestMap{"a": &mcp.ElicitParams{Message: "?"}}, ""), nil
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cache := middleware.NewCache(&middleware.CacheOptions{TTL: 24 * time.Hour})
				l := flowLayer(t, policy.Open(), around(cache.Handle), reading("get", first(tt.h)))
				if got := ask(t, l, alice, "get", ""); got == "ok" {
					t.Errorf("got %s", got)
				}
				equal(t, cache.Stats().Size, 0)
				equal(t, ask(t, l, alice, "get", ""), "ok")
				equal(t, ask(t, l, alice, "get", ""), "ok")
				equal(t, cache.Stats(), middleware.CacheStats{Size: 1, Hits: 1, Misses: 2, TTL: 24 * time.Hour})
				time.Sleep(2 * time.Hour)
				equal(t, ask(t, l, alice, "get", ""), "ok")
			})
		})
	}
}

// A result with a timeout behind it, or for a caller whose time is up, is not kept.
func TestCacheNeverStoresAfterATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := middleware.NewCache(nil)
		retry, err := middleware.NewRetry(nil)
		if err != nil {
			t.Fatal(err)
		}
		var runs atomic.Int64
		patient := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
			return next(context.WithoutCancel(ctx), info)
		}
		l := flowLayer(t, policy.Open(), around(cache.Handle, patient, retry.Handle), readingWithin("get", time.Second, func(context.Context, *toolCtx, raw) (any, error) {
			n := runs.Add(1)
			if n%2 == 1 {
				time.Sleep(time.Minute)
			}
			return result.Text(fmt.Sprint("n=", n)), nil
		}), reading("slow", func(context.Context, *toolCtx, raw) (any, error) {
			time.Sleep(time.Second)
			return result.Text("slow"), nil
		}))
		equal(t, ask(t, l, alice, "get", ""), "n=2")
		equal(t, ask(t, l, alice, "get", ""), "n=4")
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		askIn(ctx, l, alice, "slow", "")
		equal(t, cache.Stats(), middleware.CacheStats{Misses: 3, TTL: time.Minute})
		time.Sleep(time.Hour)
	})
}

func TestCacheForgetsTheRepetitionsOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := middleware.NewCache(nil)
		retry, err := middleware.NewRetry(nil)
		if err != nil {
			t.Fatal(err)
		}
		f := &failingFirst{n: 1, err: errReset}
		l := flowLayer(t, policy.Open(), around(cache.Handle, retry.Handle), reading("get", f.handle))
		equal(t, wired(t, l, alice, "get", "{}"), `{"_meta":{"cloudg/duration_ms":0,"cloudg/retries":1},"content":[{"type":"text","text":"ok"}]}`)
		equal(t, wired(t, l, alice, "get", "{}"), `{"_meta":{"cloudg/cache":"hit","cloudg/duration_ms":0},"content":[{"type":"text","text":"ok"}]}`)
	})
}

func TestCacheExpires(t *testing.T) {
	tests := []struct {
		name    string
		ttl     time.Duration
		fresh   time.Duration // still served
		expired time.Duration // no longer; 0: never
	}{
		{"default", 0, time.Minute - 1, time.Minute},
		{"own", time.Second, time.Second - 1, time.Second},
		{"none", -1, 1000 * time.Hour, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cache := middleware.NewCache(&middleware.CacheOptions{TTL: tt.ttl})
				var c counting
				l := flowLayer(t, policy.Open(), around(cache.Handle), reading("get", c.handle))
				equal(t, ask(t, l, alice, "get", ""), "n=1")
				time.Sleep(tt.fresh)
				equal(t, ask(t, l, alice, "get", ""), "n=1") // a hit does not prolong
				if tt.expired > 0 {
					time.Sleep(tt.expired - tt.fresh)
					equal(t, ask(t, l, alice, "get", ""), "n=2")
				}
			})
		})
	}
}

func TestCacheIsBounded(t *testing.T) {
	entry := int64(len(`{"_meta":{},"content":[{"type":"text","text":"n=1"}]}`) - len(`"_meta":{},`) + len("get") + len("alice") + len(`{"n":1}`))
	tests := []struct {
		name  string
		opts  middleware.CacheOptions
		calls string // one digit each
		want  string // what the handler ran for
		size  int
		bytes int64
	}{
		{"least recently used goes", middleware.CacheOptions{Size: 2}, "1213121", "1232", 2, 0},
		{"none", middleware.CacheOptions{Size: -1}, "111", "111", 0, 0},
		{"bytes", middleware.CacheOptions{MaxBytes: 2 * entry}, "1213121", "1232", 2, 2 * entry},
		{"one too large", middleware.CacheOptions{MaxBytes: entry - 1}, "11", "11", 0, 0},
		{"no bound by bytes", middleware.CacheOptions{MaxBytes: -1}, "12345123", "12345", 5, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cache := middleware.NewCache(&tt.opts)
			var ran strings.Builder
			l := flowLayer(t, policy.Open(), around(cache.Handle), reading("get", func(_ context.Context, _ *toolCtx, args raw) (any, error) {
				ran.WriteByte(args[5])
				return result.Text("n=" + string(args[5])), nil
			}))
			for _, n := range tt.calls {
				equal(t, ask(t, l, alice, "get", fmt.Sprintf(`{"n":%c}`, n)), fmt.Sprintf("n=%c", n))
			}
			equal(t, ran.String(), tt.want)
			stats := cache.Stats()
			equal(t, [2]int64{int64(stats.Size), stats.Bytes}, [2]int64{int64(tt.size), tt.bytes})
		})
	}
	if cache := middleware.NewCache(nil); cache.Stats().TTL != time.Minute {
		t.Error("the default is another")
	}
}

func TestCacheDefaultSize(t *testing.T) {
	cache := middleware.NewCache(nil)
	l := flowLayer(t, policy.Open(), around(cache.Handle), reading("get", saying("x")))
	for i := range 300 {
		ask(t, l, alice, "get", fmt.Sprintf(`{"n":%d}`, i))
	}
	equal(t, cache.Stats().Size, 256)
}

func TestCacheIsEmptiedByWrites(t *testing.T) {
	readOnly := mcplayer.Annotations{ReadOnly: new(true)}
	tests := []struct {
		name  string
		add   func(*mcplayer.Registry)
		fresh bool
	}{
		{"says nothing", writing("w", saying("done")), true},
		{"not read-only", annotated("w", mcplayer.Annotations{ReadOnly: new(false), Idempotent: new(true)}, 0, saying("done")), true},
		{"fails", writing("w", func(context.Context, *toolCtx, raw) (any, error) { return nil, errUpstream }), true},
		{"panics", writing("w", func(context.Context, *toolCtx, raw) (any, error) { panic("boom") }), true},
		{"read-only", annotated("w", readOnly, 0, saying("done")), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cache := middleware.NewCache(nil)
			var c counting
			l := flowLayer(t, policy.Open(), around(cache.Handle), reading("get", c.handle), tt.add)
			ask(t, l, alice, "get", "")
			ask(t, l, bob, "w", "") // whoever it is
			want := "n=1"
			if tt.fresh {
				want = "n=2"
			}
			equal(t, ask(t, l, alice, "get", ""), want)
		})
	}
}

// What was read before a write ended is not kept after it.
func TestCacheOverlappingWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := middleware.NewCache(nil)
		var value atomic.Value
		value.Store("old")
		l := flowLayer(t, policy.Open(), around(cache.Handle),
			reading("get", func(context.Context, *toolCtx, raw) (any, error) {
				v := value.Load()
				time.Sleep(10 * time.Second)
				return result.Text(v.(string)), nil
			}),
			writing("set", func(_ context.Context, _ *toolCtx, args raw) (any, error) {
				time.Sleep(2 * time.Second)
				value.Store("new")
				return nil, nil
			}))
		go ask(t, l, alice, "get", "") // from 0 to 10 s
		time.Sleep(time.Second)
		ask(t, l, bob, "set", "") // from 1 to 3 s
		time.Sleep(10 * time.Second)
		equal(t, cache.Stats().Size, 0)
		equal(t, ask(t, l, alice, "get", ""), "new")
		equal(t, cache.Stats().Size, 1)
	})
}

// A write whose handler goes on after its time empties the cache when it ends, too.
func TestCacheLateWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := middleware.NewCache(nil)
		var value atomic.Value
		value.Store("old")
		l := flowLayer(t, policy.Open(), around(cache.Handle),
			reading("get", func(context.Context, *toolCtx, raw) (any, error) { return result.Text(value.Load().(string)), nil }),
			annotated("set", mcplayer.Annotations{}, time.Second, func(context.Context, *toolCtx, raw) (any, error) {
				time.Sleep(5 * time.Second)
				value.Store("new")
				return nil, nil
			}))
		equal(t, ask(t, l, alice, "set", ""), "Tool set timed out")
		equal(t, ask(t, l, alice, "get", ""), "old")
		time.Sleep(5 * time.Second)
		equal(t, ask(t, l, alice, "get", ""), "new")
	})
}

// A tool that changes something and reads it again through the layer reads what it
// wrote.
func TestCacheInsideAWrite(t *testing.T) {
	cache := middleware.NewCache(&middleware.CacheOptions{Share: true})
	value := "old"
	var l *mcplayer.Layer
	l = flowLayer(t, policy.Open(), around(cache.Handle),
		reading("get", func(context.Context, *toolCtx, raw) (any, error) { return result.Text(value), nil }),
		writing("set", func(ctx context.Context, _ *toolCtx, _ raw) (any, error) {
			before := askIn(ctx, l, alice, "get", "")
			value = "new"
			return result.Text(before + " " + askIn(ctx, l, alice, "get", "")), nil
		}))
	equal(t, ask(t, l, alice, "get", ""), "old")
	equal(t, ask(t, l, alice, "set", ""), "old new")
	equal(t, ask(t, l, alice, "get", ""), "new")
}

func TestCacheIsEmptiedByChanges(t *testing.T) {
	cache := middleware.NewCache(nil)
	var c counting
	reg := mcplayer.NewRegistry()
	reading("get", c.handle)(reg)
	l, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open(), Middleware: around(cache.Handle)})
	if err != nil {
		t.Fatal(err)
	}
	changes := []func(){
		func() { l.NotifyChange(mcplayer.KindTool, "") },
		func() { l.NotifyChange(mcplayer.KindResource, "x://y") },
		func() { writing("more", saying(""))(reg) },
		func() { reg.Remove(mcplayer.KindTool, "more") },
	}
	ask(t, l, alice, "get", "")
	changes[0]()
	equal(t, ask(t, l, alice, "get", ""), "n=1") // not attached
	cache.Attach(l)
	for i, change := range changes {
		change()
		equal(t, ask(t, l, alice, "get", ""), fmt.Sprint("n=", i+2))
		equal(t, ask(t, l, alice, "get", ""), fmt.Sprint("n=", i+2))
	}
	if err := l.Close(t.Context()); err != nil {
		t.Error(err)
	}
	equal(t, cache.Stats().Size, 0)
}

func TestCacheKinds(t *testing.T) {
	tests := []struct {
		name string
		opts middleware.CacheOptions
		want string // the kinds that reach the handler again
	}{
		{"default", middleware.CacheOptions{}, "resource prompt completion"},
		{"resources", middleware.CacheOptions{Resources: true}, "prompt completion"},
		{"all that may be", middleware.CacheOptions{Cacheable: func(mcplayer.CallInfo) bool { return true }}, "completion"},
		{"none", middleware.CacheOptions{Resources: true, Cacheable: func(mcplayer.CallInfo) bool { return false }}, "tool resource prompt completion"},
		{"prompts", middleware.CacheOptions{Cacheable: func(i mcplayer.CallInfo) bool { return i.Kind == mcplayer.KindPrompt }}, "tool resource completion"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cache := middleware.NewCache(&tt.opts)
			var inner events
			peek := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
				inner.add(info.Kind.String())
				return next(ctx, info)
			}
			l := flowLayer(t, policy.Open(), around(cache.Handle, peek), everyKind)
			callEveryKind(t, l)
			callEveryKind(t, l)
			equal(t, &inner, "tool resource prompt completion "+tt.want)
		})
	}
}

// What the predicate chooses counts as harmless, whatever it says of itself.
func TestCachePredicateChoosesATool(t *testing.T) {
	cache := middleware.NewCache(&middleware.CacheOptions{Cacheable: func(i mcplayer.CallInfo) bool { return i.Name == "get" }, MaxBytes: 1 << 20})
	var c counting
	l := flowLayer(t, policy.Open(), around(cache.Handle), writing("get", c.handle), everyKindBut)
	equal(t, ask(t, l, alice, "get", ""), "n=1")
	equal(t, ask(t, l, alice, "get", `{"other":1}`), "n=2")
	equal(t, ask(t, l, alice, "get", ""), "n=1")
	res, err := l.ReadResource(t.Context(), "x://get", mcplayer.As(alice))
	if err != nil || len(res.Meta) > 0 {
		t.Errorf("got %v, %v", res, err)
	}
}

func everyKindBut(r *mcplayer.Registry) {
	mcplayer.AddResource(r, mcplayer.Resource{URI: "x://get"}, func(context.Context, *toolCtx, map[string]string) (any, error) { return "got", nil })
}

func TestCacheOfResources(t *testing.T) {
	cache := middleware.NewCache(&middleware.CacheOptions{Resources: true, MaxBytes: 1 << 20})
	var ran events
	l := flowLayer(t, policy.Open(), around(cache.Handle), func(r *mcplayer.Registry) {
		mcplayer.AddResourceTemplate(r, mcplayer.ResourceTemplate{URITemplate: "x://{a}"}, func(_ context.Context, _ *toolCtx, vars map[string]string) (any, error) {
			ran.add(vars["a"])
			return map[string]string{"a": vars["a"]}, nil
		})
	})
	read := func(uri string) *result.Resource {
		res, err := l.ReadResource(t.Context(), uri, mcplayer.As(alice))
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	first := read("x://one")
	read("x://two")
	hit := read("x://%6fne")
	equal(t, &ran, "one two")
	equal(t, hit.Contents[0].Text, first.Contents[0].Text)
	equal(t, maps.Collect(maps.All(hit.Meta)), map[string]any{"cloudg/cache": "hit"})
	if cache.Stats().Bytes == 0 {
		t.Error("resources have no size")
	}
}

// Arguments that are no JSON object reach the layer's refusal, and no key.
func TestCacheBadArguments(t *testing.T) {
	cache := middleware.NewCache(nil)
	spoil := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		if string(info.Arguments) == `{"spoil":true}` {
			info.Arguments = raw(`{`)
		}
		return next(ctx, info)
	}
	l := flowLayer(t, policy.Open(), around(spoil, cache.Handle), reading("get", saying("x")))
	for _, args := range []string{`[1]`, `{"a":1,"a":2}`, `{"spoil":true}`} {
		res, err := l.CallTool(t.Context(), "get", raw(args), mcplayer.As(alice))
		if err != nil || !res.IsError {
			t.Errorf("%s: got %v, %v", args, res, err)
		}
	}
	equal(t, cache.Stats(), middleware.CacheStats{TTL: time.Minute})
}
