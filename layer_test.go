package mcplayer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

const serverClosing = `{"_meta":{"cloudg/error_code":-31029},"content":[{"type":"text","text":"Server closing"}],"isError":true}`

func TestCloseRefusesNewCalls(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("get", nil))
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"get", "unknown"} {
		res := l.call(t, name, nil)
		same(t, wireOf(t, res), serverClosing)
		if !errors.Is(res.Cause, mcplayer.ErrServerClosing) {
			t.Errorf("cause %v", res.Cause)
		}
	}
}

func TestCloseLetsRunningCallsFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l, other *lab
		l = newLab(t, mcplayer.Options{}, returning("inner", result.Text("inner")),
			tool("get", func(ctx context.Context, _ *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
				time.Sleep(10 * time.Second)
				direct, err := l.CallTool(ctx, "inner", nil)
				if err != nil || direct.IsError {
					t.Errorf("a nested call gave %v, %v", direct, err)
				}
				return other.CallTool(ctx, "back", nil)
			}))
		other = newLab(t, mcplayer.Options{}, tool("back", func(ctx context.Context, _ *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
			return l.CallTool(ctx, "inner", nil)
		}))
		answer := make(chan string)
		go func() { answer <- textOf(t, l.call(t, "get", nil)) }()
		synctest.Wait()
		closed := make(chan error)
		start := time.Now()
		go func() { closed <- l.Close(t.Context()) }()
		synctest.Wait()
		same(t, wireOf(t, l.call(t, "inner", nil)), serverClosing)
		same(t, <-answer, "inner")
		if err := <-closed; err != nil {
			t.Error(err)
		}
		if waited := time.Since(start); waited != 10*time.Second {
			t.Errorf("Close waited %v", waited)
		}
	})
}

func TestCloseStopsWaitingWhenItsContextEnds(t *testing.T) {
	tests := []struct {
		name      string
		listens   bool
		abandoned int
		err       bool
		waited    time.Duration
	}{
		{"handler listens to its context", true, 0, false, 5 * time.Second},
		{"handler ignores its context", false, 1, true, 6 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var j journal
				l := newLab(t, mcplayer.Options{Timeout: time.Hour}, tool("get", func(ctx context.Context, _ *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
					if tt.listens {
						<-ctx.Done()
						return nil, ctx.Err()
					}
					time.Sleep(time.Minute)
					return nil, nil
				}))
				l.OnClose(func(context.Context) error { j.add("closer"); return nil })
				answer := make(chan string)
				go func() {
					answer <- wireOf(t, l.call(t, "get", nil))
				}()
				go func() { j.add("answer"); same(t, <-answer, serverClosing) }()
				synctest.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				start := time.Now()
				err := l.Close(ctx)
				if waited := time.Since(start); waited != tt.waited {
					t.Errorf("Close waited %v", waited)
				}
				if (err != nil) != tt.err || tt.err && (!errors.Is(err, context.DeadlineExceeded) || err.Error() != "mcplayer: close: 1 still running: context deadline exceeded") {
					t.Errorf("got %v", err)
				}
				synctest.Wait()
				same(t, j.String(), "answer closer")
				if n := l.Abandoned(); n != tt.abandoned {
					t.Errorf("%d abandoned", n)
				}
				if n := len(l.log.find(t, "layer closed while handlers were running")); n != tt.abandoned {
					t.Errorf("logged %s", l.log)
				}
				time.Sleep(time.Hour)
				if n := l.Abandoned(); n != 0 {
					t.Errorf("%d abandoned at last", n)
				}
			})
		})
	}
}

func TestCloseClosesInReverseAndOnce(t *testing.T) {
	var j journal
	l := newLab(t, mcplayer.Options{})
	for i := range 3 {
		l.OnClose(func(context.Context) error {
			j.add(fmt.Sprint(i))
			if i != 1 {
				return fmt.Errorf("closer %d", i)
			}
			return nil
		})
	}
	err := l.Close(t.Context())
	if err == nil || err.Error() != "closer 2\ncloser 0" {
		t.Errorf("got %v", err)
	}
	if err := l.Close(t.Context()); err != nil {
		t.Errorf("the second time: %v", err)
	}
	same(t, j.String(), "2 1 0")
}

func TestClosersRunAfterTheLastCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		l := newLab(t, mcplayer.Options{Timeout: time.Second}, tool("get", func(context.Context, *mcplayer.ToolContext, jsontext.Value) (any, error) {
			time.Sleep(10 * time.Second) // its call is answered long before
			j.add("handler")
			return nil, nil
		}))
		l.OnClose(func(context.Context) error { j.add("closer"); return nil })
		same(t, wireOf(t, l.call(t, "get", nil)), timedOut)
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
		same(t, j.String(), "handler closer")
	})
}

func TestALateHandlerCannotCallAClosingLayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l *lab
		l = newLab(t, mcplayer.Options{Timeout: time.Second}, returning("inner", nil),
			tool("get", func(ctx context.Context, _ *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
				time.Sleep(10 * time.Second)
				same(t, wireOf(t, l.call(t, "inner", nil)), serverClosing)
				res, err := l.CallTool(ctx, "inner", nil)
				if err != nil {
					t.Error(err)
				}
				same(t, wireOf(t, res), serverClosing)
				return nil, nil
			}))
		l.call(t, "get", nil)
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestAClosedLayerLeavesItsRegistry(t *testing.T) {
	n := 0
	l := newLab(t, mcplayer.Options{}, returning("get", nil))
	l.OnChange(func(mcplayer.Change) { n++ })
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	returning("more", nil)(l.reg)
	if n != 0 {
		t.Error("a closed layer was told of a change")
	}
}

// typedNil is a policy that may be a nil pointer.
type typedNil struct{ mcplayer.Policy }

func TestOptions(t *testing.T) {
	bad := mcplayer.NewRegistry()
	mcplayer.AddTool(bad, mcplayer.Tool{Name: "no good"}, rawEcho)
	mcplayer.AddTool(bad, mcplayer.Tool{Name: "get", Category: "read"}, rawEcho)
	tests := []struct {
		name string
		opts *mcplayer.Options
		want string // empty: no error
	}{
		{"nil", nil, "mcplayer: 1 configuration error:\nPolicy is missing; policy.Open() allows everything"},
		{"nothing but a policy", &mcplayer.Options{Policy: policy.Open()}, ""},
		{"typed nil policy", &mcplayer.Options{Policy: (*typedNil)(nil)}, "mcplayer: 1 configuration error:\nPolicy is missing; policy.Open() allows everything"},
		{"longest prefix", &mcplayer.Options{Policy: policy.Open(), Prefix: strings.Repeat("x", 64)}, ""},
		{
			"too long a prefix", &mcplayer.Options{Policy: policy.Open(), Prefix: strings.Repeat("x", 65)},
			"mcplayer: 1 configuration error:\nPrefix: \"" + strings.Repeat("x", 65) + "\" is not at most 64 of A-Z a-z 0-9 _ . -",
		},
		{"bad prefix", &mcplayer.Options{Policy: policy.Open(), Prefix: "a/"}, "mcplayer: 1 configuration error:\nPrefix: \"a/\" is not at most 64 of A-Z a-z 0-9 _ . -"},
		{"newline in the prefix", &mcplayer.Options{Policy: policy.Open(), Prefix: "a\n"}, "mcplayer: 1 configuration error:\nPrefix: \"a\\n\" is not at most 64 of A-Z a-z 0-9 _ . -"},
		{"no bounds", &mcplayer.Options{Policy: policy.Open(), Timeout: -1, MaxOutputChars: -1}, ""},
		{
			"everything at once",
			&mcplayer.Options{Registry: bad, Prefix: "ä", MetaPrefix: "com.mcp/", MaxArgumentBytes: -1, Filter: mcplayer.Filter{Tools: []string{"put"}, Categories: []string{"["}}},
			"mcplayer: 7 configuration errors:\n" +
				"Policy is missing; policy.Open() allows everything\n" +
				"Prefix: \"ä\" is not at most 64 of A-Z a-z 0-9 _ . -\n" +
				"MetaPrefix: \"com.mcp/\" is reserved: its second label must not be \"mcp\"\n" +
				"MaxArgumentBytes is -1; it must be positive, or 0 for 4194304\n" +
				"tool \"no good\": the name \"no good\" is not 1 to 128 of A-Z a-z 0-9 _ . -\n" +
				"Filter.Categories: pattern \"[\": the bracket at \"[\" is not closed\n" +
				"Filter.Tools[0]: \"put\" matches nothing; there are \"get\"",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, err := mcplayer.New(tt.opts)
			if tt.want == "" {
				if err != nil || l == nil {
					t.Fatalf("got %v", err)
				}
				return
			}
			if err == nil || l != nil {
				t.Fatal("no error")
			}
			same(t, err.Error(), tt.want)
		})
	}
}

