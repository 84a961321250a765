package pipeline

import (
	"github.com/cloudg/mcplayer/internal/jsondoc"
)

// scope is what holds for the members or elements of a container.
type scope struct {
	list   *keyNote // of the name that elements of a list stand under; nil
	secret *outcome // everything in it is one
	tag    *outcome // elements are the values of a tag
	skip   bool     // only secrets are looked for
	tags   bool     // members are tags, or elements are
	pair   bool     // it is one tag: a member holds its key, one its value
	object bool

	marked bool
	marks  uint64 // which rules have the sibling that they ask for
	names  *newNames
}

// place is what holds for a value.
type place struct {
	note    *keyNote
	around  *scope   // nil at the document itself
	named   bool     // it is a member, or all that is in a string that is one
	secret  *outcome // the value is one
	tag     *outcome // the value is one of a tag
	allowed bool     // it is a tag that shows its value
	skip    bool
}

// at finds out what holds for a value.
func (r *redacter) at(v *jsondoc.Value) place {
	holder := v // a string may be JSON, whose outermost value stands where the string does
	for o := v.Outer(); o != nil; o = o.Outer() {
		holder = o
	}
	p := place{note: &r.none}
	if depth := v.Depth(); depth > 0 {
		p.around = &r.levels[depth-1]
		if !p.around.object && p.around.list != nil {
			p.note = p.around.list
		}
		p.secret, p.skip = p.around.secret, p.around.skip
	}
	if p.named = holder.Named(); p.named {
		p.note = r.noteOf(holder)
		if p.note.value {
			r.pairNote(&p, holder)
		}
		p.skip = p.skip || p.note.skip
	}
	if p.secret == nil && !p.skip {
		p.secret = p.note.secret
	}
	if p.around != nil && !p.skip {
		r.tagged(&p)
	}
	return p
}

// tagged finds out whether a value is one of a tag.
func (r *redacter) tagged(p *place) {
	up := p.around
	switch {
	case up.pair:
		if p.allowed = p.note.key; p.note.paired {
			p.tag, p.allowed = p.note.tag, p.note.allowed
		}
	case up.tags && p.named:
		p.tag, p.allowed = p.note.tag, p.note.allowed
	case up.tags:
		p.tag = r.redact.tag // one of a list of bare tags
	case !p.named:
		p.tag = up.tag
	}
}

// pairNote looks at a member called value: what it is stands in another member, the
// key of a tag or the name of a variable.
func (r *redacter) pairNote(p *place, holder *jsondoc.Value) {
	name := pairKey(holder)
	if name == nil {
		return
	}
	n := r.look(name)
	inTag := p.around != nil && p.around.pair
	if !inTag && n.secret == nil {
		return
	}
	r.pair = keyNote{secret: n.secret, tag: n.tag, allowed: n.allowed, paired: true, clean: p.note.clean, value: true}
	p.note = &r.pair
}

// pairKeys are the members that say what the member called value is; the last two are
// those of CloudFormation (its API reference, "Parameter" and "Output").
var pairKeys = [...]string{"Key", "key", "TagKey", "Name", "name", "ParameterKey", "OutputKey"}

// isPairValue reports whether a member may be named by another one.
func isPairValue(name []byte) bool {
	switch string(name) {
	case "Value", "value", "TagValue", "ParameterValue", "OutputValue":
		return true
	}
	return false
}

// pairKey returns the text of the member that says what a member called value is.
func pairKey(v *jsondoc.Value) []byte {
	for _, key := range pairKeys {
		if s, ok := v.Sibling(key); ok && s.Kind() == jsondoc.String {
			return s.Text()
		}
	}
	return nil
}

// enter notes what holds in a container.
func (r *redacter) enter(v *jsondoc.Value, p place) {
	up := p.around
	inTagList := up != nil && up.tags && !up.object
	tags := !p.skip && r.tags && (p.note.tags || up != nil && up.tags && p.named) || inTagList
	s := scope{secret: p.secret, skip: p.skip, object: v.Kind() == jsondoc.Object}
	note := p.note
	if note == &r.pair {
		copied := r.pair
		note = &copied
	}
	if s.object {
		s.tags = tags
		s.pair = inTagList && isPair(v)
	} else {
		s.list, s.tag = note, p.tag
		s.tags = (note.tags || inTagList) && p.tag == nil
	}
	*r.grow(v.Depth()) = s
}

// isPair reports whether an object is one tag with its key and its value.
func isPair(v *jsondoc.Value) bool {
	for _, names := range [...][2]string{{"Key", "Value"}, {"key", "value"}, {"TagKey", "TagValue"}, {"Name", "Value"}, {"name", "value"}} {
		if _, ok := v.Member(names[0]); ok {
			if _, ok := v.Member(names[1]); ok {
				return true
			}
		}
	}
	return false
}
