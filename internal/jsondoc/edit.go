package jsondoc

import (
	"errors"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// SetText replaces the value by a string. Invalid UTF-8 in it is replaced. Text
// may be a part of what [Value.Text] gave.
func (v *Value) SetText(text []byte) {
	if !utf8.Valid(text) {
		text = repair(nil, text)
	}
	v.w.edited = append(v.w.edited[:0], text...)
	v.text, v.hasText, v.protected = v.w.edited, true, v.protected[:0]
	v.kind, v.edit, v.inner = String, newText, false
}

// SetTextString is SetText for a string.
func (v *Value) SetTextString(text string) {
	v.w.edited = append(v.w.edited[:0], text...)
	v.SetText(v.w.edited)
}

var errNotOneValue = errors.New("what replaces a value is not one JSON value")

// SetRaw replaces the value by another, which the steps behind this one go
// through with all that is in it. Raw must stay as it is until the document is
// done.
func (v *Value) SetRaw(raw []byte) error {
	if !utf8.Valid(raw) {
		raw = repair(nil, raw)
	}
	if !jsontext.Value(raw).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return errNotOneValue
	}
	raw = trimSpace(raw)
	if raw[0] == '"' {
		text, _ := jsontext.AppendUnquote(nil, raw)
		v.SetText(text)
		return nil
	}
	v.raw, v.edit, v.kind, v.next = raw, newRaw, kindOf(raw), 0
	v.limit, v.dropEmpty = -1, false
	return nil
}

func trimSpace(raw []byte) []byte {
	for isSpace(raw[0]) {
		raw = raw[1:]
	}
	for isSpace(raw[len(raw)-1]) {
		raw = raw[:len(raw)-1]
	}
	return raw
}

// kindOf returns the kind of a valid value.
func kindOf(raw []byte) Kind {
	switch raw[0] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't':
		return True
	case 'f':
		return False
	case 'n':
		return Null
	}
	return Number
}

// Drop leaves the member or the element out. Of a document as a whole an empty
// value of its kind remains.
func (v *Value) Drop() { v.edit = dropped }

// Rename gives the member another name; other values have none and stay as they
// are.
func (v *Value) Rename(name []byte) {
	if !v.Named() {
		return
	}
	if !utf8.Valid(name) {
		name = repair(nil, name)
	}
	v.w.editedKey = append(v.w.editedKey[:0], name...)
	v.name, v.hasName, v.renamed = v.w.editedKey, true, true
}

// Keep leaves out all but the first n elements of a list. More, if not nil, writes
// the text of an element that tells how many are left out.
func (v *Value) Keep(n int, more func(dst []byte, left int) []byte) {
	if v.kind == Array && (v.limit < 0 || n < v.limit) {
		v.limit, v.more = n, more
	}
}

// DropIfEmpty leaves a container out if nothing in it remains.
func (v *Value) DropIfEmpty() {
	v.dropEmpty = true
	v.empty = Change{Step: v.w.run.at, Option: v.reason}
}

// Revisit has the steps that are [Leaver]s see an object when it is complete.
func (v *Value) Revisit() { v.revisit = true }

// Because names the option that decides what the step does next to this value.
func (v *Value) Because(option string) { v.reason = option }