func TestMetaPrefixRules(t *testing.T) {
	tests := []struct {
		prefix string
		ok     bool
	}{
		{"", true},
		{"cloudg/", true},
		{"com.example/", true},
		{"com.example.app/", true},
		{"a/", true},
		{"a-b.c-d/", true},
		{"x1.y2/", true},
		{"com.example", false},
		{"com.example//", false},
		{"/", false},
		{".com/", false},
		{"com./", false},
		{"com..example/", false},
		{"1com.example/", false},
		{"-a/", false},
		{"a-/", false},
		{"com.ex ample/", false},
		{"com.exämple/", false},
		{"com/example/", false},
		{"io.modelcontextprotocol/", false},
		{"dev.mcp/", false},
		{"dev.MCP/", false},
		{"com.mcp.tools/", false},
		{"mcp/", true},
		{"com.example.mcp/", true},
		{"modelcontextprotocol/", true},
		{"com.mcps/", true},
	}
	for _, tt := range tests {
		t.Run(tt.prefix, func(t *testing.T) {
			_, err := mcplayer.New(&mcplayer.Options{Policy: policy.Open(), MetaPrefix: tt.prefix})
			if (err == nil) != tt.ok {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestExposedNames(t *testing.T) {
	tests := []struct {
		name, prefix, tool string
		ok                 bool
	}{
		{"all characters", "", "aZ09_.-", true},
		{"longest", "", strings.Repeat("x", 128), true},
		{"too long", "", strings.Repeat("x", 129), false},
		{"longest with prefix", "app_", strings.Repeat("x", 124), true},
		{"too long with prefix", "app_", strings.Repeat("x", 125), false},
		{"empty", "", "", false},
		{"empty with prefix", "app_", "", false},
		{"slash", "", "a/b", false},
		{"space", "", "a b", false},
		{"newline", "", "a\n", false},
		{"beyond ASCII", "", "ä", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reg := mcplayer.NewRegistry()
			mcplayer.AddTool(reg, mcplayer.Tool{Name: tt.tool}, rawEcho)
			_, err := mcplayer.New(&mcplayer.Options{Policy: policy.Open(), Registry: reg, Prefix: tt.prefix})
			if (err == nil) != tt.ok {
				t.Errorf("got %v", err)
			}
			if err != nil && !strings.Contains(err.Error(), fmt.Sprintf("tool %q: ", tt.tool)) {
				t.Errorf("%v does not name the tool", err)
			}
		})
	}
}

func TestTwoLayersShareNothing(t *testing.T) {
	reg := mcplayer.NewRegistry()
	returning("get", result.Text("x"))(reg)
	a := newLab(t, mcplayer.Options{Registry: reg, Prefix: "a_"})
	b := newLab(t, mcplayer.Options{Registry: reg, MetaPrefix: "com.example/", Middleware: []mcplayer.Middleware{answering(result.Text("b"), nil)}})
	same(t, a.wire(t, "a_get", nil), `{"_meta":{"cloudg/duration_ms":0},"content":[{"type":"text","text":"x"}]}`)
	same(t, b.wire(t, "get", nil), `{"content":[{"type":"text","text":"b"}]}`)
	if err := a.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, b.wire(t, "get", nil), `{"content":[{"type":"text","text":"b"}]}`)
}

// Closers run whatever the others do, and one that comes late runs at once.
func TestClosersArePanicProof(t *testing.T) {
	l := newLab(t, mcplayer.Options{})
	var j journal
	l.OnClose(func(context.Context) error { j.add("first"); return nil })
	l.OnClose(func(context.Context) error { panic("boom") })
	err := l.Close(t.Context())
	if err == nil {
		t.Error("the panic is lost")
	}
	l.OnClose(func(context.Context) error { j.add("late"); return nil })
	same(t, j.String(), "first late")
}
