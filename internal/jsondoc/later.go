package jsondoc

import "bytes"

// later is what a step leaves for one behind it to do with the same value.
type later struct {
	limit  int // code points; 0: no cut
	option string
	told   bool
}

// CutLater asks for the text to be cut to a number of code points, by whichever step
// makes cuts: when all that looks for something in the text has seen all of it.
// Option is what decided. The smallest limit holds.
func (v *Value) CutLater(limit int, option string) {
	if v.later.limit == 0 || limit < v.later.limit {
		v.later.limit, v.later.option = limit, option
	}
}

// Cut returns what CutLater asked for; 0 is no limit.
func (v *Value) Cut() (limit int, option string) { return v.later.limit, v.later.option }

// TellLater asks for the place of the value to be told, by whichever step does so:
// when all names on the way to it are as they will be shown.
func (v *Value) TellLater() { v.later.told = true }

// Told reports whether TellLater was called.
func (v *Value) Told() bool { return v.later.told }

// Large reports whether the document may be worked on in parts, where steps do not
// see what stands in front of theirs.
func (v *Value) Large() bool { return len(v.w.x.doc) >= splitFrom }

// AppendShownPointer is [Value.AppendPointer] with the names that the steps gave the
// members on the way. The name of a string that holds JSON is not known while its
// values are looked at: "*" stands for it.
func (v *Value) AppendShownPointer(dst []byte) []byte {
	w := v.w
	dst = w.appendShown(dst, len(w.frames)-1)
	if len(w.frames) == 0 {
		return dst
	}
	if v.renamed {
		return appendSegment(dst, v.name)
	}
	return w.appendPlace(dst, len(w.frames)-1)
}

// appendShown appends the segments of the first n levels.
func (w *walker) appendShown(dst []byte, n int) []byte {
	switch up := w.up; {
	case up == nil:
	case up.level == w.level: // the document stands in for the value that was there
		dst = up.v.AppendShownPointer(dst)
	case len(up.frames) > 0:
		dst = append(up.appendShown(dst, len(up.frames)-1), "/*"...)
	}
	for i := range n {
		if f := &w.frames[i]; f.shown != nil && f.shownAt == f.child {
			dst = appendSegment(dst, f.shown)
		} else {
			dst = w.appendPlace(dst, i)
		}
	}
	return dst
}

func appendSegment(dst, segment []byte) []byte {
	segment = bytes.ReplaceAll(segment, []byte("~"), []byte("~0"))
	return append(append(dst, '/'), bytes.ReplaceAll(segment, []byte("/"), []byte("~1"))...)
}
