package mcplayer_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/policy"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// officeHours refuses contractors outside working hours and labels what
// everybody else gets.
func officeHours(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
	if hour := time.Now().UTC().Hour(); info.Kind == mcplayer.KindTool && info.Principal.HasRole("contractor") && (hour < 8 || hour >= 18) {
		return nil, mcplayer.AccessDenied("Contractors can call tools between 08:00 and 18:00", map[string]any{"hour": hour})
	}
	res, err := next(ctx, info)
	if tool, ok := res.(*result.ToolResult); ok && err == nil {
		tool.MetaMap()["example.com/request-label"] = info.Kind.String() + ":" + info.Name
	}
	return res, err
}

func TestOfficeHours(t *testing.T) {
	const refusal = `{"content":[{"type":"text","text":"Contractors can call tools between 08:00 and 18:00"}],"isError":true,"_meta":{"cloudg/error_code":-31001,"cloudg/error_data":{"hour":20}}}`
	synctest.Test(t, func(t *testing.T) { // the clock of a bubble starts at midnight UTC
		time.Sleep(20*time.Hour + 15*time.Minute)
		reg := mcplayer.NewRegistry()
		mcplayer.AddTool(reg, mcplayer.Tool{Name: "echo"}, rawEcho)
		l, err := mcplayer.New(&mcplayer.Options{Registry: reg, Policy: policy.Open(), Middleware: []mcplayer.Middleware{officeHours}})
		if err != nil {
			t.Fatal(err)
		}
		call := func(role string) string {
			res, err := l.CallTool(t.Context(), "echo", nil, mcplayer.As(mcplayer.NewPrincipal("bob", role)))
			if err != nil {
				t.Fatal(err)
			}
			doc, err := json.Marshal(res.ToWire())
			if err != nil {
				t.Fatal(err)
			}
			return string(doc)
		}
		got := call("contractor")
		same(t, canonical(t, got), canonical(t, refusal))
		same(t, got, `{"_meta":{"cloudg/error_code":-31001,"cloudg/error_data":{"hour":20}},`+
			`"content":[{"type":"text","text":"Contractors can call tools between 08:00 and 18:00"}],"isError":true}`)
		same(t, call("employee"), `{"_meta":{"cloudg/duration_ms":0,"example.com/request-label":"tool:echo"},"content":[{"type":"text","text":"ok"}]}`)
		time.Sleep(12 * time.Hour)
		same(t, call("contractor"), `{"_meta":{"cloudg/duration_ms":0,"example.com/request-label":"tool:echo"},"content":[{"type":"text","text":"ok"}]}`)
	})
}

func canonical(t *testing.T, doc string) string {
	t.Helper()
	v := jsontext.Value(doc)
	if err := v.Canonicalize(); err != nil {
		t.Fatal(err)
	}
	return string(v)
}

func TestMaxOutputChars(t *testing.T) {
	const marker = "... [truncated by cloudg mcp layer]"
	value := map[string]string{"k": strings.Repeat("日", 10)} // {\n  "k": "..."\n} is 23 code points
	const whole = "{\n  \"k\": \"日日日日日日日日日日\"\n}"
	tests := []struct {
		name string
		max  int
		text string
		cut  any
	}{
		{"fits", 100, whole, nil},
		{"exactly", 23, whole, nil},
		{"one too long", 22, whole[:len(whole)-1] + marker, 1},
		{"inside the text", 11, "{\n  \"k\": \"日" + marker, 12},
		{"one character", 1, "{" + marker, 22},
		{"no bound", -1, whole, nil},
		{"default", 0, whole, nil},
	}
	if n := utf8.RuneCountInString(whole); n != 23 {
		t.Fatalf("the text has %d code points", n)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{MaxOutputChars: tt.max}, returning("get", value))
			res := l.call(t, "get", nil)
			same(t, textOf(t, res), tt.text)
			same(t, string(res.Structured), `{"k":"日日日日日日日日日日"}`)
			report, _ := res.Meta["cloudg/transforms"].(map[string]any)
			if report["truncated_chars"] != tt.cut {
				t.Errorf("report %v, want %v", report, tt.cut)
			}
			if tt.cut == nil && report != nil {
				t.Errorf("report %v", report)
			}
		})
	}
}

func TestDefaultMaxOutputChars(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("get", strings.Repeat("x", 300_000)))
	res := l.call(t, "get", nil)
	text, ok := strings.CutSuffix(textOf(t, res), "... [truncated by cloudg mcp layer]")
	if !ok || len(text) != 200_000 {
		t.Errorf("%d characters remain", len(text))
	}
	if report := res.Meta["cloudg/transforms"].(map[string]any); report["truncated_chars"] != 300_000+len("{\n  \"result\": \"\"\n}")-200_000 {
		t.Errorf("report %v", report)
	}
	if len(res.Structured) != 300_000+len(`{"result":""}`) {
		t.Errorf("the structured value has %d bytes", len(res.Structured))
	}
}

