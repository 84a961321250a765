package pipeline

import (
	"slices"

	"github.com/cloudg/mcplayer"
)

// tally counts what the steps of a pass do, in the order in which they begin to.
type tally struct {
	counts   []count
	notes    []note
	findings []Finding // of a preview
}

// count is how often something happened: a member of the report, or of an object
// in it if it has a label.
type count struct {
	key, label string
	n          int
}

// note is a member of the report, or of an object in it if it has a label, that is
// no count.
type note struct {
	key, label string
	value      any
}

func (t *tally) add(key, label string, n int) {
	if n == 0 {
		return
	}
	for i := range t.counts {
		if c := &t.counts[i]; c.key == key && c.label == label {
			c.n += n
			return
		}
	}
	t.counts = append(t.counts, count{key, label, n})
}

// count returns a count without a label.
func (t *tally) count(key string) int {
	for _, c := range t.counts {
		if c.key == key && c.label == "" {
			return c.n
		}
	}
	return 0
}

// empty reports whether there is nothing to tell.
func (t *tally) empty() bool {
	for _, c := range t.counts {
		if c.key[0] != hidden[0] {
			return false
		}
	}
	return !slices.ContainsFunc(t.notes, func(n note) bool { return n.key[0] != hidden[0] })
}

func (t *tally) set(key string, value any) { t.setIn(key, "", value) }

func (t *tally) setIn(key, label string, value any) {
	for i := range t.notes {
		if n := &t.notes[i]; n.key == key && n.label == label {
			n.value = value
			return
		}
	}
	t.notes = append(t.notes, note{key, label, value})
}

func (t *tally) get(key string) any { return t.getIn(key, "") }

func (t *tally) getIn(key, label string) any {
	for _, n := range t.notes {
		if n.key == key && n.label == label {
			return n.value
		}
	}
	return nil
}

// counter is a step's way to the counts of its pass. A step that works on a part of
// a document has counts of its own, which are added in the end: two goroutines
// share none.
type counter struct{ to *tally }

func (p *Pass) counter() counter { return counter{&p.tally} }

func newCounter() counter { return counter{&tally{}} }

func (c counter) add(key string, n int) { c.to.add(key, "", n) }

func (c counter) join(fork counter) {
	for _, n := range fork.to.counts {
		c.to.add(n.key, n.label, n.n)
	}
}

// clone returns a copy to go back to.
func (t *tally) clone() tally {
	return tally{
		slices.Clip(append([]count(nil), t.counts...)), slices.Clip(append([]note(nil), t.notes...)), slices.Clip(append([]Finding(nil), t.findings...)),
	}
}

// report returns all but hidden members; nil if there are none.
func (t *tally) report() mcplayer.Report {
	var r mcplayer.Report
	for _, c := range t.counts {
		r = put(r, c.key, c.label, c.n)
	}
	for _, n := range t.notes {
		r = put(r, n.key, n.label, n.value)
	}
	return r
}

// put sets a member of a report, or of an object in it, and returns the report.
func put(r mcplayer.Report, key, label string, value any) mcplayer.Report {
	if key[0] == hidden[0] {
		return r
	}
	if r == nil {
		r = mcplayer.Report{}
	}
	if label == "" {
		r[key] = value
		return r
	}
	group, ok := r[key].(map[string]any)
	if !ok {
		group = map[string]any{}
		r[key] = group
	}
	group[label] = value
	return r
}
