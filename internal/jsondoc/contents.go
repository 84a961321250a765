package jsondoc

import "github.com/go-json-experiment/json/jsontext"

// contents works on the members or elements of one container and minds the commas
// between those that stay.
type contents struct {
	w     *walker
	node  uint32
	first uint32 // the children to work on: from first to before stop
	stop  uint32
	past  uint32 // before which children may follow those
	pos   int    // position of first
	limit int    // elements to keep; -1: all
	more  func(dst []byte, left int) []byte
	kept  int
	last  int // where the last kept one ends; -1: none yet
}

func (c *contents) run() error {
	w := c.w
	w.frames = append(w.frames, frame{node: c.node})
	level := len(w.frames) - 1
	pos := c.pos
	for child := c.first; child < c.stop; pos++ {
		if c.limit == c.kept {
			c.dropRest(child, pos)
			break
		}
		w.frames[level].child, w.frames[level].pos = child, pos
		next := w.x.after(child)
		if err := c.child(child, next); err != nil {
			return err
		}
		child = next
	}
	w.frames = w.frames[:level]
	return nil
}

func (c *contents) child(child, next uint32) error {
	w := c.w
	mark := w.mark()
	size := w.size
	w.size += layout(len(w.frames), c.kept)
	kept, err := w.visit(child)
	switch {
	case err != nil:
		return err
	case !kept:
		w.rollBack(mark)
		w.size = size
		c.drop(w.x.begin(child), int(w.x.nodes[child].end), next)
	default:
		c.kept++
		c.last = int(w.x.nodes[child].end)
	}
	if w.max > 0 && w.size > w.max {
		return errOver
	}
	return nil
}

// layout returns the code points that the rendering needs before one more member
// or element at a depth, behind so many others.
func layout(depth, others int) int {
	if others > 0 {
		return 2 + 2*depth
	}
	return 1 + 2*depth
}

// drop leaves a child out, with one of the commas beside it; next is the child
// behind it.
func (c *contents) drop(begin, end int, next uint32) {
	w := c.w
	switch {
	case c.last >= 0:
		w.cut(max(c.last, w.copied), end)
	case next < c.past:
		w.cut(begin, w.x.begin(next))
	default:
		w.cut(begin, end)
	}
}

// dropRest leaves out all children from the one at pos on.
func (c *contents) dropRest(child uint32, pos int) {
	w := c.w
	from := c.last
	if from < 0 {
		from = w.x.begin(child)
	}
	w.cut(max(from, w.copied), int(w.x.nodes[c.node].end)-1)
	if c.more == nil {
		return
	}
	w.size += layout(len(w.frames), c.kept)
	if c.last >= 0 {
		w.out = append(w.out, ',')
	}
	w.edited = c.more(w.edited[:0], int(w.x.spans[w.x.nodes[c.node].aux].count)-pos)
	from = len(w.out)
	w.out, _ = jsontext.AppendQuote(w.out, w.edited)
	w.size += countPoints(w.out[from:])
	c.kept++
}

// begin returns where a member, with its name, or an element starts.
func (x *Index) begin(n uint32) int {
	if x.nodes[n].meta>>keyShift != 0 {
		start, _ := x.key(n)
		return start
	}
	return int(x.nodes[n].start)
}
