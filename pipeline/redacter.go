package pipeline

import (
	"slices"

	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/cloudg/mcplayer/internal/untrusted"
	"github.com/cloudg/mcplayer/pipeline/detect"
)

// redacter is the step of a redaction.
type redacter struct {
	*redact
	counter
	pass   *Pass
	owner  string
	notes  *noteTable
	levels []scope // of the containers around the value, by depth
	none   keyNote // of what has no name

	names *nameSet // pseudonymised in this result
	found []detect.Finding
	text  []byte // scratch: what a text becomes
	key   []byte // scratch: what a name becomes
	hash  hasher
	pair  keyNote // scratch, see pairNote
}

func newRedacter(r *redact, p *Pass) *redacter {
	s := room(p.out != nil && p.out.redacter.redact == nil, func() *redacter { return &p.out.redacter })
	s.redact, s.counter, s.pass, s.notes = r, p.counter(), p, p.remembered(newNoteTable).(*noteTable)
	s.hash.key, s.owner = r.builder.HashKey, p.owner()
	return s
}

// Wants asks for everything: any member may have a name that must go.
func (r *redacter) Wants() jsondoc.Kind { return jsondoc.Any }

// Value makes redacter a [Step]; the engine calls Do.
func (r *redacter) Value(c *Cursor) error { return r.Do(c.v) }

// Fork returns a step for another part of the same document.
func (r *redacter) Fork() jsondoc.Step { return r.fork() }

func (r *redacter) fork() *redacter {
	f := &redacter{redact: r.redact, counter: newCounter(), pass: r.pass, owner: r.owner, notes: r.notes, names: r.names}
	f.hash.key = r.hash.key
	f.levels = slices.Clone(r.levels)
	return f
}

// Join adds what a fork counted.
func (r *redacter) Join(fork jsondoc.Step) { r.joinFork(fork.(*redacter)) }

func (r *redacter) joinFork(f *redacter) {
	r.join(f.counter)
	if why := f.to.get(pseudonymNoteKey); why != nil {
		r.to.set(pseudonymNoteKey, why)
	}
}

// Do looks at one value and its name.
func (r *redacter) Do(v *jsondoc.Value) error {
	p := r.at(v)
	if r.scanKeys && v.Named() && !r.renames(v, p) {
		return nil // the member is gone
	}
	switch v.Kind() {
	case jsondoc.Object, jsondoc.Array:
		r.enter(v, p)
	case jsondoc.String:
		if to := r.choose(v, p, v.Text()); to != nil {
			r.replaceWhole(v, to, v.Text())
		} else if !v.HoldsJSON() {
			r.replaceParts(v, p)
		}
	case jsondoc.Number:
		r.number(v, p)
	}
	return nil
}

// number looks at a number: an account may be one.
func (r *redacter) number(v *jsondoc.Value, p place) {
	digits := v.Raw()
	if to := r.choose(v, p, digits); to != nil {
		r.replaceWhole(v, to, digits)
		return
	}
	const least = 9 // digits of the shortest number that a detector takes
	if len(digits) < least || p.skip {
		return
	}
	r.found = r.scanner.Append(r.found[:0], digits)
	if len(r.found) == 1 && r.found[0].Start == 0 && r.found[0].End == len(digits) {
		if to := r.redact.found[foundKind{r.found[0].Detector, r.found[0].Entity}]; to != nil {
			r.replaceWhole(v, to, digits)
		}
	}
}

// choose returns what becomes of a whole value because of where it stands; nil if
// it is only to be scanned.
func (r *redacter) choose(v *jsondoc.Value, p place, text []byte) *outcome {
	if p.skip || v.HoldsJSON() {
		return nil
	}
	_, text, _ = untrusted.SplitFence(text)
	to := p.secret
	if to == nil {
		to = p.tag
	}
	if to == nil && !p.allowed {
		to = r.byRules(v, p, text)
	}
	if to == nil || r.own.has(text) {
		return nil
	}
	return to
}

// byRules returns the outcome of the first key rule that has one for the value.
func (r *redacter) byRules(v *jsondoc.Value, p place, text []byte) *outcome {
	for _, k := range p.note.rules {
		if k.mark != 0 && r.marks(v, p)&k.mark == 0 {
			continue
		}
		if v.Kind() == jsondoc.Number && len(text) < minIdentifier || isDate(text) {
			return nil // a count, a position, a day
		}
		if to := k.outcomeOf(text); to != nil {
			return to
		}
	}
	return nil
}

// minIdentifier is how many digits a number must have to be an identifier.
const minIdentifier = 5

// marks returns which rules have the sibling that they ask for.
func (r *redacter) marks(v *jsondoc.Value, p place) uint64 {
	up := p.around
	if up == nil || !v.Named() {
		return 0
	}
	if up.marked {
		return up.marks
	}
	up.marked = true
	v.Siblings(func(_, id int, name []byte) bool {
		up.marks |= r.marksOf(id, name)
		return up.marks != r.redact.marks
	})
	return up.marks
}

// outcomeOf returns what becomes of a finding.
func (r *redacter) outcomeOf(f *detect.Finding) *outcome {
	return r.redact.found[foundKind{f.Detector, f.Entity}]
}

// grow makes room for the level of a container.
func (r *redacter) grow(depth int) *scope {
	if depth >= len(r.levels) {
		r.levels = slices.Grow(r.levels, depth+1-len(r.levels))[:depth+1]
	}
	return &r.levels[depth]
}
