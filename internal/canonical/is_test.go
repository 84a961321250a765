package canonical_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/canonical"
)

func TestIs(t *testing.T) {
	deep := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	for _, in := range []string{
		`{}`, `[]`, `""`, `null`, `true`, `false`, `0`, `7`, `-12`, `12345678901234567890`, `0.6`, `0.00001`, `12.05`, `-1.5`, `123456789.012345`,
		`"a b/~"`, `[1,"x",[],{}]`, `{"":1,"A":2,"a":3,"aa":4}`, `{"a":{"b":[{"c":null}]},"b":0.25}`, deep(8),
	} {
		if !canonical.Is([]byte(in)) {
			t.Errorf("%s: not seen to be canonical", in)
		}
	}
	for _, in := range []string{
		``, ` 1`, `1 `, `1,`, `{`, `[`, `"`, `"a`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `[1`, `[1,`, `[1,]`, `[,1]`, `{1:2}`, `{"a" :1}`, `[1, 2]`, `{"a":1}x`, `[1]]`,
		`{"b":1,"a":2}`, `{"a":1,"a":2}`, `{"aa":1,"a":2}`, "\"\t\"", `"\n"`, `"é"`, "\"\x7f\"", "\"\xff\"", `{"é":1}`,
		`-`, `-0`, `01`, `-01`, `+1`, `.5`, `1.`, `1.0`, `1.50`, `1e3`, `1E3`, `1.5e3`, `1-2`, `1..2`, `0.000001`, `1234567890.1234567`, `--1`, `1.2.3`,
		`tru`, `nul`, `fals`, `trueish`, `NaN`, deep(9), `{"a":nulls}`, `[truefalse]`,
	} {
		if canonical.Is([]byte(in)) {
			t.Errorf("%s: taken for canonical", in)
		}
	}
}

func TestAppendFlat(t *testing.T) {
	many := func(n int) (in, want string) {
		var a, b []string
		for i := range n {
			a, b = append(a, fmt.Sprintf(`"%c":%d`, 'z'-i, i)), append(b, fmt.Sprintf(`"%c":%d`, 'z'-n+1+i, n-1-i))
		}
		return "{" + strings.Join(a, ",") + "}", "{" + strings.Join(b, ",") + "}"
	}
	in16, want16 := many(16)
	in17, _ := many(17)
	tests := []struct{ name, in, want string }{
		{"sorted", `{"a":1,"b":2}`, `{"a":1,"b":2}`},
		{"unsorted", `{"b":{"c":[1]},"a":"x","":null}`, `{"":null,"a":"x","b":{"c":[1]}}`},
		{"one", `{"a":1}`, `{"a":1}`},
		{"a prefix", `{"ab":1,"a":2}`, `{"a":2,"ab":1}`},
		{"16 members", in16, want16},
		{"17 members", in17, ""},
		{"a name twice", `{"b":1,"a":2,"b":1}`, ""},
		{"a name twice in a row", `{"a":1,"a":1}`, ""},
		{"unsorted inside", `{"b":{"d":1,"c":2},"a":1}`, ""},
		{"space", `{"b":1, "a":2}`, ""},
		{"none", `{}`, ""},
		{"no object", `[1]`, ""},
		{"nothing", ``, ""},
		{"cut off", `{"b":1,"a":2`, ""},
		{"comma", `{"b":1,"a":2,}`, ""},
		{"more", `{"b":1,"a":2}}`, ""},
		{"no value", `{"b":1,"a"}`, ""},
	}
	for _, tt := range tests {
		got, ok := canonical.AppendFlat([]byte("x"), []byte(tt.in))
		if string(got) != "x"+tt.want || ok != (tt.want != "") {
			t.Errorf("%s: got %s, %v", tt.name, got, ok)
		}
	}
}

// FuzzIs makes sure that nothing is taken for canonical that is written otherwise.
func FuzzIs(f *testing.F) {
	for _, seed := range []string{`{"a":[1,0.25,"x"],"b":{"c":null}}`, `{"b":{"c":[1]},"a":"x","":null}`, `[-1,10,0.00001,123456789.012345]`, `{"":0}`, `9007199254740993.5`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		if flat, ok := canonical.AppendFlat(nil, doc); ok {
			if got, err := canonical.Rewrite(nil, doc); err != nil || string(got) != string(flat) {
				t.Errorf("%s is written %s, %v, not %s", doc, got, err, flat)
			}
		}
		if !canonical.Is(doc) {
			return
		}
		if got, err := canonical.Rewrite(nil, doc); err != nil || string(got) != string(doc) {
			t.Errorf("%s is written %s, %v", doc, got, err)
		}
	})
}
