package jsondoc_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/go-json-experiment/json/jsontext"
)

func TestCheckObject(t *testing.T) {
	tests := []struct {
		name, doc, want string
		kind            jsondoc.FaultKind
	}{
		{"empty object", `{}`, "", 0},
		{"space around", " {\"a\":1}\n", "", 0},
		{"deep enough", strings.Repeat(`{"a":`, 9) + `{}` + strings.Repeat(`}`, 9), "", 0},
		{"too deep", strings.Repeat(`{"a":`, 10) + `{}` + strings.Repeat(`}`, 10), "nested deeper than 10 levels", jsondoc.TooDeep},
		{"brackets in strings do not nest", `{"a":"` + strings.Repeat(`[\"{`, 20) + `"}`, "", 0},
		{"array", `[1]`, "must be a JSON object", jsondoc.NotObject},
		{"string", `"{}"`, "must be a JSON object", jsondoc.NotObject},
		{"null", `null`, "must be a JSON object", jsondoc.NotObject},
		{"duplicate", `{"a":1,"b":2,"a":3}`, "a: is given twice", jsondoc.DuplicateMember},
		{"duplicate by escape", `{"a":1,"\u0061":3}`, "a: is given twice", jsondoc.DuplicateMember},
		{"duplicate inside", `{"items":[{},{"x":1,"x":2}]}`, "items[1].x: is given twice", jsondoc.DuplicateMember},
		{"control character in a name", `{"a\n":1,"a\n":2}`, "a\uFFFD: is given twice", jsondoc.DuplicateMember},
		{"bad literal", `{"a":treu}`, "a: not valid JSON at byte 7", jsondoc.NotJSON},
		{"truncated", `{"a":`, "a: not valid JSON at byte 5", jsondoc.NotJSON},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", "a: not valid JSON at byte 6", jsondoc.NotJSON},
		{"two values", `{} {}`, "must be one JSON value; more follows after it", jsondoc.NotJSON},
		{"rubbish after", `{} x`, "must be one JSON value; more follows after it", jsondoc.NotJSON},
		{"nothing", ``, "not complete JSON", jsondoc.NotJSON},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fault := jsondoc.CheckObject(jsontext.Value(tt.doc), 10)
			if tt.want == "" {
				if fault != nil {
					t.Fatalf("refused: %v", fault)
				}
				return
			}
			if fault == nil || fault.Error() != tt.want || fault.Kind != tt.kind {
				t.Errorf("got %v, want %s (kind %d)", fault, tt.want, tt.kind)
			}
		})
	}
}

var indentDocs = []string{
	`{}`, `[]`, `{"a":{}}`, `[[],{}]`, `null`, `"x"`, `-1.50e+3`,
	`{"a":1,"b":[1,2,{"c":"d\"}{"}],"ü":"日本"}`,
	" { \"a\" : [ ] ,\n\"b\":[ 1 , true ] } ",
}

func TestAppendIndentIsJSONIndent(t *testing.T) {
	for _, doc := range indentDocs {
		var want bytes.Buffer
		if err := json.Indent(&want, bytes.TrimSpace([]byte(doc)), "", "  "); err != nil {
			t.Fatal(err)
		}
		got, n := jsondoc.AppendIndent([]byte("> "), []byte(doc), -1)
		if string(got) != "> "+want.String() {
			t.Errorf("%s: got %s, want %s", doc, got, want.String())
		}
		if n != utf8.RuneCount(want.Bytes()) {
			t.Errorf("%s: counted %d code points, want %d", doc, n, utf8.RuneCount(want.Bytes()))
		}
	}
}

func TestAppendIndentStopsAtTheLimit(t *testing.T) {
	for _, doc := range indentDocs {
		whole, total := jsondoc.AppendIndent(nil, []byte(doc), -1)
		runes := []rune(string(whole))
		for limit := range total + 2 {
			got, n := jsondoc.AppendIndent(nil, []byte(doc), limit)
			if want := string(runes[:min(limit, total)]); string(got) != want || n != total {
				t.Errorf("%s, limit %d: got %q (%d), want %q (%d)", doc, limit, got, n, want, total)
			}
		}
	}
}

func TestCutText(t *testing.T) {
	tests := []struct {
		text  string
		limit int
		want  string
		cut   int
	}{
		{"abc", 3, "abc", 0},
		{"abc", 2, "ab", 1},
		{"日本語", 3, "日本語", 0},
		{"日本語", 1, "日", 2},
		{"", 0, "", 0},
		{"é", 0, "", 1},
	}
	for _, tt := range tests {
		if got, cut := jsondoc.CutText(tt.text, tt.limit); got != tt.want || cut != tt.cut {
			t.Errorf("CutText(%q, %d) = %q, %d; want %q, %d", tt.text, tt.limit, got, cut, tt.want, tt.cut)
		}
	}
}
