package validate

import (
	"encoding"
	"encoding/base64"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// scalar reads the next value, which must be a number, a string, true or false; null and others are problems.
func (d *decoder) scalar(want string) (jsontext.Value, bool) {
	switch d.dec.PeekKind() {
	case 'n':
		return nil, d.skip(TypeNull, "must not be null")
	case '{', '[':
		return nil, d.skip(TypeType, "must be "+want)
	}
	return d.value()
}

// number is [decoder.scalar] for numbers: a string that is exactly a number counts as one.
func (d *decoder) number(want string) (jsontext.Value, bool) {
	v, ok := d.scalar(want)
	if !ok {
		return nil, false
	}
	if v.Kind() == '"' {
		v = d.unquote(v)
		if !isNumber(v) {
			return nil, d.fail(TypeType, "must be "+want)
		}
	}
	if v.Kind() != '0' {
		return nil, d.fail(TypeType, "must be "+want)
	}
	return v, true
}

// isNumber reports whether text is a JSON number with nothing around it.
func isNumber(text jsontext.Value) bool {
	if len(text) == 0 || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return false
	}
	last := text[len(text)-1]
	return last >= '0' && last <= '9' && text.IsValid()
}

func readInt(t reflect.Type) reader {
	bits := t.Bits()
	least, most := int64(math.MinInt64)>>(64-bits), int64(math.MaxInt64)>>(64-bits)
	allowed := "must be between " + strconv.FormatInt(least, 10) + " and " + strconv.FormatInt(most, 10)
	return func(d *decoder, v reflect.Value) bool {
		num, ok := d.number("a whole number")
		if !ok {
			return false
		}
		n, verdict := parseInt(num, bits)
		if verdict != fits {
			return d.misfit(verdict, allowed)
		}
		v.SetInt(n)
		return true
	}
}

func readUint(t reflect.Type) reader {
	bits := t.Bits()
	allowed := "must be between 0 and " + strconv.FormatUint(math.MaxUint64>>(64-bits), 10)
	return func(d *decoder, v reflect.Value) bool {
		num, ok := d.number("a whole number")
		if !ok {
			return false
		}
		n, verdict := parseUint(num, bits)
		if verdict != fits {
			return d.misfit(verdict, allowed)
		}
		v.SetUint(n)
		return true
	}
}

func readFloat(t reflect.Type) reader {
	bits, most := t.Bits(), math.MaxFloat64
	if bits == 32 {
		most = math.MaxFloat32
	}
	limit := strconv.FormatFloat(most, 'g', -1, bits)
	return func(d *decoder, v reflect.Value) bool {
		num, ok := d.number("a number")
		if !ok {
			return false
		}
		f, verdict := parseFloat(num, bits)
		if verdict != fits {
			return d.misfit(verdict, "must be between -"+limit+" and "+limit)
		}
		v.SetFloat(f)
		return true
	}
}

func (d *decoder) misfit(v verdict, allowed string) bool {
	if v == fraction {
		return d.fail(TypeRange, "must be a whole number")
	}
	return d.fail(TypeRange, allowed)
}

func readBool(d *decoder, v reflect.Value) bool {
	raw, ok := d.scalar("true or false")
	if !ok {
		return false
	}
	if raw.Kind() == '"' {
		raw = d.unquote(raw)
	}
	switch string(raw) {
	case "true":
		v.SetBool(true)
	case "false":
		v.SetBool(false)
	default:
		return d.fail(TypeType, "must be true or false")
	}
	return true
}

func readString(d *decoder, v reflect.Value) bool {
	raw, ok := d.scalar("a string")
	if !ok {
		return false
	}
	if raw.Kind() != '"' {
		return d.fail(TypeType, "must be a string")
	}
	v.SetString(string(d.unquote(raw)))
	return true
}

// readText reads a string for a type with UnmarshalText, which gets a copy that it may keep.
// typ is that of the problem if the type refuses it.
func readText(want, typ string, empty bool) reader {
	return func(d *decoder, v reflect.Value) bool {
		raw, ok := d.scalar(want)
		if !ok {
			return false
		}
		if raw.Kind() != '"' {
			return d.fail(TypeType, "must be "+want)
		}
		text := d.unquote(raw)
		if len(text) == 0 && !empty {
			return d.fail(typ, "must be "+want)
		}
		if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText(append([]byte{}, text...)); err != nil {
			return d.fail(typ, "must be "+want)
		}
		return true
	}
}

const durationWant = "a duration, such as 1h30m or 90s"

func readDuration(d *decoder, v reflect.Value) bool {
	raw, ok := d.scalar(durationWant)
	if !ok {
		return false
	}
	if raw.Kind() != '"' {
		return d.fail(TypeType, "must be "+durationWant)
	}
	n, err := time.ParseDuration(string(d.unquote(raw)))
	if err != nil {
		return d.fail(TypeFormat, "must be "+durationWant)
	}
	v.SetInt(int64(n))
	return true
}

func readBytes(d *decoder, v reflect.Value) bool {
	raw, ok := d.scalar("base64 text")
	if !ok {
		return false
	}
	if raw.Kind() != '"' {
		return d.fail(TypeType, "must be base64 text")
	}
	text := d.unquote(raw)
	b := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(b, text)
	if err != nil || base64.StdEncoding.EncodedLen(n) != len(text) { // line ends are skipped by the decoder
		return d.fail(TypeFormat, "must be base64 text")
	}
	v.SetBytes(b[:n])
	return true
}
