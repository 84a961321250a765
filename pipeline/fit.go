package pipeline

import (
	"math"

	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// maxPasses is how often the budget may look at a document to find what to leave
// out; attempts is how often the steps may run to meet it, since what they make of
// the values (cuts, placeholders) is known only then.
const (
	maxPasses    = 24
	attempts     = 3
	searchPasses = 6
	planPasses   = searchPasses + 3 // of one attempt, at most
)

// Members of the report of a projection that are no counts.
const (
	charsBefore = "chars_before"
	charsAfter  = "chars_after"
)

// placedShaper is a projection with its place among the steps.
type placedShaper struct {
	*shaper
	place int
}

func (p *Pass) addShaper(s *shaper, place int) {
	p.shapers = append(p.shapers, placedShaper{s, place})
}

// budget returns the projection with the smallest budget; nil if none has one.
func (p *Pass) budget() *placedShaper {
	var least *placedShaper
	for i := range p.shapers {
		if s := &p.shapers[i]; s.maxChars > 0 && (least == nil || s.maxChars < least.maxChars) {
			least = s
		}
	}
	return least
}

// room returns how many code points the next piece may have: what the pieces
// before it left, but always a hundredth of the budget, so that a large piece does
// not make small ones behind it unreadable.
func (p *Pass) room(s *placedShaper) int {
	return max(s.maxChars-p.used, s.maxChars/100, s.minString)
}

// shape leads a document through steps of which some are projections.
func (p *Pass) shape(d *jsondoc.Document) ([]byte, error) {
	f := fitter{pass: p, doc: d, shaper: p.budget(), start: p.tally.clone(), changed: len(p.changes)}
	best, err := f.run()
	if err != nil {
		return nil, err
	}
	p.used += best.size
	p.tally, p.changes = best.tally, best.changes
	p.countCuts(d.Size(), best)
	return best.out, nil
}

// fitter finds how much of a document the budget lets through.
type fitter struct {
	pass    *Pass
	doc     *jsondoc.Document
	shaper  *placedShaper // nil: there is no budget
	start   tally
	changed int
	passes  int
	tried   bool // the steps have run
	least   bool // nothing smaller can be had
}

// shaped is what the steps made of a document.
type shaped struct {
	out     []byte
	size    int
	cuts    cuts
	relaxed bool // the budget took nothing away
	over    bool // it does not fit the budget
	tally   tally
	changes []Change
}

func (f *fitter) run() (best shaped, err error) {
	if f.shaper == nil {
		return f.attempt()
	}
	room := f.pass.room(f.shaper)
	target := room
	for try := range attempts {
		if err := f.plan(target); err != nil {
			return best, err
		}
		s, err := f.attempt()
		if err != nil {
			return best, err
		}
		s.over = s.size > room
		if try == 0 || !s.over && (best.over || s.size > best.size) || best.over && s.size < best.size {
			best = s
		}
		full := !s.over && (s.relaxed || s.size > room-room/8)
		if full || s.over && f.least || f.passes+planPasses > maxPasses {
			break
		}
		target = nextTarget(target, s.size, room)
	}
	return best, nil
}

// nextTarget returns what to aim at after an aim at target came out as size.
func nextTarget(target, size, room int) int {
	next := float64(target) * float64(room) / float64(max(size, 1)) * 0.97
	return int(math.Min(next, math.MaxInt32))
}

// attempt runs all steps.
func (f *fitter) attempt() (s shaped, err error) {
	p := f.pass
	if f.tried {
		p.tally = f.start.clone()
	}
	f.tried = true
	p.changes = p.changes[:f.changed:f.changed]
	s.relaxed = f.shaper == nil || f.shaper.relaxed()
	for _, shaper := range p.shapers {
		shaper.cuts = cuts{}
	}
	s.out, s.size, err = f.doc.Apply(&p.run)
	for _, shaper := range p.shapers {
		s.cuts.add(shaper.cuts)
	}
	s.tally, s.changes = p.tally, p.changes
	return s, err
}

// plan shrinks lists in proportion, then strings, then depth, until the document
// as the projection alone would leave it is at most target code points long.
func (f *fitter) plan(target int) error {
	s, d := f.shaper, f.doc
	s.relax()
	f.least = false
	if d.Size() <= target {
		return nil
	}
	if _, ok, err := f.fits(target); ok || err != nil {
		return err
	}
	d.Shrinks()
	longest := float64(max(d.LongestList(), 1))
	guess := float64(target) / float64(d.Size())
	ok, err := f.search(target, 1/(2*longest), guess, 1, func(x float64) { s.ratio = x })
	if ok || err != nil {
		return err
	}
	shortest := float64(max(s.minString, 1))
	ok, err = f.search(target, shortest, 0, float64(d.LongestText()), func(x float64) { s.chars = max(int(x), s.minString) })
	if ok || err != nil {
		return err
	}
	ok, err = f.search(target, 1, 0, float64(d.Depth()), func(x float64) { s.shrink.depth = int(x) })
	f.least = !ok
	return err
}

// fits measures the document as the projection alone would leave it.
func (f *fitter) fits(target int) (size int, ok bool, err error) {
	f.passes++
	return f.doc.Fits(&f.pass.run, f.shaper.place, target)
}

// search finds a large x from least to most, which is too large, that fits, and
// sets it. If not even least fits, it sets that and is not ok.
func (f *fitter) search(target int, least, guess, most float64, set func(float64)) (ok bool, err error) {
	set(least)
	size, ok, err := f.fits(target)
	if !ok || err != nil {
		return false, err
	}
	low, high := least, math.Max(most, least)
	x := guess
	if guess <= low || guess >= high {
		x = math.Sqrt(low * high)
	}
	for pass := 1; pass < searchPasses && high/low > 1.01; pass++ {
		set(x)
		n, ok, err := f.fits(target)
		switch {
		case err != nil:
			return false, err
		case ok:
			low, size = x, n
		default:
			high = x
		}
		x = between(low, high, low*float64(target)/float64(max(size, 1))*0.99, low == least)
	}
	set(low)
	return true, nil
}

// between returns where to look next: at what proportion suggests, if that is
// inside, else in the middle; near the upper end as long as only the least is known
// to fit.
func between(low, high, proportional float64, onlyLeast bool) float64 {
	if onlyLeast {
		return math.Max(high/4, math.Sqrt(low*high))
	}
	if proportional > low*1.02 && proportional < high {
		return proportional
	}
	return math.Sqrt(low * high)
}

// countCuts tells what was left out of a document of that size.
func (p *Pass) countCuts(before int, s shaped) {
	if s.over {
		p.Note("truncated", true)
	}
	c := s.cuts
	if c == (cuts{}) {
		return
	}
	const key = "projection"
	p.Count(key, "members_dropped", c.dropped)
	p.Count(key, "nulls_dropped", c.nulls)
	p.Count(key, "empty_dropped", c.empty)
	p.Count(key, "lists_cut", c.lists)
	p.Count(key, "items_dropped", c.items)
	p.Count(key, "strings_cut", c.strings)
	p.Count(key, "chars_dropped", c.chars)
	p.Count(key, "nested_dropped", c.nested)
	p.Count(key, charsBefore, before)
	p.Count(key, charsAfter, s.size)
}
