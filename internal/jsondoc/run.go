package jsondoc

import (
	"errors"
	"fmt"
	"sync"
)

// Run is the work of some steps on the documents of one result. It is used by one
// goroutine. The zero Run has no steps.
type Run struct {
	// Trace, if set, is told of each change.
	Trace func(Change)
	// Workers is how many goroutines may share a large document; 0: as many as
	// there are processors. The result does not depend on it.
	Workers int
	// Keys numbers names, see [Value.KeyID]; runs that share it agree in their
	// numbers. Nil: the run has its own.
	Keys *Keys

	steps []entry
	first [8]entry // where steps is if there are few
	at    int      // the step at work
}

// SetSteps sets the steps, in their order.
func (r *Run) SetSteps(steps ...Step) {
	r.steps = r.first[:0]
	for i, s := range steps {
		r.steps = append(r.steps, entry{step: s, place: i})
	}
}

// recover makes a panic of a step an error of that step.
func (r *Run) recover(err *error) {
	if v := recover(); v != nil {
		*err = &StepError{r.at, fmt.Errorf("panic: %v", v)}
	}
}

// Document is a document that was read and can be led through steps. It must be
// closed, and not be used after that.
type Document struct {
	x       Index
	w       walker
	guesses guesses
	lookers []entry
	shrunk  bool // little of it will be left
}

// maxPooled is the size up to which the memory of a document is kept for the next
// one.
const maxPooled = 1 << 20

var pool = sync.Pool{New: func() any { return &Document{} }}

func newDocument() *Document {
	d := pool.Get().(*Document)
	d.w.guesses = &d.guesses
	return d
}

// Close gives the memory of the document back.
func (d *Document) Close() {
	d.x.doc, d.shrunk = nil, false
	clear(d.lookers)
	w := &d.w
	if w.on {
		w.out = nil // others have the land
	}
	*w = walker{
		frames: w.frames[:0], splice: splice{out: w.out},
		unescaped: w.unescaped, unescapedKey: w.unescapedKey, edited: w.edited, editedKey: w.editedKey, made: w.made,
		v: Value{protected: w.v.protected[:0]},
	}
	if cap(d.x.nodes)*16+cap(w.out)+cap(w.unescaped)+cap(w.edited)+cap(w.made) <= maxPooled {
		pool.Put(d)
	}
}

// Open reads a document. Invalid UTF-8 inside strings is replaced by U+FFFD. The
// error is a *[Fault]. Doc must not change until the document is closed.
func Open(doc []byte) (*Document, error) {
	d, fault := open(doc)
	if fault != nil {
		return nil, fault
	}
	return d, nil
}

func open(doc []byte) (*Document, *Fault) {
	d := newDocument()
	fault := d.x.build(doc)
	if fault != nil && fault.Kind == NotUTF8 {
		fault = d.x.build(repair(make([]byte, 0, len(doc)+len(doc)/8), doc))
	}
	if fault != nil {
		d.Close()
		return nil, fault
	}
	return d, nil
}

// OpenText reads text, which is either a document, if it is an object, a list or a
// string in JSON, or one value in itself.
func OpenText(text []byte) (*Document, error) {
	if looksLikeJSON(text) {
		d, fault := open(text)
		if fault == nil {
			return d, nil
		}
		if fault.Kind != NotJSON {
			return nil, fault
		}
	}
	if len(text) > MaxBytes {
		return nil, tooLarge()
	}
	d := newDocument()
	d.x.bare(text)
	return d, nil
}

// bare makes text that is not JSON the only value of x.
func (x *Index) bare(text []byte) {
	points := countPoints(text)
	if points < 0 {
		text = repair(make([]byte, 0, len(text)+len(text)/8), text)
		points = countPoints(text)
	}
	x.reset()
	x.doc, x.size, x.longText = text, points, points
	x.nodes = append(x.nodes, node{0, uint32(len(text)), uint32(points), uint32(String) | flagBare | flagWide})
}

// Size returns the code points of the document indented by two spaces.
func (d *Document) Size() int { return d.x.size }

// Depth returns how deep containers are nested in the document.
func (d *Document) Depth() int { return d.x.depth }

// LongestText returns the code points of the longest string, as it is written.
func (d *Document) LongestText() int { return d.x.longText }

// LongestList returns the number of elements of the longest list.
func (d *Document) LongestList() int { return d.x.longList }

// IsText reports whether the document is text and not JSON.
func (d *Document) IsText() bool { return d.x.nodes[0].meta&flagBare != 0 }

// start makes w ready for a document.
func (w *walker) start(x *Index, run *Run) {
	w.x, w.run = x, run
	w.frames, w.size = w.frames[:0], 0
	w.splice = splice{doc: x.doc, out: w.out[:0]}
	w.split, w.look = false, false
}

// Shrinks says that little of the document will be left, so that no memory is set
// aside for all of it.
func (d *Document) Shrinks() { d.shrunk = true }

// Apply leads the document through the steps of the run and returns what becomes
// of it, and its size like [Document.Size]. If no step changes anything, it is the
// bytes that were read.
//
// A panic of a step is an error like any of its own.
func (d *Document) Apply(r *Run) (out []byte, size int, err error) {
	defer r.recover(&err)
	w := &d.w
	w.start(&d.x, r)
	w.steps, w.trace, w.max = r.steps, r.Trace, 0
	if n := len(d.x.doc); n > maxPooled && !d.shrunk {
		w.plot = &plot{land: &land{size: n}, to: n}
	}
	w.split = r.Trace == nil && r.workers() > 1
	if err := w.whole(); err != nil {
		return nil, 0, err
	}
	if w.edits == 0 {
		return d.x.doc, w.size, nil
	}
	w.flush(len(d.x.doc))
	return w.take(), w.size, nil
}

// Look leads the document past the steps of the run that are [Looker]s. They may
// tell from it what to do with the pieces of the result.
func (d *Document) Look(r *Run) (err error) {
	defer r.recover(&err)
	w := &d.w
	w.start(&d.x, r)
	d.lookers = d.lookers[:0]
	for _, e := range r.steps {
		if _, ok := e.step.(Looker); ok {
			d.lookers = append(d.lookers, e)
		}
	}
	w.steps, w.trace, w.max = d.lookers, nil, 0
	w.look, w.split = true, r.workers() > 1
	return w.whole()
}

// Fits reports whether what one step of the run makes of the document is at most
// limit code points long, and how long it is if it does. Nothing beyond that is
// looked at.
func (d *Document) Fits(r *Run, step, limit int) (size int, ok bool, err error) {
	w := &d.w
	defer r.recover(&err)
	w.start(&d.x, r)
	w.steps, w.trace, w.max = r.steps[step:step+1], nil, limit
	switch err := w.whole(); {
	case errors.Is(err, errOver):
		return 0, false, nil
	case err != nil:
		return 0, false, err
	}
	return w.size, w.size <= limit, nil
}

// whole works on a document that is not inside another.
func (w *walker) whole() error {
	for i := range w.steps {
		w.steps[i].wants = w.steps[i].step.Wants()
	}
	return w.root()
}

// Bare reports whether the document is no JSON but one value in itself.
func (d *Document) Bare() bool { return d.x.nodes[0].meta&flagBare != 0 }
