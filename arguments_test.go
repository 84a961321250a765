package mcplayer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/result"
	"github.com/go-json-experiment/json/jsontext"
)

func TestArguments(t *testing.T) {
	deep := func(levels int) string {
		return strings.Repeat(`{"a":`, levels-1) + `{}` + strings.Repeat(`}`, levels-1)
	}
	const refused = `{"_meta":{"cloudg/error_code":-32602,"cloudg/error_data":[{"loc":"LOC","msg":"MSG","type":"TYPE"}]},` +
		`"content":[{"type":"text","text":"Invalid arguments: TEXT"}],"isError":true}`
	tests := []struct {
		name           string
		args           any
		want           string // what the handler gets
		loc, msg, kind string // or how it is refused
	}{
		{"absent", nil, `{}`, "", "", ""},
		{"absent, raw", jsontext.Value(nil), `{}`, "", "", ""},
		{"empty", jsontext.Value(""), `{}`, "", "", ""},
		{"white space", json.RawMessage(" \n"), `{}`, "", "", ""},
		{"null", []byte("null"), `{}`, "", "", ""},
		{"null and white space", []byte(" null "), `{}`, "", "", ""},
		{"object without members", []byte(`{}`), `{}`, "", "", ""},
		{"nil map", map[string]any(nil), `{}`, "", "", ""},
		{"map", map[string]any{"b": 1, "a": "<"}, `{"a":"<","b":1}`, "", "", ""},
		{"struct", struct {
			A int    `json:"a"`
			B []bool `json:"b,omitempty"`
		}{A: 1}, `{"a":1}`, "", "", ""},
		{"as written", []byte(`{ "b":1.0 ,"a": 9007199254740993,"c":1E400,"d":"\u003c"}`), `{ "b":1.0 ,"a": 9007199254740993,"c":1E400,"d":"\u003c"}`, "", "", ""},
		{"object in a string", []byte(`"{\"a\":1}"`), `{"a":1}`, "", "", ""},
		{"object in a string, white space", []byte(` "{ \"a\" : 1 } " `), `{ "a" : 1 } `, "", "", ""},
		{"as deep as allowed", []byte(deep(1000)), deep(1000), "", "", ""},
		{"brackets in strings", []byte(`{"a":"` + strings.Repeat("[", 2000) + `"}`), `{"a":"` + strings.Repeat("[", 2000) + `"}`, "", "", ""},
		{"array", []byte(`[1]`), "", "", "must be a JSON object", "type"},
		{"number", 7, "", "", "must be a JSON object", "type"},
		{"true", []byte(`true`), "", "", "must be a JSON object", "type"},
		{"string", []byte(`"hunter2"`), "", "", "must be a JSON object", "type"},
		{"empty string", []byte(`""`), "", "", "must be a JSON object", "type"},
		{"array in a string", []byte(`"[1]"`), "", "", "must be a JSON object", "type"},
		{"object in a string in a string", []byte(`"\"{}\""`), "", "", "must be a JSON object", "type"},
		{"duplicate", []byte(`{"a":"hunter2","a":1}`), "", "a", "is given twice", "duplicate"},
		{"duplicate by another spelling", []byte(`{"a":1,"\u0061":2}`), "", "a", "is given twice", "duplicate"},
		{"duplicate inside", []byte(`{"items":[{},{"x":1,"x":2}]}`), "", "items[1].x", "is given twice", "duplicate"},
		{"duplicate in a string", []byte(`"{\"a\":1,\"a\":2}"`), "", "a", "is given twice", "duplicate"},
		{"too deep", []byte(deep(1001)), "", "", "nested deeper than 1000 levels", "length"},
		{"far too deep", []byte(`{"a":` + strings.Repeat("[", 100_000)), "", "", "nested deeper than 1000 levels", "length"},
		{"broken", []byte(`{"a":hunter2}`), "", "a", "not valid JSON at byte 5", "json"},
		{"truncated", []byte(`{"a":1`), "", "", "not valid JSON at byte 6", "json"},
		{"invalid UTF-8", []byte("{\"a\":\"\xff\"}"), "", "a", "not valid JSON at byte 6", "json"},
		{"half a surrogate", []byte(`{"a":"\ud800"}`), "", "a", "not valid JSON at byte 6", "json"},
		{"rubbish after", []byte(`{} hunter2`), "", "", "must be one JSON value; more follows after it", "json"},
		{"another object after", []byte(`{}{}`), "", "", "must be one JSON value; more follows after it", "json"},
		{"rubbish after a string", []byte(`"{}" x`), "", "", "must be one JSON value; more follows after it", "json"},
		{"comma at the end", []byte(`{"a":1,}`), "", "", "not valid JSON at byte 7", "json"},
		{"comment", []byte(`{/*x*/}`), "", "", "not valid JSON at byte 1", "json"},
		{"as large as allowed", []byte(`{"a":"` + strings.Repeat("x", 4<<20-8) + `"}`), `{"a":"` + strings.Repeat("x", 4<<20-8) + `"}`, "", "", ""},
		{"too large", []byte(`{"a":"` + strings.Repeat("x", 4<<20-7) + `"}`), "", "", "larger than the allowed 4194304 bytes", "length"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var seen, got jsontext.Value
			peek := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
				seen = info.Arguments
				return next(ctx, info)
			}
			l := newLab(t, mcplayer.Options{Middleware: []mcplayer.Middleware{peek}}, tool("get", func(_ context.Context, _ *mcplayer.ToolContext, args jsontext.Value) (any, error) {
				got = args
				return nil, nil
			}))
			wire := l.wire(t, "get", tt.args)
			if len(l.pol.checked) != 1 {
				t.Errorf("the policy was asked %d times", len(l.pol.checked))
			}
			if tt.msg == "" {
				same(t, string(got), tt.want)
				same(t, string(seen), tt.want)
				return
			}
			text := tt.msg
			if tt.loc != "" {
				text = tt.loc + ": " + tt.msg
			}
			same(t, wire, strings.NewReplacer("LOC", tt.loc, "MSG", tt.msg, "TYPE", tt.kind, "TEXT", text).Replace(refused))
			if seen != nil {
				t.Errorf("middleware saw %q", seen)
			}
			if got != nil {
				t.Errorf("the handler got %q", got)
			}
		})
	}
}

