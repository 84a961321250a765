package pipeline

import (
	"bytes"

	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/cloudg/mcplayer/internal/untrusted"
	"github.com/cloudg/mcplayer/pipeline/detect"
)

// droppedText stands where a whole text would have to be left out.
const droppedText = "[REDACTED:content]"

// replaceWhole replaces a whole string or number, unless a detector knows better
// what it is; a fence around a text stays.
func (r *redacter) replaceWhole(v *jsondoc.Value, to *outcome, text []byte) {
	before, inside, after := untrusted.SplitFence(text)
	if !to.secret() {
		to = r.known(to, inside)
	}
	if to.action == doDrop {
		r.drop(v, to)
		return
	}
	var done action
	r.text, done = r.append(append(r.text[:0], before...), to, inside)
	start, end := len(before), len(r.text)
	r.text = append(r.text, after...)
	if bytes.Equal(r.text, text) {
		return
	}
	r.did(v, to, done)
	if v.Kind() == jsondoc.Number && done == doPseudonymize && isNumber(r.text) && r.text[0] != '0' {
		_ = v.SetRaw(bytes.Clone(r.text)) // digits are JSON
		return
	}
	v.SetText(r.text)
	v.Protect(start, end)
}

// known returns what becomes of a value if a detector finds that all of it is
// something, or that a part of it is a secret; else what the name says.
func (r *redacter) known(to *outcome, text []byte) *outcome {
	r.found = r.scanner.Append(r.found[:0], text)
	for i := range r.found {
		f := &r.found[i]
		other := r.outcomeOf(f)
		if other == nil || to.source == tagSource && !other.secret() {
			continue
		}
		if other.secret() && f.Detector.Confidence >= sure || f.Start == 0 && f.End == len(text) {
			return other
		}
	}
	return to
}

// replaceParts replaces what is found in a string; the marks of a fence around it stay.
func (r *redacter) replaceParts(v *jsondoc.Value, p place) {
	before, text, after := untrusted.SplitFence(v.Text())
	r.find(text, p.skip)
	if len(r.found) == 0 {
		return
	}
	for i := range r.found {
		if to := r.outcomeAt(i, text); to.action == doDrop {
			r.drop(v, to)
			return
		}
	}
	var few [16]jsondoc.Span
	var spans []jsondoc.Span
	r.text, spans = r.replaced(v, append(r.text[:0], before...), text, few[:0])
	if len(spans) == 0 {
		return
	}
	r.text = append(r.text, after...)
	v.SetText(r.text)
	for _, s := range spans {
		v.Protect(s.Start, s.End)
	}
}

// find leaves in r.found what is to be replaced in a text.
func (r *redacter) find(text []byte, skip bool) {
	r.found = r.scanner.Append(r.found[:0], text)
	if skip && len(r.found) > 0 {
		r.keepSecrets()
	}
	if r.names != nil && !skip && !coversAll(r.found, text) {
		r.found = r.names.append(r.found, text)
	}
}

// coversAll reports whether one finding is all of a text, so that nothing beside it can be
// found.
func coversAll(found []detect.Finding, text []byte) bool {
	return len(found) == 1 && found[0].Start == 0 && found[0].End == len(text)
}

// keepSecrets leaves out what is no secret, or may be none: a cursor is long and
// random, too.
func (r *redacter) keepSecrets() {
	kept := r.found[:0]
	for i := range r.found {
		if f := r.found[i]; isProtected(f.Detector.Category) && f.Detector.Confidence >= sure {
			kept = append(kept, f)
		}
	}
	r.found = kept
}

// sure is how confident a detector is that does not only guess.
const sure = 0.8

// outcomeAt returns what becomes of a finding or of a name.
func (r *redacter) outcomeAt(i int, text []byte) *outcome {
	f := &r.found[i]
	if f.Detector == nil {
		to, _ := r.names.get(text[f.Start:f.End])
		return to
	}
	return r.outcomeOf(f)
}

// replaced appends a text to dst with what was found in it replaced, and to spans
// where the replacements stand. If nothing becomes another text, there are none.
func (r *redacter) replaced(v *jsondoc.Value, dst, text []byte, spans []jsondoc.Span) ([]byte, []jsondoc.Span) {
	from := 0
	for i := range r.found {
		f := &r.found[i]
		to, value := r.outcomeAt(i, text), text[f.Start:f.End]
		if r.own.has(value) || r.own.around(text, f.Start, f.End) {
			continue
		}
		dst = append(dst, text[from:f.Start]...)
		start := len(dst)
		var done action
		dst, done = r.append(dst, to, value)
		from = f.End
		if bytes.Equal(dst[start:], value) {
			continue
		}
		r.did(v, to, done)
		spans = append(spans, jsondoc.Span{Start: start, End: len(dst)})
	}
	return append(dst, text[from:]...), spans
}

// append appends what stands for a value to dst, and tells what was done.
func (r *redacter) append(dst []byte, to *outcome, value []byte) ([]byte, action) {
	switch to.action {
	case doMask:
		return to.mask.append(dst, value), doMask
	case doHash:
		return r.appendHash(dst, to, value), doHash
	case doPseudonymize:
		return r.appendPseudonym(dst, to, value)
	case doGeneralize:
		if out, ok := to.coarse.append(dst, value, to.category == detect.CategoryNetwork || to.entity == "email"); ok {
			return out, doGeneralize
		}
	}
	return to.placed.appendLength(dst, len(value)), doRedact
}

func (r *redacter) appendHash(dst []byte, to *outcome, value []byte) []byte {
	return to.hashed.append(dst, r.hash.digest(to.entity, value, to.strategy.hash.length))
}

// pseudonymNoteKey is the member of the report that tells why there are hashes where
// pseudonyms are asked for.
const pseudonymNoteKey = "pseudonyms"

// appendPseudonym hashes where there is no pseudonym to be had, and the report says
// so.
func (r *redacter) appendPseudonym(dst []byte, to *outcome, value []byte) ([]byte, action) {
	vault := r.builder.Pseudonyms
	if vault == nil {
		r.to.set(pseudonymNoteKey, "hashed: no vault")
		return r.appendHash(dst, to, value), doHash
	}
	entity := to.entity
	if to.as != "" {
		entity = to.as
	}
	out, ok := vault.AppendPseudonym(dst, r.owner, entity, value)
	if !ok {
		r.to.set(pseudonymNoteKey, "hashed: the vault has no room")
		return r.appendHash(dst, to, value), doHash
	}
	return out, doPseudonymize
}

// drop leaves a value out; of a text that is all there is a word remains.
func (r *redacter) drop(v *jsondoc.Value, to *outcome) {
	r.did(v, to, doDrop)
	if v.Depth() == 0 || v.Outer() != nil {
		v.SetTextString(droppedText)
		v.Protect(0, len(droppedText))
		return
	}
	v.Drop()
}

// did counts what was done, and notes it for a preview; nothing if v is nil.
func (r *redacter) did(v *jsondoc.Value, to *outcome, done action) {
	if v == nil {
		return
	}
	r.to.add(done.reportKey(), to.entity, 1)
	v.Because(to.option)
	if r.pass.run.Trace != nil {
		r.to.note(v, to, done)
	}
}
