package pipeline

import (
	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/cloudg/mcplayer/internal/untrusted"
)

// nameRedacter is a redacter that looks for names first, so that it knows them in
// all texts of the result.
type nameRedacter struct {
	*redacter
	seen nameSet // by this step, while it looks
}

// Wants is asked before each walk: what was seen in the last one counts from now on.
func (r *nameRedacter) Wants() jsondoc.Kind {
	if r.seen.count > 0 {
		r.names = &r.seen
	}
	return jsondoc.Any
}

// Look notes the names that Do will replace by pseudonyms.
func (r *nameRedacter) Look(v *jsondoc.Value) error {
	if v.Kind()&(jsondoc.Containers|jsondoc.String) == 0 || r.isNoName(v) {
		return nil
	}
	p := r.at(v)
	switch v.Kind() {
	case jsondoc.Object, jsondoc.Array:
		r.enter(v, p)
	case jsondoc.String:
		text := v.Text()
		if to := r.choose(v, p, text); to != nil && isName(to) {
			_, text, _ = untrusted.SplitFence(text)
			r.seen.add(text, to)
			if clean, n := untrusted.StripBytes(nil, text); n > 0 {
				r.seen.add(clean, to) // as the sanitiser leaves it
			}
		}
	}
	return nil
}

// isNoName reports whether it is plain from the name of a string and what is around it
// that it is not replaced as a name: most are such.
func (r *nameRedacter) isNoName(v *jsondoc.Value) bool {
	if v.Kind() != jsondoc.String || !v.Named() {
		return false
	}
	up := &r.levels[v.Depth()-1]
	return up.secret == nil && up.tag == nil && !up.tags && !up.pair && r.noteOf(v).noName
}

// isName reports whether what becomes of a value is the pseudonym of a name.
func isName(to *outcome) bool {
	return to.action == doPseudonymize && to.source != "" && to.entity != entityTag
}

// Fork returns a step for another part of the same document.
func (r *nameRedacter) Fork() jsondoc.Step { return &nameRedacter{redacter: r.fork()} }

// Join adds what a fork counted and saw.
func (r *nameRedacter) Join(fork jsondoc.Step) {
	f := fork.(*nameRedacter)
	r.joinFork(f.redacter)
	r.seen.join(&f.seen)
}
