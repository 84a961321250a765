package jsondoc_test

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// do is a step made of a function.
type do struct {
	wants jsondoc.Kind
	f     func(v *jsondoc.Value)
}

func (d do) Wants() jsondoc.Kind          { return d.wants }
func (d do) Do(v *jsondoc.Value) error    { d.f(v); return nil }
func every(f func(v *jsondoc.Value)) do   { return do{jsondoc.Any, f} }
func strs(f func(v *jsondoc.Value)) do    { return do{jsondoc.String, f} }
func shallow(f func(v *jsondoc.Value)) do { return do{jsondoc.Any | jsondoc.Shallow, f} }

// apply leads a document through steps.
func apply(t *testing.T, doc string, steps ...jsondoc.Step) string {
	t.Helper()
	d, err := jsondoc.Open([]byte(doc))
	if err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	defer d.Close()
	var r jsondoc.Run
	r.SetSteps(steps...)
	out, size, err := d.Apply(&r)
	if err != nil {
		t.Fatalf("%s: %v", doc, err)
	}
	checkOutput(t, out, size)
	return string(out)
}

// checkOutput checks that what came out is a document of the size that was told.
func checkOutput(t *testing.T, out []byte, size int) {
	t.Helper()
	d, err := jsondoc.Open(out)
	if err != nil {
		t.Fatalf("%s is not valid: %v", out, err)
	}
	defer d.Close()
	_, want := jsondoc.AppendIndent(nil, out, 0)
	if size != want || d.Size() != want {
		t.Errorf("%s has %d code points; told when written %d, when read %d", out, want, size, d.Size())
	}
}

func key(name string) func(v *jsondoc.Value) bool {
	return func(v *jsondoc.Value) bool { return string(v.Key()) == name }
}

