package pipeline

import (
	"strconv"

	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/cloudg/mcplayer/pipeline/detect"
)

// newNames are the names that members of one object get, so that no two members
// have one name afterwards. They are worked out for the whole object at once: parts
// of it may be worked on side by side.
type newNames struct {
	taken map[string]bool
	at    map[int]string // by the position of the member
}

// renames replaces what is found in the name of a member. It is false if the member
// is gone with it.
func (r *redacter) renames(v *jsondoc.Value, p place) bool {
	clean := p.note.clean && !v.Renamed()
	if clean && (r.names == nil || p.skip) {
		return true
	}
	name := v.Key()
	if r.found = r.found[:0]; clean { // no detector finds anything
		r.found = r.names.append(r.found, name)
	} else {
		r.find(name, p.skip)
	}
	r.found = r.found[:r.names.onlyUnlikeKeys(r.found, name)]
	if len(r.found) == 0 {
		return true
	}
	for i := range r.found {
		if to := r.outcomeAt(i, name); to.action == doDrop {
			r.drop(v, to)
			return false
		}
	}
	var few [8]jsondoc.Span
	var spans []jsondoc.Span
	r.key, spans = r.replaced(v, r.key[:0], name, few[:0])
	if len(spans) > 0 {
		v.Rename(r.distinct(v, r.key))
	}
	return true
}

// onlyUnlikeKeys moves the findings that count in the name of a member to the front
// and returns how many there are: a resource called "region" must not rename the
// members of that name.
func (s *nameSet) onlyUnlikeKeys(found []detect.Finding, name []byte) int {
	kept := 0
	for _, f := range found {
		unlikeKeys := f.Detector != nil
		if !unlikeKeys {
			_, unlikeKeys = s.get(name[f.Start:f.End])
		}
		if unlikeKeys {
			found[kept] = f
			kept++
		}
	}
	return kept
}

// distinct returns the new name of a member, with a number behind it if another
// member has it.
func (r *redacter) distinct(v *jsondoc.Value, name []byte) []byte {
	level := &r.levels[v.Depth()-1]
	if level.names == nil {
		level.names = r.nameAll(v)
	}
	if !v.Renamed() {
		return []byte(level.names.at[v.Index()])
	}
	for level.names.taken[string(name)] { // a step before gave it another name
		name = numbered(name, v.Index())
	}
	return name
}

// nameAll works out the new names of all members of the object that v is in.
func (r *redacter) nameAll(v *jsondoc.Value) *newNames {
	n := &newNames{taken: map[string]bool{}, at: map[int]string{}}
	quiet := r.quiet()
	first := map[string]bool{}
	v.Siblings(func(_, _ int, name []byte) bool {
		first[string(name)] = true
		return true
	})
	v.Siblings(func(pos, _ int, name []byte) bool {
		to := quiet.nameFor(name)
		if string(to) == string(name) {
			n.taken[string(name)] = true
			return true
		}
		for n.taken[string(to)] || first[string(to)] {
			to = numbered(to, pos)
		}
		n.taken[string(to)] = true
		n.at[pos] = string(to)
		return true
	})
	return n
}

// quiet returns a redacter that counts nothing.
func (r *redacter) quiet() *redacter {
	q := r.fork()
	q.pass = &Pass{}
	return q
}

func (r *redacter) nameFor(name []byte) []byte {
	r.find(name, false)
	r.found = r.found[:r.names.onlyUnlikeKeys(r.found, name)]
	r.key, _ = r.replaced(nil, r.key[:0], name, nil)
	return r.key
}

// clashes reports whether another member of the object has a name, or gets it: of two that
// get one the first keeps it. Becomes returns what a name, with its number, will be.
func clashes(v *jsondoc.Value, name string, becomes func(id int, old []byte) string) (clash bool) {
	own := v.Index()
	v.Siblings(func(pos, id int, old []byte) bool {
		if pos != own {
			clash = string(old) == name || pos < own && becomes(id, old) == name
		}
		return !clash
	})
	return clash
}

// numbered tells a name apart by the position of its member.
func numbered(name []byte, pos int) []byte {
	return strconv.AppendInt(append(name[:len(name):len(name)], '#'), int64(pos), 10)
}
