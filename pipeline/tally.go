package pipeline

import "github.com/cloudg/mcplayer"

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

// note is a member of the report that is no count.
type note struct {
	key   string
	value any
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
	if t.counts == nil {
		t.counts = make([]count, 0, 8)
	}
	t.counts = append(t.counts, count{key, label, n})
}

func (t *tally) set(key string, value any) {
	for i := range t.notes {
		if t.notes[i].key == key {
			t.notes[i].value = value
			return
		}
	}
	t.notes = append(t.notes, note{key, value})
}

func (t *tally) get(key string) any {
	for _, n := range t.notes {
		if n.key == key {
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
	return tally{append([]count(nil), t.counts...), append([]note(nil), t.notes...), append([]Finding(nil), t.findings...)}
}

// report returns all but hidden members; nil if there are none.
func (t *tally) report() mcplayer.Report {
	var r mcplayer.Report
	for _, c := range t.counts {
		if c.key[0] == hidden[0] {
			continue
		}
		if r == nil {
			r = mcplayer.Report{}
		}
		if c.label == "" {
			r[c.key] = c.n
			continue
		}
		group, ok := r[c.key].(map[string]any)
		if !ok {
			group = map[string]any{}
			r[c.key] = group
		}
		group[c.label] = c.n
	}
	for _, n := range t.notes {
		if n.key[0] == hidden[0] {
			continue
		}
		if r == nil {
			r = mcplayer.Report{}
		}
		r[n.key] = n.value
	}
	return r
}