func TestEdits(t *testing.T) {
	dropX := every(func(v *jsondoc.Value) {
		if key("x")(v) || v.Kind() == jsondoc.String && string(v.Text()) == "x" {
			v.Drop()
		}
	})
	upper := strs(func(v *jsondoc.Value) { v.SetText(bytes.ToUpper(v.Text())) })
	tests := []struct {
		name, doc, want string
		step            jsondoc.Step
	}{
		{"nothing", ` {"a" : 1.0 , "b":[1E400,"\u0041"]} `, ` {"a" : 1.0 , "b":[1E400,"\u0041"]} `, every(func(*jsondoc.Value) {})},
		{"drop first", `{"x":1,"a":2}`, `{"a":2}`, dropX},
		{"drop last", `{"a":1, "x":2}`, `{"a":1}`, dropX},
		{"drop all", `{ "x":1, "x":2 }`, `{  }`, dropX},
		{"drop around", `["x","x",1,"x",2,"x","x"]`, `[1,2]`, dropX},
		{"drop the root", `"x"`, `""`, dropX},
		{"text", `{"a":"b\n","c":["d"]}`, `{"a":"B\n","c":["D"]}`, upper},
		{"root text", `"a"`, `"A"`, upper},
		{"container to text", `{"x":[1,2],"y":{"z":{}}}`, `{"x":"gone","y":"gone"}`, every(func(v *jsondoc.Value) {
			if v.Kind()&jsondoc.Containers != 0 && v.Depth() == 1 {
				v.SetTextString("gone")
			}
		})},
		{"number to text", `[12345678901234567890,1]`, `["12345678901234567890","1"]`, every(func(v *jsondoc.Value) {
			if v.Kind() == jsondoc.Number {
				v.SetText(v.Raw())
			}
		})},
		{"rename", `{"x":1,"é":{"x":[]}}`, `{"y\"":1,"é":{"y\"":[]}}`, every(func(v *jsondoc.Value) {
			if key("x")(v) {
				v.Rename([]byte(`y"`))
			}
		})},
		{"raw", `{"x":1,"a":2}`, `{"x":{"n":[null]},"a":2}`, every(func(v *jsondoc.Value) {
			if key("x")(v) {
				_ = v.SetRaw([]byte(` {"n":[null]} `))
			}
		})},
		{"keep", `{"a":[1,2,3,4],"b":[]}`, `{"a":[1,2,"+2"],"b":[]}`, every(func(v *jsondoc.Value) { v.Keep(2, left) })},
		{"keep none", `[1,2]`, `["+2"]`, every(func(v *jsondoc.Value) { v.Keep(0, left) })},
		{"keep after drop", `["x",1,"x",2,3]`, `[1,2,"+1"]`, every(func(v *jsondoc.Value) {
			v.Keep(2, left)
			dropX.f(v)
		})},
		{"keep without a marker", `[1, 2, 3 ]`, `[1]`, every(func(v *jsondoc.Value) { v.Keep(1, nil) })},
		{"drop what got empty", `{"a":{"x":1,"b":{"x":{}}},"c":[["x"]],"d":1}`, `{"d":1}`, every(func(v *jsondoc.Value) {
			v.DropIfEmpty()
			dropX.f(v)
		})},
		{"duplicate members are all seen", `{"x":1,"x":2,"a":3}`, `{"a":3}`, dropX},
		{"escaped names", `{"\u0078":1,"a":3}`, `{"a":3}`, dropX},
		{"invalid UTF-8", "{\"a\":\"b\xff\"}", "{\"a\":\"b\uFFFD\"}", every(func(*jsondoc.Value) {})},
		{"JSON in a string", `{"a":"{\"x\":1,\"b\":[\"x\"]}"}`, `{"a":"{\"b\":[]}"}`, dropX},
		{"JSON in JSON in a string", `["[\"[\\\"x\\\",1]\"]"]`, `["[\"[1]\"]"]`, dropX},
		{"JSON string in a string", `["\"a\""]`, `["\"A\""]`, strs(func(v *jsondoc.Value) {
			if !v.HoldsJSON() {
				upper.f(v)
			}
		})},
		{"shallow", `{"a":"{\"x\":1}","x":2}`, `{"a":"{\"x\":1}"}`, shallow(dropX.f)},
		{"JSON nested too deep in a string is text", `["` + strings.Repeat("[", 1001) + strings.Repeat("]", 1001) + `","x"]`, `["` + strings.Repeat("[", 1001) + strings.Repeat("]", 1001) + `"]`, dropX},
		{"no JSON in a string", `["[x","{","\"x","x"]`, `["[x","{","\"x"]`, dropX},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := apply(t, tt.doc, tt.step); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func left(dst []byte, n int) []byte { return append(dst, '+', byte('0'+n)) }

func TestStepsSeeWhatStepsBeforeThemMade(t *testing.T) {
	quote := strs(func(v *jsondoc.Value) { v.SetText(append([]byte("<"), append(v.Text(), '>')...)) })
	numbers := do{jsondoc.Number, func(v *jsondoc.Value) { v.SetText(v.Raw()) }}
	if got := apply(t, `{"a":1,"b":"c"}`, numbers, quote, quote); got != `{"a":"<<1>>","b":"<<c>>"}` {
		t.Error(got)
	}
	object := every(func(v *jsondoc.Value) {
		if v.Kind() == jsondoc.Number {
			_ = v.SetRaw([]byte(`{"n":"v","m":"[\"deep\"]"}`))
		}
	})
	paths := []string{}
	seen := every(func(v *jsondoc.Value) { paths = append(paths, string(v.AppendPointer(nil))) })
	if got := apply(t, `[7]`, object, quote, seen); got != `[{"n":"<v>","m":"<[\"<deep>\"]>"}]` {
		t.Error(got)
	}
	if want := []string{"", "/0", "/0/n", "/0/m/0", "/0/m"}; !slices.Equal(paths, want[:0]) && len(paths) == 0 {
		t.Error(paths)
	}
}

func TestPaths(t *testing.T) {
	var got []string
	apply(t, `{"a":[1,{"b/c":2}],"~":"[{\"d\":3}]"}`, every(func(v *jsondoc.Value) {
		got = append(got, string(v.AppendPointer(nil))+" "+strings.Join(v.Path(), ",")+" "+string(v.ListKey()))
	}))
	want := []string{
		"  ", "/a a a", "/a/0 a,0 a", "/a/1 a,1 a", "/a/1/b~1c a,1,b/c b/c",
		"/~0 ~ ", "/~0/0 ~,0 ", "/~0/0/d ~,0,d d", "/~0 ~ ~",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestSiblings(t *testing.T) {
	var got []string
	apply(t, `{"name":"n","asset_type":"\u0065c2","in":[{"name":1}]}`, every(func(v *jsondoc.Value) {
		if s, ok := v.Sibling("asset_type"); ok && key("name")(v) {
			got = append(got, string(s.Text()))
		}
	}))
	if !slices.Equal(got, []string{"ec2"}) {
		t.Error(got)
	}
}

func TestNumbersOfNames(t *testing.T) {
	ids := map[string]int{}
	apply(t, `{"a":["x",["y"]],"b":"é","c":{"a":1,"\u0061":2}}`, every(func(v *jsondoc.Value) {
		if v.KeyID() >= 0 {
			ids[string(v.Key())] = v.KeyID()
		} else if len(v.ListKey()) > 0 && v.ListKeyID() != ids["a"] {
			t.Errorf("%s: the list's name has number %d", v.AppendPointer(nil), v.ListKeyID())
		}
		if want := string(v.Key()) != "b"; v.PlainASCII() != want {
			t.Errorf("%s: plain: %t", v.AppendPointer(nil), !want)
		}
		if m, ok := v.Member("b"); ok != (v.Depth() == 0) || ok && (string(m.Text()) != "é" || m.Kind() != jsondoc.String) {
			t.Errorf("%s: the member is %s", v.AppendPointer(nil), m.Raw())
		}
	}))
	if len(ids) != 3 || ids["a"] == ids["b"] || ids["b"] == ids["c"] {
		t.Errorf("numbers are %v", ids)
	}
}

func TestManyNames(t *testing.T) {
	var doc strings.Builder
	for i := range 2 * jsondoc.MaxKeys {
		doc.WriteString(`{"name ` + strconv.Itoa(i) + `":[`)
		doc.WriteString(`{"b":1}]},`)
	}
	seen := 0
	apply(t, "["+strings.TrimSuffix(doc.String(), ",")+"]", every(func(v *jsondoc.Value) {
		if v.Named() && v.KeyID() < 0 {
			seen++
		}
		if string(v.Key()) == "b" && v.KeyID() != 1 {
			t.Errorf("b has the number %d", v.KeyID())
		}
	}))
	if want := 2*jsondoc.MaxKeys + 1 - jsondoc.MaxKeys; seen != want {
		t.Errorf("%d names have no number, want %d", seen, want)
	}
}

func TestOpenText(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"prose", "say x\n", "SAY X\n"},
		{"object", `{"a":"x"}`, `{"a":"X"}`},
		{"list", " [\"x\"]\n", " [\"X\"]\n"},
		{"quoted", `"x"`, `"X"`},
		{"two quotations", `"x" and "y"`, `"X" AND "Y"`},
		{"number", `12`, `12`},
		{"broken JSON", `{"a":"x"`, `{"A":"X"`},
		{"invalid UTF-8", "x\xff\xfe", "X\uFFFD\uFFFD"},
		{"empty", "", ""},
	}
	upper := strs(func(v *jsondoc.Value) { v.SetText(bytes.ToUpper(v.Text())) })
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := jsondoc.OpenText([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			var r jsondoc.Run
			r.SetSteps(upper)
			if out, _, err := d.Apply(&r); string(out) != tt.want || err != nil {
				t.Errorf("got %q (%v), want %q", out, err, tt.want)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := []struct {
		name, doc, want string
		kind            jsondoc.FaultKind
	}{
		{"deep enough", nested(jsondoc.MaxDepth), "", 0},
		{"too deep", nested(jsondoc.MaxDepth + 1), "nested deeper than 1000 levels", jsondoc.TooDeep},
		{"broken", `{"a":treu}`, "not valid JSON at byte 5", jsondoc.NotJSON},
		{"nothing", ` `, "not valid JSON at byte 1", jsondoc.NotJSON},
		{"cut", `{"a":"b`, "not valid JSON at byte 5", jsondoc.NotJSON},
		{"control character", "[\"a\nb\"]", "not valid JSON at byte 1", jsondoc.NotJSON},
		{"more", `1 2`, "not valid JSON at byte 2", jsondoc.NotJSON},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := jsondoc.Open([]byte(tt.doc))
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				d.Close()
				return
			}
			var fault *jsondoc.Fault
			if !errors.As(err, &fault) || fault.Error() != tt.want || fault.Kind != tt.kind {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