func TestArgumentsAreRefusedAfterThePolicyCheck(t *testing.T) {
	l := newLab(t, mcplayer.Options{}, returning("get", nil))
	l.pol.check = func(context.Context, mcplayer.CallInfo) error { return mcplayer.AccessDenied("no", nil) }
	same(t, l.wire(t, "get", []byte(`[`)), `{"_meta":{"cloudg/error_code":-31001},"content":[{"type":"text","text":"no"}],"isError":true}`)
}

func TestMaxArgumentBytes(t *testing.T) {
	l := newLab(t, mcplayer.Options{MaxArgumentBytes: 10}, returning("get", nil))
	if res := l.call(t, "get", []byte(`{"a":1234}`)); res.IsError {
		t.Errorf("10 bytes: %s", wireOf(t, res))
	}
	if res := l.call(t, "get", []byte(`{"a":12345}`)); textOf(t, res) != "Invalid arguments: larger than the allowed 10 bytes" {
		t.Errorf("11 bytes: %s", wireOf(t, res))
	}
}

func TestArgumentsChangedByMiddleware(t *testing.T) {
	tests := []struct{ name, put, want string }{
		{"another object", `{"b":2}`, `{"b":2}`},
		{"nothing", ``, `{}`},
		{"the same bytes elsewhere", `{"a":1}`, `{"a":1}`},
		{"duplicates", `{"b":2,"b":3}`, ""},
		{"no object", `[1]`, ""},
		{"too large", `{"b":"0123456789012345678901234567890123456789"}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			change := func(ctx context.Context, info mcplayer.CallInfo, next mcplayer.Next) (result.Result, error) {
				info.Arguments = jsontext.Value(tt.put)
				return next(ctx, info)
			}
			l := newLab(t, mcplayer.Options{MaxArgumentBytes: 40, Middleware: []mcplayer.Middleware{change}}, echoing("get"))
			res := l.call(t, "get", []byte(`{"a":1}`))
			if tt.want == "" {
				if res.Meta["cloudg/error_code"] != int64(-32602) {
					t.Errorf("got %s", wireOf(t, res))
				}
				return
			}
			same(t, string(res.Structured), tt.want)
		})
	}
}

func TestStrictDecoding(t *testing.T) {
	type query struct {
		Limit int               `json:"limit"`
		Tags  map[string]string `json:"tags"`
	}
	l := newLab(t, mcplayer.Options{}, func(r *mcplayer.Registry) {
		mcplayer.AddTool(r, mcplayer.Tool{Name: "get"}, func(_ context.Context, _ *mcplayer.ToolContext, q query) (query, error) { return q, nil })
	})
	tests := []struct {
		name, args string
		ok         bool
	}{
		{"all", `{"limit":1,"tags":{"a":"b"}}`, true},
		{"none", `{}`, false},
		{"unknown member", `{"limits":1}`, false},
		{"case", `{"Limit":1}`, false},
		{"type", `{"limit":"hunter2"}`, false},
		{"fraction", `{"limit":1.5}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := l.call(t, "get", []byte(tt.args))
			if tt.ok {
				if res.IsError {
					t.Errorf("got %s", wireOf(t, res))
				}
				return
			}
			if wire := wireOf(t, res); res.Meta["cloudg/error_code"] != int64(-32602) || strings.Contains(wire, "hunter2") || !strings.HasPrefix(textOf(t, res), "Invalid arguments: ") {
				t.Errorf("got %s", wire)
			}
		})
	}
}

// FuzzArguments calls a tool with whatever bytes: the answer is the tool's if
// they are one JSON object without duplicates, else a refusal, and always one
// that the SDK can send.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{``, `null`, `{}`, `{"a":1,"a":2}`, `"{\"a\":[]}"`, `{"a":{"b":[1,2.50,"\ud83d\ude00"]}}`, "{\"\xff\":1}", `{} x`, `[[[[[[`} {
		f.Add([]byte(seed))
	}
	var got jsontext.Value
	l := newLab(f, mcplayer.Options{MaxArgumentBytes: 1 << 16, Timeout: -1}, tool("get", func(_ context.Context, _ *mcplayer.ToolContext, args jsontext.Value) (any, error) {
		got = args.Clone()
		return args, nil
	}))
	f.Fuzz(func(t *testing.T, args []byte) {
		got = nil
		before := bytes.Clone(args)
		res, err := l.CallTool(t.Context(), "get", args)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(args, before) {
			t.Fatalf("%q was changed to %q", before, args)
		}
		wire, err := json.Marshal(res.ToWire())
		if err != nil || !json.Valid(wire) {
			t.Fatalf("the SDK cannot encode the result of %q: %v", args, err)
		}
		if got == nil {
			if res.Meta["cloudg/error_code"] != int64(-32602) {
				t.Errorf("%q gives %s", args, wire)
			}
			return
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(got, &members); err != nil || members == nil {
			t.Errorf("the handler got %q of %q", got, args)
		}
		if !got.IsValid() {
			t.Errorf("the handler got %q of %q, which has duplicates or invalid UTF-8", got, args)
		}
	})
}
