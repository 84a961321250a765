package pipeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// No two members get one name: of two readers see one.
func TestNoTwoMembersOfOneName(t *testing.T) {
	for _, tt := range []struct {
		typ       string
		opts      options
		doc, want string
	}{
		{"rename_keys", options{"keys": options{"a": "c", "b": "c"}}, `{"a":1,"b":2}`, `{"c":1,"b":2}`},
		{"rename_keys", options{"keys": options{"a": "c", "b": "c"}}, `{"c":0,"a":1,"b":2}`, `{"c":0,"a":1,"b":2}`},
		{"sanitize", nil, "{\"a\u200b\":1,\"a\u200c\":2}", `{"a":1,"untrusted_key_1":2}`},
		{"sanitize", nil, "{\"a\u200b\":1,\"a\":2}", `{"untrusted_key_1":1,"a":2}`},
		{"alias", options{"aliases": options{"111111111111": "prod"}}, `{"111111111111":1,"prod":2}`, `{"prod#0":1,"prod":2}`},
		{"alias", options{"aliases": options{"111111111111": "prod"}}, `{"111111111111":1,"b":2}`, `{"prod":1,"b":2}`},
		{
			"redact",
			options{"strategies": options{"credential": "redact"}},
			`{"AKIAQ3EGRXJ4WZ7TBV2M":1,"AKIAQ3EGRXJ4WZ7TBV2N":2,"[REDACTED:aws_access_key_id]#1":3}`,
			`{"[REDACTED:aws_access_key_id]":1,"[REDACTED:aws_access_key_id]#1#1":2,"[REDACTED:aws_access_key_id]#1":3}`,
		},
	} {
		if got, _ := run(t, build(t, tt.typ, tt.opts), tt.doc); got != tt.want {
			t.Errorf("%s: %s became %s, want %s", tt.typ, tt.doc, got, tt.want)
		}
	}
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, `,"n%d%s":%d`, i/2, [...]string{"\u200b", "\u200c"}[i%2], i)
	}
	out, _ := run(t, build(t, "sanitize", nil), "{"+many.String()[1:]+"}")
	if !jsontext.Value(out).IsValid() {
		t.Error("a name stands twice in a large object")
	}
}
