package mcplayer

import (
	"encoding"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/cloudg/mcplayer/internal/jsondoc"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// encodeOptions make values look as encoding/json writes them, with what a
// model reads best: no escapes for HTML, an empty list or object for a nil slice
// or map (clients iterate over them), and the text of a fmt.Stringer.
var encodeOptions = json.JoinOptions(plainOptions, json.WithMarshalers(json.MarshalToFunc(encodeStringer)))

// plainOptions are those for values of which hasPlainType holds: no fmt.Stringer need be
// looked for.
var plainOptions = json.JoinOptions(
	jsonv1.DefaultOptionsV1(),
	json.FormatNilSliceAsNull(false),
	json.FormatNilMapAsNull(false),
	jsontext.EscapeForHTML(false),
	jsontext.EscapeForJS(false),
	jsontext.PreserveRawStrings(false), // so that member names can be compared as bytes
)

// encode returns value as JSON, without the members whose names are in omit, at
// any depth.
func encode(value any, omit []string) (jsontext.Value, error) {
	return encodeWith(encodeOptions, value, omit)
}

func encodeWith(opts json.Options, value any, omit []string) (jsontext.Value, error) {
	doc, err := json.Marshal(value, opts)
	if err != nil {
		return nil, err
	}
	return jsondoc.OmitMembers(doc, omit), nil
}

// encodeStringer writes the text of a fmt.Stringer that is no struct and has no
// JSON form or text of its own.
func encodeStringer(enc *jsontext.Encoder, value fmt.Stringer) error {
	switch n := value.(type) {
	case stdjson.Number:
		return encodeNumber(enc, n)
	case *stdjson.Number:
		if n != nil {
			return encodeNumber(enc, *n)
		}
	}
	if !isPlainStringer(value) {
		return errors.ErrUnsupported
	}
	return enc.WriteToken(jsontext.String(value.String()))
}

// encodeNumber writes n as encoding/json does: a number whose empty form is 0,
// and a string as the name of a member. The engine knows its own type only.
func encodeNumber(enc *jsontext.Encoder, n stdjson.Number) error {
	if kind, length := enc.StackIndex(enc.StackDepth()); kind == '{' && length%2 == 0 {
		return enc.WriteToken(jsontext.String(string(n)))
	}
	if n == "" {
		n = "0"
	}
	doc := jsontext.Value(n)
	if doc.Kind() != '0' {
		return fmt.Errorf("json: invalid number literal %q", string(n))
	}
	return enc.WriteValue(doc)
}

func isPlainStringer(value fmt.Stringer) bool {
	switch value.(type) {
	case stdjson.Marshaler, json.MarshalerTo, encoding.TextMarshaler, encoding.TextAppender:
		return false
	}
	t := reflect.TypeOf(value)
	for t.Kind() == reflect.Pointer {
		if reflect.ValueOf(value).IsNil() {
			return false
		}
		t = t.Elem()
	}
	return t.Kind() != reflect.Struct
}