func TestTruncationJoinsTheReportOfThePipeline(t *testing.T) {
	own := mcplayer.Report{"censored": 3}
	l := newLab(t, mcplayer.Options{MaxOutputChars: 5}, returning("get", "long enough"))
	l.pol.output = broken{report: func() mcplayer.Report { return own }}
	report := l.call(t, "get", nil).Meta["cloudg/transforms"].(map[string]any)
	if len(report) != 2 || report["censored"] != 3 || report["truncated_chars"] != 24 {
		t.Errorf("got %v", report)
	}
	if len(own) != 1 {
		t.Errorf("the pipeline's own report was changed: %v", own)
	}
}

func TestTextsThatAHandlerBuiltAreNotCut(t *testing.T) {
	l := newLab(t, mcplayer.Options{MaxOutputChars: 5}, returning("get", result.Text("long enough")))
	same(t, l.wire(t, "get", nil), `{"_meta":{"cloudg/duration_ms":0},"content":[{"type":"text","text":"long enough"}]}`)
}

func TestResultsOfHandlers(t *testing.T) {
	link := &mcp.ResourceLink{URI: "asset://1", Name: "one"}
	tests := []struct {
		name string
		add  func(*mcplayer.Registry)
		want string
	}{
		{
			"text", returning("get", result.Text("x")),
			`{"_meta":{"cloudg/duration_ms":0},"content":[{"type":"text","text":"x"}]}`,
		},
		{
			"error of the handler's own making", returning("get", result.Error("x")),
			`{"_meta":{"cloudg/duration_ms":0},"content":[{"type":"text","text":"x"}],"isError":true}`,
		},
		{
			"structured value alone gets its text", returning("get", result.Structured(jsontext.Value(`{"z":1.0,"a":[]}`))),
			`{"_meta":{"cloudg/duration_ms":0},"content":[{"type":"text","text":"{\n  \"z\": 1.0,\n  \"a\": []\n}"}],"structuredContent":{"z":1.0,"a":[]}}`,
		},
		{
			"structured value with content keeps it", returning("get", &result.ToolResult{Content: []mcp.Content{}, Structured: jsontext.Value(`{"raw_data":1}`)}),
			`{"_meta":{"cloudg/duration_ms":0},"content":[],"structuredContent":{"raw_data":1}}`,
		},
		{"nothing", returning("get", nil), `{"_meta":{"cloudg/duration_ms":0},"content":[]}`},
		{"empty result", returning("get", &result.ToolResult{}), `{"_meta":{"cloudg/duration_ms":0},"content":[]}`},
		{"empty content", returning("get", result.Content()), `{"_meta":{"cloudg/duration_ms":0},"content":[]}`},
		{
			"SDK result", returning("get", &mcp.CallToolResult{StructuredContent: map[string]int{"a": 1}, Meta: mcp.Meta{"example.com/k": 1}}),
			`{"_meta":{"cloudg/duration_ms":0,"example.com/k":1},"content":[{"type":"text","text":"{\n  \"a\": 1\n}"}],"structuredContent":{"a":1}}`,
		},
		{
			"links follow the text", tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
				tc.Link(link)
				tc.Link(nil)
				tc.Link(&mcp.ResourceLink{URI: "asset://2", Name: "two"})
				return map[string]int{"n": 2}, nil
			}),
			`{"_meta":{"cloudg/duration_ms":0},"content":[{"type":"text","text":"{\n  \"n\": 2\n}"},{"type":"resource_link","uri":"asset://1","name":"one"},{"type":"resource_link","uri":"asset://2","name":"two"}],"structuredContent":{"n":2}}`,
		},
		{
			"metadata of both", tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
				tc.SetMeta("example.com/a", "context")
				tc.SetMeta("example.com/a", "context again")
				return &result.ToolResult{Meta: result.Meta{"example.com/b": true}}, nil
			}),
			`{"_meta":{"cloudg/duration_ms":0,"example.com/a":"context again","example.com/b":true},"content":[]}`,
		},
		{
			"the layer's keys are its own", tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
				tc.SetMeta("cloudg/cache", "hit")
				tc.SetMeta("cloudg/error_code", "timeout")
				return &result.ToolResult{Meta: result.Meta{"cloudg/retries": 3, "cloudg/duration_ms": -5, "cloudg/transforms": "none"}}, nil
			}),
			`{"_meta":{"cloudg/duration_ms":0},"content":[]}`,
		},
		{
			"an error leaves links and metadata behind", tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
				tc.SetMeta("example.com/a", "context")
				tc.Link(link)
				return nil, mcplayer.AccessDenied("no", nil)
			}),
			`{"_meta":{"cloudg/error_code":-31001},"content":[{"type":"text","text":"no"}],"isError":true}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, mcplayer.Options{}, tt.add)
			same(t, l.wire(t, "get", nil), tt.want)
			same(t, l.wire(t, "get", nil), tt.want) // the second call is as the first
		})
	}
}

func TestLinksAreCopied(t *testing.T) {
	link := &mcp.ResourceLink{URI: "asset://1", Name: "one", Meta: mcp.Meta{"k": "v"}}
	l := newLab(t, mcplayer.Options{}, tool("get", func(_ context.Context, tc *mcplayer.ToolContext, _ jsontext.Value) (any, error) {
		tc.Link(link)
		link.Name = "changed"
		link.Meta["k"] = "changed"
		return nil, nil
	}))
	same(t, l.wire(t, "get", nil), `{"_meta":{"cloudg/duration_ms":0},"content":[{"type":"resource_link","uri":"asset://1","name":"one","_meta":{"k":"v"}}]}`)
}

func TestDuration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
			time.Sleep(time.Second)
			res, err := next(ctx, info)
			time.Sleep(time.Minute) // after finalisation
			return res, err
		}
		l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{slow}}, sleeping("get", 1500*time.Microsecond, 0))
		l.pol.output = broken{text: func(s string) (string, error) { time.Sleep(2 * time.Second); return s, nil }}
		if got := l.call(t, "get", nil).Meta["cloudg/duration_ms"]; got != int64(3001) {
			t.Errorf("got %v", got)
		}
	})
}

func TestMetaPrefixOfALayer(t *testing.T) {
	var key string
	peek := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		key = info.MetaKey("cache")
		return next(ctx, info)
	}
	l := newLab(t, mcplayer.Options{MetaPrefix: "com.example/", MaxOutputChars: 1, Middleware: []mcplayer.Middleware{peek}},
		returning("get", &result.ToolResult{Structured: jsontext.Value(`{}`), Meta: result.Meta{"cloudg/cache": "mine", "com.example/x": 1}}),
		failing("fail", mcplayer.AccessDenied("no", 1)))
	got := l.call(t, "get", nil)
	if _, ok := got.Meta["com.example/duration_ms"].(int64); !ok || len(got.Meta) != 3 || got.Meta["cloudg/cache"] != "mine" || got.Meta["com.example/transforms"] == nil {
		t.Errorf("got %v", got.Meta)
	}
	same(t, key, "com.example/cache")
	same(t, l.wire(t, "fail", nil), `{"_meta":{"com.example/error_code":-31001,"com.example/error_data":1},"content":[{"type":"text","text":"no"}],"isError":true}`)
}

func TestMiddlewareIsTrustedAndNotTransformed(t *testing.T) {
	decorate := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
		res, err := next(ctx, info)
		tool := res.(*result.ToolResult)
		tool.MetaMap()["example.com/k"] = "secret"
		tool.Content = append(tool.Content, &mcp.TextContent{Text: "secret"})
		return res, err
	}
	mine := result.Text("secret")
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{decorate}}, returning("get", mine))
	l.pol.output = censor{}
	const want = `{"_meta":{"cloudg/duration_ms":0,"cloudg/transforms":{"censored":1},"example.com/k":"secret"},` +
		`"content":[{"type":"text","text":"[gone]"},{"type":"text","text":"secret"}]}`
	same(t, l.wire(t, "get", nil), want)
	same(t, l.wire(t, "get", nil), want)
}

func TestAMiddlewaresErrorPassesTheOutputPipeline(t *testing.T) {
	l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{answering(nil, mcplayer.AccessDenied("secret", "secret"))}}, returning("get", nil))
	l.pol.output = censor{}
	same(t, l.wire(t, "get", nil), `{"_meta":{"cloudg/error_code":-31001,"cloudg/error_data":"[gone]","cloudg/transforms":{"censored":2}},`+
		`"content":[{"type":"text","text":"[gone]"}],"isError":true}`)
}

func TestAPlainErrorOfAMiddleware(t *testing.T) {
	for _, hide := range []bool{false, true} {
		l := newLab(t, mcplayer.Options{HideErrors: hide, Middleware: []mcplayer.Middleware{answering(nil, &refusal{"x"})}}, returning("get", nil))
		text := "refusal: x"
		if hide {
			text = "Tool get failed"
		}
		same(t, l.wire(t, "get", nil), `{"_meta":{"cloudg/error_code":"handler_error"},"content":[{"type":"text","text":"`+text+`"}],"isError":true}`)
	}
}

func TestWithheldResultsAreNotInTheLog(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("get", "the value hunter2"))
	l.pol.output = broken{json: func(jsontext.Value) (jsontext.Value, error) { return nil, errPipeline }}
	l.call(t, "get", nil)
	if log := l.log.String(); strings.Contains(log, "the value") {
		t.Errorf("logged %s", log)
	}
}
