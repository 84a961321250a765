package jsondoc_test

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// rewrite makes another text of each string.
type rewrite func(text string) string

func (rewrite) Wants() jsondoc.Kind { return jsondoc.String }

func (r rewrite) Do(v *jsondoc.Value) error {
	if text := r(string(v.Text())); text != string(v.Text()) {
		v.SetTextString(text)
	}
	return nil
}

func (r rewrite) Fork() jsondoc.Step { return r }

func (rewrite) Join(jsondoc.Step) {}

// TestEditsOfLargeLists: where parts of a list are worked on side by side, each of them
// begins with an edit, shrinks, outgrows its memory or stays as it is.
func TestEditsOfLargeLists(t *testing.T) {
	const count = 25_000
	before := strings.Repeat("f", 500_000) // more than the list's memory has room for, once it grows
	list := func(edit rewrite) []byte {
		doc := []byte(`{"before":"` + edit(before) + `","first":"` + edit("first") + `","list":[`)
		for i := range count {
			doc = fmt.Appendf(doc, "%q,", edit(fmt.Sprintf("item-%045d", i)))
		}
		return append(doc[:len(doc)-1], `],"last":"`+edit("last")+`"}`...)
	}
	number := func(text string) int {
		n, _ := strconv.Atoi(strings.TrimPrefix(text, "item-"))
		return n
	}
	same := func(text string) string { return text }
	for name, edit := range map[string]rewrite{
		"none":      same,
		"as long":   strings.ToUpper,
		"longer":    func(text string) string { return text + text + text },
		"shorter":   func(text string) string { return text[:1] },
		"a little":  func(text string) string { return text + "+" },
		"the first": func(text string) string { return strings.ReplaceAll(text, "first", "FIRST OF ALL") },
		"the last":  func(text string) string { return strings.ReplaceAll(text, "last", "LAST OF ALL") },
		"one half": func(text string) string {
			if number(text) > count/2 {
				return text + text
			}
			return text
		},
		"before the list": func(text string) string {
			if len(text) > 1000 {
				return text + text + text
			}
			return strings.ReplaceAll(text, "7", "seven")
		},
		"some grow, some shrink": func(text string) string {
			if number(text)/2_000%2 == 0 {
				return text + text
			}
			return ""
		},
	} {
		doc, want := list(same), list(edit)
		for _, workers := range []int{1, 2, 8} {
			r := jsondoc.Run{Workers: workers}
			r.SetSteps(edit)
			d, err := jsondoc.Open(doc)
			if err != nil {
				t.Fatal(err)
			}
			first, _, err := d.Apply(&r)
			if err != nil {
				t.Fatal(err)
			}
			second, size, err := d.Apply(&r)
			d.Close()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first, want) || !bytes.Equal(second, want) {
				t.Errorf("%s, %d workers: %d and %d bytes, want %d", name, workers, len(first), len(second), len(want))
			}
			if _, points := jsondoc.AppendIndent(nil, want, 0); size != points {
				t.Errorf("%s, %d workers: size %d, want %d", name, workers, size, points)
			}
		}
	}
}
