package jsondoc_test

import (
	"reflect"
	"testing"

	"github.com/cloudg/mcplayer/internal/jsondoc"
)

func TestProtect(t *testing.T) {
	var seen, later [][]jsondoc.Span
	mark := every(func(v *jsondoc.Value) {
		if string(v.Text()) == "a" {
			v.SetTextString("abcdef")
			v.Protect(1, 3)
			v.Protect(4, 5)
		}
	})
	read := every(func(v *jsondoc.Value) {
		if v.Kind() == jsondoc.String {
			seen = append(seen, append([]jsondoc.Span(nil), v.Protected()...))
			v.SetTextString("x")
			later = append(later, append([]jsondoc.Span(nil), v.Protected()...))
		}
	})
	apply(t, `["a","b","a"]`, mark, read)
	marks := []jsondoc.Span{{Start: 1, End: 3}, {Start: 4, End: 5}}
	if want := [][]jsondoc.Span{marks, nil, marks}; !reflect.DeepEqual(seen, want) {
		t.Errorf("got %v", seen)
	}
	if want := [][]jsondoc.Span{nil, nil, nil}; !reflect.DeepEqual(later, want) {
		t.Errorf("after a change %v", later)
	}
}

func TestSurroundings(t *testing.T) {
	var outer, siblings, written []string
	apply(t, `{"s":"{\"in\":1}","\u0061":"\"q\"","b":[2]}`, every(func(v *jsondoc.Value) {
		if o := v.Outer(); o != nil {
			outer = append(outer, string(o.Key()))
		}
		if v.Named() {
			if v.Depth() == 1 && len(siblings) < 3 {
				v.Siblings(func(pos, _ int, name []byte) bool {
					siblings = append(siblings, string(rune('0'+pos))+string(name))
					return true
				})
			}
			v.Rename([]byte("new"))
			if !v.Renamed() {
				t.Error("not renamed")
			}
			written = append(written, string(v.WrittenName()))
		} else if v.WrittenName() != nil {
			t.Error("a name")
		}
	}))
	if want := []string{"s", "a"}; !reflect.DeepEqual(outer, want) {
		t.Errorf("outer %q", outer)
	}
	if want := []string{"0s", "1a", "2b"}; !reflect.DeepEqual(siblings, want) {
		t.Errorf("siblings %q", siblings)
	}
	if want := []string{"in", "s", "a", "b"}; !reflect.DeepEqual(written, want) {
		t.Errorf("written %q", written)
	}
}
