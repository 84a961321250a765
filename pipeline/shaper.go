package pipeline

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/cloudg/mcplayer"
	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// shaper is the step of a projection.
type shaper struct {
	*project
	shrink
	sensitivity mcplayer.Sensitivity // 0: the list of names for all holds

	levels []level // by depth, of the containers around the value
	facts  *factTable
	cuts   cuts
	text   []byte // scratch

	position keyFacts // scratch, see positionFacts
}

// shrink is what the budget takes away beyond the options.
type shrink struct {
	ratio float64 // of each list; 1: all
	depth int     // 0: no limit
	chars int     // of each string; math.MaxInt: no limit
}

func (s *shrink) relax() { *s = shrink{ratio: 1, chars: math.MaxInt} }

func (s *shrink) relaxed() bool { return s.ratio == 1 && s.chars == math.MaxInt && s.depth == 0 }

// cuts counts what a shaper leaves out of one document.
type cuts struct {
	dropped, nulls, empty, lists, items, strings, chars, nested int
}

func (c *cuts) add(o cuts) {
	c.dropped += o.dropped
	c.nulls += o.nulls
	c.empty += o.empty
	c.lists += o.lists
	c.items += o.items
	c.strings += o.strings
	c.chars += o.chars
	c.nested += o.nested
}

// Value makes shaper a [Step]; the engine calls Do.
func (s *shaper) Value(c *Cursor) error { return s.Do(c.v) }

// Wants leaves out JSON inside strings, of which a part would be no JSON, and,
// where only strings and lists matter, all else.
func (s *shaper) Wants() jsondoc.Kind {
	if s.picks() || s.dropNulls || s.dropEmpty {
		return jsondoc.Any | jsondoc.Shallow
	}
	return jsondoc.Containers | jsondoc.String | jsondoc.Shallow
}

// Fork returns a shaper for another part of the same document.
func (s *shaper) Fork() jsondoc.Step {
	f := *s
	f.levels = slices.Clone(s.levels)
	f.cuts, f.text = cuts{}, nil
	return &f
}

// Join adds what a fork left out.
func (s *shaper) Join(fork jsondoc.Step) { s.cuts.add(fork.(*shaper).cuts) }

// Do shapes one value.
func (s *shaper) Do(v *jsondoc.Value) error {
	if s.picks() && !s.pick(v) || s.dropNulls && s.isNull(v) || s.dropEmpty && s.isEmpty(v) {
		v.Drop()
		return nil
	}
	switch v.Kind() {
	case jsondoc.Object:
		s.tooDeep(v, "<dict: ", " keys>")
	case jsondoc.Array:
		if !s.tooDeep(v, "<list: ", " items>") {
			s.list(v)
		}
	case jsondoc.String:
		s.str(v)
	}
	return nil
}

func (s *shaper) isNull(v *jsondoc.Value) bool {
	if v.Kind() != jsondoc.Null || !v.Named() {
		return false
	}
	s.cuts.nulls++
	v.Because("drop_nulls")
	return true
}

// isEmpty reports whether a member is empty; one that becomes empty is left out
// by the engine.
func (s *shaper) isEmpty(v *jsondoc.Value) bool {
	if !v.Named() {
		return false
	}
	switch v.Kind() {
	case jsondoc.String:
		if len(v.Text()) > 0 {
			return false
		}
	case jsondoc.Object, jsondoc.Array:
		if v.Len() > 0 {
			v.Because("drop_empty")
			v.DropIfEmpty()
			return false
		}
	default:
		return false
	}
	s.cuts.empty++
	v.Because("drop_empty")
	return true
}

// tooDeep puts a text in the place of a container that is nested too deep.
func (s *shaper) tooDeep(v *jsondoc.Value, before, after string) bool {
	if s.maxDepth == 0 && s.shrink.depth == 0 {
		return false
	}
	depth, n := v.Depth(), v.Len()
	switch {
	case depth == 0 || n == 0:
		return false
	case s.maxDepth > 0 && depth >= s.maxDepth:
		v.Because("max_depth")
	case s.shrink.depth > 0 && depth >= s.shrink.depth:
		v.Because("max_chars")
	default:
		return false
	}
	s.cuts.nested++
	s.text = append(strconv.AppendInt(append(s.text[:0], before...), int64(n), 10), after...)
	v.SetText(s.text)
	return true
}

// list cuts a list.
func (s *shaper) list(v *jsondoc.Value) {
	n := v.Len()
	keep := n
	if s.maxList >= 0 && s.maxList < keep {
		keep = s.maxList
		v.Because("max_list")
	}
	if s.ratio < 1 {
		if share := max(int(float64(n)*s.ratio), s.minList); share < keep {
			keep = share
			v.Because("max_chars")
		}
	}
	if keep >= n {
		return
	}
	s.cuts.lists++
	s.cuts.items += n - keep
	if s.listMarker {
		v.Keep(keep, moreItems)
	} else {
		v.Keep(keep, nil)
	}
}

func moreItems(dst []byte, left int) []byte {
	return append(strconv.AppendInt(append(dst, "… "...), int64(left), 10), " more items"...)
}

// str cuts a string.
func (s *shaper) str(v *jsondoc.Value) {
	limit, option := s.chars, "max_chars"
	if s.maxString >= 0 && s.maxString < limit {
		limit, option = s.maxString, "max_string"
	}
	if n := v.Points(); limit == math.MaxInt || n >= 0 && n <= limit {
		return
	}
	short, cut := jsondoc.CutBytes(v.Text(), limit)
	if cut == 0 {
		return
	}
	if at := before(v.Protected(), len(short)); at < len(short) {
		cut += utf8.RuneCount(short[at:])
		short = short[:at]
	}
	s.cuts.strings++
	s.cuts.chars += cut
	s.text = append(append(s.text[:0], short...), "… [+"...)
	s.text = append(strconv.AppendInt(s.text, int64(cut), 10), " chars]"...)
	v.Because(option)
	v.SetText(s.text)
}
