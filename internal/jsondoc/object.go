package jsondoc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Fault says why a document was refused. Loc is the path of the value in
// question ("items[2].name"), empty for the document itself. Msg never repeats
// a value.
type Fault struct {
	Loc, Msg string
	Kind     FaultKind
}

func (f *Fault) Error() string {
	if f.Loc == "" {
		return f.Msg
	}
	return f.Loc + ": " + f.Msg
}

// FaultKind sorts faults.
type FaultKind int

// The kinds of faults.
const (
	NotJSON FaultKind = iota + 1
	NotObject
	DuplicateMember
	TooDeep
	TooLarge
	NotUTF8
)

// CheckObject returns nil if doc is exactly one JSON object (RFC 8259, valid
// UTF-8) that is nested at most maxDepth deep and in which no object has two
// members of one name.
func CheckObject(doc jsontext.Value, maxDepth int) *Fault {
	if Deeper(doc, maxDepth) {
		return &Fault{Msg: "nested deeper than " + strconv.Itoa(maxDepth) + " levels", Kind: TooDeep}
	}
	if !doc.IsValid() {
		return explain(doc)
	}
	if doc.Kind() != '{' {
		return &Fault{Msg: "must be a JSON object", Kind: NotObject}
	}
	return nil
}

// Deeper reports whether brackets outside strings nest more than limit deep.
// Documents with too few brackets for that are not read any further.
func Deeper(doc []byte, limit int) bool {
	if len(doc) <= limit || bytes.Count(doc, []byte("{"))+bytes.Count(doc, []byte("[")) <= limit {
		return false
	}
	depth := 0
	for i := 0; i < len(doc); i++ {
		switch doc[i] {
		case '"':
			i += StringLen(doc[i:]) - 1
		case '{', '[':
			if depth++; depth > limit {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}

// StringLen returns the length of the JSON string that doc starts with, quotes
// included; of an unterminated one the length of doc.
func StringLen(doc []byte) int {
	for i := 1; i < len(doc); {
		if i+8 <= len(doc) {
			hit := stops(binary.LittleEndian.Uint64(doc[i:]))
			if hit == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(hit) >> 3
		}
		switch doc[i] {
		case '\\':
			i += 2
		case '"':
			return i + 1
		default:
			i++
		}
	}
	return len(doc)
}

// explain finds the fault of a document that is known to have one.
func explain(doc jsontext.Value) *Fault {
	d := jsontext.NewDecoder(strings.NewReader(string(doc)))
	_, err := d.ReadValue()
	if err == nil {
		return &Fault{Msg: "must be one JSON value; more follows after it", Kind: NotJSON}
	}
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return &Fault{Msg: "not complete JSON", Kind: NotJSON}
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return &Fault{Loc: pointerPath(syntax.JSONPointer), Msg: "is given twice", Kind: DuplicateMember}
	}
	return &Fault{Loc: pointerPath(syntax.JSONPointer), Msg: "not valid JSON at byte " + strconv.FormatInt(syntax.ByteOffset, 10), Kind: NotJSON}
}

// pointerPath writes a JSON pointer (RFC 6901) the way a person names a field:
// "/items/2/name" as "items[2].name".
func pointerPath(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		if index, err := strconv.ParseUint(token, 10, 32); err == nil && b.Len() > 0 {
			b.WriteString("[" + strconv.FormatUint(index, 10) + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(printable(token))
	}
	return b.String()
}

// printable replaces control characters, so that a member's name cannot forge
// lines or commands where the path is shown.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '\uFFFD'
		}
		return r
	}, s)
}
