package jsondoc

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// OmitMembers returns the valid JSON document doc without the members of those
// names, at any depth. The document's names are compared as written: they must
// have no escapes but those that JSON needs. A document that has none of them is
// returned as it is.
func OmitMembers(doc []byte, names []string) []byte {
	quoted := make([][]byte, 0, 4)
	for _, name := range names {
		q, _ := jsontext.AppendQuote(nil, name) // invalid UTF-8 is replaced, as in the document
		if bytes.Contains(doc, q) {
			quoted = append(quoted, q)
		}
	}
	if len(quoted) == 0 {
		return doc
	}
	o := omitter{doc: doc, names: quoted}
	o.value(0)
	if o.copied == 0 {
		return doc
	}
	return append(o.out, doc[o.copied:]...)
}

// omitter copies a document and leaves spans out.
type omitter struct {
	doc    []byte
	names  [][]byte
	out    []byte
	copied int // how much of doc is in out or left out
}

func (o *omitter) cut(from, to int) {
	if o.out == nil {
		o.out = make([]byte, 0, len(o.doc))
	}
	o.out = append(o.out, o.doc[o.copied:from]...)
	o.copied = to
}

func (o *omitter) space(i int) int {
	for i < len(o.doc) && isSpace(o.doc[i]) {
		i++
	}
	return i
}

// value works on the value at i and returns where it ends.
func (o *omitter) value(i int) int {
	i = o.space(i)
	switch o.doc[i] {
	case '{':
		return o.object(i)
	case '[':
		return o.array(i)
	case '"':
		return i + StringLen(o.doc[i:])
	}
	return i + scalarLen(o.doc[i:])
}

func (o *omitter) array(i int) int {
	i = o.space(i + 1)
	for o.doc[i] != ']' {
		i = o.space(o.value(i))
		if o.doc[i] == ',' {
			i = o.space(i + 1)
		}
	}
	return i + 1
}

// object leaves out members, each with one of the commas beside it.
func (o *omitter) object(i int) int {
	i = o.space(i + 1)
	kept := -1 // where the last kept member ends
	for o.doc[i] != '}' {
		start := i
		end := start + StringLen(o.doc[start:])
		name := o.doc[start:end]
		omit := slices.ContainsFunc(o.names, func(n []byte) bool { return bytes.Equal(n, name) })
		end = o.space(end) + 1 // the colon
		if omit {
			end = skipValue(o.doc, o.space(end))
		} else {
			end = o.value(end)
		}
		i = o.space(end)
		more := o.doc[i] == ','
		if more {
			i = o.space(i + 1)
		}
		switch {
		case !omit:
			kept = end
		case kept >= 0:
			o.cut(max(kept, o.copied), end)
		case more:
			o.cut(start, i)
		default:
			o.cut(start, end)
		}
	}
	return i + 1
}

// skipValue returns where the value at doc[i] ends.
func skipValue(doc []byte, i int) int {
	depth := 0
	for {
		switch doc[i] {
		case '"':
			i += StringLen(doc[i:])
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\r', '\n':
			i++
			continue // never the end of a value
		default:
			i += scalarLen(doc[i:])
		}
		if depth == 0 {
			return i
		}
	}
}
