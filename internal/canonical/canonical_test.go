package canonical_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/canonical"
	"github.com/go-json-experiment/json/jsontext"
)

func TestAppend(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"RFC 8785 3.2.2, sample", `{
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
}`, `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`},
		{
			"RFC 8785 3.2.3, sorting", `{
  "\u20ac": "Euro Sign",
  "\r": "Carriage Return",
  "\ufb33": "Hebrew Letter Dalet With Dagesh",
  "1": "One",
  "\ud83d\ude00": "Emoji: Grinning Face",
  "\u0080": "Control",
  "\u00f6": "Latin Small Letter O With Diaeresis"
}`,
			"{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\"," +
				"\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}",
		},
		{"scalars", ` true `, `true`},
		{"null", `null`, `null`},
		{"empty containers", ` { "a" : [ ] , "b" : { } } `, `{"a":[],"b":{}}`},
		{"nested members", `{"b":{"d":[{"f":1,"e":2}],"c":3},"a":{"z":{},"y":[{"x":{"w":1,"v":2}}]}}`, `{"a":{"y":[{"x":{"v":2,"w":1}}],"z":{}},"b":{"c":3,"d":[{"e":2,"f":1}]}}`},
		{"escapes in order of names", `{"\u0062":1,"a\"":2,"a":3}`, `{"a":3,"a\"":2,"b":1}`},
		{"short escapes", `"\u0008\u0009\u000a\u000c\u000d\u001F\u007f"`, `"\b\t\n\f\r\u001f` + "\x7f\""},
		{"line separators stay", "\"\u2028\\u2029\"", "\"\u2028\u2029\""},
		{"big integer", `[12345678901234567890123456789,-9007199254740993,0]`, `[12345678901234567890123456789,-9007199254740993,0]`},
		{"beyond a double", `[1E400,-1.5e999,1e-400]`, `[1E400,-1.5e999,0]`},
		{"negative zero", `[-0,-0.0,-0e1]`, `[0,0,0]`},
		{"empty name", `{"a":1,"":2}`, `{"":2,"a":1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := strings.Clone(tt.in)
			got, err := canonical.Append([]byte("x"), jsontext.Value(in))
			if err != nil || string(got) != "x"+tt.want {
				t.Errorf("got %s, %v; want x%s", got, err, tt.want)
			}
		})
	}
}

// RFC 8785, appendix B: the numbers that JSON has.
func TestNumbersOfTheRFC(t *testing.T) {
	tests := []struct{ in, want string }{
		{"0.0", "0"},
		{"-0.0", "0"},
		{"4.9406564584124654e-324", "5e-324"},
		{"-4.9406564584124654e-324", "-5e-324"},
		{"1.7976931348623157e308", "1.7976931348623157e+308"},
		{"-1.7976931348623157e308", "-1.7976931348623157e+308"},
		{"9007199254740992.0", "9007199254740992"},
		{"-9007199254740992.0", "-9007199254740992"},
		{"295147905179352830000.0", "295147905179352830000"},
		{"9.999999999999997e22", "9.999999999999997e+22"},
		{"1e23", "1e+23"},
		{"1.0000000000000001e23", "1.0000000000000001e+23"},
		{"999999999999999700000.0", "999999999999999700000"},
		{"999999999999999900000.0", "999999999999999900000"},
		{"1e21", "1e+21"},
		{"9.999999999999997e-7", "9.999999999999997e-7"},
		{"0.000001", "0.000001"},
		{"333333333.3333332", "333333333.3333332"},
		{"333333333.33333325", "333333333.33333325"},
		{"333333333.3333333", "333333333.3333333"},
		{"333333333.3333334", "333333333.3333334"},
		{"333333333.33333343", "333333333.33333343"},
		{"-0.0000033333333333333333", "-0.0000033333333333333333"},
		{"1424953923781206.2", "1424953923781206.2"},
	}
	for _, tt := range tests {
		if got, err := canonical.Append(nil, jsontext.Value(tt.in)); err != nil || string(got) != tt.want {
			t.Errorf("%s: got %s, %v; want %s", tt.in, got, err, tt.want)
		}
	}
}

func TestAppendRefuses(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing", ``, "EOF"},
		{"two values", `1 2`, "invalid character '2' after top-level value"},
		{"a name twice", `{"a":1,"b":{"c":1,"\u0063":2}}`, `duplicate object member name "c"`},
		{"invalid UTF-8", "\"\xff\"", "invalid UTF-8"},
		{"lone surrogate", `"\ud800"`, `invalid surrogate pair`},
		{"cut off", `{"a":`, "unexpected EOF"},
		{"leading zero", `01`, "after top-level value"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := canonical.Append([]byte("x"), jsontext.Value(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) || string(got) != "x" {
				t.Errorf("got %q, %v; want %s", got, err, tt.want)
			}
		})
	}
}

// Objects that lie deep in each other, none in order, are not copied once a level.
func TestDeepObjects(t *testing.T) {
	const depth = 5000
	in := strings.Repeat(`{"b":`, depth) + "0" + strings.Repeat(`,"a":1}`, depth)
	want := strings.Repeat(`{"a":1,"b":`, depth) + "0" + strings.Repeat("}", depth)
	if got, err := canonical.Append(nil, jsontext.Value(in)); err != nil || string(got) != want {
		t.Errorf("not sorted at every depth: %v", err)
	}
}

// FuzzAppend compares with the JSON engine, which rounds integers to doubles, where
// there are none that it would round.
func FuzzAppend(f *testing.F) {
	for _, seed := range []string{
		`{"b":{"d":1,"c":[{"y":1,"x":2}]},"a":"\u00e9\ud83d\ude00\n"}`, `[1.0,1e3,-0,1E-7,0.1]`, `{"😀":1,"ﬀ":2,"\\":3}`, `"\/"`, ` null `, `{"a":1,"a":2}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		want := jsontext.Value(bytes.Clone(doc))
		wantErr := want.Canonicalize()
		got, err := canonical.Append(nil, doc)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("got %v, want %v", err, wantErr)
		}
		if err != nil {
			return
		}
		again, err := canonical.Append(nil, got)
		if err != nil || !bytes.Equal(again, got) {
			t.Errorf("%s became %s, %v", got, again, err)
		}
		rounded := jsontext.Value(bytes.Clone(got))
		if err := rounded.Canonicalize(); err != nil || !bytes.Equal(rounded, want) {
			t.Errorf("got %s, rounded %s, %v; want %s", got, rounded, err, want)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	v := jsontext.Value(`{"query":"status = open","limit":25,"fields":["name","owner","region"],"cursor":null}`)
	buf := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := canonical.Append(buf, v); err != nil {
			b.Fatal(err)
		}
	}
}
