package jsondoc_test

import (
	"bytes"
	"testing"

	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/go-json-experiment/json/jsontext"
)

// tokens returns the names, texts and literals of a document in their order, read
// by jsontext.
func tokens(t *testing.T, doc []byte) (out []string) {
	d := jsontext.NewDecoder(bytes.NewReader(doc), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		token, err := d.ReadToken()
		if err != nil {
			return out
		}
		switch token.Kind() {
		case '}', ']':
		case '{', '[':
			out = append(out, string(token.Kind()))
		default:
			out = append(out, token.String())
		}
	}
}

// FuzzValues compares with jsontext what is accepted and what values there are.
func FuzzValues(f *testing.F) {
	for _, doc := range []string{
		`{}`, ` [1,-0.5e+3,true,false,null,"x"] `, `{"a":{"b":[[],{}]},"a":"\u00e9\ud83d\ude42\ud800"}`, "\"\xff\xf0\x9f\"",
		`[01]`, `[1.]`, `[-]`, `{"a"}`, `{"a":1,}`, `[,]`, `"\x"`, `"\u12"`, "\"tab\t\"", `nul`, `[1 2]`, `{"a":"[{\"b\":1}]"}`,
		`{"a b c d e f g h":"0123456789abcdef\n0123456789","` + "größe" + `":"日本語"}`, `1E400`, "[\xff]", `{"":{"":""}}`,
	} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		before := bytes.Clone(doc)
		valid := jsontext.Value(doc).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		d, err := jsondoc.Open(doc)
		if (err == nil) != valid {
			t.Fatalf("%q: jsontext finds it valid: %t; we: %v", doc, valid, err)
		}
		if err != nil {
			return
		}
		defer d.Close()
		var got []string
		see := every(func(v *jsondoc.Value) {
			if v.Named() {
				got = append(got, string(v.Key()))
			}
			switch v.Kind() {
			case jsondoc.Object:
				got = append(got, "{")
			case jsondoc.Array:
				got = append(got, "[")
			case jsondoc.String:
				got = append(got, string(v.Text()))
			default:
				got = append(got, string(v.Raw()))
			}
		})
		see.wants |= jsondoc.Shallow
		var r jsondoc.Run
		r.SetSteps(see)
		out, size, err := d.Apply(&r)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(doc, before) {
			t.Fatal("the document was written into")
		}
		if jsontext.Value(doc).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(false)) && !bytes.Equal(out, doc) {
			t.Errorf("%q became %q", doc, out)
		}
		checkOutput(t, out, size)
		want := tokens(t, doc)
		if len(got) != len(want) {
			t.Fatalf("%q: got %q, want %q", doc, got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%q: value %d is %q, want %q", doc, i, got[i], want[i])
			}
		}
	})
}

// FuzzEdits checks that edits of any value leave valid documents of the size that
// is told.
func FuzzEdits(f *testing.F) {
	f.Add([]byte(`{"a":[1,2,{"b":"c"}],"d":"{\"e\":[1]}","f":{}}`), uint64(0x1234567))
	f.Add([]byte(` [ 1 , { "a" : [ ] , "b" : "é" } , "x" ] `), uint64(99))
	f.Fuzz(func(t *testing.T, doc []byte, seed uint64) {
		d, err := jsondoc.Open(doc)
		if err != nil {
			return // FuzzValues checks what is refused
		}
		defer d.Close()
		step := every(func(v *jsondoc.Value) {
			seed = seed*6364136223846793005 + 1442695040888963407
			switch seed >> 33 % 12 {
			case 0:
				v.Drop()
			case 1:
				v.SetTextString("é\"\n")
			case 2:
				v.Rename([]byte("k\xff"))
			case 3:
				v.Keep(int(seed>>40%3), left)
			case 4:
				v.DropIfEmpty()
			case 5:
				_ = v.SetRaw([]byte(`{"a":[1]}`))
			}
		})
		var r jsondoc.Run
		r.SetSteps(step, step)
		out, size, err := d.Apply(&r)
		if err != nil {
			t.Fatal(err)
		}
		checkOutput(t, out, size)
	})
}
