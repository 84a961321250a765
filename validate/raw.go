package validate

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// strictValue reads any value without duplicate names.
func (d *decoder) strictValue() (jsontext.Value, bool) {
	raw, ok := d.value()
	if !ok {
		return nil, false
	}
	if k := raw.Kind(); (k == '{' || k == '[') && !raw.IsValid() {
		return nil, d.fail(TypeDuplicate, "must not hold an object with the same name twice")
	}
	return raw, true
}

func readRaw(d *decoder, v reflect.Value) bool {
	raw, ok := d.strictValue()
	if ok {
		v.SetBytes(append([]byte{}, raw...))
	}
	return ok
}

// readOpaque reads a value for a type with UnmarshalJSON or UnmarshalJSONFrom.
func readOpaque(want string) reader {
	return func(d *decoder, v reflect.Value) bool {
		raw, ok := d.strictValue()
		if !ok {
			return false
		}
		if err := json.Unmarshal(raw, v.Addr().Interface()); err != nil {
			return d.fail(TypeFormat, "must be "+want)
		}
		return true
	}
}

func readAny(d *decoder, v reflect.Value) bool {
	raw, ok := d.strictValue()
	if !ok {
		return false
	}
	raw = append(jsontext.Value{}, raw...)
	sub := jsontext.NewDecoder(bytesReader(raw))
	x := looseValue(sub)
	if x == nil {
		v.SetZero()
	} else {
		v.Set(reflect.ValueOf(x))
	}
	return true
}

// looseValue makes the Go value of valid JSON as encoding/json would, except for numbers that a float64 does not
// hold: they stay text, as [encoding/json.Number].
func looseValue(dec *jsontext.Decoder) any {
	tok, err := dec.ReadToken()
	if err != nil {
		panic(fmt.Sprint("valid JSON is not: ", err)) // checked by the caller
	}
	switch tok.Kind() {
	case 't', 'f':
		return tok.Bool()
	case '"':
		return tok.String()
	case '0':
		return looseNumber(tok.String())
	case '[':
		list := []any{}
		for dec.PeekKind() != ']' {
			list = append(list, looseValue(dec))
		}
		_, _ = dec.ReadToken()
		return list
	case '{':
		m := map[string]any{}
		for dec.PeekKind() != '}' {
			name, _ := dec.ReadToken()
			key := name.String()
			m[key] = looseValue(dec)
		}
		_, _ = dec.ReadToken()
		return m
	}
	return nil
}

func bytesReader(b []byte) io.Reader { return bytes.NewBuffer(b) }

// looseNumber is a float64, or the text of a 64-bit number that a float64 would change.
func looseNumber(text string) any {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return stdjson.Number(text)
	}
	const exact = 1 << 53
	if math.Abs(f) < exact {
		return f
	}
	if n, v := parseInt([]byte(text), 64); v == fits && (f >= 1<<63 || int64(f) != n) {
		return stdjson.Number(text)
	}
	if n, v := parseUint([]byte(text), 64); v == fits && (f >= 1<<64 || uint64(f) != n) {
		return stdjson.Number(text)
	}
	return f
}
