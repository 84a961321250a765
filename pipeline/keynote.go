package pipeline

import (
	"slices"
	"sync/atomic"

	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/cloudg/mcplayer/pipeline/detect"
)

// keyNote is what a redaction knows of a name.
type keyNote struct {
	secret  *outcome // what stands under it is one
	rules   []*ruled // other key rules that it matches
	tag     *outcome // of a tag of that name; nil: it is only scanned
	allowed bool     // such a tag shows its value
	tags    bool     // tags stand under it
	skip    bool     // only secrets are looked for under it
	key     bool     // it may stand for the key of a tag
	value   bool     // what stands under it may be named by another member
	paired  bool     // it is, and the note is that of its name
	clean   bool     // nothing is found in the name itself
	noName  bool     // for the name alone nothing under it is replaced as a name
	marks   uint64   // of the rules that ask for a sibling of this name
}

// noteTable holds notes by the number of the name.
type noteTable [jsondoc.MaxKeys]atomic.Pointer[keyNote]

func newNoteTable() any { return &noteTable{} }

// noteOf returns what is known of the name of a member. If a step before gave it
// another name, the first one counts too where it told that the value is a secret.
func (r *redacter) noteOf(v *jsondoc.Value) *keyNote {
	n := r.noteOfWritten(v)
	if !v.Renamed() {
		return n
	}
	now := r.look(v.Key())
	if now.secret == nil {
		now.secret = n.secret
	}
	return now
}

func (r *redacter) noteOfWritten(v *jsondoc.Value) *keyNote {
	if id := v.KeyID(); id >= 0 {
		if n := r.notes[id].Load(); n != nil {
			return n
		}
	}
	return r.noteOfName(v.KeyID(), v.WrittenName())
}

// noteOfName returns what is known of the name with that number, which is -1 if it has
// none.
func (r *redacter) noteOfName(id int, name []byte) *keyNote {
	if id < 0 {
		return r.look(name)
	}
	n := r.notes[id].Load()
	if n == nil {
		n = r.look(name)
		r.notes[id].Store(n)
	}
	return n
}

// marksOf returns the marks of the rules that ask for a sibling of the name with that
// number.
func (r *redacter) marksOf(id int, name []byte) uint64 {
	if id >= 0 {
		return r.noteOfName(id, name).marks
	}
	return r.marksOfName(name)
}

func (r *redacter) marksOfName(name []byte) uint64 {
	var buf [64]byte
	return r.siblings[string(detect.AppendKey(buf[:0], name))]
}

// look finds out about a name.
func (r *redacter) look(name []byte) *keyNote {
	n := &keyNote{skip: r.skip.Match(string(name)), tags: r.tags && detect.IsTagMap(name)}
	n.clean, n.marks = len(r.scanner.Append(nil, name)) == 0, r.marksOfName(name)
	name = r.own.without(name)
	n.value, n.key = isPairValue(name), slices.Contains(pairKeys[:], string(name))
	r.rules.Match(name, func(rule *detect.KeyRule) {
		k := r.ruled[rule]
		switch {
		case k == nil:
		case rule.Secret():
			if n.secret == nil {
				n.secret = k.to
			}
		default:
			n.rules = append(n.rules, k)
		}
	})
	n.noName = n.secret == nil && !n.value && !slices.ContainsFunc(n.rules, (*ruled).findsNames)
	switch {
	case r.tagAllowed[string(detect.AppendKey(nil, name))]:
		n.allowed = true
	case detect.IsPersonKey(name):
		n.tag = r.person
	default:
		n.tag = r.redact.tag
	}
	return n
}
